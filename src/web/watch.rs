//! Matches that are watched: folders of `tesuji match`, read anew whenever a page asks.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::arena::live_record;
use crate::arena::report::{progress, text};
use crate::arena::results::{GameLine, Results};
use crate::arena::settings::Settings;
use crate::arena::stats::elo;
use crate::files;

/// Finished games that are listed, the last ones.
const MAX_LISTED: usize = 500;

/// The folders that the command line names. No others can be read from a page.
pub struct Matches {
    folders: Vec<(String, PathBuf)>,
}

impl Matches {
    /// These folders, each under its own name.
    ///
    /// # Errors
    /// When one is none.
    pub fn new(folders: &[PathBuf]) -> Result<Matches> {
        let mut named: Vec<(String, PathBuf)> = Vec::new();
        for folder in folders {
            ensure!(folder.is_dir(), "{} is no folder", folder.display());
            let path = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_taken = |name: &String| named.iter().any(|other| other.0 == *name);
            let mut candidates = std::iter::once(name.clone())
                .chain((2..).map(|number| format!("{name} ({number})")));
            let name = candidates.find(|name| !is_taken(name)).unwrap_or(name);
            named.push((name, path));
        }
        Ok(Matches { folders: named })
    }

    /// What they are called.
    pub fn names(&self) -> Vec<&str> {
        self.folders.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn folder(&self, name: &str) -> Result<&Path, String> {
        let found = self.folders.iter().find(|folder| folder.0 == name);
        Ok(&found.ok_or_else(|| "no such match is watched".to_owned())?.1)
    }

    /// How a match stands: its table, and its games.
    ///
    /// # Errors
    /// When its files cannot be read.
    pub fn told(&self, name: &str) -> Result<Value, String> {
        let folder = self.folder(name)?;
        let settings = settings(folder);
        let results = Results::read(folder).map_err(|why| format!("{why:#}"))?;
        let mut games: Vec<&GameLine> = results.games.iter().collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.number));
        let games = games.into_iter().take(MAX_LISTED).map(|game| {
            json!({
                "number": game.number,
                "black": game.black,
                "white": game.white,
                "winner": game.winner,
                "result": game.result,
                "how": game.reason.words(),
                "turns": game.turns,
            })
        });
        let mut told = json!({
            "name": name,
            "played": results.games.len(),
            "faults": results.faults.len(),
            "games": games.collect::<Vec<_>>(),
            "live": live_record::numbers(folder),
        });
        if let Some(settings) = settings {
            told["title"] = settings.title.as_str().into();
            told["game"] = settings.game.title.into();
            let (played, scheduled) = progress(&settings, &results);
            told["played"] = played.into();
            told["scheduled"] = scheduled.into();
            told["table"] = table(&settings, &results);
            told["summary"] = text::summary(&settings, &results).into();
        }
        Ok(told)
    }

    /// The record of a match's game, finished or going on, with what it is called.
    ///
    /// # Errors
    /// When there is none.
    pub fn record(&self, name: &str, number: u32) -> Result<(Vec<u8>, String), String> {
        let folder = self.folder(name)?;
        let results = Results::read(folder).map_err(|why| format!("{why:#}"))?;
        let finished = results.games.iter().find(|game| game.number == number);
        let file = match finished {
            Some(game) => inside(folder, &game.sgf)?,
            None => live_record::path(folder, number),
        };
        let bytes = files::read_record(&file).map_err(|why| format!("game {number}: {why}"))?;
        Ok((bytes, format!("game {number} of {name}")))
    }
}

/// A file of the results, which cannot lead out of the folder.
fn inside(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let path = folder.join(file).canonicalize().map_err(|why| format!("{file}: {why}"))?;
    match path.starts_with(folder) {
        true => Ok(path),
        false => Err(format!("{file} is not in the match's folder")),
    }
}

fn settings(folder: &Path) -> Option<Settings> {
    let text = files::read_settings(&folder.join("match.toml")).ok()?;
    toml::from_str(&text).ok()
}

/// The players from the strongest to the weakest.
fn table(settings: &Settings, results: &Results) -> Value {
    let ratings = text::rate(settings, results);
    let rows = text::order(&ratings).into_iter().map(|at| {
        let name = &settings.players[at].name;
        let tally = text::against_all(name, settings, results);
        let (value, low, high) = tally.elo();
        let elo = [value, low, high].map(elo::show);
        json!({
            "name": name,
            "games": tally.games(),
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "score": tally.score(),
            "elo": elo,
        })
    });
    rows.collect()
}
