//! Exact solving: which side wins, by proof-number search over the part of the board that is still fought for.
//!
//! Regions of one side are taken off the board and only the difference of the moves in them is kept
//! (`state.rs`), so that positions which differ in nothing else are one. A side that has moves of its own left may
//! make one of these instead of moving where it is fought, which is how a zugzwang is solved: who need not move there
//! does not. The search is df-pn (Nagai 2002) with a transposition table of bounded size.

mod dfpn;
mod state;
mod table;

pub use dfpn::{Limits, Report, Solver};
