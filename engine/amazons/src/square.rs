//! Squares and sizes of boards.

/// The longest side of a board.
pub const MAX_SIDE: u8 = 10;

/// Bits from one row to the next: ten columns and one that is never free, so that a step over an edge lands on it.
pub(crate) const STRIDE: u8 = MAX_SIDE + 1;

/// A square by column and row, both from 0 at the lower left corner.
///
/// Its bit is the same on every size of board, so whether it lies on a board is asked of the [`Size`].
///
/// ```
/// use amazons_engine::Square;
/// let square = Square::new(3, 0).unwrap();
/// assert_eq!((square.column(), square.row()), (3, 0));
/// assert!(Square::new(10, 0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of a column and a row, each 0 to 9; none beyond.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Option<Square> {
        if column < MAX_SIDE && row < MAX_SIDE { Some(Square(row * STRIDE + column)) } else { None }
    }

    /// The column, 0 at the left.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 % STRIDE
    }

    /// The row, 0 at the bottom.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / STRIDE
    }

    /// The number of its bit in [`Squares`](crate::Squares), below 110; not all numbers are squares.
    #[inline]
    pub const fn bit(self) -> usize {
        self.0 as usize
    }

    /// The square of a bit that is known to be one.
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Square {
        debug_assert!(bit < (STRIDE * MAX_SIDE) as u32 && bit % (STRIDE as u32) < MAX_SIDE as u32);
        Square(bit as u8)
    }
}

/// The size of a board: 3 to 10 columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
}

impl Size {
    /// The board of the game as it is played.
    pub const FULL: Size = Size { columns: MAX_SIDE, rows: MAX_SIDE };

    /// A size; none outside 3 to 10.
    pub const fn new(columns: u8, rows: u8) -> Option<Size> {
        let possible = columns >= 3 && columns <= MAX_SIDE && rows >= 3 && rows <= MAX_SIDE;
        if possible { Some(Size { columns, rows }) } else { None }
    }

    /// How many columns.
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// How many rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Whether the square lies on a board of this size.
    pub const fn contains(self, square: Square) -> bool {
        square.column() < self.columns && square.row() < self.rows
    }
}
