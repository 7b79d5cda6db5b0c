//! Games to learn from, read and written as tables: recorded games, and games against itself with what the search
//! found before each turn.
//!
//! A table is tab-separated and its first row names the columns. `result` (B, W or D) and `moves` (`j10 j9l11 ...`)
//! are needed. `searched` may stand beside them: a word for each turn, `-` where nothing was searched, else the chance
//! in thousandths that the side to move wins and the visits of its turns, `612:j9l11=40:l9l11=12`. With a column
//! `seed` games come in its order, whatever threads finished them first.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use connect6_engine::learn::{Sample, Searched};
use connect6_engine::{Color, Outcome, Point, Rules, Turn};

use super::notation::{read_record_points, record_turn};
use super::record;
use crate::session::game::sgf::{is_sgf, without_bom};

/// The columns that [`row`] writes.
pub const COLUMNS: &str = "seed\tresult\tmoves\tsearched\n";
/// Turns visited less often are not written.
const MIN_VISITS: u32 = 2;

/// A game against itself as a row of a table, without the line end.
///
/// # Errors
/// When its stones are no game.
pub fn row(seed: u64, sample: &Sample) -> Result<String> {
    let result = match sample.outcome {
        Outcome::Win(Color::Black) => 'B',
        Outcome::Win(Color::White) => 'W',
        Outcome::Draw | Outcome::Open => 'D',
    };
    let game = connect6_engine::Game::from_stones(Rules::CONNECT6, sample.stones.iter().copied())?;
    let moves: Vec<String> =
        record::parts(&game).iter().map(|(_, turn)| record_turn(turn)).collect();
    let mut row = format!("{seed}\t{result}\t{}\t", moves.join(" "));
    for (number, searched) in sample.searched.iter().enumerate() {
        row.push_str(if number > 0 { " " } else { "" });
        let Some(Searched { chance, visits }) = searched else {
            row.push('-');
            continue;
        };
        // Writing to a string cannot fail.
        let _ = write!(row, "{:.0}", chance * 1000.0);
        for (turn, visits) in visits.iter().filter(|v| v.1 >= MIN_VISITS) {
            let _ = write!(row, ":{}={visits}", record_turn(&turn.stones().collect::<Vec<_>>()));
        }
    }
    Ok(row)
}

/// The games of a file: a table, or Little Golem's SGF.
///
/// # Errors
/// When it cannot be read; a row or game that is none is named.
pub fn read(path: &Path) -> Result<Vec<Sample>> {
    let place = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(place)?;
    let bytes = without_bom(&bytes);
    if is_sgf(bytes) {
        return read_sgf(bytes).with_context(place);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut rows = text.lines().enumerate();
    let names: Vec<&str> = rows.next().map(|row| row.1.split('\t').collect()).unwrap_or_default();
    let find = |name: &str| names.iter().position(|n| *n == name);
    let column = |name| find(name).with_context(|| format!("{}: no column {name:?}", place()));
    let (result, moves, searched) = (column("result")?, column("moves")?, find("searched"));
    let seed = find("seed");
    let mut samples: Vec<(u64, Sample)> = Vec::new();
    for (number, row) in rows.filter(|row| !row.1.is_empty()) {
        let place = || format!("{}, row {}", place(), number + 1);
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |index: usize| {
            cells.get(index).copied().with_context(|| format!("{}: a cell is missing", place()))
        };
        let game = record::from_moves(cell(moves)?, Rules::CONNECT6, None).with_context(place)?;
        let outcome = match cell(result)? {
            "B" => Outcome::Win(Color::Black),
            "W" => Outcome::Win(Color::White),
            "D" => Outcome::Draw,
            other => bail!("{}: the result {other:?} is none of B, W and D", place()),
        };
        let searched = match searched {
            Some(index) => read_searched(cell(index)?).with_context(place)?,
            None => Vec::new(),
        };
        let seed = match seed {
            Some(index) => {
                let cell = cell(index)?;
                cell.parse().with_context(|| format!("{}: {cell:?} is no seed", place()))?
            }
            None => 0,
        };
        let stones = game.stones().map(|s| s.1).collect();
        samples.push((seed, Sample { stones, outcome, searched }));
    }
    samples.sort_by_key(|(seed, _)| *seed);
    Ok(samples.into_iter().map(|(_, sample)| sample).collect())
}

/// What was searched before each turn.
fn read_searched(cell: &str) -> Result<Vec<Option<Searched>>> {
    let word = |word: &str| {
        if word == "-" {
            return Some(None);
        }
        let mut parts = word.split(':');
        let chance: f32 = parts.next()?.parse().ok()?;
        let chance = (0.0..=1000.0).contains(&chance).then_some(chance / 1000.0)?;
        let visits = parts.map(|part| {
            let (turn, visits) = part.split_once('=')?;
            Some((turn_of(&read_record_points(turn)?)?, visits.parse().ok()?))
        });
        Some(Some(Searched { chance, visits: visits.collect::<Option<_>>()? }))
    };
    let words = cell.split_whitespace();
    words.map(|w| word(w).with_context(|| format!("{w:?} is no search of a turn"))).collect()
}

fn turn_of(points: &[Point]) -> Option<Turn> {
    match *points {
        [a] => Some(Turn::single(a)),
        [a, b] if a != b => Some(Turn::pair(a, b)),
        _ => None,
    }
}

/// The decided games of a collection.
fn read_sgf(bytes: &[u8]) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for (number, text) in game_record::Games::new(bytes).enumerate() {
        let text = text.with_context(|| format!("game {}", number + 1))?;
        let tree = game_record::Tree::parse(&text)?;
        let result = tree
            .node(game_record::Tree::ROOT)
            .value("RE")
            .unwrap_or_default()
            .trim()
            .to_ascii_uppercase();
        let outcome = match result.as_bytes().first() {
            Some(b'B') => Outcome::Win(Color::Black),
            Some(b'W') => Outcome::Win(Color::White),
            Some(b'0' | b'D') => Outcome::Draw,
            _ => continue,
        };
        let place = || format!("game {}", number + 1);
        let game = record::load(text.text.as_bytes(), Rules::CONNECT6, None).with_context(place)?;
        let is_usual = game.rules() == Rules::CONNECT6 && game.setup().is_empty();
        ensure!(is_usual, "{}: not Connect6 on 19x19 from the empty board", place());
        let stones = game.stones().map(|s| s.1).collect();
        samples.push(Sample { stones, outcome, searched: Vec::new() });
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let stones: Vec<Point> = ["j10", "j9", "l11"]
            .iter()
            .flat_map(|word| read_record_points(word).unwrap())
            .collect();
        let pair = Turn::pair(stones[1], stones[2]);
        let searched = Searched { chance: 0.612, visits: vec![(pair, 40)] };
        let sample =
            Sample { stones, outcome: Outcome::Draw, searched: vec![None, Some(searched)] };
        let row = row(7, &sample).unwrap();
        let folder = std::env::temp_dir().join(format!("tesuji-samples-{}", std::process::id()));
        std::fs::write(&folder, format!("\u{feff}{COLUMNS}{row}\n")).unwrap();
        let read = read(&folder);
        std::fs::remove_file(&folder).unwrap();
        let read = &read.unwrap()[0];
        assert_eq!((&read.stones, read.outcome), (&sample.stones, sample.outcome));
        assert_eq!(read.searched, sample.searched);
    }

    #[test]
    fn what_is_no_search_is_named() {
        for bad in ["x", "1001", "612:j9", "612:j9=x", "612:j99=3", "612:j9j9=3"] {
            let error = read_searched(&format!("- {bad}")).unwrap_err().to_string();
            assert!(error.contains(bad), "{error}");
        }
    }
}
