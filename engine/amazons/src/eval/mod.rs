//! What a position is worth without search: territory by queen and king distances, and mobility.
//!
//! The terms are Lieberum's ("An evaluation function for the game of Amazons", Theoretical Computer Science 349, 2005):
//! t1 and c1 from queen distances, t2 and c2 from king distances, m from the freedom of each queen, weighed by how open
//! the position is. All but m are sums over squares of a function of two distances, one a side; so a table of such a
//! function by pairs of distances ([`Weights`]) holds all of them at once and can be learned from games.

pub(crate) mod batch;
pub mod features;
pub mod flood;
mod mobility;
pub(crate) mod weights;

pub use features::{FEATURES, Features};
pub use weights::{KNOTS, Weights, WeightsError};

use crate::position::Position;

impl Weights {
    /// The logit of the chance that the side to move wins, positive when it is ahead.
    ///
    /// ```
    /// use amazons_engine::{Position, eval::Weights};
    /// let weights = Weights::hand_made();
    /// // Moving first is worth something, and the sides are otherwise alike.
    /// assert!(weights.evaluate(&Position::start()) > 0.0);
    /// ```
    pub fn evaluate(&self, position: &Position) -> f32 {
        let (own, other) = (position.to_move(), position.to_move().other());
        self.evaluate_features(&Features::of(
            position.queens(own),
            position.queens(other),
            position.free(),
        ))
    }
}

/// The chance that belongs to a logit.
#[inline]
pub fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
