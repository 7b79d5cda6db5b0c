//! Samples as numbers for a loss.

use amazons_engine::eval::Weights;
use amazons_engine::learn::Sample;
use amazons_engine::net::input::{PLANES, input};
use amazons_engine::net::planes::{AREA, QUEENS, number, planes};
use amazons_engine::net::resnet::{MAX_LOGIT, candidates};
use amazons_engine::{Position, Square};
use burn_tensor::{Device, Tensor, TensorData};
use nn::Planes;
use rayon::prelude::*;

/// What is added to the logit of an illegal choice.
const ILLEGAL: f32 = -1e9;

/// Samples of one stage, either queens' moves or arrows.
pub struct Batch {
    /// How many.
    pub size: usize,
    /// 0 for queens' moves, 1 for arrows.
    pub stage: usize,
    /// Rows of 100 outputs: the queens that may move, or the one that shoots; for the patent's Move-Net all squares.
    pub sources: usize,
    planes: Vec<f32>,
    /// For the residual network: 1 at the square of each source.
    from: Vec<f32>,
    /// For the residual network: the evaluation's logits of the choices, and of the positions.
    evaluated: Vec<f32>,
    logits: Vec<f32>,
    mask: Vec<f32>,
    targets: Vec<f32>,
    values: Vec<f32>,
}

/// The tensors of a batch.
pub struct Tensors {
    /// The input, batch x planes x 10 x 10.
    pub planes: Tensor<4>,
    /// Batch x sources x 100.
    pub from: Tensor<3>,
    /// Batch x outputs.
    pub evaluated: Tensor<2>,
    /// Batch x 1.
    pub logits: Tensor<2>,
    /// Batch x outputs: 0, or far below for illegal ones.
    pub mask: Tensor<2>,
    /// Batch x outputs: shares, together 1.
    pub targets: Tensor<2>,
    /// Batch x 1: the chance that is learned.
    pub values: Tensor<2>,
}

impl Batch {
    /// Samples of one stage for the residual network, which learns the search's visits, and of the result and the search's
    /// chance the mean.
    pub fn resnet(samples: &[Sample], weights: &Weights) -> Batch {
        let stage = usize::from(samples.first().is_some_and(|sample| sample.shooter.is_some()));
        let sources = if stage == 0 { QUEENS } else { 1 };
        let outputs = sources * AREA;
        let mut batch = Batch::empty(samples.len(), stage, sources, outputs);
        batch.planes.resize(samples.len() * PLANES * AREA, 0.0);
        // Evaluating the choices takes longer than a graphics processor's step, so all threads do it.
        let rows = batch.planes.par_chunks_exact_mut(PLANES * AREA);
        let rows = rows.zip(batch.from.par_chunks_exact_mut(outputs));
        let rows = rows.zip(batch.evaluated.par_chunks_exact_mut(outputs));
        let rows = rows.zip(batch.mask.par_chunks_exact_mut(outputs));
        let rows = rows.zip(batch.targets.par_chunks_exact_mut(outputs)).zip(samples);
        let of_positions = rows.map_init(
            Planes::default,
            |buffer, (((((planes, from), evaluated), mask), targets), sample)| {
                input(&sample.position, sample.shooter, buffer);
                planes.iter_mut().zip(buffer.channels().flatten()).for_each(|(to, &n)| *to = n);
                let mover = sample.position.queens(sample.position.to_move());
                let queens: Vec<_> = match sample.shooter {
                    Some(shooter) => vec![shooter],
                    None => mover.iter().take(QUEENS).collect(),
                };
                for (source, &queen) in queens.iter().enumerate() {
                    from[source * AREA + number(queen)] = 1.0;
                }
                let output = |from, to| {
                    let source = queens.iter().position(|&queen| queen == from)?;
                    Some(source * AREA + number(to))
                };
                let (logit, candidates) = candidates(weights, &sample.position, sample.shooter);
                for choice in candidates {
                    if let Some(output) = output(choice.from, choice.to) {
                        mask[output] = 0.0;
                        evaluated[output] = choice.logit.clamp(-MAX_LOGIT, MAX_LOGIT);
                    }
                }
                for (from, to, share) in shares(sample) {
                    if let Some(output) = output(from, to) {
                        targets[output] += share;
                    }
                }
                let target = 0.5 * f32::from(u8::from(sample.won)) + 0.5 * sample.chance;
                (logit.clamp(-MAX_LOGIT, MAX_LOGIT), target)
            },
        );
        let of_positions: (Vec<f32>, Vec<f32>) = of_positions.unzip();
        (batch.logits, batch.values) = of_positions;
        batch
    }

    /// Samples of one stage for the patent's networks, which learn the search's visits and the result. The patent has what was
    /// played in place of the visits, which tells less of each turn.
    pub fn patent(samples: &[Sample]) -> Batch {
        let stage = usize::from(samples.first().is_some_and(|sample| sample.shooter.is_some()));
        let sources = if stage == 0 { AREA } else { 1 };
        let mut batch = Batch::empty(samples.len(), stage, sources, 0);
        let means = samples.par_iter().map(|sample| planes(&sample.position));
        batch.planes =
            means.flat_map_iter(|planes| planes.into_iter().flatten().map(|n| n / 100.0)).collect();
        let output = |from, to| if stage == 0 { number(from) * AREA } else { 0 } + number(to);
        let rows = batch.mask.par_chunks_exact_mut(sources * AREA);
        let rows = rows.zip(batch.targets.par_chunks_exact_mut(sources * AREA)).zip(samples);
        rows.for_each(|((mask, targets), sample)| {
            let position: &Position = &sample.position;
            let mut allow = |from| {
                for to in position.destinations(from) {
                    mask[output(from, to)] = 0.0;
                }
            };
            match sample.shooter {
                Some(from) => allow(from),
                None => position.queens(position.to_move()).into_iter().for_each(allow),
            }
            for (from, to, share) in shares(sample) {
                targets[output(from, to)] += share;
            }
        });
        batch.logits = vec![0.0; samples.len()];
        batch.values = samples.iter().map(|sample| f32::from(u8::from(sample.won))).collect();
        batch
    }

    /// A batch without samples; `paired` numbers of each are for the residual network alone.
    fn empty(size: usize, stage: usize, sources: usize, paired: usize) -> Batch {
        let outputs = size * sources * AREA;
        Batch {
            size,
            stage,
            sources,
            planes: Vec::new(),
            from: vec![0.0; size * paired],
            evaluated: vec![0.0; size * paired],
            logits: Vec::with_capacity(size),
            mask: vec![ILLEGAL; outputs],
            targets: vec![0.0; outputs],
            values: Vec::with_capacity(size),
        }
    }

    /// The batch on a device.
    pub fn tensors(&self, device: &Device) -> Tensors {
        let (size, outputs) = (self.size, self.sources * AREA);
        let channels = self.planes.len() / (size * AREA).max(1);
        let flat = |numbers: &[f32], columns: usize| {
            let data = TensorData::new(numbers.to_vec(), [size, columns]);
            Tensor::<2>::from_data(data, device)
        };
        // Only the residual network's batches have them.
        let paired = self.from.len() / size.max(1);
        Tensors {
            planes: flat(&self.planes, channels * AREA).reshape([size, channels, 10, 10]),
            from: flat(&self.from, paired).reshape([size, paired / AREA, AREA]),
            evaluated: flat(&self.evaluated, paired),
            logits: flat(&self.logits, 1),
            mask: flat(&self.mask, outputs),
            targets: flat(&self.targets, outputs),
            values: flat(&self.values, 1),
        }
    }
}

/// Choices and their shares of the search's visits.
fn shares(sample: &Sample) -> impl Iterator<Item = (Square, Square, f32)> {
    let all: u64 = sample.visits.iter().map(|visit| u64::from(visit.2)).sum();
    sample
        .visits
        .iter()
        .map(move |&(from, to, visits)| (from, to, visits as f32 / all.max(1) as f32))
}
