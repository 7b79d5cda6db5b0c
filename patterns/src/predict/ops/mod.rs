//! The operations on a shape's eight keys and on hidden rows, which predicting spends its time in.
//!
//! They are too small to be chosen one by one: all of predicting is compiled for each level, with that level's operations.
//! All levels give the same results.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
pub(super) mod scalar;

use game_core::splitmix;

/// Hidden units.
pub const UNITS: usize = 32;

/// A number for each of the eight ways that a shape can lie.
pub(super) type Keys = [u32; 8];
/// Sums of hidden rows, in 16 bits, so that many units are added at once.
pub(super) type Units = [i16; UNITS];
/// A hidden row.
pub(super) type PackedRow = [i8; UNITS];

/// The operations of a level.
pub(super) trait Ops {
    /// Exclusive or.
    fn xor(into: &mut Keys, key: &Keys);
    /// The minimum key, and the sum of all.
    fn min_and_sum(keys: &Keys) -> (u32, u32);
    /// Adds a row.
    fn add(into: &mut Units, row: &PackedRow);
}

/// The name of a shape: 64 bits from the keys, the same for all eight ways it can lie.
#[inline(always)]
pub(super) fn name<O: Ops>(keys: &Keys, salt: u64) -> u64 {
    let (min, sum) = O::min_and_sum(keys);
    splitmix((u64::from(min) << 32 | u64::from(sum)) ^ salt)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::avx2::Avx2;
    use super::scalar::Scalar;
    use super::*;
    use go_engine::rng::Rng;

    #[test]
    fn both_ways_give_the_same() {
        if !simd::level().has_avx2() {
            test_support::skipped("the processor has no AVX2");
            return;
        }
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let keys: [Keys; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.bits() as u32));
            let row: PackedRow = std::array::from_fn(|_| rng.bits() as i8);
            let units: Units = std::array::from_fn(|_| (rng.bits() % 20_000) as i16);
            let (mut a, mut b) = (keys[0], keys[0]);
            Scalar::xor(&mut a, &keys[1]);
            Avx2::xor(&mut b, &keys[1]);
            assert_eq!(a, b);
            assert_eq!(Scalar::min_and_sum(&a), Avx2::min_and_sum(&a));
            let (mut a, mut b) = (units, units);
            Scalar::add(&mut a, &row);
            Avx2::add(&mut b, &row);
            assert_eq!(a, b);
        }
    }
}
