//! Products by AVX2, floats with FMA.

use super::kernel::{self, Product};
use super::{Panel, Rows};
use std::arch::x86_64::*;

/// Up to 12 sums in registers: the other four hold a panel's weights, a step, and the product of whole numbers before it
/// is added. Panels of three vectors leave too few.
const ROWS: [usize; 3] = [8, 6, 1];

struct Floats;

impl Product for Floats {
    type Vector = __m256;
    const LANES: usize = 8;
    const ROWS: [usize; 3] = ROWS;

    #[inline(always)]
    unsafe fn zero() -> __m256 {
        // SAFETY: the caller has the level.
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m256 {
        // SAFETY: the caller sees to the numbers.
        unsafe { _mm256_load_ps(from.cast()) }
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u32) -> __m256 {
        // SAFETY: the caller sees to the number.
        unsafe { _mm256_broadcast_ss(&*from.cast::<f32>()) }
    }

    #[inline(always)]
    unsafe fn add_products(sum: __m256, step: __m256, weights: __m256) -> __m256 {
        // SAFETY: the caller has the level.
        unsafe { _mm256_fmadd_ps(step, weights, sum) }
    }

    #[inline(always)]
    unsafe fn store(vector: __m256, to: *mut u32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm256_store_ps(to.cast(), vector) }
    }
}

struct Int16;

impl Product for Int16 {
    type Vector = __m256i;
    const LANES: usize = 8;
    const ROWS: [usize; 3] = ROWS;

    #[inline(always)]
    unsafe fn zero() -> __m256i {
        // SAFETY: the caller has the level.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m256i {
        // SAFETY: the caller sees to the numbers.
        unsafe { _mm256_load_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u32) -> __m256i {
        // SAFETY: the caller sees to the number.
        unsafe { _mm256_set1_epi32(from.cast::<i32>().read()) }
    }

    #[inline(always)]
    unsafe fn add_products(sum: __m256i, step: __m256i, weights: __m256i) -> __m256i {
        // SAFETY: the caller has the level.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(step, weights)) }
    }

    #[inline(always)]
    unsafe fn store(vector: __m256i, to: *mut u32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm256_store_si256(to.cast(), vector) }
    }
}

/// Computes products of floats; see [`super::multiply`].
#[target_feature(enable = "avx2,fma")]
pub(super) fn floats(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    // SAFETY: `multiply` has checked the lengths, and this is compiled for the level.
    unsafe { kernel::multiply::<Floats>(rows, panel, out) }
}

/// Computes products of whole numbers; see [`super::multiply`].
#[target_feature(enable = "avx2")]
pub(super) fn int16(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    // SAFETY: `multiply` has checked the lengths, and this is compiled for the level.
    unsafe { kernel::multiply::<Int16>(rows, panel, out) }
}
