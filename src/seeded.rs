//! Files of games against itself, a line for each, that go on growing.
//!
//! A game is wholly given by its seed, the options and the weights, so a run that was stopped goes on with the seeds
//! that are not in the file yet.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

/// A file of lines, each of a game of its own seed.
pub struct SeededFile<'a> {
    /// Where it is, or will be.
    pub path: &'a Path,
    /// What a new file begins with: nothing, or a line.
    pub header: &'a str,
    /// The seeds whose games it has.
    pub done: BTreeSet<u64>,
    /// How many bytes of it are whole lines; what follows them was cut short.
    pub whole: u64,
}

impl SeededFile<'_> {
    /// Adds the lines of those seeds that it has not yet, in the order in which they are done, until it has all or
    /// Ctrl-C comes. Each of the threads has a state of its own.
    ///
    /// # Errors
    /// When the file cannot be written, a line cannot be made, or Ctrl-C stopped it.
    pub fn grow<S>(
        self,
        seeds: Range<u64>,
        threads: u16,
        state: impl Fn() -> S + Sync,
        line: impl Fn(&mut S, u64) -> Result<String> + Sync,
    ) -> Result<ExitCode> {
        let SeededFile { path, header, done, whole } = self;
        let place = || path.display().to_string();
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .with_context(place)?;
        file.set_len(whole).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        if whole == 0 {
            file.write_all(header.as_bytes()).with_context(place)?;
        }

        static STOP: AtomicBool = AtomicBool::new(false);
        ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
            .context("cannot listen for Ctrl-C")?;
        let bar = ProgressBar::new(seeds.end - seeds.start);
        let style = "{wide_bar} {pos} of {len} games, {elapsed} gone, {eta} left";
        bar.set_style(
            ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_position(done.range(seeds.clone()).count() as u64);
        bar.reset_eta();
        let next = AtomicU64::new(seeds.start);
        let (file, failure) = (Mutex::new(file), Mutex::new(None));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut state = state();
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= seeds.end || STOP.load(Ordering::Relaxed) {
                            return;
                        }
                        if done.contains(&seed) {
                            continue;
                        }
                        let written = line(&mut state, seed).and_then(|line| {
                            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                            // In one piece, so that whatever happens only the last line can be cut short.
                            Ok(file.write_all((line + "\n").as_bytes())?)
                        });
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
}
