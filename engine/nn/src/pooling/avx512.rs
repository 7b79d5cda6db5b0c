//! Pooling and normalisation by AVX-512.

use super::kernel::{self, NormaliseJob, PoolJob};
use simd::vector::Avx512;

/// See [`kernel::pool`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn pool(job: &mut PoolJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::pool::<Avx512>(job) }
}

/// See [`kernel::normalise`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn normalise(job: &NormaliseJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::normalise::<Avx512>(job) }
}
