//! Products by AVX-512, whole numbers with VNNI.

use super::kernel::{self, Product};
use super::{Panel, Rows};
use std::arch::x86_64::*;

/// Up to 24 sums in registers: the other eight hold a panel's weights and a step.
const ROWS: [usize; 3] = [12, 12, 8];

struct Floats;

impl Product for Floats {
    type Vector = __m512;
    const LANES: usize = 16;
    const ROWS: [usize; 3] = ROWS;

    #[inline(always)]
    unsafe fn zero() -> __m512 {
        // SAFETY: the caller has the level.
        unsafe { _mm512_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512 {
        // SAFETY: the caller sees to the numbers.
        unsafe { _mm512_load_ps(from.cast()) }
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u32) -> __m512 {
        // SAFETY: the caller sees to the number.
        unsafe { _mm512_set1_ps(from.cast::<f32>().read()) }
    }

    #[inline(always)]
    unsafe fn add_products(sum: __m512, step: __m512, weights: __m512) -> __m512 {
        // SAFETY: the caller has the level.
        unsafe { _mm512_fmadd_ps(step, weights, sum) }
    }

    #[inline(always)]
    unsafe fn store(vector: __m512, to: *mut u32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm512_store_ps(to.cast(), vector) }
    }
}

struct Int16;

impl Product for Int16 {
    type Vector = __m512i;
    const LANES: usize = 16;
    const ROWS: [usize; 3] = ROWS;

    #[inline(always)]
    unsafe fn zero() -> __m512i {
        // SAFETY: the caller has the level.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512i {
        // SAFETY: the caller sees to the numbers.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn broadcast(from: *const u32) -> __m512i {
        // SAFETY: the caller sees to the number.
        unsafe { _mm512_set1_epi32(from.cast::<i32>().read()) }
    }

    #[inline(always)]
    unsafe fn add_products(sum: __m512i, step: __m512i, weights: __m512i) -> __m512i {
        // SAFETY: the caller has the level.
        unsafe { _mm512_dpwssd_epi32(sum, step, weights) }
    }

    #[inline(always)]
    unsafe fn store(vector: __m512i, to: *mut u32) {
        // SAFETY: the caller sees to the room.
        unsafe { _mm512_store_si512(to.cast(), vector) }
    }
}

/// Computes products of floats; see [`super::multiply`].
#[target_feature(enable = "avx512f")]
pub(super) fn floats(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    // SAFETY: `multiply` has checked the lengths, and this is compiled for the level.
    unsafe { kernel::multiply::<Floats>(rows, panel, out) }
}

/// Computes products of whole numbers; see [`super::multiply`].
#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn int16(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    // SAFETY: `multiply` has checked the lengths, and this is compiled for the level.
    unsafe { kernel::multiply::<Int16>(rows, panel, out) }
}
