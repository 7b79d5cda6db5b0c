//! What a run leaves behind, all in one folder: a record of each game, a table of them, and the log.

use std::fs::{self, File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::game::ServerGame;
use super::message::winner;
use crate::{csv, files};

/// The table's heading.
const HEADING: [&str; 13] = [
    "started", "id", "user", "color", "opponent", "rating", "size", "komi", "result", "outcome",
    "moves", "seconds", "breaks",
];

/// The folder that a run writes to.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    log: File,
    /// Games of this run that were won, lost, and neither.
    pub tally: [u32; 3],
}

impl Journal {
    /// Opens the folder, which is made where it is not there; what is in it already is added to.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn open(folder: &Path) -> Result<Journal> {
        fs::create_dir_all(folder.join("games"))
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join("cgos.log");
        let log = OpenOptions::new().create(true).append(true).open(&path);
        let log = log.with_context(|| format!("cannot write to {}", path.display()))?;
        Ok(Journal { folder: folder.to_owned(), log, tally: [0; 3] })
    }

    /// Where an engine's standard error goes.
    pub fn engine_log(&self, user: &str) -> PathBuf {
        self.folder.join(format!("engine-{user}.log"))
    }

    /// Says something to the user, and puts it into the log.
    pub fn say(&mut self, text: &str) {
        self.note(&format!("-- {text}"));
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        // The day is clear to whoever sits before it; who reads a file later wants to know.
        let time = if std::io::stderr().is_terminal() { &time[11..19] } else { &time[..19] };
        // A closed standard error is no reason to leave a game.
        let _ = writeln!(std::io::stderr(), "{time} {text}");
    }

    /// Puts a line into the log: `S>` before what the server sent, `C>` before what was sent to it.
    pub fn note(&mut self, text: &str) {
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        let text: String =
            text.chars().take(4000).map(|c| if c.is_control() { ' ' } else { c }).collect();
        // A log that cannot be written must not stop a game.
        let _ = writeln!(self.log, "{time} {text}");
    }

    /// Writes a game's record; with its result also a row of the table.
    pub fn keep(
        &mut self,
        game: &ServerGame,
        user: &str,
        programs: &str,
        command: &str,
        result: Option<&str>,
    ) {
        let file = self.folder.join("games").join(game.file_stem() + ".sgf");
        let record = game.record(programs, command, result);
        if let Err(error) = files::replace(&file, record.as_bytes()) {
            self.say(&format!("the record {} cannot be written: {error}", file.display()));
        }
        let Some(result) = result else { return };
        let outcome = match winner(result) {
            Some(color) if color == game.color => 0,
            Some(_) => 1,
            None => 2,
        };
        self.tally[outcome] += 1;
        let row = [
            game.started().to_owned(),
            game.id().to_owned(),
            user.to_owned(),
            game.color.to_string(),
            game.opponent().name.clone(),
            game.opponent().rating.clone(),
            game.size().to_string(),
            game.komi().to_string(),
            result.to_owned(),
            ["won", "lost", "none"][outcome].to_owned(),
            game.moves().to_string(),
            format!("{:.1}", game.thinking().as_secs_f64()),
            game.breaks.to_string(),
        ];
        if let Err(error) = self.add_row(&row) {
            self.say(&format!("the table games.csv cannot be written: {error}"));
        }
    }

    fn add_row(&self, row: &[String]) -> std::io::Result<()> {
        let path = self.folder.join("games.csv");
        let heading = if path.exists() { String::new() } else { csv::row(&HEADING) };
        let mut table = OpenOptions::new().create(true).append(true).open(path)?;
        table.write_all((heading + &csv::row(row)).as_bytes())
    }

    /// How the run went, in a sentence.
    pub fn summary(&self) -> String {
        let [won, lost, none] = self.tally;
        let games = won + lost + none;
        match games {
            0 => format!("no game was finished; the log is in {}", self.folder.display()),
            _ => format!(
                "{games} game{}: {won} won, {lost} lost, {none} without a winner; records are in {}",
                if games == 1 { "" } else { "s" },
                self.folder.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_summed_up_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        assert!(journal.summary().starts_with("no game was finished"));
        journal.tally = [1, 0, 0];
        assert!(journal.summary().starts_with("1 game: 1 won, 0 lost"), "{}", journal.summary());
        journal.tally = [1, 2, 0];
        assert!(journal.summary().starts_with("3 games: 1 won, 2 lost"), "{}", journal.summary());
    }
}
