//! Pooling and normalisation by AVX2 with FMA.

use super::kernel::{self, NormaliseJob, PoolJob};
use simd::vector::Avx2;

/// See [`kernel::pool`].
#[target_feature(enable = "avx2,fma")]
pub(super) fn pool(job: &mut PoolJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::pool::<Avx2>(job) }
}

/// See [`kernel::normalise`].
#[target_feature(enable = "avx2,fma")]
pub(super) fn normalise(job: &NormaliseJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::normalise::<Avx2>(job) }
}
