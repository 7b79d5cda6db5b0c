//! Pooling and normalisation by plain code.

use super::kernel::{self, NormaliseJob, PoolJob};
use simd::vector::Scalar;

/// See [`kernel::pool`].
pub(super) fn pool(job: &mut PoolJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::pool::<Scalar>(job) }
}

/// See [`kernel::normalise`].
pub(super) fn normalise(job: &NormaliseJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::normalise::<Scalar>(job) }
}
