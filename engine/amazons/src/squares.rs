//! Sets of squares as 128 bits.

use std::ops::{BitAnd, BitOr, Not, Sub};

use crate::square::{STRIDE, Size, Square};

/// A set of squares.
///
/// ```
/// use amazons_engine::{Square, Squares};
/// let a1 = Square::new(0, 0).unwrap();
/// let b2 = Square::new(1, 1).unwrap();
/// let both = Squares::from(a1) | Squares::from(b2);
/// assert_eq!(both.len(), 2);
/// assert_eq!(both.iter().collect::<Vec<_>>(), [a1, b2]);
/// assert!((both - Squares::from(a1)).contains(b2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squares(pub(crate) u128);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);

    /// All squares of a board.
    pub const fn all(size: Size) -> Squares {
        let row = (1u128 << size.columns()) - 1;
        let mut all = 0;
        let mut number = 0;
        while number < size.rows() {
            all |= row << (number * STRIDE);
            number += 1;
        }
        Squares(all)
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is one of them.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.bit() & 1 != 0
    }

    /// The squares row by row from a1.
    #[inline]
    pub fn iter(self) -> Iter {
        Iter(self.0)
    }
}

impl From<Square> for Squares {
    #[inline]
    fn from(square: Square) -> Squares {
        Squares(1 << square.bit())
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | square.into())
    }
}

impl BitOr for Squares {
    type Output = Squares;
    #[inline]
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitAnd for Squares {
    type Output = Squares;
    #[inline]
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl Sub for Squares {
    type Output = Squares;
    #[inline]
    fn sub(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }
}

/// Everything else, the bits that are no squares among it: for masking only.
impl Not for Squares {
    type Output = Squares;
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// The squares of a set, row by row from a1.
#[derive(Clone, Debug)]
pub struct Iter(u128);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter {}
