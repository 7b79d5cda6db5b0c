//! The words that all games share: who plays, what is proven, when a search ends, how a game is timed, and the
//! hashes and mixes that the programs use.

mod color;
mod column;
mod hash;
mod limits;
mod outcome;
mod proven;
mod report;
mod symmetry;
pub mod time;

pub use color::Color;
pub use column::{column_letter, column_of};
pub use hash::{Fnv1a, GOLDEN_GAMMA, mix64, splitmix};
pub use limits::{Control, SearchLimits, StopSignal, stands_out};
pub use outcome::Outcome;
pub use proven::Proven;
pub use report::{MoveReport, Report, lower_bound};
pub use symmetry::Symmetry;
