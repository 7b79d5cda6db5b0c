//! The residual network's losses, as [`amazons_engine::net::resnet`] computes it.

use std::ops::Range;

use amazons_engine::net::planes::{AREA, SIDE};
use amazons_engine::net::resnet::{COMPARED, FACTORS, HIDDEN, PAIRED, POOLED, ResNetSize};
use burn_tensor::activation::relu;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Tensor, activation};
use nn::{Activation, CLIP, Shape};

use crate::batch::Tensors;
use crate::leaves::{Leaves, ranges};

/// Where the pieces of the parameters lie: of each layer the weights and the biases, then the factors.
pub fn pieces(network: ResNetSize) -> Vec<Range<usize>> {
    let mut lengths = Vec::new();
    let mut layer = |inputs: usize, outputs: usize| lengths.extend([inputs * outputs, outputs]);
    let mut conv = |shape: Shape| {
        layer(shape.inputs * shape.kernel * shape.kernel, shape.filters);
    };
    conv(network.stem());
    for _ in 0..network.blocks {
        network.block().into_iter().for_each(&mut conv);
    }
    conv(network.policy());
    conv(network.policy());
    layer(network.channels, HIDDEN);
    layer(network.last(), 1);
    lengths.push(FACTORS);
    ranges(lengths)
}

/// A convolution whose output is as large as its input; of even kernels the extra row and column are at the end.
pub fn conv(x: Tensor<4>, shape: Shape, leaves: &Leaves, piece: usize) -> Tensor<4> {
    let Shape { kernel, inputs, filters, activation } = shape;
    let weights = leaves.get(piece, [filters, inputs, kernel, kernel]);
    let biases = leaves.get(piece + 1, [filters]);
    let padding = ((kernel - 1) / 2, kernel / 2);
    let options = ConvOptions::new_with_padding([1, 1], [padding, padding], [1, 1], 1);
    let x = conv2d(x, weights, Some(biases), options);
    match activation {
        Activation::None => x,
        Activation::Relu => relu(x),
        Activation::Clipped => x.clamp(0.0, CLIP),
        Activation::Tanh => activation::tanh(x),
        Activation::Mish => x.clone() * activation::tanh((x.exp() + 1.0).log()),
        Activation::Silu => x.clone() / ((-x).exp() + 1.0),
    }
}

/// The logits of the choices, illegal ones far below, and of the value.
pub fn forward(
    network: ResNetSize,
    leaves: &Leaves,
    batch: &Tensors,
    stage: usize,
) -> (Tensor<2>, Tensor<2>) {
    let [size, sources, _] = batch.from.dims();
    let mut x = conv(batch.planes.clone(), network.stem(), leaves, 0);
    let mut piece = 2;
    for _ in 0..network.blocks {
        let [first, second] = network.block();
        let inner = conv(x.clone(), first, leaves, piece);
        x = (x + conv(inner, second, leaves, piece + 2)).clamp(0.0, CLIP);
        piece += 4;
    }
    let paired = conv(x.clone(), network.policy(), leaves, piece + 2 * stage);
    let paired = paired.reshape([size, PAIRED, AREA]);
    let at_queens = batch.from.clone().matmul(paired.clone().swap_dims(1, 2));
    // The last of either half of the numbers is the one by itself.
    let (own, to) = (COMPARED, COMPARED + 1);
    let queens = at_queens.clone().slice([0..size, 0..sources, 0..own]);
    let squares = paired.clone().slice([0..size, to..to + COMPARED, 0..AREA]);
    let products = queens.matmul(squares) * (1.0 / (COMPARED as f32).sqrt());
    let single = paired.slice([0..size, PAIRED - 1..PAIRED, 0..AREA]);
    let own = at_queens.slice([0..size, 0..sources, own..to]);
    let logits = (products + single + own).reshape([size, sources * AREA]);
    piece += 4;
    let factors: Tensor<1> = leaves.get(piece + 4, [FACTORS]);
    let factor = |number: usize| factors.clone().slice(number..number + 1).reshape([1, 1]);
    let logits = logits + batch.evaluated.clone() * factor(stage) + batch.mask.clone();
    let pooled = x.reshape([size, network.channels, SIDE * SIDE]).sum_dim(2) * POOLED;
    let pooled = pooled.reshape([size, network.channels]);
    let hidden = leaves.get(piece, [HIDDEN, network.channels]).swap_dims(0, 1);
    let hidden = relu(pooled.clone().matmul(hidden) + leaves.get(piece + 1, [1, HIDDEN]));
    let last = Tensor::cat(vec![hidden, pooled], 1);
    let value =
        last.matmul(leaves.get(piece + 2, [network.last(), 1])) + leaves.get(piece + 3, [1, 1]);
    (logits, value + batch.logits.clone() * factor(2))
}

/// The mean cross-entropy of the policy, and that of the value.
pub fn losses(
    network: ResNetSize,
    leaves: &Leaves,
    batch: &Tensors,
    stage: usize,
) -> (Tensor<1>, Tensor<1>) {
    let (logits, value) = forward(network, leaves, batch, stage);
    let target = batch.values.clone();
    // ln(1 + e^z) - t z is the cross-entropy of a logit z with a chance t.
    let value = activation::softplus(value.clone(), 1.0) - target * value;
    (cross_entropy(logits, batch.targets.clone()), value.mean())
}

/// The mean cross-entropy of logits with shares.
pub fn cross_entropy(logits: Tensor<2>, targets: Tensor<2>) -> Tensor<1> {
    let size = targets.dims()[0] as f32;
    (targets * activation::log_softmax(logits, 1)).sum() * (-1.0 / size)
}
