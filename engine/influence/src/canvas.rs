//! A board with a wide margin, for adding a whole square of numbers about each stone.

use super::stones::{SIZE, Stones};

/// Rows and columns of margin on every side.
pub(super) const MARGIN: usize = 12;
/// Cells of a row: 25 columns, a margin on either side, and room for a square's whole row.
pub(super) const STRIDE: usize = 64;
/// Rows.
const ROWS: usize = 25 + 2 * MARGIN;

/// Sums for every point of a board and of its margin.
pub(super) struct Canvas {
    sums: [i16; ROWS * STRIDE],
}

impl Canvas {
    pub fn new() -> Canvas {
        Canvas { sums: [0; ROWS * STRIDE] }
    }

    /// Adds `sign` times rows of numbers. The lowest begins `reach` rows below and `reach` columns
    /// left of the point; `reach` must lie within the margin.
    #[inline(always)]
    pub fn add<T: Copy + Into<i16>, const N: usize>(
        &mut self,
        (col, row): (usize, usize),
        reach: usize,
        sign: i16,
        rows: &[[T; N]],
    ) {
        let mut start = (row + MARGIN - reach) * STRIDE + col + MARGIN - reach;
        for numbers in rows {
            if let Some(sums) = self.sums[start..].first_chunk_mut::<N>() {
                for i in 0..N {
                    let number: i16 = numbers[i].into();
                    sums[i] = sums[i].saturating_add(sign * number);
                }
            }
            start += STRIDE;
        }
    }

    /// The sums on the board, as the models keep them.
    pub fn values(&self, stones: &Stones) -> [i16; SIZE] {
        let mut values = [0; SIZE];
        let width = usize::from(stones.width());
        for row in 0..usize::from(stones.height()) {
            let from = &self.sums[(row + MARGIN) * STRIDE + MARGIN..][..width];
            values[(row + 1) * stones.stride() + 1..][..width].copy_from_slice(from);
        }
        values
    }
}
