//! The transforms by AVX2 with FMA.

use super::kernel::{self, InputJob, OutputJob};
use simd::vector::Avx2;

/// See [`kernel::input`]; the job's lengths have been checked.
#[target_feature(enable = "avx2,fma")]
pub(super) fn input(job: &mut InputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::input::<Avx2>(job) }
}

/// See [`kernel::output`]; the job's lengths have been checked.
#[target_feature(enable = "avx2,fma")]
pub(super) fn output(job: &OutputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::output::<Avx2>(job) }
}
