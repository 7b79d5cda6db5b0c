//! Points, colours and turns: the small vocabulary of the engine.

use std::fmt;

/// The longest side of a board.
pub const MAX_SIDE: usize = 19;
/// How many point indices there are on the largest board.
pub const MAX_POINTS: usize = MAX_SIDE * MAX_SIDE;

/// A point of the board by column and row, both counted from 0 at the lower left corner.
///
/// The index has a fixed stride of [`MAX_SIDE`], so it means the same point on every board size.
///
/// ```
/// use connect6_engine::Point;
/// let centre = Point::new(9, 9).unwrap();
/// assert_eq!((centre.col(), centre.row()), (9, 9));
/// assert!(Point::new(19, 0).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point of a column and a row (each 0 to 18), or none where there is no such point.
    pub const fn new(col: usize, row: usize) -> Option<Point> {
        if col < MAX_SIDE && row < MAX_SIDE {
            Some(Point((row * MAX_SIDE + col) as u16))
        } else {
            None
        }
    }

    /// The point of an index below [`MAX_POINTS`], or none.
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < MAX_POINTS { Some(Point(index as u16)) } else { None }
    }

    /// The point of an index that is known to be below [`MAX_POINTS`].
    pub(crate) const fn at(index: u16) -> Point {
        debug_assert!((index as usize) < MAX_POINTS);
        Point(index)
    }

    /// The point as an array index below [`MAX_POINTS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, 0 at the left.
    #[inline(always)]
    pub const fn col(self) -> usize {
        self.0 as usize % MAX_SIDE
    }

    /// The row, 0 at the bottom.
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.0 as usize / MAX_SIDE
    }

    /// The point in the words of game records: letters a to s with none left out, rows from 1.
    pub fn record_name(self) -> String {
        format!("{}{}", (b'a' + self.col() as u8) as char, self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.record_name())
    }
}

/// The stones of one turn: one or two different points, the lower index first, so that two turns
/// with the same stones are equal whatever the order they were named in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    first: Point,
    second: Option<Point>,
}

impl Turn {
    /// A turn of one stone.
    pub const fn single(point: Point) -> Turn {
        Turn { first: point, second: None }
    }

    /// A turn of two stones in any order; the same point twice is a turn of one stone.
    pub fn pair(a: Point, b: Point) -> Turn {
        if a == b {
            return Turn::single(a);
        }
        Turn { first: a.min(b), second: Some(a.max(b)) }
    }

    /// The stone with the lower index.
    pub const fn first(self) -> Point {
        self.first
    }

    /// The other stone, if there is one.
    pub const fn second(self) -> Option<Point> {
        self.second
    }

    /// The stones of the turn.
    pub fn stones(self) -> impl Iterator<Item = Point> + Clone {
        std::iter::once(self.first).chain(self.second)
    }

    /// Whether a point is one of the turn's stones.
    pub fn contains(self, point: Point) -> bool {
        self.first == point || self.second == Some(point)
    }

    /// The turn in 18 bits.
    pub(crate) fn to_bits(self) -> u32 {
        u32::from(self.first.0) << 9 | self.second.map_or(0x1ff, |p| u32::from(p.0))
    }

    /// The turn that [`Turn::to_bits`] made.
    pub(crate) fn from_bits(bits: u32) -> Turn {
        let second = Point::from_index((bits & 0x1ff) as usize);
        Turn { first: Point::at((bits >> 9 & 0x1ff) as u16), second }
    }

    /// The turn packed into 32 bits, never zero.
    pub(crate) fn pack(self) -> u32 {
        0x8000_0000 | self.to_bits()
    }

    /// The turn that [`Turn::pack`] made.
    pub(crate) fn unpack(bits: u32) -> Option<Turn> {
        let second = bits & 0x1ff;
        let first = Point::from_index((bits >> 9 & 0x1ff) as usize)?;
        (bits >> 31 == 1).then(|| Turn { first, second: Point::from_index(second as usize) })
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for p in self.stones() {
            f.write_str(&p.record_name())?;
        }
        Ok(())
    }
}
