//! The plain way to compute a network: every convolution as its definition says, a channel of a point at a time, in the
//! order of the file. Slow, and what everything faster is compared with.

use crate::features::Features;
use crate::file::{
    ActivationLayer, Block, ConvLayer, MatMulLayer, NestedBlock, NetworkFile, NormAct,
    OrdinaryBlock, PLANES, PoolingBlock,
};
use crate::output::Outputs;
use nn::BoardSize;

/// Numbers of all channels of a point side by side, the points row by row.
#[derive(Clone)]
struct Map {
    size: BoardSize,
    channels: usize,
    numbers: Vec<f32>,
}

impl Map {
    fn add(&mut self, other: &Map) {
        for (number, other) in self.numbers.iter_mut().zip(&other.numbers) {
            *number += other;
        }
    }

    /// Adds a number to each channel at all points.
    fn add_everywhere(&mut self, bias: &[f32]) {
        for point in self.numbers.chunks_exact_mut(self.channels) {
            for (number, bias) in point.iter_mut().zip(bias) {
                *number += bias;
            }
        }
    }

    fn conv(&self, layer: &ConvLayer) -> Map {
        let (size, outputs) = (self.size, layer.outputs);
        let mut numbers = vec![0.0; size.area() * outputs];
        let (ky, kx) = layer.kernel;
        for (at, sums) in numbers.chunks_exact_mut(outputs).enumerate() {
            let (y, x) = (at / size.width, at % size.width);
            for dy in (0..ky).filter(|dy| (ky / 2..ky / 2 + size.height).contains(&(y + dy))) {
                for dx in (0..kx).filter(|dx| (kx / 2..kx / 2 + size.width).contains(&(x + dx))) {
                    let from = (y + dy - ky / 2) * size.width + x + dx - kx / 2;
                    let point = &self.numbers[from * self.channels..][..self.channels];
                    let weights = &layer.weights[(dy * kx + dx) * self.channels * outputs..];
                    add_products(point, weights, sums);
                }
            }
        }
        Map { size, channels: outputs, numbers }
    }

    fn norm_act(&self, layers: &NormAct) -> Map {
        let (factors, shifts) = layers.norm.factors();
        let mut map = self.clone();
        for point in map.numbers.chunks_exact_mut(self.channels) {
            for ((number, factor), shift) in point.iter_mut().zip(&factors).zip(&shifts) {
                *number = *number * factor + shift;
            }
        }
        layers.act.kind.apply(&mut map.numbers);
        map
    }

    fn mean(&self, channel: usize) -> f32 {
        let points = self.numbers.chunks_exact(self.channels);
        points.map(|point| point[channel]).sum::<f32>() / self.size.area() as f32
    }

    /// How the board's size enters what is pooled.
    fn scale(&self) -> f32 {
        ((self.size.area() as f32).sqrt() - 14.0) / 10.0
    }

    /// Means, means scaled by the board's size, and maxima.
    fn pool(&self) -> Vec<f32> {
        let means: Vec<f32> = (0..self.channels).map(|channel| self.mean(channel)).collect();
        let max = |channel: usize| {
            let points = self.numbers.chunks_exact(self.channels);
            points.map(|point| point[channel]).fold(-1.0, f32::max)
        };
        let scaled = means.iter().map(|mean| mean * self.scale());
        means.iter().copied().chain(scaled).chain((0..self.channels).map(max)).collect()
    }

    /// Means, and means scaled by the board's size in two ways.
    fn value_pool(&self) -> Vec<f32> {
        let means: Vec<f32> = (0..self.channels).map(|channel| self.mean(channel)).collect();
        let factors = [1.0, self.scale(), self.scale() * self.scale() - 0.1];
        factors.iter().flat_map(|factor| means.iter().map(move |mean| mean * factor)).collect()
    }

    /// The numbers of one channel.
    fn channel(&self, channel: usize) -> Vec<f32> {
        self.numbers.chunks_exact(self.channels).map(|point| point[channel]).collect()
    }
}

#[inline(always)]
fn add_plain_products(numbers: &[f32], weights: &[f32], sums: &mut [f32]) {
    for (&number, weights) in numbers.iter().zip(weights.chunks_exact(sums.len())) {
        if number != 0.0 {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += number * weight;
            }
        }
    }
}

simd::multiversion! {
    /// Adds the products of numbers with a row of weights each.
    fn add_products(numbers: &[f32], weights: &[f32], sums: &mut [f32]) = add_plain_products;
}

fn matmul(layer: &MatMulLayer, numbers: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0; layer.outputs];
    add_products(numbers, &layer.weights, &mut sums);
    sums
}

fn biased(mut numbers: Vec<f32>, bias: &[f32], act: Option<&ActivationLayer>) -> Vec<f32> {
    for (number, bias) in numbers.iter_mut().zip(bias) {
        *number += bias;
    }
    if let Some(act) = act {
        act.kind.apply(&mut numbers);
    }
    numbers
}

/// What a network says of a position.
pub fn evaluate(network: &NetworkFile, features: &Features) -> Outputs {
    let size = features.size;
    let mut planes = Map { size, channels: PLANES, numbers: vec![0.0; size.area() * PLANES] };
    for (index, point) in planes.numbers.chunks_exact_mut(PLANES).enumerate() {
        for (plane, number) in point.iter_mut().enumerate() {
            *number = f32::from(features.get(plane, index));
        }
    }
    let trunk = &network.trunk;
    let mut map = planes.conv(&trunk.conv);
    map.add_everywhere(&matmul(&trunk.globals, &features.globals));
    trunk.blocks.iter().for_each(|block| add_block(block, &mut map));
    let tip = map.norm_act(&trunk.tip);
    let mut outputs = Outputs::default();
    policy(network, &tip, &mut outputs);
    value(network, &tip, &mut outputs);
    outputs
}

fn add_block(block: &Block, map: &mut Map) {
    match block {
        Block::Ordinary(block) => add_ordinary(block, map),
        Block::Pooling(block) => add_pooling(block, map),
        Block::Nested(block) => add_nested(block, map),
    }
}

fn add_ordinary(block: &OrdinaryBlock, map: &mut Map) {
    let middle = map.norm_act(&block.first_norm).conv(&block.first);
    map.add(&middle.norm_act(&block.second_norm).conv(&block.second));
}

fn add_pooling(block: &PoolingBlock, map: &mut Map) {
    let first = map.norm_act(&block.first_norm);
    let mut regular = first.conv(&block.regular);
    let pooled = first.conv(&block.pooled).norm_act(&block.pooled_norm).pool();
    regular.add_everywhere(&matmul(&block.pooled_to_bias, &pooled));
    map.add(&regular.norm_act(&block.second_norm).conv(&block.second));
}

fn add_nested(block: &NestedBlock, map: &mut Map) {
    let mut inner = map.norm_act(&block.first_norm).conv(&block.first);
    block.blocks.iter().for_each(|block| add_block(block, &mut inner));
    map.add(&inner.norm_act(&block.last_norm).conv(&block.last));
}

fn policy(network: &NetworkFile, tip: &Map, outputs: &mut Outputs) {
    let head = &network.policy;
    let mut map = tip.conv(&head.conv);
    let pooled = tip.conv(&head.pooled).norm_act(&head.pooled_norm).pool();
    map.add_everywhere(&matmul(&head.pooled_to_bias, &pooled));
    let logits = map.norm_act(&head.norm).conv(&head.last);
    let mut pass = matmul(&head.pass, &pooled);
    if let Some((bias, act, second)) = &head.pass_deep {
        pass = matmul(second, &biased(pass, &bias.weights, Some(act)));
    }
    for (channel, into) in
        [&mut outputs.policy, &mut outputs.optimistic_policy].into_iter().enumerate()
    {
        if channel < logits.channels {
            *into = logits.channel(channel);
            into.push(pass[channel]);
        }
    }
}

fn value(network: &NetworkFile, tip: &Map, outputs: &mut Outputs) {
    let head = &network.value;
    let map = tip.conv(&head.conv).norm_act(&head.norm);
    let hidden = matmul(&head.hidden, &map.value_pool());
    let hidden = biased(hidden, &head.hidden_bias.weights, Some(&head.hidden_act));
    let outcome = biased(matmul(&head.outcome, &hidden), &head.outcome_bias.weights, None);
    let misc = biased(matmul(&head.misc, &hidden), &head.misc_bias.weights, None);
    outputs.outcome.copy_from_slice(&outcome);
    outputs.misc[..misc.len()].copy_from_slice(&misc);
    outputs.ownership = map.conv(&head.ownership).channel(0);
}
