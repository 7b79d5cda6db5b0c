//! `tesuji-connect6 selfplay`: games of the engine against itself, in a table that goes on growing.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, value_parser};
use connect6_engine::learn::self_play::SelfPlay;
use connect6_engine::search::{Params, Searcher};
use connect6_engine::{Rules, weights};
use tunables::Table;

use super::duel::read_weights;
use super::samples;
use crate::options::{default_threads, threads, tunable};
use crate::seeded::SeededFile;
use crate::shard::ShardArgs;

/// Options of `selfplay`.
#[derive(Args, Debug)]
pub struct SelfPlayArgs {
    /// Table of games, a row each; it is made, or gone on with
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Games that the table should have in the end
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,

    /// Seed of the first game; those that follow count on from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Visits for each turn
    #[arg(long, alias = "playouts", value_name = "N", default_value_t = SelfPlay::default().visits, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Games at a time [default: one for each processor]
    #[arg(long, value_name = "N", default_value_t = default_threads(), hide_default_value = true,
          value_parser = threads())]
    threads: u16,

    /// Weights other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Tunables of the search, by their names over GTP
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = tunable::<Params>)]
    set: Vec<(String, String)>,

    #[command(flatten)]
    shard: ShardArgs,
}

/// The seed of a row's game.
fn seed_of(row: &str) -> Result<u64> {
    row.split('\t').next().and_then(|seed| seed.parse().ok()).context("no seed")
}

/// Plays games until the table has them all, or Ctrl-C.
///
/// # Errors
/// When the file cannot be read or written.
pub fn run(args: &SelfPlayArgs) -> Result<ExitCode> {
    let knowledge = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => weights::shipped(),
    };
    // A game that is varied by its seed need not follow the book.
    let mut params = Params { book: false, ..Params::default() };
    for (name, value) in &args.set {
        params.set(name, value)?;
    }
    let settings = SelfPlay { visits: args.visits, ..SelfPlay::default() };
    let table = SeededFile { path: &args.output, header: samples::COLUMNS, seed_of };
    table.run(
        args.shard,
        args.seed..args.seed.saturating_add(args.games),
        args.threads,
        || {
            let mut searcher = Searcher::new(Arc::clone(&knowledge), 1, 64);
            searcher.params = params.clone();
            searcher
        },
        |searcher, seed| samples::row(seed, &settings.play(Rules::CONNECT6, searcher, seed)),
    )
}
