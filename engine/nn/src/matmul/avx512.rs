//! Products by AVX-512.

use super::GROUP;
use std::arch::x86_64::*;

/// Adds products to four rows: four vectors of the columns at a time, then what is left of them. With more at a time the
/// sums would not all stay in registers.
#[target_feature(enable = "avx512f")]
pub(super) fn multiply(weights: &[f32], columns: &[f32], width: usize, out: &mut [f32]) {
    for at in (0..width).step_by(64) {
        match (width - at) / 16 {
            1 => part::<1>(weights, columns, width, out, at),
            2 => part::<2>(weights, columns, width, out, at),
            3 => part::<3>(weights, columns, width, out, at),
            _ => part::<4>(weights, columns, width, out, at),
        }
    }
}

#[target_feature(enable = "avx512f")]
fn part<const N: usize>(
    weights: &[f32],
    columns: &[f32],
    width: usize,
    out: &mut [f32],
    at: usize,
) {
    let mut sums = [[_mm512_setzero_ps(); N]; GROUP];
    for (sums, row) in sums.iter_mut().zip(out.chunks_exact(width)) {
        for (sum, part) in sums.iter_mut().zip(row[at..at + 16 * N].chunks_exact(16)) {
            // SAFETY: the part has sixteen numbers.
            *sum = unsafe { _mm512_loadu_ps(part.as_ptr()) };
        }
    }
    for (weights, column) in weights.chunks_exact(GROUP).zip(columns.chunks_exact(width)) {
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
    for (sums, row) in sums.iter().zip(out.chunks_exact_mut(width)) {
        for (sum, part) in sums.iter().zip(row[at..at + 16 * N].chunks_exact_mut(16)) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(part.as_mut_ptr(), *sum) };
        }
    }
}
