//! A site: a point as an index into a padded board.
//!
//! Boards come in four layouts (up to 9, 13, 19 and 25 points a side). In each the rows follow one
//! another with a single column of border between them, so that a neighbour is a fixed step away
//! and the border is met instead of tested for.

use crate::point::Point;

/// A point as an index into the padded arrays of a [`Board`](super::Board). Meaningful only with
/// boards of one layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Site(pub u16);

impl Site {
    /// No site: a pass among moves, "none" elsewhere. Index 0 is always border.
    pub const PASS: Site = Site(0);

    /// Whether this is the pass.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// The site this many steps on.
    #[inline(always)]
    pub const fn offset(self, step: isize) -> Site {
        Site((self.0 as isize).wrapping_add(step) as u16)
    }
}

/// The number of sites a padded row has in the layout of `words` 64-bit words.
pub(super) const fn stride(words: usize) -> usize {
    match words {
        2 => 10,
        3 => 14,
        6 => 20,
        11 => 26,
        _ => panic!("a board is laid out for 9, 13, 19 or 25 points a side"),
    }
}

/// The site of a point in rows of `stride`.
pub(super) const fn site_of(point: Point, stride: usize) -> Site {
    Site(((point.row() as usize + 1) * stride + point.col() as usize + 1) as u16)
}

/// The point of a site in rows of `stride`; the site must not be border.
pub(super) const fn point_of(site: Site, stride: usize) -> Point {
    let s = site.0 as usize;
    Point::new((s % stride) as u8 - 1, (s / stride) as u8 - 1)
}
