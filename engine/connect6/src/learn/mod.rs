//! Learning the evaluation and the move weights from games, recorded or played against itself.

pub mod policy;
pub mod self_play;
pub mod value;

pub use policy::PolicyLearner;
pub use value::ValueLearner;

use crate::game::Outcome;
use crate::point::{Colour, Point};

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
