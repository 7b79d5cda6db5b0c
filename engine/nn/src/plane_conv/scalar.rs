//! A first convolution by plain code.

use super::kernel::{self, Job, Weights};
use simd::vector::Scalar;

/// See [`kernel::add_up`].
pub(super) fn add_up(weights: Weights<'_>, rows: &mut [f32]) {
    // SAFETY: this is compiled for the level, and the lengths are checked.
    unsafe { kernel::add_up::<Scalar>(weights, rows) }
}

/// See [`kernel::forward`].
pub(super) fn forward(job: &Job<'_>) {
    // SAFETY: this is compiled for the level, and the rows are those of the points' kinds.
    unsafe { kernel::forward::<Scalar>(job) }
}
