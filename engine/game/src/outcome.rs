//! How a game ends.

use crate::Color;

/// How a game stands that ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Still being played.
    Open,
    /// Won by this side.
    Win(Color),
    /// Won by nobody.
    Draw,
}

impl Outcome {
    /// Whether there is nothing left to play.
    pub fn is_over(self) -> bool {
        self != Outcome::Open
    }
}
