//! The record of a game while it is played, in the match's folder, for those who watch.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::arbiter::Vertex;
use super::settings::Settings;
use super::sgf::{self, Heading};
use super::turn::Turn;

/// It is written at most this often: a quick game costs nothing by it.
const EVERY: Duration = Duration::from_millis(500);

/// The record of a game that goes on. Its file goes with it.
#[derive(Debug)]
pub struct LiveRecord {
    file: PathBuf,
    names: [String; 2],
    started: String,
    title: String,
    written: Instant,
    is_there: bool,
}

/// The folder of such records in a match's folder.
pub fn folder(of_match: &Path) -> PathBuf {
    of_match.join("live")
}

/// The record of the game with this number.
pub fn path(of_match: &Path, number: u32) -> PathBuf {
    folder(of_match).join(format!("{number:06}.sgf"))
}

/// The numbers of the games that go on.
pub fn numbers(of_match: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(folder(of_match)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut numbers: Vec<u32> =
        names.filter_map(|name| name.strip_suffix(".sgf")?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

impl LiveRecord {
    /// The record of a game of the match in this folder between players of these names, Black's first.
    pub fn new(of_match: &Path, number: u32, names: [String; 2], started: &str) -> LiveRecord {
        LiveRecord {
            file: path(of_match, number),
            names,
            started: started.to_owned(),
            title: format!("game {number}, going on"),
            written: Instant::now(),
            is_there: false,
        }
    }

    /// Writes what was played so far, unless that was done a moment ago. Who watches may miss something: nothing else depends
    /// on it.
    pub fn show(&mut self, settings: &Settings, handicap: &[Vertex], turns: &[Turn]) {
        if self.written.elapsed() < EVERY {
            return;
        }
        self.written = Instant::now();
        let heading = Heading {
            settings,
            names: self.names.each_ref().map(String::as_str),
            programs: Default::default(),
            result: "",
            started: &self.started,
            title: self.title.clone(),
            remarks: Vec::new(),
        };
        let text = sgf::write(&heading, handicap, turns);
        let beside = self.file.with_extension("new");
        let written = self.file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written
            .and_then(|()| fs::write(&beside, text))
            .and_then(|()| fs::rename(&beside, &self.file));
        match written {
            Ok(()) => self.is_there = true,
            Err(why) => tracing::debug!("cannot write {}: {why}", self.file.display()),
        }
    }
}

impl Drop for LiveRecord {
    fn drop(&mut self) {
        if self.is_there {
            // One that cannot be removed is only of a game that is over.
            let _ = fs::remove_file(&self.file);
        }
    }
}
