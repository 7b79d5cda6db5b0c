//! Products in plain code.

use super::GROUP;

/// Adds products to four rows; see [`super::multiply`].
pub(super) fn multiply(weights: &[f32], columns: &[f32], width: usize, out: &mut [f32]) {
    for (weights, column) in weights.chunks_exact(GROUP).zip(columns.chunks_exact(width)) {
        for (row, &weight) in out.chunks_exact_mut(width).zip(weights) {
            for (sum, &number) in row.iter_mut().zip(column) {
                *sum += weight * number;
            }
        }
    }
}
