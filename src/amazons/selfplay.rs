//! `tesuji-amazons selfplay`: games of the engine against itself, in a file that goes on growing.
//!
//! A game is wholly given by its seed, the options and the weights, so a run that was stopped goes on with the seeds
//! that are not in the file yet.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use amazons_engine::eval::Weights;
use amazons_engine::learn::{Record, SelfPlay};
use amazons_engine::net::file::Net;
use amazons_engine::search::Tuning;
use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::cli::{read_network, read_weights};
use crate::options::default_threads;

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
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Weights of the evaluation other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Network other than the one inside the program, for a search that is set to ask it
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Tunables of the search, by their names over GTP; unless set so it does not ask the network
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., value_parser = tunable)]
    set: Vec<(String, f64)>,
}

/// A tunable and its value.
fn tunable(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    let value = value.parse().ok().filter(|value: &f64| value.is_finite());
    let value = value.ok_or_else(|| format!("{name} has to be a number"))?;
    if !Tuning::default().set(name, value) {
        return Err(format!("there is no tunable {name}"));
    }
    Ok((name.to_owned(), value))
}

/// The games of a file, and how many bytes of it are whole lines.
///
/// # Errors
/// When it cannot be read, or a line is no game.
pub fn read_games(path: &Path) -> Result<(Vec<Record>, u64)> {
    let place = || path.display().to_string();
    let mut text = String::new();
    std::fs::File::open(path).and_then(|mut f| f.read_to_string(&mut text)).with_context(place)?;
    // What follows the last line end was cut short.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut games = Vec::new();
    for (number, line) in text[..whole].lines().enumerate() {
        let game =
            Record::from_line(line).with_context(|| format!("{}, line {}", place(), number + 1))?;
        games.push(game);
    }
    Ok((games, whole as u64))
}

/// Plays games until the file has them all, or Ctrl-C.
///
/// # Errors
/// When the file cannot be read or written.
pub fn run(args: &SelfPlayArgs) -> Result<ExitCode> {
    let place = || args.output.display().to_string();
    let weights = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => Weights::shipped(),
    };
    let mut done: BTreeSet<u64> = BTreeSet::new();
    let mut length = 0;
    if args.output.exists() {
        let (games, whole) = read_games(&args.output)?;
        done.extend(games.iter().map(|game| game.seed));
        length = whole;
    }
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&args.output)
        .with_context(place)?;
    file.set_len(length).with_context(place)?;
    file.seek(SeekFrom::End(0)).with_context(place)?;

    static STOP: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let end = args.seed.saturating_add(args.games);
    let bar = ProgressBar::new(args.games);
    let style = "{wide_bar} {pos} of {len} games, {elapsed} gone, {eta} left";
    bar.set_style(
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_position(done.range(args.seed..end).count() as u64);
    bar.reset_eta();
    let mut settings = SelfPlay { visits: args.visits, ..SelfPlay::default() };
    for (name, value) in &args.set {
        settings.tuning.set(name, *value);
    }
    if let Some(path) = &args.network {
        match read_network(path)? {
            Net::Lean(network) => settings.network = Arc::new(*network),
            Net::Literal(_) => {
                bail!("{}: the patent's networks are too slow for the search", path.display())
            }
        }
    }
    let next = AtomicU64::new(args.seed);
    let (file, failure) = (Mutex::new(file), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end || STOP.load(Ordering::Relaxed) {
                        return;
                    }
                    if done.contains(&seed) {
                        continue;
                    }
                    let line = settings.play(&weights, seed).to_line() + "\n";
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    // In one piece, so that whatever happens only the last line can be cut short.
                    if let Err(error) = file.write_all(line.as_bytes()) {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        STOP.store(true, Ordering::Relaxed);
                        return;
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error).with_context(place);
    }
    file.into_inner().unwrap_or_else(PoisonError::into_inner).sync_all().with_context(place)?;
    if STOP.load(Ordering::Relaxed) {
        bail!("stopped; the same command goes on");
    }
    Ok(ExitCode::SUCCESS)
}
