//! Matrix products for the forward pass, with the widest vectors that the processor has: AVX-512 or AVX2 with FMA, found
//! out at run time, or plain code. This module, [`super::quantised`] and `crate::eval::batch` are the
//! only ones of the crate with unsafe code.
//!
//! A product is outputs x inputs times inputs x columns, the columns being a board's squares in rows of
//! [`COLUMNS`] numbers, of which the last few are unused. Weights are packed in groups of four outputs, so that the four
//! weights for one input lie side by side.

use super::planes::AREA;
use super::vectors::Vectors;

/// Numbers in a row: a board's squares up to whole vectors of sixteen.
pub const COLUMNS: usize = AREA.next_multiple_of(16);
/// Outputs that are computed together.
const GROUP: usize = 4;

/// A row of numbers, one for each square.
pub type Row = [f32; COLUMNS];

/// A matrix of weights packed for [`multiply`].
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    inputs: usize,
    outputs: usize,
    /// By group of outputs, input and place in the group.
    weights: Vec<f32>,
}

impl Packed {
    /// Packs weights that stand output by output.
    pub fn new(weights: &[f32], outputs: usize, inputs: usize) -> Packed {
        let mut packed = vec![0.0; outputs.div_ceil(GROUP) * GROUP * inputs];
        for output in 0..outputs {
            for input in 0..inputs {
                let at = (output / GROUP * inputs + input) * GROUP + output % GROUP;
                packed[at] = weights.get(output * inputs + input).copied().unwrap_or(0.0);
            }
        }
        Packed { inputs, outputs, weights: packed }
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Inputs that are worth multiplying at once: their rows and the outputs' stay in the processor's nearest cache.
pub const BLOCK: usize = 48;

/// Adds the part of the product that some inputs make, those from `first` on, to rows that hold the biases or the rest of
/// the sum: `out[o] += sum over i of weights[o][first + i] * columns[i]`.
///
/// # Panics
/// When the matrix has fewer inputs, or there are fewer rows than it has outputs.
pub fn multiply(matrix: &Packed, first: usize, columns: &[Row], out: &mut [Row]) {
    multiply_with(Vectors::for_floats(), matrix, first, columns, out);
}

fn multiply_with(
    vectors: Vectors,
    matrix: &Packed,
    first: usize,
    columns: &[Row],
    out: &mut [Row],
) {
    let size = matrix.inputs * GROUP;
    let part = first * GROUP..(first + columns.len()) * GROUP;
    for (group, rows) in out[..matrix.outputs].chunks_mut(GROUP).enumerate() {
        let weights = &matrix.weights[group * size..(group + 1) * size][part.clone()];
        if let Ok(rows) = <&mut [Row; GROUP]>::try_from(&mut *rows) {
            multiply_group(vectors, weights, columns, rows);
        } else {
            // A last group that is not full is computed beside its place.
            let mut full = [[0.0; COLUMNS]; GROUP];
            full[..rows.len()].copy_from_slice(rows);
            multiply_group(vectors, weights, columns, &mut full);
            rows.copy_from_slice(&full[..rows.len()]);
        }
    }
}

#[inline]
fn multiply_group(vectors: Vectors, weights: &[f32], columns: &[Row], rows: &mut [Row; GROUP]) {
    match vectors {
        Vectors::Plain => plain(weights, columns, rows),
        // SAFETY: these vectors are chosen only where the processor was found to have them; in tests likewise.
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx2 => unsafe { wide::avx2(weights, columns, rows) },
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx512 => unsafe { wide::avx512(weights, columns, rows) },
    }
}

fn plain(weights: &[f32], columns: &[Row], out: &mut [Row; GROUP]) {
    for (weights, column) in weights.chunks_exact(GROUP).zip(columns) {
        for (row, &weight) in out.iter_mut().zip(weights) {
            for (sum, &number) in row.iter_mut().zip(column) {
                *sum += weight * number;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{COLUMNS, GROUP, Row};
    use std::arch::x86_64::*;

    /// Four outputs at once over the first four vectors of the columns, then over the other three: with more at a time the
    /// sums would not all stay in registers.
    #[target_feature(enable = "avx512f")]
    pub(super) fn avx512(weights: &[f32], columns: &[Row], out: &mut [Row; GROUP]) {
        const { assert!(COLUMNS == 7 * 16) };
        avx512_part::<4>(weights, columns, out, 0);
        avx512_part::<3>(weights, columns, out, 64);
    }

    #[target_feature(enable = "avx512f")]
    fn avx512_part<const N: usize>(
        weights: &[f32],
        columns: &[Row],
        out: &mut [Row; GROUP],
        at: usize,
    ) {
        let mut sums = [[_mm512_setzero_ps(); N]; GROUP];
        for (sums, row) in sums.iter_mut().zip(out.iter()) {
            for (sum, part) in sums.iter_mut().zip(row[at..at + 16 * N].chunks_exact(16)) {
                // SAFETY: the part has sixteen numbers.
                *sum = unsafe { _mm512_loadu_ps(part.as_ptr()) };
            }
        }
        for (weights, column) in weights.chunks_exact(GROUP).zip(columns) {
            let mut parts = [_mm512_setzero_ps(); N];
            for (part, numbers) in parts.iter_mut().zip(column[at..at + 16 * N].chunks_exact(16)) {
                // SAFETY: as above.
                *part = unsafe { _mm512_loadu_ps(numbers.as_ptr()) };
            }
            for (sums, &weight) in sums.iter_mut().zip(weights) {
                let weight = _mm512_set1_ps(weight);
                for (sum, &part) in sums.iter_mut().zip(&parts) {
                    *sum = _mm512_fmadd_ps(weight, part, *sum);
                }
            }
        }
        for (sums, row) in sums.iter().zip(out.iter_mut()) {
            for (sum, part) in sums.iter().zip(row[at..at + 16 * N].chunks_exact_mut(16)) {
                // SAFETY: as above.
                unsafe { _mm512_storeu_ps(part.as_mut_ptr(), *sum) };
            }
        }
    }

    /// Four outputs at once over sixteen columns after another.
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn avx2(weights: &[f32], columns: &[Row], out: &mut [Row; GROUP]) {
        for at in (0..COLUMNS).step_by(16) {
            let mut sums = [[_mm256_setzero_ps(); 2]; GROUP];
            for (sums, row) in sums.iter_mut().zip(out.iter()) {
                for (sum, part) in sums.iter_mut().zip(row[at..at + 16].chunks_exact(8)) {
                    // SAFETY: the part has eight numbers.
                    *sum = unsafe { _mm256_loadu_ps(part.as_ptr()) };
                }
            }
            for (weights, column) in weights.chunks_exact(GROUP).zip(columns) {
                let numbers = &column[at..at + 16];
                // SAFETY: these are sixteen numbers.
                let parts = unsafe {
                    [_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers[8..].as_ptr())]
                };
                for (sums, &weight) in sums.iter_mut().zip(weights) {
                    let weight = _mm256_set1_ps(weight);
                    for (sum, &part) in sums.iter_mut().zip(&parts) {
                        *sum = _mm256_fmadd_ps(weight, part, *sum);
                    }
                }
            }
            for (sums, row) in sums.iter().zip(out.iter_mut()) {
                for (sum, part) in sums.iter().zip(row[at..at + 16].chunks_exact_mut(8)) {
                    // SAFETY: the part has eight numbers.
                    unsafe { _mm256_storeu_ps(part.as_mut_ptr(), *sum) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_vectors_give_the_same() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let (outputs, inputs) = (6, 37);
        let weights: Vec<f32> = (0..outputs * inputs).map(|_| next()).collect();
        let columns: Vec<Row> = (0..inputs).map(|_| [0.0; COLUMNS].map(|_| next())).collect();
        let mut expected = vec![[0.25; COLUMNS]; outputs];
        for (o, row) in expected.iter_mut().enumerate() {
            for (i, column) in columns.iter().enumerate() {
                for (sum, number) in row.iter_mut().zip(column) {
                    *sum += weights[o * inputs + i] * number;
                }
            }
        }
        let packed = Packed::new(&weights, outputs, inputs);
        for kind in Vectors::for_floats().and_below() {
            let mut out = vec![[0.25; COLUMNS]; outputs];
            multiply_with(kind, &packed, 0, &columns[..20], &mut out);
            multiply_with(kind, &packed, 20, &columns[20..], &mut out);
            for (found, expected) in out.iter().flatten().zip(expected.iter().flatten()) {
                assert!((found - expected).abs() < 1e-4, "{kind:?}: {found} {expected}");
            }
        }
    }
}
