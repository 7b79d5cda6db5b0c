//! What was found so far of a game, in a file beside its reports, so that a review that was stopped goes on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::position_analysis::PositionAnalysis;
use crate::files;

/// What was found so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What it was found with: what another review found is of no use.
    pub key: String,
    /// Seconds that it took.
    pub seconds: f64,
    /// Playouts of a position in the second pass, once they are known.
    pub playouts: Option<u64>,
    /// For each pass, and each of its runs that is done by its first position: what was found of its positions.
    pub passes: Vec<BTreeMap<usize, Vec<PositionAnalysis>>>,
}

impl Progress {
    /// What is in a file, when it was found with the same; else nothing yet.
    pub fn read(path: &Path, key: &str) -> Progress {
        let read = fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let same = read.filter(|progress: &Progress| progress.key == key);
        same.unwrap_or_else(|| Progress { key: key.to_owned(), ..Progress::default() })
    }

    /// Writes it.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_vec(self)?;
        files::replace(path, &text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// What a pass has found.
    pub fn pass(&mut self, number: usize) -> &mut BTreeMap<usize, Vec<PositionAnalysis>> {
        if self.passes.len() <= number {
            self.passes.resize_with(number + 1, BTreeMap::new);
        }
        &mut self.passes[number]
    }

    /// The deepest that was found of each of so many positions.
    pub fn found(&self, positions: usize) -> Vec<Option<PositionAnalysis>> {
        let mut all: Vec<Option<PositionAnalysis>> = vec![None; positions];
        for (&first, run) in self.passes.iter().flatten() {
            for (slot, found) in all.iter_mut().skip(first).zip(run) {
                // What experts expect was asked in the first pass alone.
                let expected = slot.take().and_then(|slot| slot.expected);
                let expected = found.expected.clone().or(expected);
                *slot = Some(PositionAnalysis { expected, ..found.clone() });
            }
        }
        all
    }
}

/// Where the progress of a game is kept whose reports have this name.
pub fn path(reports: &Path) -> PathBuf {
    let mut name = reports.file_name().unwrap_or_default().to_owned();
    name.push(".progress");
    reports.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::review::position_analysis::Expected;
    use go_engine::Move;

    fn found(visits: u64) -> PositionAnalysis {
        PositionAnalysis { visits, winrate: 0.5, lead: 0.1, moves: Vec::new(), expected: None }
    }

    #[test]
    fn deeper_passes_hide_the_others_and_files_of_other_reviews_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = path(&folder.path().join("game.v2"));
        assert!(file.ends_with("game.v2.progress"));
        let mut progress = Progress::read(&file, "one");
        let first = Move::Pass;
        let expected = Expected { rank: 1, probability: 0.3, first, first_probability: 0.3 };
        let mut quick = found(10);
        quick.expected = Some(expected.clone());
        progress.pass(0).insert(0, vec![quick, found(11)]);
        progress.pass(2).insert(0, vec![found(40)]);
        progress.write(&file).unwrap();
        let read = Progress::read(&file, "one");
        assert_eq!(read, progress);
        let all = read.found(3);
        let visits: Vec<_> = all.iter().map(|one| one.as_ref().map(|one| one.visits)).collect();
        assert_eq!(visits, [Some(40), Some(11), None]);
        assert_eq!(all[0].as_ref().unwrap().expected, Some(expected));
        assert!(Progress::read(&file, "two").passes.is_empty());
        fs::write(&file, "{\"key\":\"one\"").unwrap();
        assert!(Progress::read(&file, "one").passes.is_empty());
    }
}
