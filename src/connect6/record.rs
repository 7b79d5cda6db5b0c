//! Game records: Little Golem's SGF and the tournament platform's words, read and written.
//!
//! Little Golem's records have no GM; a node holds a whole turn, `;B[j10];W[j9l11]`, letters a to s with i,
//! rows counted from the bottom. The platform's words are `black JJ`, `white KKJL` or `move JKKJ`.
//! A third form, `j10 j9l11 ...` in one row, is that of game lists.

use anyhow::{Context, Result, bail};
use connect6_engine::{Color, Game, Outcome, PlayError, Point, Rules};
use game_record::Tree;

use super::notation::{platform_name, read_platform_points, read_record_points};
use crate::session::game::sgf::{read_first, size, words};

/// The stones of one side, played one after another.
type Part = (Color, Vec<Point>);

const EMPTY: &str = "there is no game in the file";

fn bad(number: usize, word: &str) -> String {
    format!("move {number}: {word:?} is no move")
}

/// The first game in the bytes of a file, in any of the three forms, up to so many stones.
///
/// # Errors
/// What is wrong with the file or one of its moves.
pub fn load(bytes: &[u8], stones: Option<usize>) -> Result<Game> {
    let start = bytes.iter().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf));
    if start == Some(&b'(') {
        return read_first(bytes, |tree| from_sgf(tree, stones));
    }
    let text = String::from_utf8_lossy(bytes);
    let row = text.lines().map(str::trim).find(|row| !row.is_empty()).context(EMPTY)?;
    if row.split_whitespace().all(|word| read_record_points(word).is_some()) {
        from_moves(row, stones)
    } else {
        from_platform(&text, stones)
    }
}

/// A game from moves in one row, `j10 j9l11 ...`.
///
/// # Errors
/// The first word that is no move or cannot be made.
pub fn from_moves(row: &str, stones: Option<usize>) -> Result<Game> {
    let mut game = Game::new(Rules::CONNECT6);
    for (number, word) in row.split_whitespace().enumerate() {
        let points = read_record_points(word).with_context(|| bad(number + 1, word))?;
        let color = game.to_move().color;
        put(&mut game, (color, points), number + 1, stones)?;
    }
    Ok(game)
}

/// A game from the platform's words: `black`, `white` or `move` and letters. Other rows are passed over.
fn from_platform(text: &str, stones: Option<usize>) -> Result<Game> {
    let mut game = Game::new(Rules::CONNECT6);
    let mut number = 0;
    for row in text.lines() {
        let mut words = row.split_whitespace();
        let color = match words.next() {
            Some("move") => game.to_move().color,
            Some("black") => Color::Black,
            Some("white") => Color::White,
            _ => continue,
        };
        let Some(word) = words.next() else { continue };
        number += 1;
        let points = read_platform_points(word).with_context(|| bad(number, word))?;
        put(&mut game, (color, points), number, stones)?;
    }
    if number == 0 { bail!(EMPTY) } else { Ok(game) }
}

fn put(game: &mut Game, part: Part, number: usize, stones: Option<usize>) -> Result<()> {
    for point in part.1 {
        if stones.is_some_and(|max_stones| game.stones().len() >= max_stones) {
            return Ok(());
        }
        match game.play(part.0, point) {
            // Some records go on with the second stone of the turn that won.
            Err(PlayError::Over) if game.outcome() != Outcome::Draw => return Ok(()),
            played => played.with_context(|| format!("move {number}"))?,
        }
    }
    Ok(())
}

fn from_sgf(tree: &Tree, stones: Option<usize>) -> Result<Game> {
    let root = tree.node(Tree::ROOT);
    if let Some(game) = root.value("GM") {
        bail!("GM[{game}] is not Connect6, whose records have no GM");
    }
    let (columns, rows) = size(tree, 19)?;
    let mut game = Game::new(Rules::new(columns.into(), rows.into(), 6, 2, 1)?);
    let mut number = 0;
    for word in words(tree) {
        number += usize::from(!word.is_setup);
        let points = read_record_points(word.text).with_context(|| bad(number, word.text))?;
        put(&mut game, (word.color, points), number, stones)?;
    }
    match root.value("PL").map(str::trim) {
        Some("B" | "b") if number == 0 => game.set_to_move(Color::Black),
        Some("W" | "w") if number == 0 => game.set_to_move(Color::White),
        _ => {}
    }
    Ok(game)
}

/// The turns of a game: stones of one side that came one after another, as many as a turn has.
pub fn parts(game: &Game) -> Vec<Part> {
    let mut turns: Vec<Part> = Vec::new();
    for (color, point) in game.stones() {
        let first = turns.len() == 1 && turns[0].0 == Color::Black;
        let max_stones = if first { game.rules().q() } else { game.rules().p() };
        match turns.last_mut() {
            Some((last, points)) if *last == color && points.len() < max_stones => {
                points.push(point);
            }
            _ => turns.push((color, vec![point])),
        }
    }
    turns
}

/// The game in the platform's words, one turn a row.
pub fn platform(game: &Game) -> String {
    let row = |(_, points): &Part| {
        format!("move {}", points.iter().map(|&p| platform_name(p)).collect::<String>())
    };
    parts(game).iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game as _;

    const GAME: &str =
        "(;FF[4]EV[connect6.ch.1.1.1]PB[a]PW[b]SZ[19]SO[x];B[j10];W[j9k11]\n;B[i11l9])";

    #[test]
    fn the_three_forms_are_one_game() {
        let game = load(GAME.as_bytes(), None).unwrap();
        assert_eq!(game.stones().len(), 5);
        for text in [
            "j10 j9k11 i11l9",
            "move JJ\nmove JIKK\nmove IKLI\n",
            "black JJ\nwhite JIKK\nblack IKLI",
        ] {
            let other = load(text.as_bytes(), None).unwrap();
            assert_eq!(other.key(), game.key(), "{text}");
        }
        let again = load(game.sgf("a]", "b").as_bytes(), None).unwrap();
        assert_eq!(again.key(), game.key());
        assert_eq!(load(platform(&game).as_bytes(), None).unwrap().key(), game.key());
        assert_eq!(load(GAME.as_bytes(), Some(2)).unwrap().stones().len(), 2);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for bad in [
            "",
            "(;GM[1];B[jj])",
            "(;SZ[25];B[j10])",
            "(;SZ[x])",
            "(;B[j10];W[j10k10])",
            "(;B[jj])",
            "hello",
            "move J",
            "j10 j10k10",
            "(;B[j10]",
        ] {
            assert!(load(bad.as_bytes(), None).is_err(), "{bad}");
        }
    }
}
