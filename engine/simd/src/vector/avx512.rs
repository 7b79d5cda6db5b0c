//! Sixteen floats in a register of AVX-512.

use super::{Vector, exponential};
use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

/// Sixteen floats; for kernels compiled for `avx512f,avx512bw,avx512vl,avx512dq`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Avx512(__m512);

/// Does something with the instructions of the level.
macro_rules! with_level {
    ($body:expr) => {
        // SAFETY: a vector is only there where the processor has the level.
        unsafe { $body }
    };
}

impl Add for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        with_level!(Avx512(_mm512_add_ps(self.0, other.0)))
    }
}

impl Sub for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        with_level!(Avx512(_mm512_sub_ps(self.0, other.0)))
    }
}

impl Mul for Avx512 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        with_level!(Avx512(_mm512_mul_ps(self.0, other.0)))
    }
}

impl Vector for Avx512 {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(number: f32) -> Self {
        // SAFETY: the caller has the level.
        unsafe { Avx512(_mm512_set1_ps(number)) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx512(_mm512_loadu_ps(from)) }
    }

    #[inline(always)]
    unsafe fn load_aligned(from: *const f32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx512(_mm512_load_ps(from)) }
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const i32) -> Self {
        // SAFETY: the caller has the level and sees to the numbers.
        unsafe { Avx512(_mm512_cvtepi32_ps(_mm512_load_si512(from.cast()))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm512_store_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn store_i16(self, to: *mut i16) {
        // SAFETY: the caller sees to the room.
        unsafe {
            let small = _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(self.0));
            _mm256_storeu_si256(to.cast(), small);
        }
    }

    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        with_level!(Avx512(_mm512_fmadd_ps(self.0, by.0, plus.0)))
    }

    #[inline(always)]
    fn neg_mul_add(self, by: Self, plus: Self) -> Self {
        with_level!(Avx512(_mm512_fnmadd_ps(self.0, by.0, plus.0)))
    }

    #[inline(always)]
    fn div(self, by: Self) -> Self {
        with_level!(Avx512(_mm512_div_ps(self.0, by.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        with_level!(Avx512(_mm512_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        with_level!(Avx512(_mm512_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn clamp_to(self, limit: Self) -> Self {
        // The smaller in size, with the sign of the first.
        with_level!(Avx512(_mm512_range_ps::<0b0010>(self.0, limit.0)))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let constant = |number| with_level!(Avx512(_mm512_set1_ps(number)));
        let x = self.min(constant(exponential::MAX)).max(constant(exponential::MIN));
        let scaled = x * constant(exponential::LOG2_E);
        let n = with_level!(Avx512(_mm512_roundscale_ps::<0>(scaled.0)));
        let r = n.neg_mul_add(constant(exponential::LN_2[0]), x);
        let r = n.neg_mul_add(constant(exponential::LN_2[1]), r);
        let [first, rest @ ..] = exponential::COEFFICIENTS;
        let mut sum = constant(first);
        for coefficient in rest {
            sum = sum.mul_add(r, constant(coefficient));
        }
        let e_to_r = sum.mul_add(r * r, r) + constant(1.0);
        with_level!(Avx512(_mm512_scalef_ps(e_to_r.0, n.0)))
    }
}
