//! Files of games against itself, a line for each, that go on growing.
//!
//! A game is wholly given by its seed, the options and the weights, so a run that was stopped goes on with the seeds
//! that are not in the file yet, and seeds can be shared out among many runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::say;
use crate::shard::{self, Shard, ShardArgs};
use crate::{files, interrupt};

/// A file of lines, each of a game of its own seed.
pub struct SeededFile<'a> {
    /// Where it is, or will be.
    pub path: &'a Path,
    /// What a new file begins with: nothing, or a line.
    pub header: &'a str,
    /// The seed of the game in a line.
    pub seed_of: fn(&str) -> Result<u64>,
}

/// What is in such a file.
#[derive(Default)]
struct Lines {
    by_seed: BTreeMap<u64, String>,
    /// How many bytes of it are whole lines; what follows them was cut short.
    whole: u64,
}

/// Whether a line that was cut short can be the beginning of a game's: its seed, and a tab.
fn begins_as_a_game(cut: &str) -> bool {
    let rest = cut.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < cut.len() && (rest.is_empty() || rest.starts_with('\t'))
}

impl SeededFile<'_> {
    /// The lines that are there; none without a file.
    fn read(&self) -> Result<Lines> {
        let place = || self.path.display().to_string();
        if !self.path.exists() {
            return Ok(Lines::default());
        }
        // A device may have no end.
        if !self.path.is_file() && !self.path.is_dir() {
            bail!("{}: this is no file that games can be added to", place());
        }
        let mut text = String::new();
        File::open(self.path).and_then(|mut f| f.read_to_string(&mut text)).with_context(place)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let cut = &text[whole..];
        if !cut.is_empty() && !begins_as_a_game(cut) && !self.header.starts_with(&text) {
            bail!("{}: the last line is no game, and has no end", place());
        }
        let Some(rows) = text[..whole].strip_prefix(self.header) else {
            if whole == 0 && self.header.starts_with(&text) {
                return Ok(Lines::default());
            }
            bail!("{} is no table of games against itself", place());
        };
        let first = 1 + self.header.lines().count();
        let mut by_seed = BTreeMap::new();
        for (number, row) in rows.lines().enumerate() {
            let seed = (self.seed_of)(row)
                .with_context(|| format!("{}, line {}", place(), number + first))?;
            by_seed.insert(seed, row.to_owned());
        }
        Ok(Lines { by_seed, whole: whole as u64 })
    }

    /// Puts the parts together that shards of these seeds wrote beside it: a line for each seed, in order.
    ///
    /// # Errors
    /// When a part or a game is missing, or the file cannot be written.
    pub fn merge(&self, seeds: Range<u64>) -> Result<ExitCode> {
        let mut all = BTreeMap::new();
        for path in shard::parts_of(self.path)? {
            all.extend(SeededFile { path: &path, ..*self }.read()?.by_seed);
        }
        let missing = seeds.clone().filter(|seed| !all.contains_key(seed)).count();
        if missing > 0 {
            bail!("{missing} of {} games are not played yet", seeds.end - seeds.start);
        }
        let mut text = self.header.to_owned();
        for (_, line) in all.range(seeds) {
            text += line;
            text.push('\n');
        }
        let written = files::replace(self.path, text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Does what shard options ask for: the games of one part into a file of its own, the merging of all parts, or without
    /// them all games in one file.
    ///
    /// # Errors
    /// As [`SeededFile::grow`] and [`SeededFile::merge`].
    pub fn run<S>(
        &self,
        shard: ShardArgs,
        seeds: Range<u64>,
        threads: u16,
        state: impl Fn() -> S + Sync,
        line: impl Fn(&mut S, u64) -> Result<String> + Sync,
    ) -> Result<ExitCode> {
        match shard.shard {
            _ if shard.merge => self.merge(seeds),
            None => self.grow(Shard::WHOLE, seeds, threads, state, line),
            Some(shard) => {
                let path = shard.part_of(self.path);
                SeededFile { path: &path, ..*self }.grow(shard, seeds, threads, state, line)
            }
        }
    }

    /// Adds the lines of those seeds of a shard that it has not yet, in the order in which they are done, until it has all
    /// or Ctrl-C comes. Each of the threads has a state of its own.
    ///
    /// # Errors
    /// When the file cannot be written, or a line cannot be made.
    pub fn grow<S>(
        &self,
        shard: Shard,
        seeds: Range<u64>,
        threads: u16,
        state: impl Fn() -> S + Sync,
        line: impl Fn(&mut S, u64) -> Result<String> + Sync,
    ) -> Result<ExitCode> {
        let SeededFile { path, header, .. } = *self;
        let place = || path.display().to_string();
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .with_context(place)?;
        shard::lock(&file, path)?;
        // Read only now that nobody else adds to it.
        let Lines { by_seed, whole } = self.read()?;
        let done: BTreeSet<u64> = by_seed.into_keys().collect();
        file.set_len(whole).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        if whole == 0 {
            file.write_all(header.as_bytes()).with_context(place)?;
        }

        let stop = interrupt::flag();
        let games = seeds.clone().filter(|&seed| shard.has(seed - seeds.start));
        let bar = ProgressBar::new(games.count() as u64);
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
                        if seed >= seeds.end || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if done.contains(&seed) || !shard.has(seed - seeds.start) {
                            continue;
                        }
                        let written = line(&mut state, seed).and_then(|line| {
                            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                            // In one piece, so that whatever happens only the last line can be cut short.
                            Ok(file.write_all((line + "\n").as_bytes())?)
                        });
                        if let Err(error) = written {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            stop.store(true, Ordering::Relaxed);
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
        if stop.load(Ordering::Relaxed) {
            say("stopped; the same command goes on")?;
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_game_that_was_cut_short_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        let seed_of = |line: &str| {
            line.split('\t').next().and_then(|seed| seed.parse().ok()).context("no seed")
        };
        for header in ["", "seed\tmoves\n"] {
            let file = SeededFile { path: &path, header, seed_of };
            for cut in ["7\tj10 j9", "7", ""] {
                std::fs::write(&path, format!("{header}3\tj10\n{cut}")).unwrap();
                let lines = file.read().unwrap();
                assert_eq!(lines.by_seed.len(), 1, "{cut:?}");
                assert_eq!(lines.whole as usize, header.len() + 6);
            }
            for other in ["dear diary", "7 days", "3\tj10\nnotes", "seed;moves"] {
                std::fs::write(&path, other).unwrap();
                assert!(file.read().is_err(), "{other:?}");
            }
        }
        let device = SeededFile { path: Path::new("/dev/zero"), header: "", seed_of };
        assert!(!device.path.exists() || device.read().is_err());
        std::fs::write(&path, "seed\tmo").unwrap();
        assert_eq!(
            SeededFile { path: &path, header: "seed\tmoves\n", seed_of }.read().unwrap().whole,
            0
        );
    }
}
