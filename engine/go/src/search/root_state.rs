//! Which position a tree is of, and whether another one lies below it.

use super::{Avoided, Limits};
use crate::game::{Played, Start};
use crate::{Color, Game, Move, Rules};

/// The position that a tree was searched for, with all that its values rest on.
#[derive(Clone, Debug)]
pub struct RootState {
    width: u8,
    height: u8,
    start: Start,
    rules: Rules,
    komi: f64,
    handicap_komi: f32,
    moves: Vec<Played>,
    to_move: Color,
    avoid: Vec<Avoided>,
}

/// Values of a tree that was searched with a komi for the handicap of some points more or less are still of use.
const MAX_KOMI_DRIFT: f32 = 2.0;

impl RootState {
    /// That of a search for a move of `color`, who gets or gives so many points in values alone.
    pub fn of(game: &Game, color: Color, limits: &Limits, handicap_komi: f32) -> RootState {
        RootState {
            width: game.board().width(),
            height: game.board().height(),
            start: game.start().clone(),
            rules: *game.rules(),
            komi: game.komi(),
            handicap_komi,
            moves: game.moves().to_vec(),
            to_move: color,
            avoid: limits.avoid.clone(),
        }
    }

    /// The moves that lead from this position to another one, the two sides in turn; none when the tree of this one says
    /// nothing of that.
    pub fn moves_to(&self, next: &RootState, limits: &Limits) -> Option<Vec<Move>> {
        let goes_on = self.width == next.width
            && self.height == next.height
            && self.start == next.start
            && self.rules == next.rules
            && self.komi == next.komi
            && (self.handicap_komi - next.handicap_komi).abs() <= MAX_KOMI_DRIFT
            && self.avoid.is_empty()
            && next.avoid.is_empty()
            && !limits.fresh
            && next.moves.starts_with(&self.moves);
        if !goes_on {
            return None;
        }
        let mut turn = self.to_move;
        let mut moves = Vec::new();
        for played in &next.moves[self.moves.len()..] {
            if played.color != turn {
                return None;
            }
            moves.push(played.mv);
            turn = turn.other();
        }
        (turn == next.to_move).then_some(moves)
    }
}
