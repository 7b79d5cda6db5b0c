//! Whole-game search: a tree over whole turns, grown best-first with threat search at its nodes.

mod alpha_beta;
pub mod params;
mod report;
mod searcher;
mod tree;
pub mod turns;
mod workers;

pub use game_core::{Control, Proven, SearchLimits};
pub use params::Params;
pub use report::{Progress, RootChoice};
pub use searcher::Searcher;

use crate::book::Book;
use crate::eval::Net;

/// All that was learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// Which points look like moves, and what positions are worth.
    pub net: Net,
    /// What was played in openings.
    pub book: Book,
}
