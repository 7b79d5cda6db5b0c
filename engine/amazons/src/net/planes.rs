//! The patent's input: one plane for each of the mover's four queens (CN 111330255 B).
//!
//! The board is a 10x10 matrix M, row 0 at rank 10: 0 an arrow, 100 free, 200 a black queen, 300 a white queen. The plane
//! of a queen holds, at each square, the mean of M over the rectangle with the queen and the square in opposite corners.
//! The patent does not say in which order the queens come; its own example begins with the one on the lowest square, so
//! they go row by row from a1.

use crate::Color;
use crate::position::Position;
use crate::square::{MAX_SIDE, Square};

/// The side of the board that the networks play on.
pub const SIDE: usize = MAX_SIDE as usize;
/// Its squares.
pub const AREA: usize = SIDE * SIDE;
/// The same as the networks are told it.
pub const BOARD: nn::BoardSize = nn::BoardSize::square(SIDE);
/// Queens of a side, each with a plane.
pub const QUEENS: usize = 4;

/// The patent's matrix: 100 numbers, rows from rank 10 down, columns from file a.
pub type Matrix = [f32; AREA];

/// Where a square stands in a [`Matrix`].
#[inline]
pub fn cell(square: Square) -> usize {
    (SIDE - 1 - usize::from(square.row())) * SIDE + usize::from(square.column())
}

/// A square's number in the patent's samples and outputs: file + 10 x rank, both from 0, so that D9 is 83.
#[inline]
pub fn number(square: Square) -> usize {
    usize::from(square.row()) * SIDE + usize::from(square.column())
}

/// The square of a number; none beyond 99.
pub fn numbered(number: usize) -> Option<Square> {
    Square::new((number % SIDE) as u8, u8::try_from(number / SIDE).ok()?)
}

/// The patent's matrix of a position.
pub fn matrix(position: &Position) -> Matrix {
    let mut matrix = [0.0; AREA];
    for square in position.free() {
        matrix[cell(square)] = 100.0;
    }
    for (color, value) in [(Color::Black, 200.0), (Color::White, 300.0)] {
        for square in position.queens(color) {
            matrix[cell(square)] = value;
        }
    }
    matrix
}

/// The planes of the side to move. A side with fewer than four queens leaves planes of zeros behind; more than four are
/// left out.
pub fn planes(position: &Position) -> [Matrix; QUEENS] {
    let matrix = matrix(position);
    // sums[i][j] is the sum above row i and left of column j.
    let mut sums = [[0.0f32; SIDE + 1]; SIDE + 1];
    for i in 0..SIDE {
        for j in 0..SIDE {
            sums[i + 1][j + 1] =
                matrix[i * SIDE + j] + sums[i][j + 1] + sums[i + 1][j] - sums[i][j];
        }
    }
    let mut planes = [[0.0; AREA]; QUEENS];
    for (plane, queen) in planes.iter_mut().zip(position.queens(position.to_move())) {
        let (y, x) = (cell(queen) / SIDE, cell(queen) % SIDE);
        for (at, mean) in plane.iter_mut().enumerate() {
            let (i, j) = (at / SIDE, at % SIDE);
            let (top, bottom) = (i.min(y), i.max(y) + 1);
            let (left, right) = (j.min(x), j.max(x) + 1);
            let sum = sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left];
            *mean = sum / ((bottom - top) * (right - left)) as f32;
        }
    }
    planes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::GameSquare;

    /// The patent's example: White to move.
    const BOARD: &str = "..........|..OX..##..|..##...#..|......X#..|##.O...##.|.##.....O.|......####|#.#.#.....|..O.#..X..|..X.......";

    /// The first plane as the patent prints it.
    const FIRST: &str = "
     90.0  95.0 110.0 115.0 103.3 102.5 102.0  96.7  95.7  95.0
     88.9  94.4 111.1 116.7 103.7 102.8 102.2  96.3  95.2  94.4
     83.3  87.5 100.0 100.0  91.7  93.8  97.5  93.8  92.9  92.2
     85.7  92.9 114.3 114.3 100.0 100.0 102.9 100.0  98.0  96.4
     83.3  91.7 116.7 116.7 100.0 100.0  96.7  97.2  95.2  93.8
     93.3 100.0 120.0 110.0  93.3  95.0  92.0  96.7  97.1  95.0
    108.3 125.0 150.0 125.0 100.0 100.0  95.0 100.0  96.4  93.8
    111.1 133.3 166.7 133.3 100.0 100.0 100.0 111.1 109.5 108.3
    150.0 175.0 250.0 175.0 133.3 125.0 120.0 133.3 128.6 125.0
    166.7 200.0 300.0 200.0 166.7 150.0 140.0 133.3 128.6 125.0";

    #[test]
    fn the_first_plane_is_the_patents() {
        let position: Position = BOARD.parse().expect("a diagram");
        let expected: Vec<f32> =
            FIRST.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let planes = planes(&position);
        for (at, (found, expected)) in planes[0].iter().zip(expected).enumerate() {
            // 93.75 is printed as 93.8: rounded to one decimal, halves up.
            assert!((found - expected).abs() < 0.0501, "cell {at}: {found} for {expected}");
        }
    }

    #[test]
    fn squares_have_the_patents_numbers() {
        for (name, expected) in [("d9", 83), ("e10", 94), ("a1", 0), ("j10", 99)] {
            let GameSquare(square) = name.parse().expect("a square");
            assert_eq!(number(square), expected);
            assert_eq!(numbered(expected), Some(square));
        }
        assert_eq!(numbered(100), None);
    }

    #[test]
    fn the_move_that_is_recorded_is_legal() {
        let position: Position = BOARD.parse().expect("a diagram");
        let mv: crate::notation::GameMove = "D9-E10/E5".parse().expect("a move");
        assert_eq!(position.check(mv.0), Ok(()));
    }
}
