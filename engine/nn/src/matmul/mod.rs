//! Matrix products for layers in floats.
//!
//! A product is outputs x inputs times inputs x columns, the columns being the squares of a board (or of several, side by
//! side) in rows of whole vectors of sixteen numbers. Weights are packed in groups of four outputs, so that the four
//! weights for one input lie side by side.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use simd::Level;

/// Outputs that are computed together.
const GROUP: usize = 4;

/// A matrix of weights packed for [`multiply`].
#[derive(Clone, Debug, PartialEq)]
pub struct PackedMatrix {
    inputs: usize,
    outputs: usize,
    /// By group of outputs, input and place in the group.
    weights: Vec<f32>,
}

impl PackedMatrix {
    /// Packs weights that stand output by output.
    pub fn new(weights: &[f32], outputs: usize, inputs: usize) -> PackedMatrix {
        let mut packed = vec![0.0; outputs.div_ceil(GROUP) * GROUP * inputs];
        for output in 0..outputs {
            for input in 0..inputs {
                let at = (output / GROUP * inputs + input) * GROUP + output % GROUP;
                packed[at] = weights.get(output * inputs + input).copied().unwrap_or(0.0);
            }
        }
        PackedMatrix { inputs, outputs, weights: packed }
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Inputs that are worth multiplying at once: their rows and the outputs' stay in the processor's nearest caches.
pub const BLOCK: usize = 48;

/// Adds the part of the product that some inputs make, those from `first` on, to rows that hold the biases or the rest of
/// the sum: `out[o] += sum over i of weights[o][first + i] * columns[i]`, all rows of `width` numbers.
///
/// Each sum is added up in the order of the inputs at every level; AVX2 and AVX-512 fuse the product and the addition,
/// and so agree with each other, and nearly with plain code.
///
/// # Panics
/// When the matrix has fewer inputs, there are fewer rows than it has outputs, or the width is no multiple of 16.
pub fn multiply(
    level: Level,
    matrix: &PackedMatrix,
    first: usize,
    columns: &[f32],
    width: usize,
    out: &mut [f32],
) {
    assert!(width.is_multiple_of(16), "rows are whole vectors");
    if width == 0 {
        return;
    }
    let size = matrix.inputs * GROUP;
    let part = first * GROUP..(first + columns.len() / width) * GROUP;
    let groups = out[..matrix.outputs * width].chunks_mut(GROUP * width);
    for (group, rows) in groups.enumerate() {
        let weights = &matrix.weights[group * size..(group + 1) * size][part.clone()];
        if rows.len() == GROUP * width {
            multiply_group(level, weights, columns, width, rows);
        } else {
            // A last group that is not full is computed beside its place.
            let mut full = vec![0.0; GROUP * width];
            full[..rows.len()].copy_from_slice(rows);
            multiply_group(level, weights, columns, width, &mut full);
            rows.copy_from_slice(&full[..rows.len()]);
        }
    }
}

#[inline]
fn multiply_group(level: Level, weights: &[f32], columns: &[f32], width: usize, rows: &mut [f32]) {
    simd::dispatch!(level => avx512 | avx2 | scalar: multiply(weights, columns, width, rows));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_levels_give_the_same() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        // One to seven vectors, and the 23 of a board of 19x19: every way in which a row is parted.
        for width in [16, 32, 48, 64, 80, 96, 112, 368] {
            let (outputs, inputs) = (6, 37);
            let weights: Vec<f32> = (0..outputs * inputs).map(|_| next()).collect();
            let columns: Vec<f32> = (0..inputs * width).map(|_| next()).collect();
            let mut expected = vec![0.25; outputs * width];
            for (o, row) in expected.chunks_exact_mut(width).enumerate() {
                for (i, column) in columns.chunks_exact(width).enumerate() {
                    for (sum, number) in row.iter_mut().zip(column) {
                        *sum += weights[o * inputs + i] * number;
                    }
                }
            }
            let matrix = PackedMatrix::new(&weights, outputs, inputs);
            let mut fused = None;
            for level in Level::available() {
                let mut out = vec![0.25; outputs * width];
                let (left, right) = columns.split_at(20 * width);
                multiply(level, &matrix, 0, left, width, &mut out);
                multiply(level, &matrix, 20, right, width, &mut out);
                if level == Level::SCALAR {
                    assert_eq!(out, expected);
                    continue;
                }
                for (found, expected) in out.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-5, "{level:?}: {found} {expected}");
                }
                assert_eq!(fused.get_or_insert(out.clone()), &out, "{level:?}");
            }
        }
    }
}
