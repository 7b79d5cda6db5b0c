//! A leaf of the tree, and what it is worth.

use crate::board::{Board, Site};
use crate::{Color, rng::Rng};
use game_core::Proven;

/// What an end of the game is worth under a komi.
#[derive(Clone, Copy, Debug)]
pub struct Scoring {
    /// What White gets.
    pub komi: f32,
    /// Points of the board.
    pub area: f32,
    /// Share of a value that tells the margin, the rest who won.
    pub score_weight: f32,
}

impl Scoring {
    /// What a margin at the end of the game proves of the move of `color` that ended it. A draw is neither won nor lost; it is
    /// left open and its value counts.
    pub fn proven(&self, margin: f32, color: Color) -> Proven {
        let score = margin - self.komi;
        Proven::from_win((score != 0.0).then_some((score > 0.0) == (color == Color::Black)))
    }

    /// The value for Black, 0 to 1, of a margin on the board: who wins, and a little of by how much.
    #[inline]
    pub fn value(&self, margin: f32) -> f32 {
        let score = margin - self.komi;
        let won = if score > 0.0 {
            1.0
        } else if score < 0.0 {
            0.0
        } else {
            0.5
        };
        let weight = self.score_weight;
        let scale = self.area.min(80.0);
        (1.0 - weight) * won + weight * (0.5 + 0.5 * (score / scale).clamp(-1.0, 1.0))
    }
}

/// A leaf to be valued.
pub struct Leaf<'a, const N: usize, const W: usize> {
    /// The position, for the evaluator to play on.
    pub board: &'a mut Board<N, W>,
    /// Who is to move.
    pub to_move: Color,
    /// The last move and the one before, [`Site::PASS`] where there is none.
    pub last: [Site; 2],
    /// What ends of the game are worth.
    pub scoring: &'a Scoring,
    /// The thread's random numbers.
    pub rng: &'a mut Rng,
    /// The moves made to get here. What a playout adds counts for all moves as first.
    pub moves: &'a mut Vec<Site>,
}

/// What a leaf is worth.
#[derive(Clone, Debug, Default)]
pub struct LeafValue {
    /// Chance of winning for Black, 0 to 1.
    pub value: f32,
    /// Black's area minus White's, komi not counted.
    pub margin: f32,
    /// For each site how surely it ends as Black's (1) or White's (-1).
    pub ownership: Vec<f32>,
}
