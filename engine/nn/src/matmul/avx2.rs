//! Products by AVX2 with FMA.

use super::GROUP;
use std::arch::x86_64::*;

/// Adds products to four rows, over sixteen columns after another.
#[target_feature(enable = "avx2,fma")]
pub(super) fn multiply(weights: &[f32], columns: &[f32], width: usize, out: &mut [f32]) {
    for at in (0..width).step_by(16) {
        let mut sums = [[_mm256_setzero_ps(); 2]; GROUP];
        for (sums, row) in sums.iter_mut().zip(out.chunks_exact(width)) {
            for (sum, part) in sums.iter_mut().zip(row[at..at + 16].chunks_exact(8)) {
                // SAFETY: the part has eight numbers.
                *sum = unsafe { _mm256_loadu_ps(part.as_ptr()) };
            }
        }
        for (weights, column) in weights.chunks_exact(GROUP).zip(columns.chunks_exact(width)) {
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
        for (sums, row) in sums.iter().zip(out.chunks_exact_mut(width)) {
            for (sum, part) in sums.iter().zip(row[at..at + 16].chunks_exact_mut(8)) {
                // SAFETY: the part has eight numbers.
                unsafe { _mm256_storeu_ps(part.as_mut_ptr(), *sum) };
            }
        }
    }
}
