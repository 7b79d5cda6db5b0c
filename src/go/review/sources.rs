//! Which games a review is asked for: files, and folders of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use game_record::Games;

use super::game::{Assumed, Outline, ReviewGame};
use super::reports;
use crate::files;
use crate::shard::Shard;

/// A game that is to be reviewed.
pub struct Source {
    /// The file that it is in.
    pub file: PathBuf,
    /// Which of its games, from 1.
    pub number: usize,
    /// What its reports are called: a path below the folder for them, without an ending.
    pub name: String,
    /// How many moves it has.
    pub moves: usize,
    /// The longer side of the board.
    pub side: u8,
}

/// What was found of what was asked for.
#[derive(Default)]
pub struct Sources {
    /// The games, in the order in which they were named.
    pub games: Vec<Source>,
    /// What cannot be reviewed, and why.
    pub broken: Vec<Broken>,
    /// A folder was named, or several files or games.
    pub are_many: bool,
}

/// A game or file that cannot be reviewed.
pub struct Broken {
    /// Which file, and what is wrong where in it.
    pub why: String,
}

impl Sources {
    /// The games of files and folders. What lies in `out` is what was written by reviews.
    ///
    /// # Errors
    /// When a path does not exist, or the reviews would be written over what is to be reviewed.
    pub fn find(
        paths: &[PathBuf],
        number: Option<u64>,
        out: &Path,
        assumed: &Assumed,
    ) -> Result<Sources> {
        let mut sources = Sources { are_many: paths.len() > 1, ..Sources::default() };
        let are_together = sources.are_many || paths.iter().any(|path| path.is_dir());
        // What is told of many games together has names too.
        let taken = ["index", "moves"].into_iter().filter(|_| are_together);
        let names: BTreeSet<String> = taken.map(str::to_owned).collect();
        let mut names = Names { folder: out, taken: names };
        let (folder, out) = (out, fs::canonicalize(out).ok());
        for path in paths {
            if !path.exists() {
                bail!("{} does not exist", path.display());
            }
            if path.is_dir() {
                ensure!(
                    fs::canonicalize(path).ok() != out,
                    "{} is the folder that the reviews go to: name another with --out",
                    path.display()
                );
                sources.are_many = true;
                let found = files::records_below(path, out.as_deref(), &mut |folder, error| {
                    let why = format!("{}: {error}", folder.display());
                    sources.broken.push(Broken { why });
                });
                for file in found {
                    let name = file.strip_prefix(path).unwrap_or(&file).with_extension("");
                    sources.add(&file, &name.to_string_lossy(), number, assumed, &mut names);
                }
            } else {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                sources.add(path, &name, number, assumed, &mut names);
            }
        }
        sources.are_many |= sources.games.len() > 1;
        for Source { file, name, .. } in &sources.games {
            let written = fs::canonicalize(folder.join(format!("{name}.sgf")));
            ensure!(
                !written
                    .is_ok_and(|written| fs::canonicalize(file).is_ok_and(|file| file == written)),
                "the review of {} would be written over it: name another folder with --out",
                file.display()
            );
        }
        Ok(sources)
    }

    /// Leaves only the games of a part; what cannot be reviewed belongs to the first.
    pub fn share(&mut self, shard: Shard) {
        let mut numbers = 0..;
        self.games.retain(|_| numbers.next().is_some_and(|number| shard.has(number)));
        self.broken.retain(|_| shard.has(0));
    }

    /// The games of a file.
    fn add(
        &mut self,
        file: &Path,
        name: &str,
        number: Option<u64>,
        assumed: &Assumed,
        names: &mut Names<'_>,
    ) {
        let bytes = match files::read_record(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                let why = format!("{}: {error}", file.display());
                return self.broken.push(Broken { why });
            }
        };
        let count = Games::new(&bytes).count();
        let digits = count.to_string().len();
        let mut is_found = false;
        for (at, game) in (1..).zip(Games::new(&bytes)) {
            if number.is_some_and(|number| number != at as u64) {
                continue;
            }
            is_found = true;
            let game = game.map_err(Into::into);
            let game = game.and_then(|text| ReviewGame::check(&text, assumed));
            let outline = match game.with_context(|| place(file, at, count)) {
                Ok(found) => found,
                Err(error) => {
                    self.broken.push(Broken { why: format!("{error:#}") });
                    continue;
                }
            };
            let name = match count {
                1 => name.to_owned(),
                _ => format!("{name}-{at:0digits$}"),
            };
            let name = names.unique(&name, &outline);
            let (moves, side) = (outline.moves.len(), outline.size[0].max(outline.size[1]));
            self.games.push(Source { file: file.to_owned(), number: at, name, moves, side });
        }
        if let (Some(number), false) = (number, is_found) {
            let why = format!("{} has no game {number}", file.display());
            self.broken.push(Broken { why });
        }
    }
}

impl Source {
    /// The game itself.
    ///
    /// # Errors
    /// What is wrong with it, when it is not any more what it was.
    pub fn load(&self, assumed: &Assumed) -> Result<ReviewGame> {
        let place = || place(&self.file, self.number, 1);
        let bytes = files::read_record(&self.file).with_context(place)?;
        let game = Games::new(&bytes).nth(self.number - 1).context("the game is gone");
        let text = game.and_then(|game| Ok(game?)).with_context(place)?;
        ReviewGame::read(&text, assumed).with_context(place)
    }
}

/// A file, and the game in it where it has several. Errors of records tell the number themselves.
fn place(file: &Path, number: usize, count: usize) -> String {
    match count {
        1 => file.display().to_string(),
        _ => format!("{}, game {number}", file.display()),
    }
}

/// The names that reports have.
struct Names<'a> {
    /// The folder for them.
    folder: &'a Path,
    /// In small letters: some systems do not tell files apart by their cases.
    taken: BTreeSet<String>,
}

impl Names<'_> {
    /// A name that no other game has, here or by a review that was written before.
    fn unique(&mut self, name: &str, game: &Outline) -> String {
        let candidates = (2..).map(|number| format!("{name}-{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(candidates);
        let is_free = |candidate: &String| {
            let there = reports::read(&self.folder.join(candidate));
            there.is_none_or(|document| document.is_of(game))
                && self.taken.insert(candidate.to_lowercase())
        };
        let free = candidates.find(is_free);
        free.unwrap_or_else(|| name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_names_of_their_own_and_broken_ones_are_told_with_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("in/deep/out")).unwrap();
        fs::write(at("in/a.sgf"), "(;SZ[9];B[aa])").unwrap();
        fs::write(at("in/deep/two.SGF"), "(;SZ[9];B[aa];W[bb])(;SZ[9];B[aa];W[aa])").unwrap();
        fs::write(at("in/deep/out/a.sgf"), "(;SZ[9];B[aa])").unwrap();
        fs::write(at("in/no.sgf"), "nothing").unwrap();
        fs::write(at("A.sgf"), "(;SZ[13];B[aa])").unwrap();
        let paths = [at("in"), at("A.sgf")];
        let found = Sources::find(&paths, None, &at("in/deep/out"), &Assumed::default()).unwrap();
        let names: Vec<&str> = found.games.iter().map(|game| game.name.as_str()).collect();
        assert_eq!(names, ["a", "deep/two-1", "A-2"]);
        assert_eq!((found.games[1].moves, found.games[2].side), (2, 13));
        let why: Vec<&str> = found.broken.iter().map(|broken| broken.why.as_str()).collect();
        assert!(why[0].contains("two.SGF") && why[0].contains("move 2"), "{why:?}");
        assert!(why[1].contains("no.sgf") && why[1].contains("no game found"), "{why:?}");
        assert!(Sources::find(&[at("none")], None, &at("out"), &Assumed::default()).is_err());
    }

    #[test]
    fn nothing_that_is_reviewed_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["index.sgf", "moves.sgf", "a.sgf"] {
            fs::write(at(name), "(;SZ[9];B[aa])").unwrap();
        }
        let find = |paths: &[PathBuf], out: &str| {
            let found = Sources::find(paths, None, &at(out), &Assumed::default());
            found.map(|found| found.games.into_iter().map(|game| game.name).collect::<Vec<_>>())
        };
        assert!(find(&[at("a.sgf")], ".").unwrap_err().to_string().contains("a.sgf"));
        assert!(find(&[at(".")], ".").unwrap_err().to_string().contains("--out"));
        assert_eq!(find(&[at("index.sgf")], "out").unwrap(), ["index"]);
        assert_eq!(find(&[at(".")], "out").unwrap(), ["a", "index-2", "moves-2"]);
    }
}
