//! One step of training after another.

use std::sync::Arc;

use amazons_engine::Symmetry;
use amazons_engine::eval::Weights;
use amazons_engine::learn::{Sample, measure};
use amazons_engine::net::ParameterError;
use amazons_engine::net::file::{Architecture, checksum};
use amazons_engine::net::patent::{Kind, Network};
use amazons_engine::net::policy::Policy;
use amazons_engine::net::resnet::ResNet;
use burn_tensor::{Device, Tensor};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::batch::{Batch, Tensors};
use crate::checkpoint::{self, CheckpointError, State};
use crate::curve::Row;
use crate::leaves::Leaves;
use crate::optimizer::{Memory, Optimizer};
use crate::{patent, resnet};

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What is trained.
    pub architecture: Architecture,
    /// Steps in all. The rate rises over the first hundredth of them and then falls to nothing by a half cosine.
    pub steps: u64,
    /// Samples of each stage in a step.
    pub batch: usize,
    /// The highest rate.
    pub rate: f32,
    /// The rule of the steps.
    pub optimizer: Optimizer,
    /// Weight of the value's loss beside the policy's.
    pub value_weight: f32,
    /// What everything random follows from.
    pub seed: u64,
}

/// The losses of a step, or their means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Of the policy, of queens' moves and of arrows.
    pub policy: [f64; 2],
    /// Of the value.
    pub value: f64,
}

/// Why training cannot begin or go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainerError {
    /// No samples of one of the stages, to learn from or to watch over it.
    #[error(
        "too few games: there are no searched turns to learn from, or none to watch over learning"
    )]
    TooFew,
    /// The checkpoint is not one to go on from.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The parameters have become infinite or no numbers.
    #[error("training diverged ({0}): a lower rate may help")]
    Diverged(#[from] ParameterError),
}

/// A network being trained.
pub struct Trainer {
    options: Options,
    weights: Arc<Weights>,
    device: Device,
    /// To learn from and to watch over it, by stage.
    train: [Vec<Sample>; 2],
    watch: Vec<Sample>,
    pieces: Vec<std::ops::Range<usize>>,
    state: State,
    /// Losses since the last point of the curve, and how many.
    since: (Losses, u64),
    /// Orders of the samples, by stage: the pass, and the samples' numbers.
    orders: [(u64, Vec<u32>); 2],
}

impl Trainer {
    /// A trainer that begins, or goes on from a checkpoint. `watch` are the samples that it is measured with on the way.
    ///
    /// # Errors
    /// When there are too few samples, or the checkpoint is not of these samples and options.
    pub fn new(
        options: Options,
        weights: Arc<Weights>,
        device: &Device,
        samples: Vec<Sample>,
        watch: Vec<Sample>,
        checkpoint: Option<&[u8]>,
    ) -> Result<Trainer, TrainerError> {
        let mark = mark(&options, &weights, &samples, &watch);
        let (queens, arrows): (Vec<_>, Vec<_>) =
            samples.into_iter().partition(|sample| sample.shooter.is_none());
        if queens.is_empty() || arrows.is_empty() || watch.is_empty() {
            return Err(TrainerError::TooFew);
        }
        let state = match checkpoint {
            Some(bytes) => checkpoint::read(bytes, mark)?,
            None => {
                let parameters = first_parameters(options.architecture, options.seed);
                let memory = Memory::new(parameters.len());
                let best = parameters.clone();
                State {
                    mark,
                    step: 0,
                    best_loss: f64::INFINITY,
                    curve: Vec::new(),
                    parameters,
                    memory,
                    best,
                }
            }
        };
        let pieces = match options.architecture {
            Architecture::ResNet(size) => resnet::pieces(size),
            Architecture::Patent => patent::pieces(),
        };
        let orders = [(u64::MAX, Vec::new()), (u64::MAX, Vec::new())];
        let (device, train) = (device.clone().autodiff(), [queens, arrows]);
        let since = (Losses::default(), 0);
        Ok(Trainer { options, weights, device, train, watch, pieces, state, since, orders })
    }

    /// Steps made.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    /// Samples to learn from, of queens' moves and of arrows.
    pub fn samples(&self) -> [usize; 2] {
        [self.train[0].len(), self.train[1].len()]
    }

    /// The curves so far.
    pub fn curve(&self) -> &[Row] {
        &self.state.curve
    }

    /// The parameters that did best on the validation part, for [`amazons_engine::net::file::write`].
    pub fn best(&self) -> &[f32] {
        &self.state.best
    }

    /// The parameters as they stand.
    pub fn parameters(&self) -> &[f32] {
        &self.state.parameters
    }

    /// Everything that is needed to go on from here.
    pub fn checkpoint(&self) -> Vec<u8> {
        checkpoint::write(&self.state)
    }

    /// The rate of a step, counted from 0.
    fn rate(&self, step: u64) -> f32 {
        let (steps, warm) = (self.options.steps as f32, self.options.steps as f32 / 100.0);
        let warm_up = ((step + 1) as f32 / warm.max(1.0)).min(1.0);
        let gone = (step as f32 / steps.max(1.0)).min(1.0);
        self.options.rate * warm_up * 0.5 * (1.0 + (std::f32::consts::PI * gone).cos())
    }

    /// Makes one step.
    ///
    /// # Errors
    /// When the losses are no numbers any more.
    pub fn advance(&mut self) -> Result<Losses, TrainerError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(
            self.options.seed ^ (self.state.step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        );
        let batches = [0, 1].map(|stage| self.batch(stage, &mut random));
        let leaves = Leaves::new(&self.state.parameters, &self.pieces, &self.device);
        let parts = batches.map(|batch| {
            let tensors = batch.tensors(&self.device);
            self.losses(&leaves, &tensors, batch.stage, &mut random)
        });
        let [(queen, queen_value), (arrow, arrow_value)] = parts;
        let value = (queen_value + arrow_value) * 0.5;
        let loss = queen.clone() + arrow.clone() + value.clone() * self.options.value_weight;
        let gradients = loss.backward();
        let found = leaves.gradients(&gradients);
        let number = |tensor: Tensor<1>| f64::from(tensor.into_scalar::<f32>());
        let losses = Losses { policy: [number(queen), number(arrow)], value: number(value) };
        let (rate, step) = (self.rate(self.state.step), self.state.step + 1);
        for (range, gradient) in found {
            if let Some(at) = gradient.iter().position(|slope| !slope.is_finite()) {
                return Err(ParameterError::NotFinite(range.start + at).into());
            }
            let State { parameters, memory, .. } = &mut self.state;
            self.options.optimizer.apply(parameters, memory, range.start, &gradient, rate, step);
        }
        if self.options.architecture == Architecture::Patent {
            patent::share(&mut self.state.parameters);
        }
        self.state.step = step;
        let (sum, count) = &mut self.since;
        *count += 1;
        sum.value += losses.value;
        for (sum, loss) in sum.policy.iter_mut().zip(losses.policy) {
            *sum += loss;
        }
        Ok(losses)
    }

    /// The next samples of a stage, each turned in some way.
    fn batch(&mut self, stage: usize, random: &mut Xoshiro256PlusPlus) -> Batch {
        let samples = &self.train[stage];
        let count = samples.len() as u64;
        let mut chosen = Vec::with_capacity(self.options.batch);
        for i in 0..self.options.batch as u64 {
            let at = self.state.step * self.options.batch as u64 + i;
            let order = &mut self.orders[stage];
            if order.0 != at / count {
                *order =
                    (at / count, shuffled(count as u32, self.options.seed ^ (at / count) << 1));
            }
            let sample = &samples[order.1[(at % count) as usize] as usize];
            chosen.push((sample, Symmetry::new(random.next_u64() >> 32)));
        }
        let chosen: Vec<Sample> =
            chosen.par_iter().map(|(sample, symmetry)| sample.turned(*symmetry)).collect();
        match self.options.architecture {
            Architecture::ResNet(_) => Batch::resnet(&chosen, &self.weights),
            Architecture::Patent => Batch::patent(&chosen),
        }
    }

    fn losses(
        &self,
        leaves: &Leaves,
        batch: &Tensors,
        stage: usize,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Tensor<1>, Tensor<1>) {
        match self.options.architecture {
            Architecture::ResNet(size) => resnet::losses(size, leaves, batch, stage),
            Architecture::Patent => patent::losses(leaves, batch, stage, (random, &self.device)),
        }
    }

    /// Measures on the validation part, with the engine's own forward pass, and notes a point of the curves; the best
    /// parameters are those with the minimum sum of losses.
    ///
    /// # Errors
    /// When parameters have become infinite or no numbers.
    pub fn watch(&mut self) -> Result<Row, TrainerError> {
        let network = self.options.architecture.network(&self.state.parameters)?;
        let policy = Policy::Network(Arc::new(network));
        let [queens, arrows] = measure(&policy, &self.weights, &self.watch);
        let (sum, count) = std::mem::take(&mut self.since);
        let count = count.max(1) as f64;
        let value_loss = (queens.value_loss + arrows.value_loss) / 2.0;
        let row = Row {
            step: self.state.step,
            numbers: [
                sum.policy[0] / count,
                sum.policy[1] / count,
                sum.value / count,
                queens.policy_loss,
                queens.played,
                queens.preferred,
                queens.distance,
                arrows.policy_loss,
                arrows.played,
                arrows.preferred,
                value_loss,
                (queens.called + arrows.called) / 2.0,
            ],
        };
        let weight = f64::from(self.options.value_weight);
        let loss = queens.policy_loss + arrows.policy_loss + weight * value_loss;
        if loss < self.state.best_loss {
            self.state.best_loss = loss;
            self.state.best.clone_from(&self.state.parameters);
        }
        self.state.curve.push(row);
        Ok(row)
    }
}

/// Parameters as training begins.
fn first_parameters(architecture: Architecture, seed: u64) -> Vec<f32> {
    match architecture {
        Architecture::ResNet(size) => ResNet::first_parameters(size, seed),
        Architecture::Patent => {
            let mut parameters = Network::random_parameters(Kind::Move, seed);
            parameters.extend(Network::random_parameters(Kind::Arrow, seed.wrapping_add(1)));
            patent::share(&mut parameters);
            parameters
        }
    }
}

/// The numbers below `count` in an order that follows from a seed.
fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut order: Vec<u32> = (0..count).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
    }
    order
}

/// A number that tells whether a checkpoint is of these options and samples.
fn mark(options: &Options, weights: &Weights, samples: &[Sample], watch: &[Sample]) -> u64 {
    let mut text = format!("{options:?} {} {} ", samples.len(), watch.len());
    text += &weights.to_text();
    for sample in samples.iter().step_by((samples.len() / 1000).max(1)) {
        text += &format!("{:?}", sample.played);
    }
    checksum(text.as_bytes())
}
