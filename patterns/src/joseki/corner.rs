//! The four corners, and the points of a corner counted from the borders that meet in it.

use go_engine::Point;
use std::fmt;
use std::str::FromStr;

/// Points on each side of a corner's region: the 10 x 10 of Yue, Li and Qiu. On 19x19 the tenth
/// line is the middle one, which two corners share.
pub const SIDE: u8 = 10;
/// Points of a corner's region.
pub const REGION: usize = SIDE as usize * SIDE as usize;

/// A corner of the board, as it lies when A1 is at the lower left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Corner {
    /// Where A1 is.
    LowerLeft,
    /// Where T1 is on 19x19.
    LowerRight,
    /// Where T19 is on 19x19.
    UpperRight,
    /// Where A19 is on 19x19.
    UpperLeft,
}

impl Corner {
    /// All four, from A1 on against the clock.
    pub const ALL: [Corner; 4] =
        [Corner::LowerLeft, Corner::LowerRight, Corner::UpperRight, Corner::UpperLeft];

    /// Whether the right border belongs to it, and the upper one.
    const fn borders(self) -> (bool, bool) {
        match self {
            Corner::LowerLeft => (false, false),
            Corner::LowerRight => (true, false),
            Corner::UpperRight => (true, true),
            Corner::UpperLeft => (false, true),
        }
    }

    /// The place of a board's point in this corner; `None` when it lies outside the region.
    ///
    /// ```
    /// use go_patterns::joseki::{Corner, Place};
    /// let r4 = "R4".parse().unwrap();
    /// assert_eq!(Corner::LowerRight.place(r4, 19, 19), Place::new(3, 4));
    /// assert_eq!(Corner::LowerLeft.place(r4, 19, 19), None);
    /// ```
    #[inline]
    pub const fn place(self, point: Point, width: u8, height: u8) -> Option<Place> {
        let (right, upper) = self.borders();
        let x = if right { (width - 1).wrapping_sub(point.col()) } else { point.col() };
        let y = if upper { (height - 1).wrapping_sub(point.row()) } else { point.row() };
        if x < SIDE && y < SIDE { Some(Place(y * SIDE + x)) } else { None }
    }

    /// The board's point of a place of this corner. The board has to be at least 10 x 10.
    #[inline]
    pub const fn point(self, place: Place, width: u8, height: u8) -> Point {
        let (right, upper) = self.borders();
        let (x, y) = (place.0 % SIDE, place.0 / SIDE);
        let col = if right { width - 1 - x } else { x };
        let row = if upper { height - 1 - y } else { y };
        Point::new(col, row)
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Corner::LowerLeft => "lower left",
            Corner::LowerRight => "lower right",
            Corner::UpperRight => "upper right",
            Corner::UpperLeft => "upper left",
        })
    }
}

/// The text names no corner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is none of lower-left, lower-right, upper-right, upper-left")]
pub struct ParseCornerError(String);

impl FromStr for Corner {
    type Err = ParseCornerError;

    fn from_str(text: &str) -> Result<Corner, ParseCornerError> {
        let word = text.trim().to_ascii_lowercase().replace('-', " ");
        let found = Corner::ALL.into_iter().find(|corner| corner.to_string() == word);
        found.ok_or_else(|| ParseCornerError(text.chars().take(40).collect()))
    }
}

/// A point of a corner's region, by its distances from the two borders: 0 to 99, (1,1) first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Place(u8);

impl Place {
    /// The point on line `x` from the side border and line `y` from the top or bottom one, both
    /// from 1 to 10 and 1 at the edge; `None` outside that.
    pub const fn new(x: u8, y: u8) -> Option<Place> {
        let inside = x >= 1 && y >= 1 && x <= SIDE && y <= SIDE;
        if inside { Some(Place((y - 1) * SIDE + x - 1)) } else { None }
    }

    /// The place of an index below [`REGION`].
    pub const fn from_index(index: usize) -> Option<Place> {
        if index < REGION { Some(Place(index as u8)) } else { None }
    }

    /// All places.
    pub fn all() -> impl Iterator<Item = Place> {
        (0..REGION as u8).map(Place)
    }

    /// 0 to 99: ten times the line from the lower or upper border, and the other, both from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The line from the left or right border, from 1.
    #[inline]
    pub const fn x(self) -> u8 {
        self.0 % SIDE + 1
    }

    /// The line from the lower or upper border, from 1.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 / SIDE + 1
    }

    /// The same place with the corner flipped over its diagonal.
    #[inline]
    pub const fn flipped(self) -> Place {
        Place(self.0 % SIDE * SIDE + self.0 / SIDE)
    }

    /// The places beside it within the region.
    pub fn neighbours(self) -> impl Iterator<Item = Place> {
        let (x, y) = (self.x(), self.y());
        [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            .into_iter()
            .filter_map(|(x, y)| Place::new(x, y))
    }
}

impl fmt::Display for Place {
    /// As the paper writes it: `(3,4)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x(), self.y())
    }
}

/// A set of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Places(u128);

impl Places {
    /// None.
    pub const EMPTY: Places = Places(0);

    /// A bit for each place, by its index.
    pub(super) const fn bits(self) -> u128 {
        self.0
    }

    /// The set of these bits; nothing where there is no such place.
    pub(super) const fn from_bits(bits: u128) -> Option<Places> {
        if bits >> REGION == 0 { Some(Places(bits)) } else { None }
    }

    /// Whether the place is in the set.
    #[inline]
    pub const fn has(self, place: Place) -> bool {
        self.0 >> place.0 & 1 != 0
    }

    /// Puts a place in.
    #[inline]
    pub const fn add(&mut self, place: Place) {
        self.0 |= 1 << place.0;
    }

    /// Takes a place out.
    #[inline]
    pub const fn remove(&mut self, place: Place) {
        self.0 &= !(1 << place.0);
    }

    /// Puts a place in or takes it out.
    #[inline]
    pub const fn toggle(&mut self, place: Place) {
        self.0 ^= 1 << place.0;
    }

    /// The places of both sets.
    pub const fn union(self, other: Places) -> Places {
        Places(self.0 | other.0)
    }

    /// How many places there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The places in order of their index.
    pub fn iter(self) -> impl Iterator<Item = Place> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let place = Place(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(place)
        })
    }

    /// The set with the corner flipped over its diagonal.
    pub fn flipped(self) -> Places {
        self.iter().map(Place::flipped).collect()
    }
}

impl FromIterator<Place> for Places {
    fn from_iter<I: IntoIterator<Item = Place>>(places: I) -> Places {
        let mut set = Places::EMPTY;
        places.into_iter().for_each(|place| set.add(place));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_points_go_both_ways() {
        for side in [10, 13, 19, 25] {
            for corner in Corner::ALL {
                for place in Place::all() {
                    let point = corner.point(place, side, side);
                    assert_eq!(corner.place(point, side, side), Some(place));
                    assert_eq!(place.flipped().flipped(), place);
                }
            }
        }
        let shared = |point: &str| {
            let point = point.parse().unwrap();
            Corner::ALL.iter().filter(|corner| corner.place(point, 19, 19).is_some()).count()
        };
        assert_eq!((shared("D4"), shared("K3"), shared("K10")), (1, 2, 4));
    }

    #[test]
    fn corners_have_names() {
        for corner in Corner::ALL {
            assert_eq!(corner.to_string().parse(), Ok(corner));
            assert_eq!(corner.to_string().replace(' ', "-").parse(), Ok(corner));
        }
        assert!("middle".parse::<Corner>().is_err());
    }
}
