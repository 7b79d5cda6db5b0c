//! Learning from game records, and reports on what was learned: `tesuji train` and `tesuji patterns`.
//!
//! * [`games`]: the records that are learned from.
//! * [`frequencies`]: `tesuji train patterns`, with [`katz`], the estimator's settings; [`moves`]: `tesuji train moves`; [`bradley_terry`]: `tesuji train bradley-terry`;
//!   [`joseki`]: `tesuji train joseki`; [`influence`]: `tesuji train influence`.
//! * [`network`]: `tesuji train network`, with `curve`, the picture of how that goes.
//! * [`stats`], [`eval`], [`show`]: the reports of `tesuji patterns`.

pub mod bradley_terry;
mod curve;
pub mod eval;
pub mod frequencies;
pub mod games;
pub mod influence;
pub mod joseki;
pub mod katz;
pub mod moves;
pub mod network;
pub mod show;
pub mod stats;

use anyhow::{Context, Result};
use clap::Subcommand;
use std::path::Path;
use std::process::ExitCode;

use crate::interrupt::{self, Interrupted};
use crate::output::note;

/// What `tesuji train` can learn.
#[derive(Subcommand, Debug)]
pub enum Train {
    /// Count how often patterns are played where they can be
    Patterns(frequencies::FrequencyArgs),
    /// Learn to predict moves from shapes and tactics
    Moves(moves::MoveArgs),
    /// Learn to predict moves by strengths of features, by minorisation-maximisation (Coulom 2007)
    BradleyTerry(bradley_terry::BradleyTerryArgs),
    /// Learn what is played in corners
    Joseki(joseki::JosekiArgs),
    /// Teach a network from positions of `tesuji selfplay`
    Network(network::NetworkArgs),
    /// Learn whose the points of a position are, for estimates without search
    Influence(influence::InfluenceArgs),
}

/// The reports of `tesuji patterns`.
#[derive(Subcommand, Debug)]
pub enum Report {
    /// Distinct patterns played and playable, by template
    Stats(stats::StatsArgs),
    /// How well moves are predicted in games not learned from
    Eval(eval::EvalArgs),
    /// Patterns about a point, drawn, with their counts
    Show(show::ShowArgs),
}

/// Runs `tesuji train`.
///
/// # Errors
/// What went wrong, in words; no file is left half written.
pub fn train(what: &Train) -> Result<ExitCode> {
    match what {
        Train::Patterns(args) => frequencies::run(args),
        Train::Moves(args) => moves::run(args),
        Train::BradleyTerry(args) => bradley_terry::run(args),
        Train::Joseki(args) => joseki::run(args),
        Train::Network(args) => network::run(args),
        Train::Influence(args) => influence::run(args),
    }
}

/// Runs `tesuji patterns`.
///
/// # Errors
/// What went wrong, in words.
pub fn report(what: &Report) -> Result<ExitCode> {
    match what {
        Report::Stats(args) => stats::run(args),
        Report::Eval(args) => eval::run(args),
        Report::Show(args) => show::run(args),
    }
}

/// Says that the work was broken off; the shell's number for it.
pub(crate) fn interrupted() -> ExitCode {
    note(format_args!("tesuji: {Interrupted}"));
    ExitCode::from(interrupt::EXIT_CODE)
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Says before long work that what comes of it cannot be written.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    crate::files::check_writable(path).with_context(|| format!("cannot write {}", path.display()))
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    crate::files::replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
