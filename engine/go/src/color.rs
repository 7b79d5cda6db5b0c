//! The two sides.

use std::fmt;

/// Black or White.
///
/// The numbers are those of the board's cells (0 is empty, 3 is the border), so that a colour can
/// be used in codes without translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first in an even game.
    Black = 1,
    /// The side that receives komi.
    White = 2,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The opponent.
    ///
    /// ```
    /// use go_engine::Color;
    /// assert_eq!(Color::Black.other(), Color::White);
    /// ```
    #[inline(always)]
    pub const fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White: an index into a pair.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// `b` or `w`, as GTP and SGF write it.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'b',
            Color::White => 'w',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}
