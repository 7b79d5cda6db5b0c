//! A first convolution by AVX2 with FMA.

use super::kernel::{self, Job, Weights};
use simd::vector::Avx2;

/// See [`kernel::add_up`].
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_up(weights: Weights<'_>, rows: &mut [f32]) {
    // SAFETY: this is compiled for the level, and the lengths are checked.
    unsafe { kernel::add_up::<Avx2>(weights, rows) }
}

/// See [`kernel::forward`].
#[target_feature(enable = "avx2,fma")]
pub(super) fn forward(job: &Job<'_>) {
    // SAFETY: this is compiled for the level, and the rows are those of the points' kinds.
    unsafe { kernel::forward::<Avx2>(job) }
}
