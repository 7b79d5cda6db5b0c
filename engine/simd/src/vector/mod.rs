//! Floats side by side in one register: what kernels are written with that are the same for every kind of processor but
//! for how many numbers a register holds.
//!
//! A kernel that is generic over [`Vector`] is compiled once for each level, inside a function that names the level's
//! instructions, and stands in modules [`avx512`, `avx2`, `scalar`](crate::dispatch!) like any other:
//!
//! ```
//! use simd::vector::{self, Vector};
//!
//! /// Doubles sixteen numbers.
//! #[inline(always)]
//! fn double_by<V: Vector>(numbers: &mut [f32; 16]) {
//!     for part in numbers.chunks_exact_mut(V::LANES) {
//!         // SAFETY: the part has as many numbers as a vector, and the callers have the level.
//!         unsafe {
//!             let vector = V::load(part.as_ptr());
//!             (vector + vector).store(part.as_mut_ptr());
//!         }
//!     }
//! }
//!
//! #[cfg(target_arch = "x86_64")]
//! mod avx2 {
//!     #[target_feature(enable = "avx2,fma")]
//!     pub fn double(numbers: &mut [f32; 16]) {
//!         super::double_by::<super::vector::Avx2>(numbers);
//!     }
//! }
//!
//! mod scalar {
//!     pub fn double(numbers: &mut [f32; 16]) {
//!         super::double_by::<super::vector::Scalar>(numbers);
//!     }
//! }
//!
//! # fn main() {
//! for level in simd::Level::available() {
//!     let mut numbers = [1.5; 16];
//!     let to = &mut numbers;
//!     simd::dispatch!(level => avx2 | scalar: double(to));
//!     assert_eq!(numbers, [3.0; 16]);
//! }
//! # }
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use scalar::Scalar;

use std::ops::{Add, Mul, Sub};

/// Floats side by side in one register.
///
/// There is no way to make one without saying that the processor has its level ([`Vector::splat`], [`Vector::load`] and
/// [`Vector::load_whole`] are unsafe), so that everything that is done with one is safe. All methods are inlined, and only
/// fast inside a function that is compiled for the level.
pub trait Vector: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// How many numbers.
    const LANES: usize;

    /// The same number in every lane.
    ///
    /// # Safety
    /// The processor has the level.
    unsafe fn splat(number: f32) -> Self;

    /// Reads [`Vector::LANES`] numbers.
    ///
    /// # Safety
    /// They can be read, and the processor has the level.
    unsafe fn load(from: *const f32) -> Self;

    /// The same from where a whole vector begins, which is faster: compilers part what may lie anywhere.
    ///
    /// # Safety
    /// They can be read and begin at a multiple of the vector's size, and the processor has the level.
    unsafe fn load_aligned(from: *const f32) -> Self;

    /// Reads as many whole numbers, from where a whole vector begins.
    ///
    /// # Safety
    /// They can be read and begin at a multiple of the vector's size, and the processor has the level.
    unsafe fn load_whole(from: *const i32) -> Self;

    /// Writes the numbers.
    ///
    /// # Safety
    /// There is room for them.
    unsafe fn store(self, to: *mut f32);

    /// The same to where a whole vector begins.
    ///
    /// # Safety
    /// There is room for them, and it begins at a multiple of the vector's size.
    unsafe fn store_aligned(self, to: *mut f32);

    /// Writes the nearest whole numbers, the even one of two, of 16 bits each; what does not fit becomes the nearest that
    /// does.
    ///
    /// # Safety
    /// There is room for [`Vector::LANES`] numbers of 16 bits.
    unsafe fn store_i16(self, to: *mut i16);

    /// `self * by + plus`, in one step where the processor has one.
    fn mul_add(self, by: Self, plus: Self) -> Self;

    /// `plus - self * by`, in one step where the processor has one.
    fn neg_mul_add(self, by: Self, plus: Self) -> Self;

    /// The quotients.
    fn div(self, by: Self) -> Self;

    /// The larger of each two.
    fn max(self, other: Self) -> Self;

    /// The smaller of each two.
    fn min(self, other: Self) -> Self;

    /// The number itself if it is not farther from 0 than `limit`, and `limit` with its sign otherwise.
    fn clamp_to(self, limit: Self) -> Self;

    /// e to each number, to about two units in the last place; numbers above 88 or below -87 count as those.
    fn exp(self) -> Self;
}

/// What the exponential is computed with (Cephes' coefficients): e^x = 2^n e^r with n the whole number nearest to x / ln 2.
pub(crate) mod exponential {
    pub(crate) const MAX: f32 = 88.0;
    pub(crate) const MIN: f32 = -87.0;
    pub(crate) const LOG2_E: f32 = std::f32::consts::LOG2_E;
    /// ln 2 in two parts, the first of few bits.
    pub(crate) const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    /// Of the polynomial for (e^r - 1 - r) / r^2, the highest first.
    pub(crate) const COEFFICIENTS: [f32; 6] =
        [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Aligned<T>([T; 16]);

    /// What every operation gives for some numbers.
    #[inline(always)]
    fn everything<V: Vector>(a: &[f32; 16], b: &[f32; 16]) -> Vec<Vec<f32>> {
        let mut results = vec![vec![0.0; 16]; 10];
        let whole = Aligned(std::array::from_fn(|i| [7, -3, 0, 1 << 24][i % 4]));
        let (mut small, mut copy) = ([0i16; 16], Aligned([0.0; 16]));
        for at in (0..16).step_by(V::LANES) {
            // SAFETY: all have sixteen numbers, a whole number of vectors, and the callers have the level.
            unsafe {
                let (x, y) = (V::load(a[at..].as_ptr()), V::load(b[at..].as_ptr()));
                let found = [
                    x + y,
                    x - y,
                    x * y,
                    x.mul_add(y, V::splat(0.5)),
                    x.neg_mul_add(y, V::splat(0.5)),
                    x.div(y),
                    x.max(y).min(V::splat(30.0)),
                    x.clamp_to(V::splat(2.5)),
                    V::load_whole(whole.0[at..].as_ptr()),
                ];
                for (result, found) in results.iter_mut().zip(found) {
                    found.store(result[at..].as_mut_ptr());
                }
                (x * V::splat(1000.0)).store_i16(small[at..].as_mut_ptr());
                x.store_aligned(copy.0[at..].as_mut_ptr());
                V::load_aligned(copy.0[at..].as_ptr()).store(results[9][at..].as_mut_ptr());
            }
        }
        results.push(small.iter().map(|&number| f32::from(number)).collect());
        results
    }

    #[inline(always)]
    fn exponentials<V: Vector>(numbers: &mut [f32]) {
        for part in numbers.chunks_exact_mut(V::LANES) {
            // SAFETY: the part is a vector, and the callers have the level.
            unsafe { V::load(part.as_ptr()).exp().store(part.as_mut_ptr()) };
        }
    }

    #[cfg(target_arch = "x86_64")]
    mod avx512 {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        pub(super) fn all(a: &[f32; 16], b: &[f32; 16]) -> Vec<Vec<f32>> {
            super::everything::<super::Avx512>(a, b)
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        pub(super) fn exp(numbers: &mut [f32]) {
            super::exponentials::<super::Avx512>(numbers);
        }
    }

    #[cfg(target_arch = "x86_64")]
    mod avx2 {
        #[target_feature(enable = "avx2,fma")]
        pub(super) fn all(a: &[f32; 16], b: &[f32; 16]) -> Vec<Vec<f32>> {
            super::everything::<super::Avx2>(a, b)
        }

        #[target_feature(enable = "avx2,fma")]
        pub(super) fn exp(numbers: &mut [f32]) {
            super::exponentials::<super::Avx2>(numbers);
        }
    }

    mod scalar {
        pub(super) fn all(a: &[f32; 16], b: &[f32; 16]) -> Vec<Vec<f32>> {
            super::everything::<super::Scalar>(a, b)
        }

        pub(super) fn exp(numbers: &mut [f32]) {
            super::exponentials::<super::Scalar>(numbers);
        }
    }

    #[test]
    fn all_levels_do_the_same() {
        // Short enough for products to be exact, so that fused steps make no difference.
        let (a, b) = (
            std::array::from_fn(|i| (i as f32 - 7.0) * 1.25 + 0.0005 * f32::from(i == 3)),
            std::array::from_fn(|i| 40.0 - 5.5 * i as f32),
        );
        let (a, b) = (&a, &b);
        let expected = scalar::all(a, b);
        assert_eq!(expected[6][..2], [30.0, 30.0]);
        assert_eq!(expected[7][..3], [-2.5; 3]);
        assert_eq!(expected[9], a);
        assert_eq!(expected[10][0], -8750.0);
        for level in crate::Level::available() {
            assert_eq!(crate::dispatch!(level => avx512 | avx2 | scalar: all(a, b)), expected);
        }
    }

    #[test]
    fn halves_go_to_even_numbers_and_large_ones_stay_in_range() {
        let (mut a, b) = ([0.0; 16], &[1.0; 16]);
        a[..5].copy_from_slice(&[0.0005, 0.0015, -0.0025, 99.0, -99.0]);
        let a = &a;
        for level in crate::Level::available() {
            let found = crate::dispatch!(level => avx512 | avx2 | scalar: all(a, b));
            assert_eq!(found[10][..5], [0.0, 2.0, -2.0, 32767.0, -32768.0], "{level:?}");
        }
    }

    #[test]
    fn exponentials_are_near_enough() {
        let numbers: Vec<f32> = (0..32_000).map(|i| (i as f32 - 16_000.0) / 180.0).collect();
        for level in crate::Level::available() {
            let mut found = numbers.clone();
            let to = &mut found;
            crate::dispatch!(level => avx512 | avx2 | scalar: exp(to));
            for (&x, &found) in numbers.iter().zip(&found) {
                let expected = f64::from(x.clamp(-87.0, 88.0)).exp();
                let error = (f64::from(found) - expected).abs() / expected;
                assert!(error < 3e-7, "{level:?}: {x} {found} {expected}");
            }
        }
    }
}
