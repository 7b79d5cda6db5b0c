//! What the kernels of all levels share: the loop, and how rows are parted.

use super::{Panel, Rows};

/// One instruction's worth of products, and what goes with it. All methods are inlined, into functions compiled for the
/// level.
///
/// # Safety
/// All methods ask for a processor that has the level.
pub(super) trait Product {
    /// A vector of sums, weights, or the same step in every lane.
    type Vector: Copy;
    const LANES: usize;
    /// The most rows for panels of one, two and three vectors: their sums stay in registers.
    const ROWS: [usize; 3];

    unsafe fn zero() -> Self::Vector;
    /// From where a whole vector begins.
    unsafe fn load(from: *const u32) -> Self::Vector;
    unsafe fn broadcast(from: *const u32) -> Self::Vector;
    /// `sum` with the products of a step in every lane and of weights added.
    unsafe fn add_products(
        sum: Self::Vector,
        step: Self::Vector,
        weights: Self::Vector,
    ) -> Self::Vector;
    /// To where a whole vector begins.
    unsafe fn store(vector: Self::Vector, to: *mut u32);
}

/// Computes products, as [`super::multiply`] describes them.
///
/// # Safety
/// The processor has the level. The steps reach to the end of the last row, the weights hold all steps of the panel and
/// begin where a whole vector does, as `out` does, and `out` has a place for every sum. Panels have one to three vectors.
#[inline(always)]
pub(super) unsafe fn multiply<P: Product>(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    let max_rows = P::ROWS[panel.vectors - 1];
    let blocks = rows.count.div_ceil(max_rows);
    let width = panel.vectors * P::LANES;
    let mut first = 0;
    for block in 0..blocks {
        // As even as can be: a block of few rows would wait for its own sums.
        let end = rows.count * (block + 1) / blocks;
        // SAFETY: the rows of the block are some of the caller's, and so are the places for their sums.
        unsafe {
            let from = rows.steps.as_ptr().add(first * rows.stride);
            let to = out.as_mut_ptr().add(first * width);
            let part = (from, rows.stride, panel.weights.as_ptr(), panel.steps, to);
            match panel.vectors {
                1 => by_rows::<P, 1>(end - first, part),
                2 => by_rows::<P, 2>(end - first, part),
                _ => by_rows::<P, 3>(end - first, part),
            }
        }
        first = end;
    }
}

/// Rows, from one to the next of them; weights and how many steps; where sums go.
type Part = (*const u32, usize, *const u32, usize, *mut u32);

/// Products of one to [`Product::ROWS`] rows.
///
/// # Safety
/// As for [`multiply`], of these rows.
#[inline(always)]
unsafe fn by_rows<P: Product, const VECTORS: usize>(rows: usize, part: Part) {
    // SAFETY: the caller's word. Rows that are more than the sums of a panel find room for never come here.
    unsafe {
        match rows {
            1 => block::<P, 1, VECTORS>(part),
            2 => block::<P, 2, VECTORS>(part),
            3 => block::<P, 3, VECTORS>(part),
            4 => block::<P, 4, VECTORS>(part),
            5 => block::<P, 5, VECTORS>(part),
            6 => block::<P, 6, VECTORS>(part),
            7 if P::ROWS[VECTORS - 1] >= 7 => block::<P, 7, VECTORS>(part),
            8 if P::ROWS[VECTORS - 1] >= 8 => block::<P, 8, VECTORS>(part),
            9 if P::ROWS[VECTORS - 1] >= 9 => block::<P, 9, VECTORS>(part),
            10 if P::ROWS[VECTORS - 1] >= 10 => block::<P, 10, VECTORS>(part),
            11 if P::ROWS[VECTORS - 1] >= 11 => block::<P, 11, VECTORS>(part),
            _ if P::ROWS[VECTORS - 1] >= 12 => block::<P, 12, VECTORS>(part),
            _ => unreachable!("no more rows than have room"),
        }
    }
}

/// Products of so many rows, whose sums stay in registers.
///
/// # Safety
/// As for [`multiply`], of these rows.
#[inline(always)]
unsafe fn block<P: Product, const ROWS: usize, const VECTORS: usize>(
    (rows, stride, weights, steps, out): Part,
) {
    // SAFETY: the caller's word for the level and all lengths; each vector begins a whole vector after the one before.
    unsafe {
        let mut sums = [[P::zero(); VECTORS]; ROWS];
        let mut weights = weights;
        for step in 0..steps {
            let mut vectors = [P::zero(); VECTORS];
            for (i, vector) in vectors.iter_mut().enumerate() {
                *vector = P::load(weights.add(i * P::LANES));
            }
            weights = weights.add(VECTORS * P::LANES);
            for (row, sums) in sums.iter_mut().enumerate() {
                let number = P::broadcast(rows.add(row * stride + step));
                for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                    *sum = P::add_products(*sum, number, vector);
                }
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (i, sum) in sums.into_iter().enumerate() {
                P::store(sum, out.add((row * VECTORS + i) * P::LANES));
            }
        }
    }
}
