//! What goes into a network: 22 planes and 19 numbers, version 7 of KataGo's input features.
//!
//! All planes are of ones and zeros, so [`Features`] keeps them as bits. They are written by a [`FeatureWriter`], which
//! owns what it works with, from a [`Position`](crate::Position).

mod area;
mod writer;

pub use writer::FeatureWriter;

use crate::file::{GLOBALS, PLANES};
use game_core::Symmetry;
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

    /// The same of the board turned and mirrored. Symmetries are those of the board: see [`Symmetry::of_board`].
    pub fn transformed(&self, symmetry: Symmetry) -> Features {
        if symmetry == Symmetry::NONE {
            return self.clone();
        }
        let mut all = Features { planes: [[0; WORDS]; PLANES], ..self.clone() };
        for (from, to) in self.planes.iter().zip(&mut all.planes) {
            for (word, &bits) in from.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let index = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let index = turned(symmetry, self.size, index);
                    to[index / 64] |= 1 << (index % 64);
                }
            }
        }
        all
    }
}

/// Where a point of a board comes to lie, points counted row by row.
fn turned(symmetry: Symmetry, size: BoardSize, index: usize) -> usize {
    let (x, y) = ((index % size.width) as u8, (index / size.width) as u8);
    let (x, y) = symmetry.of((x, y), (size.width as u8, size.height as u8));
    usize::from(y) * size.width + usize::from(x)
}

/// Brings numbers of the points of a turned board back to where they belong.
pub(crate) fn undo_symmetry(symmetry: Symmetry, size: BoardSize, numbers: &mut [f32]) {
    let before = numbers[..size.area()].to_vec();
    for (index, number) in numbers[..size.area()].iter_mut().enumerate() {
        *number = before[turned(symmetry, size, index)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_turn_with_the_board_and_numbers_are_brought_back() {
        for size in [BoardSize::square(9), BoardSize { width: 4, height: 7 }] {
            let mut features = Features::empty(size);
            features.planes[1][0] = 0b110;
            for symmetry in Symmetry::of_board((size.width as u8, size.height as u8)) {
                let found = features.transformed(symmetry);
                assert_eq!(found.planes[0], features.planes[0]);
                assert!(found.get(1, turned(symmetry, size, 2)));
                let mut numbers: Vec<f32> =
                    (0..size.area()).map(|index| f32::from(found.get(1, index))).collect();
                undo_symmetry(symmetry, size, &mut numbers);
                assert_eq!(numbers[..4], [0.0, 1.0, 1.0, 0.0]);
            }
        }
    }
}
