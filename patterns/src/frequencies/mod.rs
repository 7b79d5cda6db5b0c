//! Pattern frequencies by maximum likelihood with Katz's back-off (Shang, Li, Liu).
//!
//! * [`Template`], [`Codes`]: what a pattern is, and the patterns of a position move by move.
//! * [`learn`]: how often each was played and could have been; [`Table`]: the result, and its file.
//! * [`ResponsePatterns`]: 3x3 patterns beside the last move, for playouts.
//! * [`Estimator`]: the estimate by [`Katz`], backing off from large patterns to small.

mod codes;
mod compact_map;
mod counts;
mod discount;
mod incremental_codes;
mod katz;
mod learner;
pub mod parts;
mod response;
mod square5;
mod table;
mod tally;
mod template;
mod timing;
mod weights;

pub use codes::{Codes, names_on_board};
pub use counts::{AllTotals, Count, FREQUENCIES, Totals};
pub use discount::MAX_DISCOUNTED;
pub use incremental_codes::IncrementalCodes;
pub use katz::{Discount, Estimator, Katz, Normaliser};
pub use learner::{LearnError, Learned, Settings, learn};
pub use response::ResponsePatterns;
pub use square5::Square5;
pub use table::{Entry, Table};
pub use template::{Name, TEMPLATES, Template};
pub use timing::Timing;
pub use weights::{Deciding, Weights};
