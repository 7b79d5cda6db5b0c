//! Whole-game search: a best-first tree over a turn's two stages, with the evaluation at its leaves and as prior, exact
//! counts where nothing is fought for any more, and a solver for small endgames at the root.

mod alpha_beta;
mod between;
mod expand;
pub mod params;
mod partial_move;
mod report;
mod searcher;
#[cfg(test)]
mod tests;
mod worker;

pub use params::Params;
pub use searcher::Searcher;
pub use tree_search::{Control, MoveReport, Proven, Report, Search, SearchLimits};
