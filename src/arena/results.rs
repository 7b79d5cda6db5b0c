//! The folder of a match and its results file, which only grows.
//!
//! Every finished game is one line of JSON, written in one piece and synced to the disk before the next game of that
//! player begins. A line cut short by a crash is passed over when the file is read and its game is played again: a
//! game counts when, and only when, its line is whole.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fault::{FaultKind, FaultPolicy};
use super::game::EndReason;
use super::live_record;
use super::openings::OpeningBook;
use super::schedule::GameId;
use super::settings::Settings;
use crate::files;
use crate::shard::Shard;

/// One line of the results file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A run began.
    Run(RunLine),
    /// A game was played to its end.
    Game(Box<GameLine>),
    /// A game was broken off by a fault and is to be played again.
    Fault(FaultLine),
}

/// The beginning of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunLine {
    /// When, in UTC.
    pub started: String,
    /// The runner's version.
    pub runner: String,
    /// The settings that make games what they are; two runs of one match must have the same.
    pub settings: BTreeMap<String, Value>,
    /// The definition of each player, in order.
    pub players: Vec<Value>,
}

/// What a fault did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultNote {
    /// Who is to blame; nobody for a disagreement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The kind of fault.
    pub kind: FaultKind,
    /// What happened.
    pub detail: String,
    /// What followed.
    #[serde(rename = "remedy")]
    pub policy: FaultPolicy,
}

/// A game broken off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FaultLine {
    /// Which game.
    pub game: GameId,
    /// When, in UTC.
    pub at: String,
    /// Why.
    pub fault: FaultNote,
    /// What was played of it, under the match's folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sgf: String,
}

/// A finished game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// Which game.
    pub game: GameId,
    /// Its number, from 1, which no other game of the folder has: mostly its place in the whole schedule.
    pub number: u32,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The name of the player that moved first; Black's where Black has handicap stones.
    pub first: String,
    /// The winner's name; none when drawn or without result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// The result as SGF has it: `B+3.5`, `W+R`, `0`, `Void`.
    pub result: String,
    /// How the result came about.
    #[serde(rename = "how")]
    pub reason: EndReason,
    /// Turns played, those of the opening included.
    pub turns: u32,
    /// The turns' fingerprint, which games with the same turns share; empty in results of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// The opening's moves.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// The game's seed.
    pub seed: u64,
    /// When it began, in UTC.
    pub started: String,
    /// How long it took.
    pub seconds: f64,
    /// Black's thinking time in seconds.
    pub black_seconds: f64,
    /// White's thinking time in seconds.
    pub white_seconds: f64,
    /// What was neither thinking nor waiting for answers, in milliseconds: the runner's own cost.
    pub runner_ms: f64,
    /// What Black said the result was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub black_says: String,
    /// What White said the result was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub white_says: String,
    /// Faults in this game, the one that ended it last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultNote>,
    /// The record, under the match's folder.
    pub sgf: String,
}

impl GameLine {
    /// The score of the player named first in the settings: 1, 0.5 or 0; `None` for a game without result.
    pub fn score_of_a(&self) -> Option<f64> {
        match (&self.winner, self.reason) {
            (_, EndReason::Void) => None,
            (None, _) => Some(0.5),
            (Some(winner), _) => Some(f64::from(u8::from(*winner == self.game.a))),
        }
    }

    /// Whether the player named first in the settings moved first.
    pub fn a_moved_first(&self) -> bool {
        self.first == self.game.a
    }
}

/// The current time in UTC, to the second, as ISO 8601 has it.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Everything in a results file.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The beginnings of the runs, without such as say the same again.
    pub runs: Vec<RunLine>,
    /// The finished games in the order they ended.
    pub games: Vec<GameLine>,
    /// Games broken off to be played again.
    pub faults: Vec<FaultLine>,
    /// Lines that could not be read.
    pub broken_lines: usize,
}

impl Results {
    /// Reads the results of a folder, those of all its parts; none when there is no file yet.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(folder: &Path) -> Result<Results> {
        let mut results = Results::default();
        let mut seen: HashMap<GameId, usize> = HashMap::new();
        for file in result_files(folder)? {
            results.add(&file, &mut seen)?;
        }
        Ok(results)
    }

    fn add(&mut self, path: &Path, seen: &mut HashMap<GameId, usize>) -> Result<()> {
        let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let results = self;
        for line in text.split(|&c| c == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Line::Run(run)) => {
                    if results.runs.iter().all(|earlier| !earlier.is_alike(&run)) {
                        results.runs.push(run);
                    }
                }
                Ok(Line::Fault(fault)) => results.faults.push(fault),
                Ok(Line::Game(game)) => {
                    if seen.insert(game.game.clone(), results.games.len()).is_none() {
                        results.games.push(*game);
                    }
                }
                Err(_) => results.broken_lines += 1,
            }
        }
        Ok(())
    }
}

/// Results, and locks, are called so with a part's words between, where they are a part's.
const RESULTS: (&str, &str) = ("results", ".jsonl");
const LOCK: &str = "lock";

/// The name of a file of the whole match or of one part.
fn name_of(shard: Option<Shard>, (stem, end): (&str, &str)) -> String {
    match shard {
        None => format!("{stem}{end}"),
        Some(shard) => format!("{stem}-{}{end}", shard.words()),
    }
}

/// The files of results in a folder, in order: one, or one of each part.
///
/// # Errors
/// When the folder cannot be read.
pub fn result_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let place = || format!("cannot read {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e).with_context(place),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.with_context(place)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (stem, end) = RESULTS;
        let between = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(end));
        if between.is_some_and(|between| between.is_empty() || between.starts_with('-')) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The folder of a match, locked for this run alone.
#[derive(Debug)]
pub struct Folder {
    results_path: PathBuf,
    results: File,
    /// Held as long as the run lasts; the operating system lets go of it however the run ends.
    _locks: Vec<File>,
}

impl Folder {
    /// Opens the folder, making it where needed, and locks it; or, of a match that is played in parts, the part's own.
    ///
    /// # Errors
    /// When another run is using it, or it cannot be made or written to.
    pub fn open(path: &Path, shard: Option<Shard>) -> Result<Folder> {
        for inner in ["games", "logs"] {
            let inner = path.join(inner);
            fs::create_dir_all(&inner)
                .with_context(|| format!("cannot make the folder {}", inner.display()))?;
        }
        // Parts share the folder with each other, and not with a run of the whole match.
        let mut locks = vec![locked(path, LOCK, shard.is_some())?];
        if shard.is_some() {
            locks.push(locked(path, &name_of(shard, (LOCK, "")), false)?);
        }
        if shard.is_none() {
            // What a run that was killed left there goes on no more.
            let _ = fs::remove_dir_all(live_record::folder(path));
        }
        let results_path = path.join(name_of(shard, RESULTS));
        let mut results = File::options()
            .create(true)
            .read(true)
            .append(true)
            .open(&results_path)
            .with_context(|| format!("cannot open {}", results_path.display()))?;
        end_last_line(&mut results)
            .with_context(|| format!("cannot write to {}", results_path.display()))?;
        Ok(Folder { results_path, results, _locks: locks })
    }

    /// Adds a line and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written, as on a full disk. The line does not count then.
    pub fn append(&mut self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_string(line).context("a results line")?;
        text.push('\n');
        let written =
            self.results.write_all(text.as_bytes()).and_then(|()| self.results.sync_data());
        written.with_context(|| format!("cannot write to {}", self.results_path.display()))
    }
}

/// Opens and takes a lock of the folder, alone or with others who share it, or says that another run has it.
///
/// A run that was killed while it was starting a program leaves that program with the lock until it has begun its own
/// code, so a lock that is taken is tried again for a moment.
fn locked(folder: &Path, name: &str, is_shared: bool) -> Result<File> {
    let path = folder.join(name);
    // Network file systems share the lock of a file that can be read, and give a lock alone to one that can be written.
    let lock = File::options()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    let deadline = Instant::now() + Duration::from_millis(500);
    loop {
        let taken = if is_shared { lock.try_lock_shared() } else { lock.try_lock() };
        match taken {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                bail!("another run is using the folder {}", folder.display())
            }
            Err(TryLockError::Error(e)) => {
                return Err(e).with_context(|| format!("cannot lock {}", folder.display()));
            }
        }
    }
}

/// Gives a last line that was cut short its newline, so that the next line does not continue it.
fn end_last_line(file: &mut File) -> std::io::Result<()> {
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Writes a file whole: nobody ever sees half of it, and after a crash it is the old one or the new one.
///
/// # Errors
/// When it cannot be written; nothing is left behind then.
pub fn write_whole(path: &Path, content: &str) -> Result<()> {
    let written = files::replace(path, content.as_bytes());
    written.with_context(|| format!("cannot write {}", path.display()))
}

impl RunLine {
    /// The line that begins a run with these settings.
    ///
    /// # Errors
    /// Never in practice: when the settings cannot be written as JSON.
    pub fn new(settings: &Settings, openings: &OpeningBook) -> Result<RunLine> {
        let mut all: BTreeMap<String, Value> =
            serde_json::from_value(serde_json::to_value(settings)?)?;
        // These decide how many games are played, or how, but not what a game is.
        for key in [
            "title",
            "format",
            "games",
            "concurrency",
            "sprt",
            "gtp-log",
            "comments",
            "player",
            "faults",
            "quit-timeout",
            "start-timeout",
        ] {
            all.remove(key);
        }
        if !settings.openings.sgf.is_empty() {
            // What they hold counts, not where they lie.
            all.insert("openings".into(), openings.fingerprint().into());
        }
        let players =
            settings.players.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
        Ok(RunLine {
            started: now(),
            runner: env!("CARGO_PKG_VERSION").to_string(),
            settings: all,
            players,
        })
    }

    /// Whether two runs are of the same settings and players.
    fn is_alike(&self, other: &RunLine) -> bool {
        self.settings == other.settings && self.players == other.players
    }

    /// Checks that a run with these settings can go on with the games of an earlier one.
    ///
    /// # Errors
    /// Names the first setting or player that is not the same.
    pub fn check_continues(&self, earlier: &RunLine) -> Result<()> {
        // First what others follow from: the limit of moves does from the size.
        let (first, others): (Vec<_>, Vec<_>) = self
            .settings
            .iter()
            .partition(|(key, _)| ["game", "size", "rules"].contains(&key.as_str()));
        for (key, value) in first.into_iter().chain(others) {
            let before = earlier.settings.get(key).unwrap_or(&Value::Null);
            ensure!(
                before == value,
                "{key} was {before} when these games were begun and is {value} now"
            );
        }
        if let Some((key, before)) =
            earlier.settings.iter().find(|(key, _)| !self.settings.contains_key(*key))
        {
            bail!("{key} was {before} when these games were begun and is not set now");
        }
        let name = |player: &Value| {
            player.get("name").and_then(Value::as_str).unwrap_or_default().to_string()
        };
        let mut order = 0;
        for player in &self.players {
            let Some(at) = earlier.players.iter().position(|before| name(before) == name(player))
            else {
                continue;
            };
            ensure!(
                earlier.players[at] == *player,
                "player {:?} was defined otherwise when these games were begun",
                name(player)
            );
            ensure!(at >= order, "the players stood in another order when these games were begun");
            order = at;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.txt");
        write_whole(&path, "one").expect("written");
        write_whole(&path, "two").expect("written again");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "two");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
        let error = write_whole(&folder.path().join("none/table.txt"), "").expect_err("no folder");
        assert!(error.to_string().contains("none/table.txt"), "{error}");
    }

    #[test]
    fn parts_share_the_folder_with_each_other_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |part: Option<&str>| {
            Folder::open(folder.path(), part.map(|part| part.parse().expect("a part")))
        };
        let parts = (open(Some("1/2")).expect("free"), open(Some("2/2")).expect("free"));
        for taken in [None, Some("1/2")] {
            let error = open(taken).expect_err("in use").to_string();
            assert!(error.starts_with("another run is using the folder"), "{error}");
        }
        drop(parts);
        let _whole = open(None).expect("free again");
        assert!(open(Some("1/2")).is_err(), "the whole match is played there");
    }

    /// A renamed file whose contents are not on the disk yet is empty after a crash. Which calls the system sees is told by
    /// strace, which looks on while this program runs the test above.
    #[cfg(target_os = "linux")]
    #[test]
    fn contents_are_on_the_disk_before_they_take_the_name() {
        let this = std::env::current_exe().expect("this program");
        let traced = std::process::Command::new("strace")
            .args(["-f", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2"])
            .arg(this)
            .args(["--exact", "arena::results::tests::files_are_written_whole"])
            .output();
        let calls = traced.map(|run| String::from_utf8_lossy(&run.stderr).into_owned());
        let calls = calls.unwrap_or_default();
        let mut calls = calls.lines().filter(|call| call.contains(" = 0")).peekable();
        if calls.peek().is_none() {
            eprintln!("skipped: there is no strace, or it may not look");
            return;
        }
        let synced: Vec<bool> = calls.map(|call| call.contains("sync(")).collect();
        let once = [true, false, true];
        assert_eq!(
            synced,
            [once, once].concat(),
            "a rename between a sync of the file and one of the folder"
        );
    }
}
