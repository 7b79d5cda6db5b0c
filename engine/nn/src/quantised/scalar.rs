//! Sums in plain code.

use super::{Activations, GROUP, Output, QuantisedConv, Tile};

/// Computes a layer; see [`QuantisedConv::forward`].
pub(super) fn forward(layer: &QuantisedConv, input: &Activations, output: &mut Output<'_>) {
    layer.tiles(input, output, sums);
}

fn sums(layer: &QuantisedConv, input: &Activations, tile: Tile<'_>) {
    tile.sums.iter_mut().for_each(|sums| sums.fill(0));
    for (place, lines) in layer.block(tile.block).chunks_exact(layer.groups).enumerate() {
        let start = layer.start(input, (tile.row, tile.column), place);
        for (column, sums) in tile.sums.iter_mut().enumerate() {
            let square = &input.bytes()[start + column * input.channels()..];
            for (line, levels) in lines.iter().zip(square.chunks_exact(GROUP)) {
                for (sum, weights) in sums.iter_mut().zip(line.0.chunks_exact(GROUP)) {
                    for (&level, &weight) in levels.iter().zip(weights) {
                        *sum += i32::from(level) * i32::from(weight);
                    }
                }
            }
        }
    }
}
