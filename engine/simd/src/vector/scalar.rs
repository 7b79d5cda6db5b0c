//! Eight floats in plain code, which the compiler may put into whatever registers every build has.

use super::{Vector, exponential};
use std::ops::{Add, Mul, Sub};

const LANES: usize = 8;

/// Eight floats. Products and sums are two steps, each rounded.
#[derive(Clone, Copy)]
pub struct Scalar([f32; LANES]);

impl Scalar {
    #[inline(always)]
    fn each(self, other: Self, then: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = self.0;
        for (number, other) in out.iter_mut().zip(other.0) {
            *number = then(*number, other);
        }
        Scalar(out)
    }
}

impl Add for Scalar {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }
}

impl Sub for Scalar {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }
}

impl Mul for Scalar {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }
}

impl Vector for Scalar {
    const LANES: usize = LANES;

    #[inline(always)]
    unsafe fn splat(number: f32) -> Self {
        Scalar([number; LANES])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller sees to the numbers.
        unsafe { Scalar(from.cast::<[f32; LANES]>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn load_aligned(from: *const f32) -> Self {
        // SAFETY: the caller sees to the numbers.
        unsafe { Scalar::load(from) }
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const i32) -> Self {
        // SAFETY: the caller sees to the numbers.
        Scalar(unsafe { from.cast::<[i32; LANES]>().read_unaligned() }.map(|number| number as f32))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { to.cast::<[f32; LANES]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    unsafe fn store_aligned(self, to: *mut f32) {
        // SAFETY: the caller sees to the room.
        unsafe { self.store(to) }
    }

    #[inline(always)]
    unsafe fn store_i16(self, to: *mut i16) {
        // Adding 3 x 2^22 leaves no room for a fraction, so that the number is rounded to the nearest, or even, whole one.
        let whole = |number: f32| {
            let whole = number.clamp(-32768.0, 32767.0) + 12_582_912.0;
            whole.to_bits() as i16
        };
        // SAFETY: the caller sees to the room.
        unsafe { to.cast::<[i16; LANES]>().write_unaligned(self.0.map(whole)) }
    }

    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        self * by + plus
    }

    #[inline(always)]
    fn neg_mul_add(self, by: Self, plus: Self) -> Self {
        plus - self * by
    }

    #[inline(always)]
    fn div(self, by: Self) -> Self {
        self.each(by, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.each(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.each(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn clamp_to(self, limit: Self) -> Self {
        self.each(limit, |number, limit| if number < limit { number } else { limit })
            .each(limit, |number, limit| if number > -limit { number } else { -limit })
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Scalar(self.0.map(|number| {
            let x = number.clamp(exponential::MIN, exponential::MAX);
            let n = (x * exponential::LOG2_E + 12_582_912.0) - 12_582_912.0;
            let r = x - n * exponential::LN_2[0] - n * exponential::LN_2[1];
            let sum = exponential::COEFFICIENTS.into_iter().fold(0.0, |sum, c| sum * r + c);
            let e_to_r = sum * (r * r) + r + 1.0;
            f32::from_bits(e_to_r.to_bits().wrapping_add_signed((n as i32) << 23))
        }))
    }
}
