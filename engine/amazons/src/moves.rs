//! A turn and its parts.

use crate::square::Square;

/// A turn: a queen moves and shoots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the queen stood.
    pub from: Square,
    /// Where it stands now.
    pub to: Square,
    /// Where its arrow hit.
    pub arrow: Square,
}
