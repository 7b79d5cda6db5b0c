//! A network put together from layers that compute several positions at once.

mod blocks;
mod builder;
mod heads;

use crate::features::Features;
use crate::file::NetworkFile;
use crate::output::Outputs;
use blocks::{Block, Stream, run_blocks};
use builder::{Builder, State, matmul, norm, weights};
use heads::Heads;
use nn::{BoardSize, Finish, Kernels, Maps, MatMul, Norm, PlaneConv, PlaneSpace, Sum};

/// Bytes of numbers that stay in the processor's cache between layers.
const CACHE_BYTES: usize = 1 << 19;

/// The layers of a network.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    planes: PlaneConv,
    globals: MatMul,
    stream: Stream,
    blocks: Vec<Block>,
    tip: Norm,
    heads: Heads,
    /// The channels of the maps that it works in.
    maps: Vec<usize>,
    /// Bytes of the weights of its largest convolution.
    largest: usize,
}

/// What a thread computes a network in, for boards of one size.
#[derive(Debug)]
pub(crate) struct ModelState {
    size: BoardSize,
    state: State,
    /// What the plane of the board itself contributes.
    board: Maps,
    space: PlaneSpace,
    /// The planes of each point as bits.
    bits: Vec<u32>,
}

impl Model {
    /// The layers of a file, packed for some kernels.
    pub(crate) fn new(network: &NetworkFile, kernels: Kernels) -> Model {
        let builder = &mut Builder::new(kernels);
        let trunk = &network.trunk;
        let blocks: Vec<Block> =
            trunk.blocks.iter().map(|block| Block::new(builder, block, 0)).collect();
        let stream = Stream::new(builder, trunk.conv.outputs, 0);
        let heads = Heads::new(builder, network);
        Model {
            planes: PlaneConv::new(kernels.level, &weights(&trunk.conv)),
            globals: matmul(&trunk.globals),
            stream,
            blocks,
            tip: norm(&trunk.tip),
            heads,
            maps: builder.channels(),
            largest: builder.largest,
        }
    }

    /// How many boards are best computed at once: as many as keep the numbers between layers in the processor's cache, or,
    /// where a layer's weights are larger than that, make as much of reading them as they cost.
    pub(crate) fn best_batch(&self, size: BoardSize) -> usize {
        // The sums of blocks, what comes in and what goes out.
        let between = 3 * 4 * size.area() * self.maps.iter().max().unwrap_or(&1);
        (CACHE_BYTES.max(self.largest) / between).max(1)
    }

    /// What a thread needs to compute up to so many boards of this size at once.
    pub(crate) fn state(&self, size: BoardSize, batch: usize) -> ModelState {
        ModelState {
            size,
            state: State::new(size, batch, &self.maps),
            board: self.planes.of_full_plane(size, 0),
            space: PlaneSpace::default(),
            bits: Vec::new(),
        }
    }

    /// What the network says of some positions.
    pub(crate) fn forward(
        &self,
        state: &mut ModelState,
        positions: &[Features],
        outputs: &mut [Outputs],
    ) {
        assert_eq!(positions.len(), outputs.len());
        let ModelState { size, state, board, space, bits } = state;
        state.set_batch(positions.len());
        bits.clear();
        state.bias.clear();
        let channels = board.channels();
        state.bias.resize(positions.len() * channels, 0.0);
        for (at, position) in positions.iter().enumerate() {
            assert_eq!(position.size, *size);
            position.append_bits(bits);
            self.globals.add(&position.globals, &mut state.bias[at * channels..]);
        }
        let mut sums = state.take(self.stream.sums);
        let mut activated = state.take(self.stream.activated);
        let first = self.blocks.first().map_or(&self.tip, Block::first_norm);
        let finish = Finish {
            bias: Some(&state.bias),
            sum: Some(Sum::Write(&mut sums)),
            activated: Some((&mut activated, first)),
        };
        self.planes.forward(bits, board, finish, space);
        state.put(self.stream.sums, sums);
        state.put(self.stream.activated, activated);
        run_blocks(&self.blocks, &self.tip, state);
        self.heads.forward(self.stream.activated, state, outputs);
    }
}
