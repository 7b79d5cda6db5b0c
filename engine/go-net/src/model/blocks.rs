//! Residual blocks.
//!
//! Each takes what came before it as sums, and the same after its own first normalisation. Its last convolution adds to the
//! sums and writes them after the normalisation of whatever comes next.

use super::builder::{Builder, MapId, Role, Shared, State, matmul, norm, padded};
use crate::file::{self, NestedBlock, OrdinaryBlock, PoolingBlock};
use nn::{BoardSize, Finish, MapConv, MatMul, Norm, Pooling, Sum};
use simd::Level;

/// The sums of blocks, and the same after a normalisation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    pub(super) sums: MapId,
    pub(super) activated: MapId,
}

impl Stream {
    /// The one of blocks so deep in others.
    pub(super) fn new(builder: &mut Builder, channels: usize, depth: usize) -> Stream {
        Stream {
            sums: builder.maps(Role::Sum(depth), channels),
            activated: builder.maps(Role::Activated(depth), channels),
        }
    }
}

/// A residual block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    stream: Stream,
    first_norm: Norm,
    inside: Inside,
}

#[derive(Clone, Debug)]
enum Inside {
    Ordinary(Ordinary),
    Pooling(PoolingInside),
    Nested(Nested),
}

#[derive(Clone, Debug)]
struct Ordinary {
    first: MapConv,
    second_norm: Norm,
    second: MapConv,
    middle: MapId,
}

#[derive(Clone, Debug)]
struct PoolingInside {
    level: Level,
    /// The regular convolution and the one that is pooled.
    first: Shared,
    pooled_norm: Norm,
    to_bias: MatMul,
    second_norm: Norm,
    second: MapConv,
    middle: MapId,
}

#[derive(Clone, Debug)]
struct Nested {
    first: MapConv,
    stream: Stream,
    blocks: Vec<Block>,
    last_norm: Norm,
    last: MapConv,
}

impl Block {
    pub(super) fn new(builder: &mut Builder, block: &file::Block, depth: usize) -> Block {
        let (first_norm, inside) = match block {
            file::Block::Ordinary(block) => {
                let inside = Ordinary::new(builder, block);
                (norm(&block.first_norm), Inside::Ordinary(inside))
            }
            file::Block::Pooling(block) => {
                let inside = PoolingInside::new(builder, block);
                (norm(&block.first_norm), Inside::Pooling(inside))
            }
            file::Block::Nested(block) => {
                let inside = Nested::new(builder, block, depth);
                (norm(&block.first_norm), Inside::Nested(inside))
            }
        };
        let stream = Stream::new(builder, first_norm.channels(), depth);
        Block { stream, first_norm, inside }
    }

    /// What comes before its first convolution.
    pub(super) fn first_norm(&self) -> &Norm {
        &self.first_norm
    }

    pub(super) fn forward(&self, next: &Norm, state: &mut State) {
        match &self.inside {
            Inside::Ordinary(block) => block.forward(self.stream, next, state),
            Inside::Pooling(block) => block.forward(self.stream, next, state),
            Inside::Nested(block) => block.forward(self.stream, next, state),
        }
    }
}

/// Adds a convolution's sums to a stream, and normalises them for what comes next.
fn add_to(stream: Stream, conv: &MapConv, input: MapId, next: &Norm, state: &mut State) {
    let from = state.take(input);
    let (mut sums, mut activated) = (state.take(stream.sums), state.take(stream.activated));
    let finish = Finish {
        sum: Some(Sum::Add(&mut sums)),
        activated: Some((&mut activated, next)),
        ..Finish::default()
    };
    conv.forward(&from, finish, &mut state.work);
    state.put(input, from);
    state.put(stream.sums, sums);
    state.put(stream.activated, activated);
}

impl Ordinary {
    fn new(builder: &mut Builder, block: &OrdinaryBlock) -> Ordinary {
        let first = builder.conv(&[&block.first]);
        let second = builder.conv(&[&block.second]);
        Ordinary {
            first,
            second_norm: norm(&block.second_norm),
            second,
            middle: builder.maps(Role::Middle, block.first.outputs),
        }
    }

    fn forward(&self, stream: Stream, next: &Norm, state: &mut State) {
        let input = state.take(stream.activated);
        let mut middle = state.take(self.middle);
        let finish =
            Finish { activated: Some((&mut middle, &self.second_norm)), ..Finish::default() };
        self.first.forward(&input, finish, &mut state.work);
        state.put(stream.activated, input);
        state.put(self.middle, middle);
        add_to(stream, &self.second, self.middle, next, state);
    }
}

/// How the size of a board enters what is pooled.
pub(super) fn size_scale(size: BoardSize) -> f32 {
    ((size.area() as f32).sqrt() - 14.0) / 10.0
}

impl State {
    /// Means, means scaled by the board's size, and maxima of channels of a board, into `numbers`.
    pub(super) fn pool(
        &mut self,
        level: Level,
        (maps, channels): (MapId, std::ops::Range<usize>),
        position: usize,
        norm: &Norm,
    ) {
        let mut pooled = std::mem::take(&mut self.pooled);
        let pooling = Pooling { channels, norm: Some(norm), min: -1.0 };
        pooled.compute(level, self.get(maps), position, &pooling);
        let scale = size_scale(self.work.size());
        self.numbers.clear();
        self.numbers.extend_from_slice(&pooled.means);
        self.numbers.extend(pooled.means.iter().map(|mean| mean * scale));
        self.numbers.extend_from_slice(&pooled.maxima);
        self.pooled = pooled;
    }
}

impl PoolingInside {
    fn new(builder: &mut Builder, block: &PoolingBlock) -> PoolingInside {
        let first = builder.shared(&[&block.regular, &block.pooled]);
        let second = builder.conv(&[&block.second]);
        PoolingInside {
            level: builder.kernels.level,
            first,
            pooled_norm: norm(&block.pooled_norm),
            to_bias: matmul(&block.pooled_to_bias),
            second_norm: norm(&block.second_norm),
            second,
            middle: builder.maps(Role::Middle, block.regular.outputs),
        }
    }

    fn forward(&self, stream: Stream, next: &Norm, state: &mut State) {
        let input = state.take(stream.activated);
        self.first.run(&input, state);
        state.put(stream.activated, input);
        let (raw, regular) = self.first.part(0);
        let channels = padded(regular.len());
        let batch = state.get(raw).batch();
        state.bias.clear();
        state.bias.resize(batch * channels, 0.0);
        for position in 0..batch {
            state.pool(self.level, self.first.part(1), position, &self.pooled_norm);
            let bias = &mut state.bias[position * channels..];
            self.to_bias.add(&state.numbers, bias);
        }
        let mut middle = state.take(self.middle);
        let finish = Finish {
            bias: Some(&state.bias),
            activated: Some((&mut middle, &self.second_norm)),
            ..Finish::default()
        };
        nn::normalise(self.level, state.get(raw), regular, finish);
        state.put(self.middle, middle);
        add_to(stream, &self.second, self.middle, next, state);
    }
}

impl Nested {
    fn new(builder: &mut Builder, block: &NestedBlock, depth: usize) -> Nested {
        let inner = block.blocks.iter().map(|inner| Block::new(builder, inner, depth + 1));
        let blocks = inner.collect();
        let first = builder.conv(&[&block.first]);
        let last = builder.conv(&[&block.last]);
        Nested {
            first,
            stream: Stream::new(builder, block.first.outputs, depth + 1),
            blocks,
            last_norm: norm(&block.last_norm),
            last,
        }
    }

    fn forward(&self, stream: Stream, next: &Norm, state: &mut State) {
        let input = state.take(stream.activated);
        let (mut sums, mut activated) =
            (state.take(self.stream.sums), state.take(self.stream.activated));
        let first_norm = self.blocks.first().map_or(&self.last_norm, Block::first_norm);
        let finish = Finish {
            sum: Some(Sum::Write(&mut sums)),
            activated: Some((&mut activated, first_norm)),
            ..Finish::default()
        };
        self.first.forward(&input, finish, &mut state.work);
        state.put(stream.activated, input);
        state.put(self.stream.sums, sums);
        state.put(self.stream.activated, activated);
        run_blocks(&self.blocks, &self.last_norm, state);
        add_to(stream, &self.last, self.stream.activated, next, state);
    }
}

/// Computes blocks one after another; `last` is the normalisation after them.
pub(super) fn run_blocks(blocks: &[Block], last: &Norm, state: &mut State) {
    for (at, block) in blocks.iter().enumerate() {
        let next = blocks.get(at + 1).map_or(last, Block::first_norm);
        block.forward(next, state);
    }
}
