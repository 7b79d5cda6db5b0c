//! A point of the board and a move, as people and protocols name them.

use std::fmt;
use std::str::FromStr;

use game_core::{column_letter, column_of};

/// A point, by column (0 is A, from the left) and row (0 is row 1, from the bottom).
///
/// It knows no board size: whether it lies on a board is asked of the board.
///
/// ```
/// use go_engine::Point;
/// let p: Point = "j10".parse().unwrap();
/// assert_eq!((p.col(), p.row()), (8, 9)); // there is no column I
/// assert_eq!(p.to_string(), "J10");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    row: u8,
    col: u8,
}

/// The largest board side that a [`Point`] can name: GTP has 25 letters.
pub const MAX_SIDE: u8 = 25;

impl Point {
    /// The point in column `col` and row `row`, both from 0 at the lower left corner.
    ///
    /// # Panics
    /// When either is 25 or more: no board is that large.
    pub const fn new(col: u8, row: u8) -> Point {
        assert!(col < MAX_SIDE && row < MAX_SIDE);
        Point { row, col }
    }

    /// The column, 0 for A.
    #[inline]
    pub const fn col(self) -> u8 {
        self.col
    }

    /// The row, 0 for row 1.
    #[inline]
    pub const fn row(self) -> u8 {
        self.row
    }
}

/// What was wrong with the text of a point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a point: a letter A to Z without I and a row from 1 to 25 were expected")]
pub struct ParsePointError(String);

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        let fail = || ParsePointError(text.chars().take(40).collect());
        let bytes = text.as_bytes();
        let (&letter, digits) = bytes.split_first().ok_or_else(fail)?;
        let col = column_of(letter).ok_or_else(fail)?;
        let sane = !digits.is_empty() && digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit);
        if !sane {
            return Err(fail());
        }
        let row = digits.iter().fold(0u8, |n, d| n * 10 + (d - b'0'));
        if row == 0 || row > MAX_SIDE || col >= MAX_SIDE {
            return Err(fail());
        }
        Ok(Point::new(col, row - 1))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.col), self.row + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a player does when it is their turn: a stone on a point, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Move {
    /// A stone on this point.
    Play(Point),
    /// No stone.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(point) => point.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_back_as_written() {
        for col in 0..MAX_SIDE {
            for row in 0..MAX_SIDE {
                let p = Point::new(col, row);
                assert_eq!(p.to_string().parse::<Point>().unwrap(), p);
                assert_eq!(p.to_string().to_lowercase().parse::<Point>().unwrap(), p);
            }
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in ["", "A", "I5", "A0", "A26", "A001", "5A", "AA1", "A-1", "A1x", "é1", "pass"] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }
}
