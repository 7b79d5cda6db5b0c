//! Game records: Little Golem's SGF and the tournament platform's words, read and written.
//!
//! Little Golem's records have no GM; a node holds a whole turn, `;B[j10];W[j9l11]`, letters a to s with i,
//! rows counted from the bottom. The platform's words are `black JJ`, `white KKJL` or `move JKKJ`.
//! A third form, `j10 j9l11 ...` in one row, is that of game lists.

use std::io;

use connect6_engine::{Color, Game, Outcome, PlayError, Point, Rules};
use game_record::{Games, RecordError, Tree};
use thiserror::Error;

use super::words::{platform_name, read_platform_points, read_record_points, record_turn};
use super::{Connect6, NAME};
use crate::gtp::{Call, Commands, Reply, record_file};

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("loadsgf", load_sgf)
        .add("printsgf", |session, call| {
            if call.args.is_empty() {
                Ok(text(session))
            } else {
                record_file::save(call, &text(session))
            }
        })
        .add("savesgf", |session, call| record_file::save(call, &text(session)))
        .add("connect6-print_platform", |session, _| Ok(platform(&session.game)))
        .add("connect6-save_platform", |session, call| {
            record_file::save(call, &platform(&session.game))
        });
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
    #[error("GM[{0}] is not Connect6")]
    OtherGame(String),
    /// The board is not one this program plays on.
    #[error("a board of size {0:?} is not played on here")]
    Size(String),
    /// A word that is no move of a record.
    #[error("move {0}: {1:?} is no move")]
    Word(usize, String),
    /// A move that cannot be made.
    #[error("move {0}: {1}")]
    Move(usize, PlayError),
}

/// The stones of one side, played one after another.
type Part = (Color, Vec<Point>);

/// The first game in the bytes of a file, in any of the three forms, up to so many stones.
///
/// # Errors
/// What is wrong with the file or one of its moves.
pub fn load(bytes: &[u8], stones: Option<usize>) -> Result<Game, LoadError> {
    let start = bytes.iter().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf));
    if start == Some(&b'(') {
        return load_sgf_bytes(bytes, stones);
    }
    let text = String::from_utf8_lossy(bytes);
    let row = text.lines().map(str::trim).find(|row| !row.is_empty()).ok_or(LoadError::Empty)?;
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
pub fn from_moves(row: &str, stones: Option<usize>) -> Result<Game, LoadError> {
    let mut game = Game::new(Rules::CONNECT6);
    for (number, word) in row.split_whitespace().enumerate() {
        let bad = || LoadError::Word(number + 1, word.to_owned());
        let points = read_record_points(word).ok_or_else(bad)?;
        let color = game.to_move().color;
        put(&mut game, (color, points), number + 1, stones)?;
    }
    Ok(game)
}

/// A game from the platform's words: `black`, `white` or `move` and letters. Other rows are passed over.
fn from_platform(text: &str, stones: Option<usize>) -> Result<Game, LoadError> {
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
        let points =
            read_platform_points(word).ok_or_else(|| LoadError::Word(number, word.to_owned()))?;
        put(&mut game, (color, points), number, stones)?;
    }
    if number == 0 { Err(LoadError::Empty) } else { Ok(game) }
}

fn put(game: &mut Game, part: Part, number: usize, stones: Option<usize>) -> Result<(), LoadError> {
    for point in part.1 {
        if stones.is_some_and(|most| game.stones().len() >= most) {
            return Ok(());
        }
        match game.play(part.0, point) {
            // Some records go on with the second stone of the turn that won.
            Err(PlayError::Over) if game.outcome() != Outcome::Draw => return Ok(()),
            played => played.map_err(|why| LoadError::Move(number, why))?,
        }
    }
    Ok(())
}

fn load_sgf_bytes(bytes: &[u8], stones: Option<usize>) -> Result<Game, LoadError> {
    let text = Games::new(bytes).next().ok_or(LoadError::Empty)??;
    let tree = Tree::parse(&text)?;
    let root = tree.node(Tree::ROOT);
    if let Some(game) = root.value("GM") {
        return Err(LoadError::OtherGame(game.to_owned()));
    }
    let size = root.value("SZ").unwrap_or("19");
    let sides: Option<Vec<usize>> = size.split(':').map(|n| n.trim().parse().ok()).collect();
    let rules = match sides.as_deref() {
        Some(&[side]) => Rules::new(side, side, 6, 2, 1).ok(),
        Some(&[width, height]) => Rules::new(width, height, 6, 2, 1).ok(),
        _ => None,
    };
    let mut game = Game::new(rules.ok_or_else(|| LoadError::Size(size.to_owned()))?);
    let mut number = 0;
    for node in tree.main_line() {
        for property in node.properties() {
            let (color, setup) = match () {
                () if property.is("B") => (Color::Black, false),
                () if property.is("W") => (Color::White, false),
                () if property.is("AB") => (Color::Black, true),
                () if property.is("AW") => (Color::White, true),
                () => continue,
            };
            for value in property.values {
                let word = value.trim();
                if word.is_empty() || word.eq_ignore_ascii_case("resign") {
                    continue; // Little Golem ends some records so.
                }
                number += usize::from(!setup);
                let points = read_record_points(word)
                    .ok_or_else(|| LoadError::Word(number, word.to_owned()))?;
                put(&mut game, (color, points), number, stones)?;
            }
        }
    }
    match root.value("PL").map(str::trim) {
        Some("B" | "b") if number == 0 => game.set_to_move(Color::Black),
        Some("W" | "w") if number == 0 => game.set_to_move(Color::White),
        _ => {}
    }
    Ok(game)
}

/// The turns of a game: stones of one side that came one after another, as many as a turn has.
pub fn turns(game: &Game) -> Vec<Part> {
    let mut turns: Vec<Part> = Vec::new();
    for (color, point) in game.stones() {
        let first = turns.len() == 1 && turns[0].0 == Color::Black;
        let most = if first { game.rules().q() } else { game.rules().p() };
        match turns.last_mut() {
            Some((last, points)) if *last == color && points.len() < most => points.push(point),
            _ => turns.push((color, vec![point])),
        }
    }
    turns
}

/// The game as Little Golem writes it.
pub fn sgf(game: &Game, black: &str, white: &str) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let rules = game.rules();
    let size = if rules.width() == rules.height() {
        rules.width().to_string()
    } else {
        format!("{}:{}", rules.width(), rules.height())
    };
    let mut text = format!("(;FF[4]SZ[{size}]");
    for (ident, name) in [("PB", black), ("PW", white)] {
        if !name.is_empty() {
            text += &format!("{ident}[{}]", escape(name));
        }
    }
    match game.outcome() {
        Outcome::Win(Color::Black) => text += "RE[B+]",
        Outcome::Win(Color::White) => text += "RE[W+]",
        Outcome::Draw => text += "RE[0]",
        Outcome::Open => {}
    }
    for (number, (color, points)) in turns(game).iter().enumerate() {
        if number % 8 == 0 {
            text.push('\n');
        }
        let letter = color.initial();
        text += &format!(";{letter}[{}]", record_turn(points));
    }
    text + ")\n"
}

/// The game in the platform's words, one turn a row.
pub fn platform(game: &Game) -> String {
    let row = |(_, points): &Part| {
        format!("move {}", points.iter().map(|&p| platform_name(p)).collect::<String>())
    };
    turns(game).iter().map(row).collect::<Vec<_>>().join("\n")
}

fn text(session: &Connect6) -> String {
    // Nobody says which player this program is; the last search knows.
    let own = session.found.as_ref().map(|found| found.0);
    let name = |color| match own {
        Some(own) if own == color => NAME,
        Some(_) => session.opponent.as_str(),
        None => "",
    };
    sgf(&session.game, name(Color::Black), name(Color::White))
}

/// `loadsgf FILE [MOVE]`: the position before stone MOVE, or after the last.
fn load_sgf(session: &mut Connect6, call: &mut Call) -> Reply {
    let game = record_file::load(call, load)?;
    session.replace(game);
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let again = load(sgf(&game, "a]", "b").as_bytes(), None).unwrap();
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
