//! The operations on eight lanes and on hidden rows, which predicting spends its time in: in plain code, and by
//! AVX2 where the processor has it. Both give the same results.

use crate::mix;

/// A number for each of the eight ways that a shape can lie.
pub(super) type Lanes = [u32; 8];
/// Sums of hidden rows, in 16 bits, so that many units are added at once.
pub(super) type Units = [i16; super::net::UNITS];
/// A hidden row.
pub(super) type PackedRow = [i8; super::net::UNITS];

/// How the operations are done.
pub(super) trait Vectors {
    /// Exclusive or.
    fn xor(into: &mut Lanes, key: &Lanes);
    /// The least lane, and the sum of all.
    fn least_and_sum(lanes: &Lanes) -> (u32, u32);
    /// Adds a row.
    fn add(into: &mut Units, row: &PackedRow);
}

/// The name of a shape: 64 bits from the lanes, the same for all eight ways it can lie.
#[inline(always)]
pub(super) fn name<V: Vectors>(lanes: &Lanes, salt: u64) -> u64 {
    let (least, sum) = V::least_and_sum(lanes);
    mix((u64::from(least) << 32 | u64::from(sum)) ^ salt)
}

/// On any processor.
pub(super) struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn xor(into: &mut Lanes, key: &Lanes) {
        for (a, b) in into.iter_mut().zip(key) {
            *a ^= b;
        }
    }

    #[inline(always)]
    fn least_and_sum(lanes: &Lanes) -> (u32, u32) {
        let least = lanes.iter().copied().min().unwrap_or(0);
        (least, lanes.iter().fold(0u32, |sum, &lane| sum.wrapping_add(lane)))
    }

    #[inline(always)]
    fn add(into: &mut Units, row: &PackedRow) {
        for (a, &b) in into.iter_mut().zip(row) {
            *a += i16::from(b);
        }
    }
}

/// By AVX2. Only for code that is compiled for it and runs where it is there.
#[cfg(target_arch = "x86_64")]
pub(super) struct Wide;

#[cfg(target_arch = "x86_64")]
impl Vectors for Wide {
    #[inline(always)]
    fn xor(into: &mut Lanes, key: &Lanes) {
        use std::arch::x86_64::*;
        // SAFETY: the processor has AVX2, see `Wide`; both are 32 bytes, which may lie anywhere.
        unsafe {
            let (a, b) = (std::ptr::from_mut(into).cast(), std::ptr::from_ref(key).cast());
            _mm256_storeu_si256(a, _mm256_xor_si256(_mm256_loadu_si256(a), _mm256_loadu_si256(b)));
        }
    }

    #[inline(always)]
    fn least_and_sum(lanes: &Lanes) -> (u32, u32) {
        use std::arch::x86_64::*;
        // SAFETY: the processor has AVX2, see `Wide`; the lanes are 32 bytes, which may lie anywhere.
        unsafe {
            let all = _mm256_loadu_si256(std::ptr::from_ref(lanes).cast());
            let (low, high) = (_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
            let (mut least, mut sum) = (_mm_min_epu32(low, high), _mm_add_epi32(low, high));
            least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b0100_1110>(least));
            sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b0100_1110>(sum));
            least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b1011_0001>(least));
            sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b1011_0001>(sum));
            (_mm_cvtsi128_si32(least) as u32, _mm_cvtsi128_si32(sum) as u32)
        }
    }

    #[inline(always)]
    fn add(into: &mut Units, row: &PackedRow) {
        use std::arch::x86_64::*;
        const { assert!(super::net::UNITS.is_multiple_of(16)) };
        for (into, row) in into.chunks_exact_mut(16).zip(row.chunks_exact(16)) {
            // SAFETY: the processor has AVX2, see `Wide`; the pieces are 32 and 16 bytes, which may lie anywhere.
            unsafe {
                let row = _mm256_cvtepi8_epi16(_mm_loadu_si128(row.as_ptr().cast()));
                let into = into.as_mut_ptr().cast();
                _mm256_storeu_si256(into, _mm256_add_epi16(_mm256_loadu_si256(into), row));
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use go_engine::rng::Rng;

    #[test]
    fn both_ways_give_the_same() {
        if !simd::level().has_avx2() {
            eprintln!("skipped: the processor has no AVX2");
            return;
        }
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let lanes: [Lanes; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.bits() as u32));
            let row: PackedRow = std::array::from_fn(|_| rng.bits() as i8);
            let units: Units = std::array::from_fn(|_| (rng.bits() % 20_000) as i16);
            let (mut a, mut b) = (lanes[0], lanes[0]);
            Plain::xor(&mut a, &lanes[1]);
            Wide::xor(&mut b, &lanes[1]);
            assert_eq!(a, b);
            assert_eq!(Plain::least_and_sum(&a), Wide::least_and_sum(&a));
            let (mut a, mut b) = (units, units);
            Plain::add(&mut a, &row);
            Wide::add(&mut b, &row);
            assert_eq!(a, b);
        }
    }
}
