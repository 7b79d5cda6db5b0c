//! What a match looks like to people and to other programs: tables, CSV, a page, the live line.

pub mod chart;
pub mod csv;
pub mod html;
pub mod live;
pub mod text;

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::results::{Results, result_files, write_whole};
use super::schedule::{GameId, tasks};
use super::settings::Settings;

/// Writes every report into the match's folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write_all(settings: &Settings, results: &Results, folder: &Path) -> Result<()> {
    write_whole(&folder.join("games.csv"), &csv::games(results))?;
    write_whole(&folder.join("outcomes.csv"), &csv::outcomes(results))?;
    write_whole(&folder.join("table.txt"), &text::summary(settings, results))?;
    let files = result_files(folder)?;
    write_whole(&folder.join("index.html"), &html::page(settings, results, &files))
}

/// How many games of the schedule are played, and how many there are to be. The folder may hold others: of players that were
/// left out, or from when more were to be played.
pub fn progress(settings: &Settings, results: &Results) -> (usize, usize) {
    let scheduled: HashSet<GameId> = tasks(settings).into_iter().map(|task| task.id).collect();
    let played = results.games.iter().filter(|game| scheduled.contains(&game.game));
    (played.count(), scheduled.len())
}
