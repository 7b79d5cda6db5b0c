//! What each point looks like: the part of the network that is computed point by point.
//!
//! A point's eight patterns (four lines, as each side sees them) have a row of numbers each; their sum goes
//! through a layer of its own, which sees how the lines cross. The first two numbers of the sum also go
//! straight into the weights of the point as the first and second stone of a turn. All lines share their
//! rows, and a pattern has those of its mirror image, so that turning or mirroring the board changes nothing.

use crate::Color;
use crate::board::Board;
use crate::geometry::DIRECTIONS;
use crate::pattern::{LinePatterns, PATTERNS, patterns};
use crate::point::Point;

/// Numbers of a row, and of their sum.
pub const WIDTH: usize = 16;
/// Numbers that the layer behind the sum gives.
pub const DEEP: usize = 16;

/// A row of numbers.
pub type Row = [f32; WIDTH];

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct PointNet {
    /// A row for each pattern, as the mover sees it and as the other side does.
    pub rows: [Vec<Row>; 2],
    /// What the sum begins with.
    pub bias: Row,
    /// The layer behind the sum: for each number of the sum, what it adds to each of the layer's.
    pub mix: [[f32; DEEP]; WIDTH],
    /// What those begin with.
    pub mix_bias: [f32; DEEP],
    /// What the layer's numbers add to a point's weight as the first and as the second stone of a turn.
    pub moves: [[f32; DEEP]; 2],
}

impl Default for PointNet {
    fn default() -> PointNet {
        PointNet {
            rows: [vec![[0.0; WIDTH]; PATTERNS], vec![[0.0; WIDTH]; PATTERNS]],
            bias: [0.0; WIDTH],
            mix: [[0.0; DEEP]; WIDTH],
            mix_bias: [0.0; DEEP],
            moves: [[0.0; DEEP]; 2],
        }
    }
}

/// What a point looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointFeatures {
    /// The sum of its rows.
    pub sum: Row,
    /// What the layer makes of it, none below 0.
    pub deep: [f32; DEEP],
}

impl PointNet {
    /// The sum of a point's rows.
    #[inline(always)]
    pub fn sum(&self, patterns: &[LinePatterns; DIRECTIONS]) -> Row {
        let mut sum = self.bias;
        for line in patterns {
            self.add(&mut sum, line);
        }
        sum
    }

    /// Adds the rows of one line.
    #[inline(always)]
    pub fn add(&self, sum: &mut Row, line: &LinePatterns) {
        for (rows, &pattern) in self.rows.iter().zip(line) {
            for (s, r) in sum.iter_mut().zip(&rows[pattern as usize % PATTERNS]) {
                *s += r;
            }
        }
    }

    /// Takes the rows of one line away.
    #[inline(always)]
    pub fn take(&self, sum: &mut Row, line: &LinePatterns) {
        for (rows, &pattern) in self.rows.iter().zip(line) {
            for (s, r) in sum.iter_mut().zip(&rows[pattern as usize % PATTERNS]) {
                *s -= r;
            }
        }
    }

    /// What the layer makes of a sum.
    #[inline(always)]
    pub fn deep(&self, sum: &Row) -> [f32; DEEP] {
        let mut deep = self.mix_bias;
        for (s, weights) in sum.iter().zip(&self.mix) {
            let s = s.max(0.0);
            for (d, w) in deep.iter_mut().zip(weights) {
                *d += s * w;
            }
        }
        deep.map(|d| d.max(0.0))
    }

    /// What a point looks like to a mover.
    #[inline(always)]
    pub fn see(&self, board: &Board, mover: Color, point: Point) -> PointFeatures {
        let sum = self.sum(&patterns(board, mover, point));
        PointFeatures { sum, deep: self.deep(&sum) }
    }

    /// The weight of a point as the first (0) or second (1) stone of a turn, a natural logarithm of odds.
    #[inline(always)]
    pub fn weight(&self, features: &PointFeatures, stone: usize) -> f32 {
        let stone = stone.min(1);
        let layer: f32 = features.deep.iter().zip(&self.moves[stone]).map(|(d, w)| d * w).sum();
        features.sum[stone] + layer
    }
}
