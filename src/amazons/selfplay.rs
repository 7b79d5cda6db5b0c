//! `tesuji-amazons selfplay`: games of the engine against itself, in a file that goes on growing.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::learn::{Record, SelfPlay};
use amazons_engine::net::file::Net;
use amazons_engine::search::Params;
use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use tunables::Table;

use super::files::{read_network, read_weights};
use crate::options::{default_threads, threads, tunable};
use crate::seeded::SeededFile;
use crate::shard::ShardArgs;

/// Options of `selfplay`.
#[derive(Args, Debug)]
pub struct SelfPlayArgs {
    /// File of games, a line each; it is made, or gone on with
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Games that the file should have in the end
    #[arg(long, value_name = "N", default_value_t = 25_000)]
    games: u64,

    /// Seed of the first game; those that follow count on from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Visits for each turn
    #[arg(long, alias = "playouts", value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Games at a time [default: one for each processor]
    #[arg(long, value_name = "N", default_value_t = default_threads(), hide_default_value = true,
          value_parser = threads())]
    threads: u16,

    /// Weights of the evaluation other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Network other than the one inside the program, for a search that is set to ask it
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Tunables of the search, by their names over GTP; unless set so it does not ask the network
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = tunable::<Params>)]
    set: Vec<(String, String)>,

    #[command(flatten)]
    shard: ShardArgs,
}

/// The games of a file. A last line that was cut short is left out.
///
/// # Errors
/// When it cannot be read, or a line is no game.
pub fn read_games(path: &Path) -> Result<Vec<Record>> {
    let place = || path.display().to_string();
    let mut text = String::new();
    std::fs::File::open(path).and_then(|mut f| f.read_to_string(&mut text)).with_context(place)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut games = Vec::new();
    for (number, line) in text[..whole].lines().enumerate() {
        let game =
            Record::from_line(line).with_context(|| format!("{}, line {}", place(), number + 1))?;
        games.push(game);
    }
    Ok(games)
}

/// Plays games until the file has them all, or Ctrl-C.
///
/// # Errors
/// When the file cannot be read or written.
pub fn run(args: &SelfPlayArgs) -> Result<ExitCode> {
    let weights = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => Weights::shipped(),
    };
    let seed_of = |line: &str| Ok(Record::from_line(line)?.seed);
    let file = SeededFile { path: &args.output, header: "", seed_of };
    let mut settings = SelfPlay { visits: args.visits, ..SelfPlay::default() };
    for (name, value) in &args.set {
        settings.params.set(name, value)?;
    }
    if let Some(path) = &args.network {
        match read_network(path)? {
            Net::ResNet(network) => settings.network = Arc::new(*network),
            Net::Patent(_) => {
                bail!("{}: the patent's networks are too slow for the search", path.display())
            }
        }
    }
    file.run(
        args.shard,
        args.seed..args.seed.saturating_add(args.games),
        args.threads,
        || (),
        |(), seed| Ok(settings.play(&weights, seed).to_line()),
    )
}
