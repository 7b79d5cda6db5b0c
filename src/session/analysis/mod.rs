//! Analysis in the forms of Leela Zero (`lz-`) and KataGo (`kata-`): what was asked for, and how a line tells what was
//! found.
//!
//! A line tells one step of a turn after `move`, since that is what controllers can show; the rest of the turn and what
//! is expected after it follow as `pv`, step by step.

mod line;
pub mod numbers;
mod object;
mod options;
mod other;

pub(super) use line::line;
pub(super) use options::Options;
pub use other::best_other;

/// Whose form the lines have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Leela Zero's: whole numbers only, ten-thousandths.
    Leela,
    /// KataGo's: fractions, leads, ownership.
    Kata,
    /// One JSON object: whole turns, Black's owners.
    Object,
}
