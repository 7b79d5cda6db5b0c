//! The two sides.

use std::fmt;
use std::ops::Not;

/// Black or White. Which of them moves first is the game's affair: Black in Go and Connect6, White in Amazons.
///
/// The numbers are those of a Go board's cells (0 is empty, 3 is the border), so that a colour can be used in codes
/// without translation; as an index into a pair take [`Color::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Black: `b` in GTP.
    Black = 1,
    /// White: `w` in GTP.
    White = 2,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The opponent.
    ///
    /// ```
    /// use game_core::Color;
    /// assert_eq!(Color::Black.other(), Color::White);
    /// assert_eq!(!Color::White, Color::Black);
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

    /// `b` or `w`, as GTP writes it.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'b',
            Color::White => 'w',
        }
    }

    /// `B` or `W`, as SGF's properties and results such as `B+3.5` write it.
    pub const fn initial(self) -> &'static str {
        match self {
            Color::Black => "B",
            Color::White => "W",
        }
    }

    /// `Black` or `White`, as a sentence begins with it; [`fmt::Display`] writes it small.
    pub const fn title(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
        }
    }
}

/// The opponent, as [`Color::other`].
impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        self.other()
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
