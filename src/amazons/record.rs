//! Game records: SGF with `GM[18]`, a turn a node in the game's own notation, `;W[d1-d7/g7]`, and lists of moves.
//!
//! A start other than the usual one is set up in the root: `AW` and `AB` for queens, `PL` for who begins, and `BU` for
//! squares that are closed already, which is this program's own.

use amazons_engine::notation::{GameMove, GameSquare};
use amazons_engine::{Color, Game, Position, Size, Squares};
use anyhow::{Context, Result, bail, ensure};
use game_record::Tree;

use crate::session::game::sgf::{is_sgf, read_first, size, without_bom, words};

/// The first game in the bytes of a file, SGF or moves in a row, up to so many turns.
///
/// # Errors
/// What is wrong with the file or one of its moves.
pub fn load(bytes: &[u8], turns: Option<usize>) -> Result<Game> {
    let bytes = without_bom(bytes);
    if is_sgf(bytes) {
        return read_first(bytes, |tree| from_sgf(tree, turns));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut game = Game::new(Position::start());
    let mut any = false;
    for (number, word) in text.split_whitespace().enumerate() {
        any = true;
        if turns.is_none_or(|max| number < max) {
            put(&mut game, None, word, number + 1)?;
        }
    }
    ensure!(any, "there is no game in the file");
    Ok(game)
}

fn put(game: &mut Game, color: Option<Color>, word: &str, number: usize) -> Result<()> {
    let place = || format!("move {number}: {:?}", word.chars().take(40).collect::<String>());
    let GameMove(mv) = word.parse().with_context(place)?;
    if let Some(color) = color.filter(|&color| color != game.position().to_move()) {
        game.set_to_move(color);
    }
    game.play(mv).with_context(place)
}

fn from_sgf(tree: &Tree, turns: Option<usize>) -> Result<Game> {
    let root = tree.node(Tree::ROOT);
    if let Some(game) = root.value("GM").filter(|game| game.trim() != "18") {
        bail!("GM[{game}] is not Amazons, which is GM[18]");
    }
    let (columns, rows) = size(tree, 10)?;
    let no_board = || format!("a board of {columns}x{rows} is not played on here");
    let size = Size::new(columns, rows).with_context(no_board)?;
    let mut setup = Position::empty(size);
    let mut any = false;
    for (ident, color) in [("AW", Some(Color::White)), ("AB", Some(Color::Black)), ("BU", None)] {
        for value in root.property(ident).iter().flat_map(|property| property.values.iter()) {
            any = true;
            let bad = || format!("setup: {value:.40?} is no free square of the board");
            let GameSquare(square) = value.trim().parse().with_context(bad)?;
            let put = match color {
                Some(color) => setup.put_queen(color, square),
                None => setup.put_arrow(square),
            };
            ensure!(put, bad());
        }
    }
    let start = if any {
        setup
    } else {
        let start = Position::start_on(columns).filter(|start| start.size() == size);
        start.with_context(no_board)?
    };
    let mut game = Game::new(start);
    match root.value("PL").map(str::trim) {
        Some("B" | "b" | "black") => game = with_side(start, Color::Black),
        Some("W" | "w" | "white") => game = with_side(start, Color::White),
        _ => {}
    }
    let moves = words(tree).into_iter().filter(|word| !word.is_setup).enumerate();
    for (number, word) in moves.take(turns.unwrap_or(usize::MAX)) {
        put(&mut game, Some(word.color), word.text, number + 1)?;
    }
    Ok(game)
}

fn with_side(mut start: Position, side: Color) -> Game {
    start.set_to_move(side);
    Game::new(start)
}

/// A start other than the usual one, as the root of a record has it.
pub fn setup(game: &Game) -> String {
    let start = game.start();
    let size = start.size();
    let mut text = String::new();
    if size.columns() != size.rows() || Position::start_on(size.columns()).as_ref() != Some(start) {
        let list = |ident: &str, squares: Squares| {
            let squares: String = squares.iter().map(|s| format!("[{}]", GameSquare(s))).collect();
            if squares.is_empty() { squares } else { format!("{ident}{squares}") }
        };
        text += &list("AW", start.queens(Color::White));
        text += &list("AB", start.queens(Color::Black));
        text += &list("BU", start.arrows_shot());
        text += &format!("PL[{}]", start.to_move().initial());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game as _;

    const GAME: &str = "(;GM[18]FF[4]SZ[10]PB[a]PW[b];W[j4-g7/d7];B[a7-b7/b8]\n;W[d1-d2(d1)])";

    #[test]
    fn records_are_read_and_written() {
        let game = load(GAME.as_bytes(), None).unwrap();
        assert_eq!(game.moves().len(), 3);
        let again = load(game.sgf("a]", "b").as_bytes(), None).unwrap();
        assert_eq!(again.position(), game.position());
        let list = load(b"\xef\xbb\xbfj4-g7/d7 a7-b7/b8\nd1-d2/d1", None).unwrap();
        assert_eq!(list.position(), game.position());
        assert_eq!(load(GAME.as_bytes(), Some(1)).unwrap().moves().len(), 1);
    }

    #[test]
    fn other_starts_are_kept() {
        let mut start: Position = "X..#|....|...O".parse().unwrap();
        start.set_to_move(Color::Black);
        let mut game = Game::new(start);
        game.play("d1-d2/d1".parse::<GameMove>().unwrap().0).unwrap();
        let text = game.sgf("", "");
        assert!(text.contains("SZ[4:3]AW[a3]AB[d1]BU[d3]PL[B]"), "{text}");
        let again = load(text.as_bytes(), None).unwrap();
        assert_eq!((again.start(), again.position()), (game.start(), game.position()));
        // A side that moves twice.
        game.set_to_move(Color::Black);
        game.play("d2-c2/b2".parse::<GameMove>().unwrap().0).unwrap();
        let again = load(game.sgf("", "").as_bytes(), None).unwrap();
        assert_eq!(again.position(), game.position());
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for bad in [
            "",
            "(;GM[1]SZ[10];W[j4-g7/d7])",
            "(;GM[18]SZ[25])",
            "(;GM[18]SZ[8])",
            "(;GM[18]SZ[x])",
            "(;GM[18];W[j4-g7])",
            "(;GM[18];W[k4-g7/d7])",
            "(;GM[18];W[j4-g8/d7])",
            "(;GM[18]AW[a1]AB[a1])",
            "(;GM[18]AW[zz])",
            "hello",
            "d1 d7 g7",
            "(;GM[18];W[j4-g7/d7]",
        ] {
            assert!(load(bad.as_bytes(), None).is_err(), "{bad}");
        }
    }
}
