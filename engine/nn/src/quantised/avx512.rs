//! Sums by AVX-512 with VNNI, which multiplies four levels and weights and adds them in one instruction.

use super::{Activations, GROUP, Output, QuantisedConv, Tile, four};
use std::arch::x86_64::*;

/// Computes a layer; see [`QuantisedConv::forward`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn forward(layer: &QuantisedConv, input: &Activations, output: &mut Output<'_>) {
    layer.tiles(input, output, |layer, input, tile| sums(layer, input, tile));
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn sums(layer: &QuantisedConv, input: &Activations, tile: Tile<'_>) {
    super::by_length!(tile => sums_of(layer, input, tile));
}

/// The sums of a tile: all of them stay in registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn sums_of<const N: usize>(layer: &QuantisedConv, input: &Activations, tile: Tile<'_>) {
    let mut found = [[_mm512_setzero_si512(); 2]; N];
    for (place, lines) in layer.block(tile.block).chunks_exact(layer.groups).enumerate() {
        let start = layer.start(input, (tile.row, tile.column), place);
        assert!(start + (N - 1) * input.channels() + lines.len() * GROUP <= input.bytes().len());
        for (group, line) in lines.iter().enumerate() {
            let at = line.0.as_ptr().cast::<__m512i>();
            // SAFETY: a line is two vectors, and aligned; the levels' end was just looked at.
            let (low, high) = unsafe { (_mm512_load_si512(at), _mm512_load_si512(at.add(1))) };
            for (column, found) in found.iter_mut().enumerate() {
                // SAFETY: the levels' end was just looked at.
                let levels =
                    unsafe { four(input, start + column * input.channels() + group * GROUP) };
                let levels = _mm512_set1_epi32(levels);
                found[0] = _mm512_dpbusd_epi32(found[0], levels, low);
                found[1] = _mm512_dpbusd_epi32(found[1], levels, high);
            }
        }
    }
    for (sums, found) in tile.sums.iter_mut().zip(found) {
        for (part, found) in sums.chunks_exact_mut(16).zip(found) {
            // SAFETY: the part has sixteen numbers.
            unsafe { _mm512_storeu_si512(part.as_mut_ptr().cast(), found) };
        }
    }
}
