//! The family connect(m, n, k, p, q) of k-in-a-row games.

use crate::point::{MAX_SIDE, Point};
use thiserror::Error;

/// What is wrong with a set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RulesError {
    /// A side is not 1 to 19.
    #[error("a board of {0} by {1} is not between 1 by 1 and 19 by 19")]
    Size(usize, usize),
    /// k is too short or too long for the engine's line counters.
    #[error("{0} in a row is not between 2 and 15")]
    Row(usize),
    /// p or q is zero or not below k.
    #[error("a turn of {0} stones is not between 1 and one less than the {1} in a row")]
    Stones(usize, usize),
}

/// The rules of connect(m, n, k, p, q): an m by n board, k or more in a row (horizontal, vertical or
/// diagonal) wins; Black's first turn places q stones and each later turn p; a full board is a draw.
///
/// ```
/// use connect6_engine::Rules;
/// assert_eq!(Rules::CONNECT6.k(), 6);
/// assert_eq!(Rules::new(15, 15, 5, 1, 1), Ok(Rules::GOMOKU));
/// assert!(Rules::new(20, 19, 6, 2, 1).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    width: u8,
    height: u8,
    k: u8,
    p: u8,
    q: u8,
}

impl Rules {
    /// connect(19, 19, 6, 2, 1).
    pub const CONNECT6: Rules = Rules { width: 19, height: 19, k: 6, p: 2, q: 1 };
    /// connect(15, 15, 5, 1, 1), six or more in a row winning too.
    pub const GOMOKU: Rules = Rules { width: 15, height: 15, k: 5, p: 1, q: 1 };

    /// Rules by number.
    ///
    /// # Errors
    /// Names the number that is out of range.
    pub const fn new(
        width: usize,
        height: usize,
        k: usize,
        p: usize,
        q: usize,
    ) -> Result<Rules, RulesError> {
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            return Err(RulesError::Size(width, height));
        }
        if k < 2 || k > 15 {
            return Err(RulesError::Row(k));
        }
        if p == 0 || p >= k {
            return Err(RulesError::Stones(p, k));
        }
        if q == 0 || q >= k {
            return Err(RulesError::Stones(q, k));
        }
        Ok(Rules { width: width as u8, height: height as u8, k: k as u8, p: p as u8, q: q as u8 })
    }

    /// Columns of the board.
    #[inline(always)]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Rows of the board.
    #[inline(always)]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// How many in a row win.
    #[inline(always)]
    pub const fn k(self) -> usize {
        self.k as usize
    }

    /// Stones of each turn but the first.
    #[inline(always)]
    pub const fn p(self) -> usize {
        self.p as usize
    }

    /// Stones of Black's first turn.
    #[inline(always)]
    pub const fn q(self) -> usize {
        self.q as usize
    }

    /// Whether a point is on this board.
    #[inline(always)]
    pub const fn contains(self, point: Point) -> bool {
        point.col() < self.width() && point.row() < self.height()
    }

    /// The points of the board, row by row from the lower left.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height())
            .flat_map(move |row| (0..self.width()).filter_map(move |col| Point::new(col, row)))
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CONNECT6
    }
}
