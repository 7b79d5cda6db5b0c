//! Rows gathered and finished by AVX-512.

use super::kernel::{self, InputJob, OutputJob};
use simd::vector::Avx512;

/// See [`kernel::input`]; the job's lengths have been checked.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn input(job: &mut InputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::input::<Avx512>(job) }
}

/// See [`kernel::output`]; the job's lengths have been checked.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
pub(super) fn output(job: &OutputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::output::<Avx512>(job) }
}
