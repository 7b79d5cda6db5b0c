//! Colours, points and board sizes of a record.

use std::fmt;

/// A point of the board: column from the left and row **from the top**, both from 0, as SGF counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Column from the left, from 0.
    pub column: u8,
    /// Row from the top, from 0.
    pub row: u8,
}

impl Point {
    /// The point at a column from the left and a row from the top, both from 0 and below 52.
    pub const fn new(column: u8, row: u8) -> Self {
        Point { column, row }
    }

    /// Reads the two letters of SGF: `aa` is the upper left corner, `A` follows `z`.
    ///
    /// ```
    /// use game_record::Point;
    /// assert_eq!(Point::from_sgf("cd"), Some(Point::new(2, 3)));
    /// assert_eq!(Point::from_sgf("c"), None);
    /// ```
    pub fn from_sgf(text: &str) -> Option<Self> {
        let &[column, row] = text.as_bytes() else {
            return None;
        };
        Some(Point { column: coordinate(column)?, row: coordinate(row)? })
    }

    /// The two letters of SGF; `None` beyond the 52 that it has.
    pub fn to_sgf(self) -> Option<String> {
        Some([letter(self.column)?, letter(self.row)?].iter().collect())
    }
}

fn coordinate(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

fn letter(coordinate: u8) -> Option<char> {
    match coordinate {
        0..=25 => Some((b'a' + coordinate) as char),
        26..=51 => Some((b'A' + coordinate - 26) as char),
        _ => None,
    }
}

/// A board's size, 1 to 52 columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub columns: u8,
    /// Number of rows.
    pub rows: u8,
}

impl Size {
    /// The largest size that SGF's letters can name.
    pub const MAX: u8 = 52;

    /// A square board.
    pub const fn square(side: u8) -> Self {
        Size { columns: side, rows: side }
    }

    /// Reads the value of `SZ[]`: `19` or `13:9`.
    pub fn from_sgf(text: &str) -> Option<Self> {
        let (columns, rows) = match text.trim().split_once(':') {
            Some((columns, rows)) => (columns.trim().parse().ok()?, rows.trim().parse().ok()?),
            None => {
                let side: u8 = text.trim().parse().ok()?;
                (side, side)
            }
        };
        let valid = 1..=Self::MAX;
        (valid.contains(&columns) && valid.contains(&rows)).then_some(Size { columns, rows })
    }

    /// The side of a square board, or `None`.
    pub fn side(self) -> Option<u8> {
        (self.columns == self.rows).then_some(self.columns)
    }

    /// Whether the point is on the board.
    pub fn contains(self, point: Point) -> bool {
        point.column < self.columns && point.row < self.rows
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side() {
            Some(side) => write!(f, "{side}"),
            None => write!(f, "{}x{}", self.columns, self.rows),
        }
    }
}
