//! Pattern frequencies by maximum likelihood with Katz's back-off (Shang, Li, Liu).
//!
//! * [`Template`], [`Codes`]: what a pattern is, and the patterns of a position move by move.
//! * [`learn`]: how often each was played and could have been; [`Table`]: the result, and its file.
//! * [`Answers`]: 3x3 patterns beside the last move, for playouts.
//! * [`Katz`]: the estimate, backing off from large patterns to small.

mod answer;
mod codes;
mod counts;
mod katz;
mod learner;
mod packed;
mod square5;
mod table;
mod template;
mod watch;
mod weights;

pub use answer::Answers;
pub use codes::{Codes, names_on_board};
pub use counts::{AllTotals, Count, FREQUENCIES, Totals};
pub use katz::{Discount, Katz, Normaliser};
pub use learner::{LearnError, Learned, Settings, learn};
pub use square5::Square5;
pub use table::{Entry, Table};
pub use template::{Name, TEMPLATES, Template};
pub use watch::Watch;
pub use weights::{Deciding, Weights};
