//! Whole-game search: a best-first tree over a turn's two stages, with the evaluation at its leaves and as prior, exact
//! counts where nothing is fought for any more, and a solver for small endgames at the root.

mod alpha_beta;
mod between;
mod expand;
pub mod params;
mod report;
mod searcher;
mod tree;
mod worker;

pub use game_core::{Control, Proven, SearchLimits};
pub use params::Params;
pub use report::{Progress, RootChoice};
pub use searcher::Searcher;
