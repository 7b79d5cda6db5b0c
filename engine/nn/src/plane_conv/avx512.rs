//! A first convolution by AVX-512.

use super::kernel::{self, Job, Weights};
use simd::vector::Avx512;

/// See [`kernel::add_up`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn add_up(weights: Weights<'_>, rows: &mut [f32]) {
    // SAFETY: this is compiled for the level, and the lengths are checked.
    unsafe { kernel::add_up::<Avx512>(weights, rows) }
}

/// See [`kernel::forward`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn forward(job: &Job<'_>) {
    // SAFETY: this is compiled for the level, and the rows are those of the points' kinds.
    unsafe { kernel::forward::<Avx512>(job) }
}
