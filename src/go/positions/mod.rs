//! Many positions searched side by side: what analyses for other programs and reviews of whole games stand on.
//!
//! * [`Pool`]: workers that do what waits, the most urgent first.
//! * [`PositionSearcher`]: what a worker has: an engine that is asked about one position after another.
//! * [`PositionsArgs`]: how many of them, as a command line says.

mod args;
mod pool;
mod search;

pub use args::PositionsArgs;
pub use pool::{Cancelled, MAX_WAITING, Pool, QueueFull, Ticket};
pub use search::{PositionQuery, PositionSearcher};
