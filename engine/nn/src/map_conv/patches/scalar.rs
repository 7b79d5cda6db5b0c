//! Rows gathered and finished by plain code.

use super::kernel::{self, InputJob, OutputJob};
use simd::vector::Scalar;

/// See [`kernel::input`]; the job's lengths have been checked.
pub(super) fn input(job: &mut InputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::input::<Scalar>(job) }
}

/// See [`kernel::output`]; the job's lengths have been checked.
pub(super) fn output(job: &OutputJob<'_>) {
    // SAFETY: this is compiled for the level, and the lengths have been checked.
    unsafe { kernel::output::<Scalar>(job) }
}
