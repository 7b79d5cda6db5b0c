//! Whole-game search: a tree over whole turns, grown best-first with threat search at its nodes.

mod alpha_beta;
mod filtered;
pub mod params;
mod searcher;
pub mod turns;
mod worker;

pub use params::Params;
pub use searcher::Searcher;
pub use tree_search::{Control, MoveReport, Proven, Report, Search, SearchLimits};

use crate::book::Book;
use crate::eval::Net;
use crate::point::Turn;
use tree_search::puct::{self, TreeMove};

/// A turn and its prior chance of being the best.
pub type Choice = puct::Choice<Turn>;

/// All that was learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// Which points look like moves, and what positions are worth.
    pub net: Net,
    /// What was played in openings.
    pub book: Book,
}

impl TreeMove for Turn {
    type Estimate = f32;
    type Extra = ();

    fn pack(self) -> u32 {
        self.to_bits()
    }

    fn unpack(bits: u32) -> Turn {
        Turn::from_bits(bits)
    }

    fn ends_turn(self) -> bool {
        true
    }
}
