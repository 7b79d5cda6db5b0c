//! Learning the network from games, recorded or played against itself.

mod dense;
mod factors;
mod judge;
mod learner;
pub mod self_play;

pub use judge::{Figures, judge};
pub use learner::{LearnOptions, Learner};

use crate::board::Board;
use crate::game::{Game, Outcome};
use crate::point::{Colour, Point};
use crate::rules::Rules;

/// A finished game: its stones in order, turns as the rules have them, and how it ended.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The stones.
    pub stones: Vec<Point>,
    /// The result; an open game counts as a draw.
    pub outcome: Outcome,
}

impl Lesson {
    /// What the game was worth to a colour: 1, 0.5 or 0.
    pub fn result(&self, colour: Colour) -> f32 {
        match self.outcome {
            Outcome::Win(winner) => f32::from(u8::from(winner == colour)),
            Outcome::Draw | Outcome::Open => 0.5,
        }
    }

    /// Whether the game belongs to the part kept for validation: one in ten, by a hash (FNV-1a) of its first
    /// seven stones, so that games with the same opening are on the same side.
    pub fn is_validation(&self) -> bool {
        let hash = self.stones.iter().take(7).fold(0xcbf2_9ce4_8422_2325u64, |hash, p| {
            (hash ^ p.index() as u64).wrapping_mul(0x100_0000_01b3)
        });
        (hash >> 32) % 10 == 0
    }
}

/// A turn of a lesson.
struct Turn<'a> {
    /// The position before it.
    board: Board,
    /// Whose it was.
    side: Colour,
    /// The stones played.
    stones: &'a [Point],
}

impl Turn<'_> {
    /// Whether the search would ask for the position's value: a whole turn was to be played, and the side to
    /// move had no threat. With one it has won.
    fn is_open(&self, rules: Rules) -> bool {
        self.stones.len() == rules.p() && !self.board.has_threat(self.side)
    }
}

/// The turns of a lesson, from the second on, up to the first that the rules forbid.
fn turns(rules: Rules, lesson: &Lesson) -> Vec<Turn<'_>> {
    let mut game = Game::new(rules);
    let mut turns = Vec::new();
    let mut rest = &lesson.stones[..];
    while !rest.is_empty() {
        let to_move = game.to_move();
        let (stones, after) = rest.split_at(rest.len().min(to_move.stones as usize));
        rest = after;
        let board = game.board().clone();
        if stones.iter().any(|&point| game.play(to_move.colour, point).is_err()) {
            break;
        }
        if board.count() > 0 {
            turns.push(Turn { board, side: to_move.colour, stones });
        }
    }
    turns
}
