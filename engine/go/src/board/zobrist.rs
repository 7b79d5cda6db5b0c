//! Random keys of stones, whose exclusive or names a position: the same position has the same key
//! in every layout.

use crate::Color;

/// SplitMix64 (Steele, Lea, Flood 2014), in a form that runs at compile time.
const fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The keys of a layout with rows of `stride` sites, by site and colour.
pub(super) const fn keys<const N: usize>(stride: usize) -> [[u64; 2]; N] {
    let mut keys = [[0; 2]; N];
    let mut i = 0;
    while i < N {
        let point = (i / stride * 32 + i % stride) as u64;
        keys[i] = [splitmix(2 * point + 1), splitmix(2 * point + 2)];
        i += 1;
    }
    keys
}

/// The part of a stone's key that is its colour's.
#[inline(always)]
pub(super) fn of(pair: &[u64; 2], color: Color) -> u64 {
    pair[color.index()]
}

/// Mixed into a position's key when White is to move (situational superko, search tables).
pub const WHITE_TO_MOVE: u64 = splitmix(0x5157_1153);
