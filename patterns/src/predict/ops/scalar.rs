//! The operations in plain code.

use super::{Keys, Ops, PackedRow, Units};

/// On any processor.
pub(in crate::predict) struct Scalar;

impl Ops for Scalar {
    #[inline(always)]
    fn xor(into: &mut Keys, key: &Keys) {
        for (a, b) in into.iter_mut().zip(key) {
            *a ^= b;
        }
    }

    #[inline(always)]
    fn min_and_sum(keys: &Keys) -> (u32, u32) {
        let min = keys.iter().copied().min().unwrap_or(0);
        (min, keys.iter().fold(0u32, |sum, &key| sum.wrapping_add(key)))
    }

    #[inline(always)]
    fn add(into: &mut Units, row: &PackedRow) {
        for (a, &b) in into.iter_mut().zip(row) {
            *a = a.wrapping_add(i16::from(b));
        }
    }
}
