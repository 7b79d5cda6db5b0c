//! How many positions of Go a second burn learns from: forward and backward passes of the trunk of the network of 6 blocks of
//! 64 channels, 256 positions of 9x9 at a time. `training/go/tower.py` does the same with PyTorch;
//! `docs/experiments/own-network.md` has what came of it.
//!
//!     RAYON_NUM_THREADS=1 cargo run --release --example tower

use burn_tensor::activation::relu;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Device, Tensor, TensorData};
use std::time::Instant;

const POSITIONS: usize = 256;
const PLANES: usize = 22;
const SIDE: usize = 9;
const CHANNELS: usize = 64;
const BLOCKS: usize = 6;

/// Weights of a convolution that are to be learned.
fn weights(device: &Device, inputs: usize, kernel: usize) -> Tensor<4> {
    let shape = [CHANNELS, inputs, kernel, kernel];
    let count: usize = shape.iter().product();
    let numbers = (0..count).map(|i| ((i * 7919 % 1000) as f32 / 1000.0 - 0.5) * 0.05).collect();
    let data = TensorData::new::<f32, _>(numbers, [count]);
    Tensor::<1>::from_data(data, device).require_grad().reshape(shape)
}

fn conv(x: Tensor<4>, weights: Tensor<4>) -> Tensor<4> {
    let around = weights.dims()[2] / 2;
    let padding = [(around, around), (around, around)];
    let options = ConvOptions::new_with_padding([1, 1], padding, [1, 1], 1);
    conv2d(x, weights, None::<Tensor<1>>, options)
}

fn main() {
    let device = Device::flex().autodiff();
    let shape = [POSITIONS, PLANES, SIDE, SIDE];
    let data = TensorData::new(vec![0.5f32; shape.iter().product()], shape);
    let planes = Tensor::<4>::from_data(data, &device);
    for _ in 0..4 {
        let began = Instant::now();
        let mut x = relu(conv(planes.clone(), weights(&device, PLANES, 5)));
        for _ in 0..BLOCKS {
            let inner = relu(conv(x.clone(), weights(&device, CHANNELS, 3)));
            x = relu(x + conv(inner, weights(&device, CHANNELS, 3)));
        }
        let gradients = (x.clone() * x).mean().backward();
        drop(gradients);
        println!("{:.0} positions a second", POSITIONS as f64 / began.elapsed().as_secs_f64());
    }
}
