//! What goes into a network: 22 planes and 19 numbers, version 7 of KataGo's input features.
//!
//! All planes are of ones and zeros, so [`Features`] keeps them as bits. They are written by a [`FeatureWriter`], which
//! owns what it works with, from a [`Position`](crate::Position).

mod area;
mod writer;

pub use writer::FeatureWriter;

use crate::file::{GLOBALS, PLANES};
use nn::BoardSize;

/// The largest side of a board that the networks know.
pub const MAX_SIDE: usize = 19;
/// Words that hold a bit for each point.
pub const WORDS: usize = (MAX_SIDE * MAX_SIDE).div_ceil(64);

/// A bit for each point, row by row from the top.
pub type Plane = [u64; WORDS];

/// What goes into a network for one position, as the player to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The board.
    pub size: BoardSize,
    /// The planes.
    pub planes: [Plane; PLANES],
    /// The numbers that are told of the whole board.
    pub globals: [f32; GLOBALS],
}

impl Features {
    /// Nothing but an empty board of this size.
    pub fn empty(size: BoardSize) -> Features {
        let mut features = Features { size, planes: [[0; WORDS]; PLANES], globals: [0.0; GLOBALS] };
        for index in 0..size.area() {
            features.planes[0][index / 64] |= 1 << (index % 64);
        }
        features
    }

    /// Whether a plane is 1 at a point, counted row by row from the top.
    pub fn get(&self, plane: usize, index: usize) -> bool {
        self.planes[plane][index / 64] >> (index % 64) & 1 != 0
    }

    /// Appends the planes of each point as bits, all but the first, which is the board itself.
    pub(crate) fn append_bits(&self, bits: &mut Vec<u32>) {
        let start = bits.len();
        bits.resize(start + self.size.area(), 0);
        for (number, plane) in self.planes.iter().enumerate().skip(1) {
            for (word, &ones) in plane.iter().enumerate() {
                let mut ones = ones;
                while ones != 0 {
                    let index = word * 64 + ones.trailing_zeros() as usize;
                    ones &= ones - 1;
                    bits[start + index] |= 1 << number;
                }
            }
        }
    }

    /// The same, turned and mirrored as one of eight symmetries says. On boards that are not square only the first four
    /// are symmetries, and the others do what those do.
    pub fn transformed(&self, symmetry: Symmetry) -> Features {
        if symmetry == Symmetry::NONE {
            return self.clone();
        }
        let mut turned = Features { planes: [[0; WORDS]; PLANES], ..self.clone() };
        for (from, to) in self.planes.iter().zip(&mut turned.planes) {
            for (word, &bits) in from.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let index = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let index = symmetry.apply(self.size, index);
                    to[index / 64] |= 1 << (index % 64);
                }
            }
        }
        turned
    }
}

/// One of the eight ways to turn and mirror a board.
///
/// Bit 0 turns the rows over, bit 1 the columns, and bit 2 then exchanges rows with columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The board as it is.
    pub const NONE: Symmetry = Symmetry(0);

    /// All symmetries of a board: eight, or four where it is not square.
    pub fn all(size: BoardSize) -> impl Iterator<Item = Symmetry> {
        (0..if size.width == size.height { 8 } else { 4 }).map(Symmetry)
    }

    /// The symmetry of this number, of which the last three bits count.
    pub const fn new(number: u8) -> Symmetry {
        Symmetry(number & 7)
    }

    /// Where a point comes to lie.
    ///
    /// ```
    /// use go_network::{BoardSize, Symmetry};
    /// let size = BoardSize::square(9);
    /// assert_eq!(Symmetry::new(1).apply(size, 0), 72);
    /// assert_eq!(Symmetry::new(6).apply(size, 1), 63);
    /// ```
    pub fn apply(self, size: BoardSize, index: usize) -> usize {
        let (mut y, mut x) = (index / size.width, index % size.width);
        if self.0 & 1 != 0 {
            y = size.height - 1 - y;
        }
        if self.0 & 2 != 0 {
            x = size.width - 1 - x;
        }
        if self.0 & 4 != 0 && size.width == size.height {
            (y, x) = (x, y);
        }
        y * size.width + x
    }

    /// Brings numbers of the points of a turned board back to where they belong.
    ///
    /// # Panics
    /// When there are fewer numbers than points.
    pub fn undo(self, size: BoardSize, numbers: &mut [f32]) {
        if self == Symmetry::NONE {
            return;
        }
        let turned = numbers[..size.area()].to_vec();
        for (index, number) in numbers[..size.area()].iter_mut().enumerate() {
            *number = turned[self.apply(size, index)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_move_every_point_and_can_be_undone() {
        for size in [BoardSize::square(5), BoardSize { width: 4, height: 7 }] {
            let mut seen = std::collections::HashSet::new();
            for symmetry in Symmetry::all(size) {
                let places: Vec<usize> =
                    (0..size.area()).map(|index| symmetry.apply(size, index)).collect();
                let mut numbers = vec![0.0; size.area()];
                for (index, &place) in places.iter().enumerate() {
                    numbers[place] = index as f32;
                }
                symmetry.undo(size, &mut numbers);
                assert!(numbers.iter().enumerate().all(|(i, &n)| n == i as f32));
                assert!(seen.insert(places));
            }
        }
    }

    #[test]
    fn planes_turn_with_the_board() {
        let size = BoardSize::square(9);
        let mut features = Features::empty(size);
        features.planes[1][0] = 0b10;
        let turned = features.transformed(Symmetry::new(6));
        assert_eq!(turned.planes[0], features.planes[0]);
        assert!(turned.get(1, 63) && !turned.get(1, 1));
    }
}
