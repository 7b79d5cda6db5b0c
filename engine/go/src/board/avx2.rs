//! The 3x3 codes of eight sites at once by AVX2, for kernels that look at many patterns.

use super::{Board, SiteState};
use std::arch::x86_64::{__m256i, _mm256_and_si256, _mm256_i32gather_epi32, _mm256_set1_epi32};

impl<const N: usize, const W: usize> Board<N, W> {
    /// The codes of eight sites, one in the lower half of each 32 bits; the upper halves are 0. Of a
    /// number that is no site's some site's code is told.
    ///
    /// # Safety
    /// The processor has AVX2; callers that are compiled for it need not say so.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn pattern3x3_each(&self, sites: __m256i) -> __m256i {
        const { assert!(size_of::<SiteState>() == 8 && std::mem::offset_of!(SiteState, pattern) == 0) };
        let sites = _mm256_and_si256(sites, _mm256_set1_epi32(N as i32 - 1));
        // SAFETY: all are below N, which is a power of two, and what is read is the first half of a state.
        let read = unsafe { _mm256_i32gather_epi32::<8>(self.sites.as_ptr().cast(), sites) };
        _mm256_and_si256(read, _mm256_set1_epi32(0xffff))
    }
}
