//! What is written of a review: files that have the game's name, and an ending each.

mod board;
mod csv;
mod curve;
mod index;
mod page;
mod sgf;
pub mod words;

pub use sgf::annotated;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::document::Document;
use super::game::ReviewGame;
use crate::files;

/// Writes all reports of a game. The one that tells whether it is finished comes last.
///
/// # Errors
/// When a file cannot be written.
pub fn write(base: &Path, document: &Document, game: &ReviewGame) -> Result<()> {
    let name = base.file_name().unwrap_or_default().to_string_lossy();
    save(&with_ending(base, "sgf"), &sgf::annotated(game, document)?)?;
    save(&with_ending(base, "html"), &page::page(&name, document, game))?;
    save(&with_ending(base, "csv"), &(csv::head() + &csv::rows(document)))?;
    save(&with_ending(base, "json"), &document.json()?)
}

/// The review that was written of a game, if there is one.
pub fn read(base: &Path) -> Option<Document> {
    let bytes = std::fs::read(with_ending(base, "json")).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Writes what is told of all games together: a page, and the moves of all games in one table.
///
/// # Errors
/// When a file cannot be written.
pub fn write_index(out: &Path, names: &[String], broken: &[String]) -> Result<()> {
    let read = |name: &String| Some((name.clone(), read(&out.join(name))?));
    let games: Vec<(String, Document)> = names.iter().filter_map(read).collect();
    let rows: String = games.iter().map(|(_, document)| csv::rows(document)).collect();
    save(&out.join("moves.csv"), &(csv::head() + &rows))?;
    save(&out.join("index.html"), &index::index(&games, broken))
}

/// A game's file with this ending. Names may have dots in them.
fn with_ending(base: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(base.file_name().unwrap_or_default());
    name.push(".");
    name.push(ending);
    base.with_file_name(name)
}

fn save(path: &Path, text: &str) -> Result<()> {
    files::replace(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}
