//! A set of points.

use crate::point::{MAX_POINTS, Point};

const WORDS: usize = MAX_POINTS.div_ceil(64);

/// A set of points, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Adds a point; says whether it is new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1 << (point.index() % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Whether a point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    /// Adds every point of another set.
    pub fn extend(&mut self, other: &PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    /// How many points are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The points, lowest index first.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                Some(w & (w - 1)).filter(|w| *w != 0)
            })
            .map(move |w| Point::at((i * 64) as u16 + w.trailing_zeros() as u16))
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::default();
        for point in points {
            set.insert(point);
        }
        set
    }
}
