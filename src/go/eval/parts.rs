//! Parts of an evaluation in files: a row a game, which are added up in the order of games, whatever part they were in.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::totals::EvalTotals;
use crate::{files, shard};

/// What is in the file of a part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    /// What it was made with.
    settings: String,
    /// How many games there are in all parts.
    games: usize,
    /// The number of each game, and what was found of it.
    rows: Vec<(usize, Vec<u64>)>,
}

/// Writes a part.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(
    path: &Path,
    settings: &str,
    games: usize,
    rows: &[(usize, EvalTotals)],
) -> Result<PathBuf> {
    let rows = rows.iter().map(|(number, found)| (*number, found.to_numbers())).collect();
    let part = PartFile { settings: settings.to_owned(), games, rows };
    let text = serde_json::to_vec(&part)?;
    files::replace(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.to_owned())
}

/// What was found of each game, from all parts.
///
/// # Errors
/// When a part is missing, or was made otherwise, or is no part at all.
pub(super) fn read(out: &Path, settings: &str, games: usize) -> Result<Vec<EvalTotals>> {
    let mut all: Vec<Option<EvalTotals>> = vec![None; games];
    for path in shard::parts_of(out)? {
        let place = || path.display().to_string();
        let bytes = std::fs::read(&path).with_context(place)?;
        let part: PartFile = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is no part of an evaluation", place()))?;
        ensure!(
            part.settings == settings && part.games == games,
            "{} was made otherwise: of {} games, {}",
            place(),
            part.games,
            part.settings
        );
        for (number, numbers) in &part.rows {
            let found = EvalTotals::from_numbers(numbers);
            let place_of_game = all.get_mut(*number);
            let (Some(row), Some(found)) = (place_of_game, found) else {
                anyhow::bail!("{} is damaged: its game {number} makes no sense", place());
            };
            *row = Some(found);
        }
    }
    let missing = all.iter().position(Option::is_none);
    ensure!(missing.is_none(), "game {} is in no part", missing.unwrap_or(0) + 1);
    Ok(all.into_iter().flatten().collect())
}
