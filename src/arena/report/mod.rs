//! What a match looks like to people and to other programs: tables, CSV, a page, the live line.

pub mod chart;
pub mod csv;
pub mod html;
pub mod live;
pub mod text;

use std::path::Path;

use anyhow::Result;

use super::results::{Results, result_files, write_whole};
use super::schedule::tasks;
use super::settings::Settings;

/// Writes every report into the match's folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write_all(settings: &Settings, results: &Results, folder: &Path) -> Result<()> {
    write_whole(&folder.join("games.csv"), &csv::games(results))?;
    write_whole(&folder.join("outcomes.csv"), &csv::outcomes(results))?;
    write_whole(&folder.join("table.txt"), &text::summary(settings, results))?;
    let scheduled = tasks(settings).len();
    let files = result_files(folder)?;
    write_whole(&folder.join("index.html"), &html::page(settings, results, scheduled, &files))
}
