//! The games of folders full of records, checked; what is left out is named and counted.

use crate::files::records_below;
use crate::interrupt::Interrupted;
use crate::output::note;
use crate::shard::Shard;
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use game_record::{Games, Record};
use go_patterns::game::Game;
use go_patterns::progress::Progress;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which records to read.
#[derive(Args, Debug)]
pub struct Source {
    /// Folders of SGF files, searched through and through, or single files
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Side of the board; games on others are left out
    #[arg(short, long, default_value_t = 19, value_parser = clap::value_parser!(u8).range(5..=25))]
    pub size: u8,
    /// Do not name every game that is left out, only count them
    #[arg(short, long)]
    pub quiet: bool,
}

/// The part of the games that is used: one in twenty, by a hash of its first forty moves, is kept
/// for validation, so that what was learned can be measured on it.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those that are learned from
    Learned,
    /// Those kept for validation
    #[value(alias = "held-back")]
    Validation,
    /// All
    All,
}

impl Part {
    /// Whether a game belongs to it.
    pub fn has(self, game: &Game) -> bool {
        match self {
            Part::Learned => !game.is_validation(),
            Part::Validation => game.is_validation(),
            Part::All => true,
        }
    }
}

/// What reading files came to.
struct Found<T> {
    games: Vec<T>,
    /// Games that can be used and were not asked for.
    not_asked_for: usize,
    /// What was left out: where, and why.
    left_out: Vec<(String, String)>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Found { games: Vec::new(), not_asked_for: 0, left_out: Vec::new() }
    }
}

/// Reads the games of a source that belong to a part, files in order of their names. Games that
/// are left out are named on standard error, and counted by reason.
///
/// # Errors
/// As [`collect_as`].
pub fn collect(source: &Source, part: Part, progress: &dyn Progress) -> Result<Vec<Game>> {
    collect_as(source, progress, &|_, game| Ok(part.has(&game).then_some(game)))
}

/// What is made of a record and its game: nothing where it was not asked for; or why it is left out.
pub type Take<'t, T> = dyn Fn(&Record, Game) -> Result<Option<T>, String> + Sync + 't;

/// Makes something of each game of a source.
///
/// # Errors
/// When a path given does not exist, no game is left, or the reading was broken off.
pub fn collect_as<T: Send>(
    source: &Source,
    progress: &dyn Progress,
    take: &Take<T>,
) -> Result<Vec<T>> {
    let found = read_shard(source, Shard::WHOLE, progress, take)?;
    ensure!(
        !found.games.is_empty() || found.not_asked_for == 0,
        "games on boards of {0}x{0}: {1}, none of them in the part that is asked for (one in twenty is kept for validation, the \
         others are learned from)",
        source.size,
        found.not_asked_for
    );
    ensure!(!found.games.is_empty(), "no game on a board of {0}x{0} was found", source.size);
    Ok(found.games)
}

/// The same of the games of one shard, of which there may be none. Every game belongs to one, whether there are many files of
/// one game or few of many.
///
/// # Errors
/// When a path given does not exist, or the reading was broken off.
pub fn collect_shard<T: Send>(
    source: &Source,
    shard: Shard,
    progress: &dyn Progress,
    take: &Take<T>,
) -> Result<Vec<T>> {
    Ok(read_shard(source, shard, progress, take)?.games)
}

fn read_shard<T: Send>(
    source: &Source,
    shard: Shard,
    progress: &dyn Progress,
    take: &Take<T>,
) -> Result<Found<T>> {
    let mut files = Vec::new();
    let mut all = Found::default();
    for path in &source.paths {
        if !path.exists() {
            bail!("{} does not exist", path.display());
        }
        if path.is_dir() {
            files.extend(records_below(path, None, &mut |folder, error| {
                all.left_out.push((folder.display().to_string(), error.to_string()));
            }));
        } else {
            files.push(path.clone());
        }
    }
    progress.begin("reading games", files.len() as u64);
    let read: Vec<Found<T>> = files
        .par_iter()
        .enumerate()
        .map(|(number, file)| {
            let found = if progress.stopped() {
                Found::default()
            } else {
                let has = |game: usize| shard.has((number + game) as u64);
                read_file(file, source.size, &has, take)
            };
            progress.advance(1);
            found
        })
        .collect();
    progress.end();
    if progress.stopped() {
        // A part of the games is not what was asked for, and nothing may be learned from it.
        return Err(Interrupted.into());
    }
    for found in read {
        all.games.extend(found.games);
        all.not_asked_for += found.not_asked_for;
        all.left_out.extend(found.left_out);
    }
    tell(&all.left_out, source.quiet);
    Ok(all)
}

fn read_file<T>(path: &Path, side: u8, has: &dyn Fn(usize) -> bool, take: &Take<T>) -> Found<T> {
    let mut found = Found::default();
    let place = path.display().to_string();
    // A pipe would be waited for, and a device read for ever.
    let read = match path.is_file() || !path.exists() {
        true => fs::read(path),
        false => Err(std::io::Error::other("no file")),
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => {
            found.left_out.push((place, error.to_string()));
            return found;
        }
    };
    for (_, game) in Games::new(&bytes).enumerate().filter(|(number, _)| has(*number)) {
        let read = game.and_then(|text| Ok((text.number, text.line, Record::read(&text)?)));
        match read {
            Err(error) => {
                let place = format!("{place}, game {}, line {}", error.game, error.line);
                found.left_out.push((place, error.kind.to_string()));
            }
            Ok((number, line, record)) => {
                let game = Game::from_record(&record, side).map_err(|why| why.to_string());
                match game.and_then(|game| take(&record, game)) {
                    Ok(Some(game)) => found.games.push(game),
                    Ok(None) => found.not_asked_for += 1,
                    Err(why) => {
                        found.left_out.push((format!("{place}, game {number}, line {line}"), why));
                    }
                }
            }
        }
    }
    found
}

/// Names what was left out, and counts it by reason with the numbers and names taken off.
fn tell(left_out: &[(String, String)], quiet: bool) {
    if left_out.is_empty() {
        return;
    }
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (place, why) in left_out {
        if !quiet {
            note(format_args!("{place}: left out: {why}"));
        }
        let kind = why.split(" at ").next().unwrap_or(why);
        let kind: String = kind.split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>().join("#");
        *reasons.entry(kind).or_default() += 1;
    }
    note(format_args!("left out: {}", left_out.len()));
    for (why, count) in reasons {
        note(format_args!("{count:8}  {why}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_has_no_end_is_left_out() {
        let read = read_file::<()>(Path::new("/dev/zero"), 19, &|_| true, &|_, _| Ok(None));
        assert_eq!(read.left_out.len(), 1);
    }
}
