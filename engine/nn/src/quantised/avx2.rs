//! Sums by AVX2: products are added in pairs in 16 bits, which seven bits on either side leave room for.

use super::{Activations, GROUP, Output, QuantisedConv, TOGETHER, Tile, four};
use std::arch::x86_64::*;

/// Computes a layer; see [`QuantisedConv::forward`].
#[target_feature(enable = "avx2")]
pub(super) fn forward(layer: &QuantisedConv, input: &Activations, output: &mut Output<'_>) {
    layer.tiles(input, output, |layer, input, tile| sums(layer, input, tile));
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums(layer: &QuantisedConv, input: &Activations, tile: Tile<'_>) {
    super::by_length!(tile => sums_of(layer, input, tile));
}

/// The sums of a tile, eight filters at a time.
#[target_feature(enable = "avx2")]
fn sums_of<const N: usize>(layer: &QuantisedConv, input: &Activations, tile: Tile<'_>) {
    let ones = _mm256_set1_epi16(1);
    for part in (0..TOGETHER).step_by(8) {
        let mut found = [_mm256_setzero_si256(); N];
        for (place, lines) in layer.block(tile.block).chunks_exact(layer.groups).enumerate() {
            let start = layer.start(input, (tile.row, tile.column), place);
            assert!(
                start + (N - 1) * input.channels() + lines.len() * GROUP <= input.bytes().len()
            );
            for (group, line) in lines.iter().enumerate() {
                let weights = &line.0[part * GROUP..(part + 8) * GROUP];
                // SAFETY: these are 32 bytes.
                let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
                for (column, found) in found.iter_mut().enumerate() {
                    // SAFETY: the levels' end was just looked at.
                    let levels =
                        unsafe { four(input, start + column * input.channels() + group * GROUP) };
                    let pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(levels), weights);
                    *found = _mm256_add_epi32(*found, _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        for (sums, found) in tile.sums.iter_mut().zip(found) {
            // SAFETY: eight numbers.
            unsafe { _mm256_storeu_si256(sums[part..part + 8].as_mut_ptr().cast(), found) };
        }
    }
}
