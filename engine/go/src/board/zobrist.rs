//! Random keys of stones, whose exclusive or names a position: the same position has the same key
//! in every layout.

use game_core::splitmix;

use crate::Color;

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
