//! How freely a queen can move (after Lieberum 2005, the term m): the squares that it reaches in one move, and how open
//! those beside it are.

use super::flood::dilate;
use crate::rays::{DIRECTIONS, reach};
use crate::square::Square;
use crate::squares::Squares;

/// Classes of freedom that are told apart, from shut in to free.
pub const MOBILITY_CLASSES: usize = 8;

/// The minimum freedom of each class but the first.
pub(super) const LIMITS: [u32; MOBILITY_CLASSES - 1] = [1, 6, 12, 20, 30, 42, 56];

/// Free squares by how many free neighbours they have, in binary: a plane for each digit of 0 to 8.
pub(crate) struct Neighbours([u128; 4]);

impl Neighbours {
    #[inline(always)]
    pub(crate) fn new(free: u128) -> Neighbours {
        let [a, b, c, d] = DIRECTIONS;
        let add = |x: u128, y: u128, z: u128| (x ^ y ^ z, x & y | z & (x ^ y));
        let (s1, c1) = add(free << a, free >> a, free << b);
        let (s2, c2) = add(free >> b, free << c, free >> c);
        let (s3, c3) = add(free << d, free >> d, s1);
        let (ones, c4) = (s2 ^ s3, s2 & s3);
        let (t1, f1) = add(c1, c2, c3);
        let (twos, f2) = (t1 ^ c4, t1 & c4);
        let (fours, eights) = (f1 ^ f2, f1 & f2);
        Neighbours([ones & free, twos & free, fours & free, eights & free])
    }

    #[inline(always)]
    fn sum(&self, set: u128) -> u32 {
        let [ones, twos, fours, eights] = self.0;
        (set & ones).count_ones()
            + 2 * (set & twos).count_ones()
            + 4 * (set & fours).count_ones()
            + 8 * (set & eights).count_ones()
    }
}

/// A queen's freedom: the squares that it reaches in one move, and for each free neighbour of its that one's free
/// neighbours.
#[inline(always)]
pub(crate) fn freedom(queen: Square, free: Squares, neighbours: &Neighbours) -> u32 {
    let around = dilate(Squares::from(queen).0) & free.0;
    reach(queen, free).len() + neighbours.sum(around)
}

/// The class of a freedom.
#[inline(always)]
pub(crate) fn class(freedom: u32) -> usize {
    LIMITS.iter().map(|&limit| usize::from(freedom >= limit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_counted() {
        let position: crate::Position = "...#|.#..|....|#...".parse().expect("a diagram");
        let free = position.free();
        let planes = Neighbours::new(free.0);
        for square in free {
            let around = Squares(dilate(Squares::from(square).0)) & free;
            assert_eq!(planes.sum(Squares::from(square).0), around.len() - 1, "{square:?}");
        }
    }

    #[test]
    fn classes_go_from_shut_in_to_free() {
        assert_eq!(class(0), 0);
        assert_eq!(class(1), 1);
        assert_eq!(class(10_000), MOBILITY_CLASSES - 1);
    }
}
