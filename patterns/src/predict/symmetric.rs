//! Keys that are worked out for all eight ways that a shape can lie at once.
//!
//! Plain loops over eight numbers, which become a register each where [`simd::multiversion!`] compiles them for AVX2.

use crate::mix;

/// A number for each of the eight ways that a shape can lie.
pub(super) type Keys = [u32; 8];

/// Exclusive or.
#[inline(always)]
pub(super) fn xor(into: &mut Keys, key: &Keys) {
    for (a, b) in into.iter_mut().zip(key) {
        *a ^= b;
    }
}

/// The name of a shape: 64 bits from the keys, the same for all eight ways it can lie.
#[inline(always)]
pub(super) fn name(keys: &Keys, salt: u64) -> u64 {
    let min = keys.iter().copied().min().unwrap_or(0);
    let sum = keys.iter().fold(0u32, |sum, &key| sum.wrapping_add(key));
    mix((u64::from(min) << 32 | u64::from(sum)) ^ salt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_however_a_shape_lies() {
        let keys: Keys = std::array::from_fn(|way| 0x9e37_79b1u32.wrapping_mul(way as u32 + 1));
        for first in 0..8 {
            let turned: Keys = std::array::from_fn(|way| keys[(way + first) % 8]);
            assert_eq!(name(&turned, 3), name(&keys, 3));
        }
        assert_ne!(name(&keys, 3), name(&keys, 4));
        let mut other = keys;
        xor(&mut other, &[1; 8]);
        assert_ne!(name(&other, 3), name(&keys, 3));
    }
}
