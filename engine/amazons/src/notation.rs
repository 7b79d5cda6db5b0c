//! The game's own notation: columns a to j, so that `j4` is another square than GTP's `J4`, which leaves out the I. A turn is
//! `d1-d7/g7`.

use std::fmt;
use std::str::FromStr;

use crate::moves::Move;
use crate::square::Square;

/// A text that is no square or no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {what}")]
pub struct NotationError {
    /// The text, cut short when it is long.
    text: String,
    /// What was expected.
    what: &'static str,
}

fn error(text: &str, what: &'static str) -> NotationError {
    NotationError { text: text.chars().take(40).collect(), what }
}

/// A square in the game's own notation: `a1` to `j10`, in any case.
///
/// ```
/// use amazons_engine::notation::GameSquare;
/// let GameSquare(square) = "j4".parse()?;
/// assert_eq!((square.column(), square.row()), (9, 3));
/// # Ok::<(), amazons_engine::notation::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameSquare(pub Square);

/// A turn in the game's own notation: `d1-d7/g7`; also read as `D1-D7/G7` and `d1-d7(g7)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameMove(pub Move);

/// The column's letter from 0 for A, and the row from 0, of a square.
fn parts(text: &str) -> Option<(u8, u8)> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let plain =
        letter.is_ascii_alphabetic() && (1..=2).contains(&digits.len()) && digits[0] != b'0';
    if !plain || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let row = digits.iter().fold(0, |row, digit| 10 * row + (digit - b'0'));
    Some((letter.to_ascii_lowercase() - b'a', row - 1))
}

impl FromStr for GameSquare {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<GameSquare, NotationError> {
        let square = parts(text).and_then(|(column, row)| Square::new(column, row));
        square.map(GameSquare).ok_or_else(|| error(text, "square from a1 to j10"))
    }
}

impl fmt::Display for GameSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0.column()), self.0.row() + 1)
    }
}

impl FromStr for GameMove {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<GameMove, NotationError> {
        let fail = || error(text, "move like d1-d7/g7");
        let (from, rest) = text.trim().split_once('-').ok_or_else(fail)?;
        let (to, arrow) = match rest.split_once('/') {
            Some(parts) => parts,
            None => {
                rest.strip_suffix(')').and_then(|rest| rest.split_once('(')).ok_or_else(fail)?
            }
        };
        let square = |text: &str| {
            text.trim().parse::<GameSquare>().map(|square| square.0).map_err(|_| fail())
        };
        Ok(GameMove(Move { from: square(from)?, to: square(to)?, arrow: square(arrow)? }))
    }
}

impl fmt::Display for GameMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { from, to, arrow } = self.0;
        write!(f, "{}-{}/{}", GameSquare(from), GameSquare(to), GameSquare(arrow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_back() {
        for (column, row) in (0..10).flat_map(|column| (0..10).map(move |row| (column, row))) {
            let square = Square::new(column, row).expect("a square");
            assert_eq!(GameSquare(square).to_string().parse(), Ok(GameSquare(square)));
        }
    }

    #[test]
    fn moves_are_read_in_their_own_notation_only() {
        let GameMove(mv) = "d1-d7/g7".parse().expect("a move");
        for text in ["D1-D7/G7", "d1-d7(g7)", " d1-d7/g7 "] {
            assert_eq!(text.parse(), Ok(GameMove(mv)), "{text}");
        }
        assert_eq!(GameMove(mv).to_string(), "d1-d7/g7");
        for text in [
            "",
            "d1-d7",
            "d1-d7/",
            "d1-d7/g11",
            "d1-d7/g0",
            "d1-d7/k7",
            "d1-d7(g7",
            "d1 d7 g7",
            "d1-d7/g7/a1",
            "ä1-d7/g7",
        ] {
            assert!(text.parse::<GameMove>().is_err(), "{text}");
        }
    }
}
