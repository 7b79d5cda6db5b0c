//! What the parts of a model are made with: layers from a file's, each convolution with a number, and a list of the maps
//! that they write to.

use crate::file::{ConvLayer, MatMulLayer, NormAct};
use nn::{BoardSize, Finish, Kernels, MapConv, MapWeights, Maps, MatMul, Norm, Sum, Workspace};
use std::ops::Range;

/// What maps are for; those for the same are shared by all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What blocks add to, by how deep they lie in others.
    Sum(usize),
    /// The same after the next block's normalisation.
    Activated(usize),
    /// Between the convolutions of a block.
    Middle,
    /// Sums of convolutions that are pooled or normalised later, several of them at once.
    Raw(usize),
    /// What comes out.
    Out(usize),
}

/// Maps in a [`State`].
#[derive(Clone, Copy, Debug)]
pub(super) struct MapId(usize);

/// Makes the parts of a model.
pub(super) struct Builder {
    pub(super) kernels: Kernels,
    /// Bytes of the weights of the largest convolution.
    pub(super) largest: usize,
    maps: Vec<(Role, usize)>,
}

impl Builder {
    pub(super) fn new(kernels: Kernels) -> Builder {
        Builder { kernels, largest: 0, maps: Vec::new() }
    }

    /// Maps of so many channels for a role.
    pub(super) fn maps(&mut self, role: Role, channels: usize) -> MapId {
        let channels = padded(channels);
        MapId(self.maps.iter().position(|&known| known == (role, channels)).unwrap_or_else(|| {
            self.maps.push((role, channels));
            self.maps.len() - 1
        }))
    }

    /// The channels of all maps.
    pub(super) fn channels(&self) -> Vec<usize> {
        self.maps.iter().map(|&(_, channels)| channels).collect()
    }

    pub(super) fn conv(&mut self, layers: &[&ConvLayer]) -> MapConv {
        self.conv_with(self.kernels, layers)
    }

    /// A convolution in other numbers than the rest.
    pub(super) fn conv_with(&mut self, kernels: Kernels, layers: &[&ConvLayer]) -> MapConv {
        let layers: Vec<MapWeights<'_>> = layers.iter().map(|layer| weights(layer)).collect();
        let conv = MapConv::new(kernels, &layers);
        self.largest = self.largest.max(conv.bytes());
        conv
    }

    /// Convolutions that share their input, those with kernels of the same size in one.
    pub(super) fn shared(&mut self, layers: &[&ConvLayer]) -> Shared {
        let mut shared = Shared { convs: Vec::new(), parts: Vec::new() };
        let mut rest = layers;
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|layer| layer.kernel == first.kernel).count();
            let (same, others) = rest.split_at(count);
            let mut start = 0;
            let mut end = 0;
            for layer in same {
                end = start + layer.outputs;
                shared.parts.push((shared.convs.len(), start..end));
                start = padded(end);
            }
            let raw = self.maps(Role::Raw(shared.convs.len()), end);
            shared.convs.push((self.conv(same), raw));
            rest = others;
        }
        shared
    }
}

/// Channels up to whole vectors.
pub(super) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(16)
}

pub(super) fn weights(layer: &ConvLayer) -> MapWeights<'_> {
    MapWeights {
        kernel: layer.kernel,
        inputs: layer.inputs,
        outputs: layer.outputs,
        weights: &layer.weights,
    }
}

pub(super) fn norm(layers: &NormAct) -> Norm {
    let (factors, shifts) = layers.norm.factors();
    Norm::new(&factors, &shifts, layers.act.kind)
}

pub(super) fn matmul(layer: &MatMulLayer) -> MatMul {
    MatMul::new(layer.outputs, &layer.weights)
}

/// Convolutions of the same input whose sums are looked at before they go on.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) convs: Vec<(MapConv, MapId)>,
    /// The convolution and its channels of each layer.
    parts: Vec<(usize, Range<usize>)>,
}

impl Shared {
    /// Where the sums of a layer are: maps and channels.
    pub(super) fn part(&self, layer: usize) -> (MapId, Range<usize>) {
        let (conv, channels) = &self.parts[layer];
        (self.convs[*conv].1, channels.clone())
    }

    pub(super) fn run(&self, input: &Maps, state: &mut State) {
        for (conv, raw) in &self.convs {
            let mut sums = state.take(*raw);
            let finish = Finish { sum: Some(Sum::Write(&mut sums)), ..Finish::default() };
            conv.forward(input, finish, &mut state.work);
            state.put(*raw, sums);
        }
    }
}

/// What a thread computes a model in.
#[derive(Debug)]
pub(super) struct State {
    maps: Vec<Maps>,
    pub(super) work: Workspace,
    /// Numbers added to each channel, board after board.
    pub(super) bias: Vec<f32>,
    pub(super) pooled: nn::Pooled,
    pub(super) numbers: Vec<f32>,
}

impl State {
    pub(super) fn new(size: BoardSize, batch: usize, channels: &[usize]) -> State {
        State {
            maps: channels.iter().map(|&channels| Maps::new(size, batch, channels)).collect(),
            work: Workspace::new(size),
            bias: Vec::new(),
            pooled: nn::Pooled::default(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn set_batch(&mut self, batch: usize) {
        self.maps.iter_mut().for_each(|maps| maps.set_batch(batch));
    }

    /// Takes maps out, to be put back: several are worked on at once.
    pub(super) fn take(&mut self, id: MapId) -> Maps {
        std::mem::take(&mut self.maps[id.0])
    }

    pub(super) fn put(&mut self, id: MapId, maps: Maps) {
        self.maps[id.0] = maps;
    }

    pub(super) fn get(&self, id: MapId) -> &Maps {
        &self.maps[id.0]
    }
}
