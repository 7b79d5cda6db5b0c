//! Game records: SGF with `GM[18]`, a turn a node in the game's own notation, `;W[d1-d7/g7]`, and lists of moves.
//!
//! A start other than the usual one is set up in the root: `AW` and `AB` for queens, `PL` for who begins, and `BU` for
//! squares that are closed already, which is this program's own.

use std::io;

use amazons_engine::notation::{GameMove, GameSquare};
use amazons_engine::{Color, Game, IllegalMove, Position, Size, Squares};
use game_record::{Games, RecordError, Tree};
use thiserror::Error;

use super::{Amazons, NAME};
use crate::gtp::{Call, Commands, Reply, record_file};

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("loadsgf", load_sgf)
        .add(
            "printsgf",
            |session, call| {
                if call.args.is_empty() { Ok(text(session)) } else { save(session, call) }
            },
        )
        .add("savesgf", save);
}

/// Why a record is no game that can be gone on with.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The file is no SGF.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// The file has no game in it.
    #[error("there is no game in the file")]
    Empty,
    /// The record is one of another game.
    #[error("GM[{0}] is not Amazons, which is GM[18]")]
    OtherGame(String),
    /// The board is not one this program plays on.
    #[error("a board of size {0:?} is not played on here")]
    Size(String),
    /// A queen or an arrow of the setup that cannot stand there.
    #[error("setup: {0:?} is no free square of the board")]
    Setup(String),
    /// A word that is no move of a record.
    #[error("move {0}: {1:?} is no move like d1-d7/g7")]
    Word(usize, String),
    /// A move that cannot be made.
    #[error("move {0}: {1}")]
    Move(usize, IllegalMove),
}

/// The first game in the bytes of a file, SGF or moves in a row, up to so many turns.
///
/// # Errors
/// What is wrong with the file or one of its moves.
pub fn load(bytes: &[u8], turns: Option<usize>) -> Result<Game, LoadError> {
    let start = bytes.iter().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf));
    if start == Some(&b'(') {
        return load_sgf_bytes(bytes, turns);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut game = Game::new(Position::start());
    let mut any = false;
    for (number, word) in text.split_whitespace().enumerate() {
        any = true;
        if turns.is_none_or(|most| number < most) {
            put(&mut game, None, word, number + 1)?;
        }
    }
    if any { Ok(game) } else { Err(LoadError::Empty) }
}

fn put(game: &mut Game, color: Option<Color>, word: &str, number: usize) -> Result<(), LoadError> {
    let GameMove(mv) =
        word.parse().map_err(|_| LoadError::Word(number, word.chars().take(40).collect()))?;
    if let Some(color) = color.filter(|&color| color != game.position().to_move()) {
        game.set_to_move(color);
    }
    game.play(mv).map_err(|why| LoadError::Move(number, why))
}

fn load_sgf_bytes(bytes: &[u8], turns: Option<usize>) -> Result<Game, LoadError> {
    let text = Games::new(bytes).next().ok_or(LoadError::Empty)??;
    let tree = Tree::parse(&text)?;
    let root = tree.node(Tree::ROOT);
    if let Some(game) = root.value("GM").filter(|game| game.trim() != "18") {
        return Err(LoadError::OtherGame(game.to_owned()));
    }
    let size = size(root.value("SZ").unwrap_or("10"))?;
    let mut setup = Position::empty(size);
    let mut any = false;
    for (ident, color) in [("AW", Some(Color::White)), ("AB", Some(Color::Black)), ("BU", None)] {
        for value in root.property(ident).iter().flat_map(|property| property.values.iter()) {
            any = true;
            let bad = || LoadError::Setup(value.chars().take(40).collect());
            let GameSquare(square) = value.trim().parse().map_err(|_| bad())?;
            let put = match color {
                Some(color) => setup.put_queen(color, square),
                None => setup.put_arrow(square),
            };
            if !put {
                return Err(bad());
            }
        }
    }
    let start = if any {
        setup
    } else {
        let square = Position::start_on(size.columns()).filter(|start| start.size() == size);
        square.ok_or_else(|| LoadError::Size(format!("{}:{}", size.columns(), size.rows())))?
    };
    let mut game = Game::new(start);
    match root.value("PL").map(str::trim) {
        Some("B" | "b" | "black") => game = with_side(start, Color::Black),
        Some("W" | "w" | "white") => game = with_side(start, Color::White),
        _ => {}
    }
    let mut number = 0;
    for node in tree.main_line() {
        for property in node.properties() {
            let color = match () {
                () if property.is("W") => Color::White,
                () if property.is("B") => Color::Black,
                () => continue,
            };
            for value in property.values {
                let word = value.trim();
                if word.is_empty() || word.eq_ignore_ascii_case("resign") {
                    continue; // Some records end so.
                }
                number += 1;
                if turns.is_none_or(|most| number <= most) {
                    put(&mut game, Some(color), word, number)?;
                }
            }
        }
    }
    Ok(game)
}

fn with_side(mut start: Position, side: Color) -> Game {
    start.set_to_move(side);
    Game::new(start)
}

fn size(text: &str) -> Result<Size, LoadError> {
    let sides: Option<Vec<u8>> = text.split(':').map(|n| n.trim().parse().ok()).collect();
    let size = match sides.as_deref() {
        Some(&[side]) => Size::new(side, side),
        Some(&[columns, rows]) => Size::new(columns, rows),
        _ => None,
    };
    size.ok_or_else(|| LoadError::Size(text.chars().take(40).collect()))
}

/// The game as SGF.
pub fn sgf(game: &Game, black: &str, white: &str) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let start = game.start();
    let size = start.size();
    let square = size.columns() == size.rows();
    let side = if square {
        size.columns().to_string()
    } else {
        format!("{}:{}", size.columns(), size.rows())
    };
    let mut text = format!("(;GM[18]FF[4]CA[UTF-8]AP[Tesuji:{}]SZ[{side}]", super::VERSION);
    for (ident, name) in [("PB", black), ("PW", white)] {
        if !name.is_empty() {
            text += &format!("{ident}[{}]", escape(name));
        }
    }
    if let Some(winner) = game.winner() {
        text += &format!("RE[{}+]", winner.initial());
    }
    if !square || Position::start_on(size.columns()).as_ref() != Some(start) {
        let list = |ident: &str, squares: Squares| {
            let squares: String = squares.iter().map(|s| format!("[{}]", GameSquare(s))).collect();
            if squares.is_empty() { squares } else { format!("{ident}{squares}") }
        };
        text += &list("AW", start.queens(Color::White));
        text += &list("AB", start.queens(Color::Black));
        text += &list("BU", start.arrows_shot());
        text += &format!("PL[{}]", start.to_move().initial());
    }
    for (number, &mv) in game.moves().iter().enumerate() {
        if number % 6 == 0 {
            text.push('\n');
        }
        let side = game.before(number).map_or(Color::White, Position::to_move);
        text += &format!(";{}[{}]", side.initial(), GameMove(mv));
    }
    text + ")\n"
}

fn text(session: &Amazons) -> String {
    // Nobody says which player this program is; the last search knows.
    let own = session.found.as_ref().map(|found| found.0);
    let name = |color| match own {
        Some(own) if own == color => NAME,
        Some(_) => session.opponent.as_str(),
        None => "",
    };
    sgf(&session.game, name(Color::Black), name(Color::White))
}

/// `loadsgf FILE [MOVE]`: the position before turn MOVE, or after the last.
fn load_sgf(session: &mut Amazons, call: &mut Call) -> Reply {
    let game = record_file::load(call, load)?;
    session.replace(game);
    Ok(String::new())
}

fn save(session: &mut Amazons, call: &mut Call) -> Reply {
    record_file::save(call, &text(session))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[18]FF[4]SZ[10]PB[a]PW[b];W[j4-g7/d7];B[a7-b7/b8]\n;W[d1-d2(d1)])";

    #[test]
    fn records_are_read_and_written() {
        let game = load(GAME.as_bytes(), None).unwrap();
        assert_eq!(game.moves().len(), 3);
        let again = load(sgf(&game, "a]", "b").as_bytes(), None).unwrap();
        assert_eq!(again.position(), game.position());
        let list = load(b"j4-g7/d7 a7-b7/b8\nd1-d2/d1", None).unwrap();
        assert_eq!(list.position(), game.position());
        assert_eq!(load(GAME.as_bytes(), Some(1)).unwrap().moves().len(), 1);
    }

    #[test]
    fn other_starts_are_kept() {
        let mut start: Position = "X..#|....|...O".parse().unwrap();
        start.set_to_move(Color::Black);
        let mut game = Game::new(start);
        game.play("d1-d2/d1".parse::<GameMove>().unwrap().0).unwrap();
        let text = sgf(&game, "", "");
        assert!(text.contains("SZ[4:3]AW[a3]AB[d1]BU[d3]PL[B]"), "{text}");
        let again = load(text.as_bytes(), None).unwrap();
        assert_eq!((again.start(), again.position()), (game.start(), game.position()));
        // A side that moves twice.
        game.set_to_move(Color::Black);
        game.play("d2-c2/b2".parse::<GameMove>().unwrap().0).unwrap();
        let again = load(sgf(&game, "", "").as_bytes(), None).unwrap();
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
