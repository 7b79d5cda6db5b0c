//! The operations by AVX2.

use super::{Keys, Ops, PackedRow, Units};
use std::arch::x86_64::*;

/// Only for code that is compiled for AVX2 and runs where it is there.
pub(in crate::predict) struct Avx2;

impl Ops for Avx2 {
    #[inline(always)]
    fn xor(into: &mut Keys, key: &Keys) {
        // SAFETY: the processor has AVX2, see `Avx2`; both are 32 bytes, which may lie anywhere.
        unsafe {
            let (a, b) = (std::ptr::from_mut(into).cast(), std::ptr::from_ref(key).cast());
            _mm256_storeu_si256(a, _mm256_xor_si256(_mm256_loadu_si256(a), _mm256_loadu_si256(b)));
        }
    }

    #[inline(always)]
    fn min_and_sum(keys: &Keys) -> (u32, u32) {
        // SAFETY: the processor has AVX2, see `Avx2`; the keys are 32 bytes, which may lie anywhere.
        unsafe {
            let all = _mm256_loadu_si256(std::ptr::from_ref(keys).cast());
            let (low, high) = (_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
            let (mut min, mut sum) = (_mm_min_epu32(low, high), _mm_add_epi32(low, high));
            min = _mm_min_epu32(min, _mm_shuffle_epi32::<0b0100_1110>(min));
            sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b0100_1110>(sum));
            min = _mm_min_epu32(min, _mm_shuffle_epi32::<0b1011_0001>(min));
            sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b1011_0001>(sum));
            (_mm_cvtsi128_si32(min) as u32, _mm_cvtsi128_si32(sum) as u32)
        }
    }

    #[inline(always)]
    fn add(into: &mut Units, row: &PackedRow) {
        const { assert!(super::UNITS.is_multiple_of(16)) };
        for (into, row) in into.chunks_exact_mut(16).zip(row.chunks_exact(16)) {
            // SAFETY: the processor has AVX2, see `Avx2`; the pieces are 32 and 16 bytes, which may lie anywhere.
            unsafe {
                let row = _mm256_cvtepi8_epi16(_mm_loadu_si128(row.as_ptr().cast()));
                let into = into.as_mut_ptr().cast();
                _mm256_storeu_si256(into, _mm256_add_epi16(_mm256_loadu_si256(into), row));
            }
        }
    }
}
