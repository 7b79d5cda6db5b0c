//! `tesuji-connect6 selfplay`: games of the engine against itself, in a table that goes on growing.
//!
//! A game is wholly given by its seed, the options and the weights, so a run that was stopped goes on with the seeds
//! that are not in the table yet.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use connect6_engine::learn::self_play::SelfPlay;
use connect6_engine::search::Searcher;
use connect6_engine::{Rules, weights};
use indicatif::{ProgressBar, ProgressStyle};

use super::duel::read_weights;
use super::lessons;
use crate::options::default_threads;

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
    #[arg(long, value_name = "N", default_value_t = SelfPlay::default().visits, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Weights other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// The seeds of the games that a table has, and how many bytes of it are whole rows.
fn read_seeds(path: &Path) -> Result<(BTreeSet<u64>, u64)> {
    let place = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(place)?;
    // What follows the last line end was cut short.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut seeds = BTreeSet::new();
    let Some(rows) = text[..whole].strip_prefix(lessons::COLUMNS) else {
        if whole == 0 && lessons::COLUMNS.starts_with(&text) {
            return Ok((seeds, 0));
        }
        bail!("{} is no table of games against itself", place());
    };
    for (number, row) in rows.lines().enumerate() {
        let seed = row.split('\t').next().and_then(|seed| seed.parse().ok());
        seeds.insert(seed.with_context(|| format!("{}, row {}: no seed", place(), number + 2))?);
    }
    Ok((seeds, whole as u64))
}

/// Plays games until the table has them all, or Ctrl-C.
///
/// # Errors
/// When the file cannot be read or written.
pub fn run(args: &SelfPlayArgs) -> Result<ExitCode> {
    let place = || args.output.display().to_string();
    let knowledge = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => weights::shipped(),
    };
    let (done, length) =
        if args.output.exists() { read_seeds(&args.output)? } else { Default::default() };
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&args.output)
        .with_context(place)?;
    file.set_len(length).with_context(place)?;
    file.seek(SeekFrom::End(0)).with_context(place)?;
    if length == 0 {
        file.write_all(lessons::COLUMNS.as_bytes()).with_context(place)?;
    }

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
    let settings = SelfPlay { visits: args.visits, ..SelfPlay::default() };
    let next = AtomicU64::new(args.seed);
    let (file, failure) = (Mutex::new(file), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                let mut searcher = Searcher::new(Arc::clone(&knowledge), 1, 64);
                // A game that is varied by its seed need not follow the book.
                searcher.tuning.book = 0;
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end || STOP.load(Ordering::Relaxed) {
                        return;
                    }
                    if done.contains(&seed) {
                        continue;
                    }
                    let lesson = settings.play(Rules::CONNECT6, &mut searcher, seed);
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    // In one piece, so that whatever happens only the last row can be cut short.
                    let written = lessons::row(seed, &lesson)
                        .and_then(|row| Ok(file.write_all(row.as_bytes())?));
                    if let Err(error) = written {
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
