//! The losses of the patent's networks, as [`amazons_engine::net::patent`] computes them.

use std::ops::Range;

use amazons_engine::net::patent::{FLAT, Kind, POLICY, TRUNK, is_shared};
use burn_tensor::activation::sigmoid;
use burn_tensor::{Device, Tensor, TensorData};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::batch::Tensors;
use crate::leaves::{Leaves, ranges};
use crate::resnet::{conv, cross_entropy};

/// Layers of the trunk, from 0, behind which numbers are dropped.
const DROPPED: [usize; 3] = [3, 7, 11];
/// The share that is.
const DROPOUT: f32 = 0.3;

/// Pieces of one network.
const PIECES: usize = 2 * (TRUNK.len() + 1 + POLICY.len() + 1);

fn lengths(kind: Kind) -> Vec<usize> {
    let mut lengths = Vec::with_capacity(PIECES);
    let conv = |shape: &nn::Shape| [shape.parameters() - shape.filters, shape.filters];
    lengths.extend(TRUNK.iter().flat_map(conv));
    lengths.extend([FLAT, 1]);
    lengths.extend(POLICY.iter().flat_map(conv));
    lengths.extend([FLAT * kind.outputs(), kind.outputs()]);
    lengths
}

/// Where the pieces of the parameters lie: Move-Net's, then Arrow-Net's, of each layer the weights and the biases.
pub fn pieces() -> Vec<Range<usize>> {
    ranges(lengths(Kind::Move).into_iter().chain(lengths(Kind::Arrow)))
}

/// Copies what the two networks share from Move-Net, where it is learned, to Arrow-Net.
pub fn share(parameters: &mut [f32]) {
    let all = pieces();
    for layer in (0..TRUNK.len()).filter(|&layer| is_shared(layer)) {
        for piece in [2 * layer, 2 * layer + 1] {
            parameters.copy_within(all[piece].clone(), all[PIECES + piece].start);
        }
    }
}

/// The logits of the choices, illegal ones far below, and of the value. With `random` numbers are dropped.
pub fn forward(
    leaves: &Leaves,
    batch: &Tensors,
    stage: usize,
    mut random: Option<(&mut Xoshiro256PlusPlus, &Device)>,
) -> (Tensor<2>, Tensor<2>) {
    let own = stage * PIECES;
    let outputs = [Kind::Move, Kind::Arrow][stage].outputs();
    let mut x = batch.planes.clone();
    let size = x.dims()[0];
    for (layer, &shape) in TRUNK.iter().enumerate() {
        let piece = if is_shared(layer) { 2 * layer } else { own + 2 * layer };
        x = conv(x, shape, leaves, piece);
        if let Some((random, device)) = random.as_mut()
            && DROPPED.contains(&layer)
        {
            x = x.clone() * dropout(x.dims(), random, device);
        }
    }
    let mut piece = own + 2 * TRUNK.len();
    let flat = x.clone().reshape([size, FLAT]);
    let value = flat.matmul(leaves.get(piece, [FLAT, 1])) + leaves.get(piece + 1, [1, 1]);
    piece += 2;
    for shape in POLICY {
        x = conv(x, shape, leaves, piece);
        piece += 2;
    }
    let last = leaves.get(piece, [outputs, FLAT]).swap_dims(0, 1);
    let logits = x.reshape([size, FLAT]).matmul(last) + leaves.get(piece + 1, [1, outputs]);
    (logits + batch.mask.clone(), value)
}

/// The cross-entropy of the policy, and the mean squared error of the value (the patent's L1 squared).
pub fn losses(
    leaves: &Leaves,
    batch: &Tensors,
    stage: usize,
    random: (&mut Xoshiro256PlusPlus, &Device),
) -> (Tensor<1>, Tensor<1>) {
    let (logits, value) = forward(leaves, batch, stage, Some(random));
    let error = sigmoid(value) - batch.values.clone();
    (cross_entropy(logits, batch.targets.clone()), (error.clone() * error).mean())
}

/// 0 for what is dropped, and for the rest what keeps the mean. Drawn here rather than by the framework, so that a run that
/// goes on repeats what it would have been.
fn dropout(shape: [usize; 4], random: &mut Xoshiro256PlusPlus, device: &Device) -> Tensor<4> {
    let kept = 1.0 / (1.0 - DROPOUT);
    let draw =
        |_| if (random.next_u64() >> 40) as f32 / (1 << 24) as f32 >= DROPOUT { kept } else { 0.0 };
    let numbers: Vec<f32> = (0..shape.iter().product()).map(draw).collect();
    Tensor::from_data(TensorData::new(numbers, shape), device)
}
