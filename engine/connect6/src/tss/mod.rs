//! Threat-space search: can the attacker win by turns that each make threats?
//!
//! The question and its two forms, DTSS and STSS, are those of Xu, Xu and Wang, "Key techniques of a
//! Connect6 program" (2011). It is answered by depth-first proof-number search (Nagai 2002) with a
//! transposition table of bounded memory, first under the *conservative* defence, in which the defender
//! plays all his blocking stones at once, then against each defence. The defender's free stone under a
//! single threat is handled by relevance zones in the manner of Wu and Lin ("Relevance-zone-oriented proof
//! search for Connect6", 2010): see [`zone`].

pub mod generate;
mod line;
pub mod proof_tree;
mod reply;
mod search;
mod table;
mod task;
mod threats_of_stone;
pub mod zone;

pub use proof_tree::{Answer, Kind, Plan};
pub use search::{Options, Report, Solver, ThreatResult};

/// Which attacking turns are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Turns {
    /// Only turns that leave the defender no free stone (DTSS).
    Doubles,
    /// Turns that make one threat too (STSS).
    Singles,
}
