//! Rows of patterns as they are learned: each is the sum of three, for five, four and three points to each
//! side, so that a pattern seldom seen begins with what is known of the shorter ones.

use crate::eval::points::{Row, WIDTH};
use crate::pattern::{PATTERNS, mirrored, reversed};
use std::sync::OnceLock;

/// Patterns of each length: ten points, eight and six.
const COUNTS: [usize; 3] = [PATTERNS, 6_561, 729];

/// The three rows of a pattern; a pattern and its mirror image have the same.
type Parts = [u16; 3];

fn parts() -> &'static [Parts] {
    static PARTS: OnceLock<Vec<Parts>> = OnceLock::new();
    PARTS.get_or_init(|| {
        (0..PATTERNS as u16)
            .map(|whole| {
                let (eight, six) = (whole / 3 % 6_561, whole / 9 % 729);
                [
                    whole.min(mirrored(whole)),
                    eight.min(reversed(eight, 8)),
                    six.min(reversed(six, 6)),
                ]
            })
            .collect()
    })
}

/// The rows, and the squared gradients so far.
#[derive(Clone, Debug)]
pub struct FactoredEmbedding {
    rows: [Vec<Row>; 3],
    squares: [Vec<Row>; 3],
    parts: &'static [Parts],
}

impl FactoredEmbedding {
    /// Rows that are all zero, but for the shortest patterns', which `random` fills where `random_from` or
    /// more numbers stand before. `first` is what the squared gradients of each number begin with: the first
    /// steps are the shorter for it.
    pub fn new(
        first: Row,
        random_from: usize,
        mut random: impl FnMut() -> f32,
    ) -> FactoredEmbedding {
        let mut rows = COUNTS.map(|count| vec![[0.0; WIDTH]; count]);
        for row in &mut rows[2] {
            row[random_from..].fill_with(&mut random);
        }
        FactoredEmbedding { rows, squares: COUNTS.map(|count| vec![first; count]), parts: parts() }
    }

    /// Adds a pattern's row to a sum.
    #[inline(always)]
    pub fn add(&self, sum: &mut Row, pattern: u16) {
        for (rows, &part) in self.rows.iter().zip(&self.parts[pattern as usize]) {
            for (s, r) in sum.iter_mut().zip(&rows[part as usize]) {
                *s += r;
            }
        }
    }

    /// One step of AdaGrad (Duchi, Hazan and Singer 2011) for a pattern.
    #[inline(always)]
    pub fn step(&mut self, pattern: u16, gradient: &Row, rate: f32) {
        let parts = self.parts[pattern as usize];
        for ((rows, squares), part) in self.rows.iter_mut().zip(&mut self.squares).zip(parts) {
            let (row, squares) = (&mut rows[part as usize], &mut squares[part as usize]);
            for i in 0..WIDTH {
                squares[i] += gradient[i] * gradient[i];
                row[i] -= rate * gradient[i] / (squares[i] + 1e-12).sqrt();
            }
        }
    }

    /// The rows as the engine uses them, one for each pattern.
    pub fn whole(&self) -> Vec<Row> {
        (0..PATTERNS as u16)
            .map(|pattern| {
                let mut row = [0.0; WIDTH];
                self.add(&mut row, pattern);
                row
            })
            .collect()
    }

    /// Everything that a checkpoint keeps.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().chain(&mut self.squares).flatten().flatten()
    }
}
