//! The forward pass of the framework by itself, to compare the engine's with.

use amazons_engine::Square;
use amazons_engine::eval::Weights;
use amazons_engine::learn::Sample;
use amazons_engine::net::file::Architecture;
use amazons_engine::net::planes::{AREA, QUEENS, number};
use burn_tensor::{Device, Tensor, activation};

use crate::batch::Batch;
use crate::leaves::Leaves;
use crate::{patent, resnet};

/// The shares of the legal choices, and the logit of the value.
pub type Found = (Vec<(Square, Square, f32)>, f32);

/// What burn computes for samples, which are all of one stage.
///
/// # Panics
/// When the parameters are not as many as the network has.
pub fn forward(
    architecture: Architecture,
    parameters: &[f32],
    samples: &[Sample],
    weights: &Weights,
    device: &Device,
) -> Vec<Found> {
    let (batch, pieces) = match architecture {
        Architecture::ResNet(size) => (Batch::resnet(samples, weights), resnet::pieces(size)),
        Architecture::Patent => (Batch::patent(samples), patent::pieces()),
    };
    let leaves = Leaves::new(parameters, &pieces, device);
    let tensors = batch.tensors(device);
    let (logits, values) = match architecture {
        Architecture::ResNet(size) => resnet::forward(size, &leaves, &tensors, batch.stage),
        Architecture::Patent => patent::forward(&leaves, &tensors, batch.stage, None),
    };
    let shares = numbers(activation::softmax(logits, 1));
    let values = numbers(values);
    let rows = shares.chunks_exact(batch.sources * AREA).zip(values).zip(samples);
    rows.map(|((row, value), sample)| {
        let mover = sample.position.queens(sample.position.to_move());
        let sources: Vec<Square> = match sample.shooter {
            Some(shooter) => vec![shooter],
            None => mover.iter().take(QUEENS).collect(),
        };
        let mut choices = Vec::new();
        for (source, &from) in sources.iter().enumerate() {
            // The patent's Move-Net has a row for every square, the others one for each queen.
            let source = if batch.sources == AREA { number(from) } else { source };
            for to in sample.position.destinations(from) {
                choices.push((from, to, row[source * AREA + number(to)]));
            }
        }
        (choices, value)
    })
    .collect()
}

fn numbers(tensor: Tensor<2>) -> Vec<f32> {
    // What the backends compute in is 32-bit floats.
    tensor.into_data().try_to_vec::<f32>().unwrap_or_default()
}
