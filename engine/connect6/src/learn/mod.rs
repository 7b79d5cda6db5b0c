//! Learning the network from games, recorded or played against itself.

mod adam;
mod eval;
mod factored_embedding;
mod learner;
mod random;
pub mod self_play;

pub use eval::{Figures, evaluate};
pub use learner::{LearnOptions, Learner};

use crate::Color;
use crate::board::Board;
use crate::game::{Game, Outcome};
use crate::point::{self, Point};
use crate::rules::Rules;

/// A finished game: its stones in order, turns as the rules have them, and how it ended.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The stones.
    pub stones: Vec<Point>,
    /// The result; an open game counts as a draw. A game may end before its result is on the board.
    pub outcome: Outcome,
    /// What a search found before each turn, the first turn first; less or nothing for games of others.
    pub searched: Vec<Option<Searched>>,
}

/// What a search found before a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The chance, from 0 to 1, that the side to move wins.
    pub chance: f32,
    /// The turns that were visited and how often, proved losses left out.
    pub visits: Vec<(point::Turn, u32)>,
}

impl Sample {
    /// What the game was worth to a colour: 1, 0.5 or 0.
    pub fn result(&self, color: Color) -> f32 {
        match self.outcome {
            Outcome::Win(winner) => f32::from(u8::from(winner == color)),
            Outcome::Draw | Outcome::Open => 0.5,
        }
    }

    /// Whether the game belongs to the part kept for validation: one in ten, by a hash (FNV-1a) of its first
    /// seven stones, so that games with the same opening are on the same side.
    pub fn is_validation(&self) -> bool {
        let mut hash = game_core::Fnv1a::new();
        for stone in self.stones.iter().take(7) {
            hash.step(stone.index() as u64);
        }
        (hash.get() >> 32).is_multiple_of(10)
    }
}

/// A turn of a sample.
struct Turn<'a> {
    /// The position before it.
    board: Board,
    /// Whose it was.
    side: Color,
    /// The stones played.
    stones: &'a [Point],
    /// What was searched before it.
    searched: Option<&'a Searched>,
}

impl Turn<'_> {
    /// Whether the search would ask for the position's value: a whole turn was to be played, and the side to
    /// move had no threat. With one it has won.
    fn is_open(&self, rules: Rules) -> bool {
        self.stones.len() == rules.p() && !self.board.has_threat(self.side)
    }

    /// How much each point is to be played as the first stone of the turn, 1 in all: either stone of a turn
    /// may come first.
    fn first_stones(&self) -> Vec<(Point, f32)> {
        let Some(searched) = self.searched.filter(|s| !s.visits.is_empty()) else {
            let share = 1.0 / self.stones.len().max(1) as f32;
            return self.stones.iter().map(|&point| (point, share)).collect();
        };
        let mut shares: Vec<(Point, f32)> = Vec::new();
        let mut total = 0.0;
        for (turn, visits) in &searched.visits {
            for point in turn.stones() {
                total += *visits as f32;
                match shares.iter_mut().find(|s| s.0 == point) {
                    Some(share) => share.1 += *visits as f32,
                    None => shares.push((point, *visits as f32)),
                }
            }
        }
        shares.iter_mut().for_each(|s| s.1 /= total.max(1.0));
        shares
    }

    /// How much each point is to be played beside a first stone, 1 in all; nothing when that one ends the turn.
    fn second_stones(&self, first: Point) -> Vec<(Point, f32)> {
        let beside = |turn: &point::Turn| {
            let mut stones = turn.stones();
            let pair = (stones.next()?, stones.next()?);
            match pair {
                (a, b) if a == first => Some(b),
                (a, b) if b == first => Some(a),
                _ => None,
            }
        };
        match self.searched.filter(|s| !s.visits.is_empty()) {
            Some(searched) => {
                let visits = searched.visits.iter();
                let mut shares: Vec<(Point, f32)> =
                    visits.filter_map(|(t, v)| Some((beside(t)?, *v as f32))).collect();
                let total: f32 = shares.iter().map(|s| s.1).sum();
                shares.iter_mut().for_each(|s| s.1 /= total.max(1.0));
                shares
            }
            None => match *self.stones {
                [a, b] if a == first => vec![(b, 1.0)],
                [a, b] if b == first => vec![(a, 1.0)],
                _ => Vec::new(),
            },
        }
    }
}

/// The turns of a sample, from the second on, up to the first that the rules forbid.
fn turns(rules: Rules, sample: &Sample) -> Vec<Turn<'_>> {
    let mut game = Game::new(rules);
    let mut turns = Vec::new();
    let mut rest = &sample.stones[..];
    for number in 0.. {
        if rest.is_empty() {
            break;
        }
        let to_move = game.to_move();
        let (stones, after) = rest.split_at(rest.len().min(to_move.stones as usize));
        rest = after;
        let board = game.board().clone();
        if stones.iter().any(|&point| game.play(to_move.color, point).is_err()) {
            break;
        }
        if board.count() > 0 {
            let searched = sample.searched.get(number).and_then(Option::as_ref);
            turns.push(Turn { board, side: to_move.color, stones, searched });
        }
    }
    turns
}
