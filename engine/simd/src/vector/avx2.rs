//! Eight floats in a register of AVX2.

use super::{Vector, exponential};
use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

/// Eight floats; for kernels compiled for `avx2,fma`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Avx2(__m256);

/// Does something with the instructions of the level.
macro_rules! with_level {
    ($body:expr) => {
        // SAFETY: a vector is only there where the processor has the level.
        unsafe { $body }
    };
}

impl Add for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        with_level!(Avx2(_mm256_add_ps(self.0, other.0)))
    }
}

impl Sub for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        with_level!(Avx2(_mm256_sub_ps(self.0, other.0)))
    }
}

impl Mul for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        with_level!(Avx2(_mm256_mul_ps(self.0, other.0)))
    }
}

impl Vector for Avx2 {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(number: f32) -> Self {
        // SAFETY: the caller has the level.
        unsafe { Avx2(_mm256_set1_ps(number)) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx2(_mm256_loadu_ps(from)) }
    }

    #[inline(always)]
    unsafe fn load_aligned(from: *const f32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx2(_mm256_load_ps(from)) }
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const i32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx2(_mm256_cvtepi32_ps(_mm256_load_si256(from.cast()))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm256_store_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_i16(self, to: *mut i16) {
        // SAFETY: the caller sees to the room.
        unsafe {
            let whole = _mm256_cvtps_epi32(self.0);
            let (low, high) = (_mm256_castsi256_si128(whole), _mm256_extracti128_si256::<1>(whole));
            _mm_storeu_si128(to.cast(), _mm_packs_epi32(low, high));
        }
    }

    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        with_level!(Avx2(_mm256_fmadd_ps(self.0, by.0, plus.0)))
    }

    #[inline(always)]
    fn neg_mul_add(self, by: Self, plus: Self) -> Self {
        with_level!(Avx2(_mm256_fnmadd_ps(self.0, by.0, plus.0)))
    }

    #[inline(always)]
    fn div(self, by: Self) -> Self {
        with_level!(Avx2(_mm256_div_ps(self.0, by.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        with_level!(Avx2(_mm256_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        with_level!(Avx2(_mm256_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn clamp_to(self, limit: Self) -> Self {
        let negative = with_level!(Avx2(_mm256_sub_ps(_mm256_setzero_ps(), limit.0)));
        self.min(limit).max(negative)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let constant = |number| with_level!(Avx2(_mm256_set1_ps(number)));
        let x = self.min(constant(exponential::MAX)).max(constant(exponential::MIN));
        let scaled = x * constant(exponential::LOG2_E);
        let n = with_level!(Avx2(_mm256_round_ps::<
            { _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC },
        >(scaled.0)));
        let r = n.neg_mul_add(constant(exponential::LN_2[0]), x);
        let r = n.neg_mul_add(constant(exponential::LN_2[1]), r);
        let [first, rest @ ..] = exponential::COEFFICIENTS;
        let mut sum = constant(first);
        for coefficient in rest {
            sum = sum.mul_add(r, constant(coefficient));
        }
        let e_to_r = sum.mul_add(r * r, r) + constant(1.0);
        // n goes into the exponent's bits.
        with_level!({
            let power = _mm256_slli_epi32::<23>(_mm256_cvtps_epi32(n.0));
            Avx2(_mm256_castsi256_ps(_mm256_add_epi32(power, _mm256_castps_si256(e_to_r.0))))
        })
    }
}
