//! The residual network: what the search can afford.
//!
//! One residual trunk of 3x3 convolutions over [`super::input`] serves both stages of a turn: asked of a position it weighs
//! the queens' moves, asked of a position with a queen that is to shoot it weighs the arrows. A choice is a pair of squares
//! on a line, the queen's and the one it moves or shoots to (2,940 pairs on the board, of which only the legal ones are
//! computed): its logit is the product of what the trunk says of either square, a number for the square gone to, and the
//! one-ply evaluation of the choice times a learned factor. So an untrained network repeats the evaluation, and training
//! teaches it where the evaluation's order of moves is wrong. The value is built on the evaluation in the same way, from
//! sums of the trunk's numbers over the board.
//!
//! It is computed in whole numbers ([`nn::quantised`]); [`ResNet::reference`] computes what training means.

use super::bounded;
use super::input::{PLANES, activations, input};
use super::planes::number;
use crate::eval::batch::Board;
use crate::eval::{Features, Weights, chance};
use crate::position::Position;
use crate::square::Square;
use nn::parameters::{check, take};
use nn::quantised::{CLIP, STEP, TOGETHER};
use nn::{
    Activation, Activations, Conv, Output, ParameterError, Planes, QuantisedConv, RandomParameters,
    Shape, dot, softmax,
};

/// Numbers that are compared between two squares.
pub const COMPARED: usize = 15;
/// Outputs of a policy's last layer at each square: as the queen's square what is compared and a number, then the same as
/// the square gone to.
pub const PAIRED: usize = 2 * (COMPARED + 1);
/// Hidden numbers of the value.
pub const HIDDEN: usize = 32;
/// What the sums over the board are multiplied with before the value is made from them.
pub const POOLED: f32 = 0.1;
/// Learned factors of the evaluation: in the queen's policy, the arrow's, and the value.
pub const FACTORS: usize = 3;
/// Logits of the evaluation by which a choice must be better to have e times the share, where nothing but the evaluation is
/// asked, and as training begins.
pub const EVALUATION_TEMPERATURE: f32 = 0.6;
/// Logits of the evaluation are cut off here, which only those of decided positions reach.
pub const MAX_LOGIT: f32 = 30.0;

/// How large a residual network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResNetSize {
    /// Residual blocks of two layers.
    pub blocks: usize,
    /// Channels of the trunk.
    pub channels: usize,
}

impl ResNetSize {
    /// The shipped network's size.
    pub const SHIPPED: ResNetSize = ResNetSize { blocks: 2, channels: 32 };

    /// The trunk's first layer.
    pub const fn stem(self) -> Shape {
        Shape { kernel: 3, inputs: PLANES, filters: self.channels, activation: Activation::Clipped }
    }

    /// The two layers of a block: the first, and the second, to whose output is added what came into the block before
    /// numbers are cut off.
    pub const fn block(self) -> [Shape; 2] {
        let (inputs, filters) = (self.channels, self.channels);
        let activation = Activation::None;
        let second = Shape { kernel: 3, inputs, filters, activation };
        [Shape { activation: Activation::Relu, ..second }, second]
    }

    /// The last layer of either policy.
    pub const fn policy(self) -> Shape {
        let activation = Activation::None;
        Shape { kernel: 1, inputs: self.channels, filters: PAIRED, activation }
    }

    /// Inputs of the value's last layer: the hidden numbers, and the sums over the board themselves.
    pub const fn last(self) -> usize {
        HIDDEN + self.channels
    }

    /// Weights and biases.
    pub const fn parameters(self) -> usize {
        self.stem().parameters()
            + self.blocks * 2 * self.block()[0].parameters()
            + 2 * self.policy().parameters()
            + HIDDEN * (self.channels + 1)
            + self.last()
            + 1
            + FACTORS
    }
}

/// What the network says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct ResNetOutput {
    /// The chance that the side to move wins, which in the middle of a turn is the one that is to shoot.
    pub value: f32,
    /// The share of each candidate, together 1.
    pub shares: Vec<f32>,
}

/// A choice that the network weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The square of the queen that moves or shoots.
    pub from: Square,
    /// Where it moves or shoots to.
    pub to: Square,
    /// The evaluation's logit for the side to move after it.
    pub logit: f32,
}

/// Space to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    planes: Activations,
    trunk: Activations,
    inner: Activations,
    numbers: Vec<[f32; TOGETHER]>,
    sums: Vec<u32>,
}

/// The layers, of one kind of arithmetic or the other.
#[derive(Clone, Debug, PartialEq)]
struct Layers<L> {
    stem: L,
    blocks: Vec<[L; 2]>,
    /// Of the queen's policy and of the arrow's.
    policies: [L; 2],
}

impl<L> Layers<L> {
    fn new(size: ResNetSize, mut layer: impl FnMut(Shape, f32, bool) -> L) -> Layers<L> {
        let stem = layer(size.stem(), 1.0, false);
        let mut block = || size.block().map(|shape| layer(shape, STEP, false));
        let blocks = (0..size.blocks).map(|_| block()).collect();
        let mut policy = || layer(size.policy(), STEP, true);
        Layers { stem, blocks, policies: [policy(), policy()] }
    }
}

/// A residual network with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct ResNet {
    size: ResNetSize,
    quantised: Layers<QuantisedConv>,
    exact: Layers<Conv>,
    hidden: Vec<f32>,
    hidden_biases: Vec<f32>,
    value: Vec<f32>,
    value_bias: f32,
    factors: [f32; FACTORS],
}

impl ResNet {
    /// A network of parameters in this order: the first layer, the blocks' layers, the last layers of the queen's and the
    /// arrow's policy, the value's hidden layer and its last, of each the weights first; then the factors of the evaluation.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn new(size: ResNetSize, parameters: &[f32]) -> Result<ResNet, ParameterError> {
        check(parameters, size.parameters())?;
        let mut rest = parameters;
        let exact = Layers::new(size, |shape: Shape, _, _| {
            Conv::new(shape, take(&mut rest, shape.parameters()))
        });
        let mut again = parameters;
        let quantised = Layers::new(size, |shape: Shape, unit, last| {
            QuantisedConv::new(shape, take(&mut again, shape.parameters()), unit, last)
        });
        let mut numbers = |count: usize| take(&mut rest, count).to_vec();
        let (hidden, hidden_biases) = (numbers(HIDDEN * size.channels), numbers(HIDDEN));
        let (value, value_bias) = (numbers(size.last()), numbers(1)[0]);
        let mut factors = [0.0; FACTORS];
        factors.copy_from_slice(&numbers(FACTORS));
        Ok(ResNet { size, quantised, exact, hidden, hidden_biases, value, value_bias, factors })
    }

    /// Parameters as training begins, wholly given by a seed: drawn at random (He et al. 2015), but such that choices and
    /// value are the evaluation's, and the last layer of each block is small.
    pub fn first_parameters(size: ResNetSize, seed: u64) -> Vec<f32> {
        let mut random = RandomParameters::new(seed);
        random.conv(size.stem(), 1.0);
        for _ in 0..size.blocks {
            let [first, second] = size.block();
            random.conv(first, 1.0);
            random.conv(second, 0.3);
        }
        for _ in 0..2 {
            let at = random.parameters.len();
            random.conv(size.policy(), 0.3);
            // Nothing is said of the square gone to, and no number of the queen's, so products and sums are 0.
            let weights = &mut random.parameters[at..];
            weights[COMPARED * size.channels..PAIRED * size.channels].fill(0.0);
        }
        random.dense(size.channels, HIDDEN, 1.0);
        random.dense(size.last(), 1, 0.0);
        random.parameters.extend([1.0 / EVALUATION_TEMPERATURE, 1.0 / EVALUATION_TEMPERATURE, 1.0]);
        random.parameters
    }

    /// Its size.
    pub fn size(&self) -> ResNetSize {
        self.size
    }

    /// What the network says of choices of the side to move: queens' moves without a shooter, arrows of the shooter else.
    /// `logit` is the evaluation's logit of the position for that side.
    pub fn evaluate(
        &self,
        position: &Position,
        shooter: Option<Square>,
        logit: f32,
        candidates: &[Candidate],
        scratch: &mut Scratch,
    ) -> ResNetOutput {
        let layers = &self.quantised;
        activations(position, shooter, &mut scratch.planes);
        layers.stem.forward(&scratch.planes, Output::Levels(&mut scratch.trunk));
        for [first, second] in &layers.blocks {
            first.forward(&scratch.trunk, Output::Levels(&mut scratch.inner));
            second.forward(&scratch.inner, Output::Added(&mut scratch.trunk));
        }
        let stage = usize::from(shooter.is_some());
        layers.policies[stage].forward(&scratch.trunk, Output::Numbers(&mut scratch.numbers));
        let mut shares = Vec::with_capacity(candidates.len());
        shares.extend(candidates.iter().map(|choice| {
            let from = &scratch.numbers[number(choice.from)][..=COMPARED];
            let to = &scratch.numbers[number(choice.to)][COMPARED + 1..];
            self.pair(stage, from, to, choice.logit)
        }));
        softmax(&mut shares);
        scratch.trunk.sums(&mut scratch.sums);
        let pooled: Vec<f32> = scratch.sums[..self.size.channels]
            .iter()
            .map(|&sum| sum as f32 * (STEP * POOLED))
            .collect();
        ResNetOutput { value: chance(self.value(&pooled, logit)), shares }
    }

    /// The same in floating point, as training computes it; several times slower.
    pub fn reference(
        &self,
        position: &Position,
        shooter: Option<Square>,
        logit: f32,
        candidates: &[Candidate],
    ) -> ResNetOutput {
        let layers = &self.exact;
        let (mut planes, mut columns) = (Planes::default(), Vec::new());
        let (mut trunk, mut inner, mut output): (Planes, _, Planes) = Default::default();
        input(position, shooter, &mut planes);
        layers.stem.forward(&planes, &mut columns, &mut trunk);
        for [first, second] in &layers.blocks {
            first.forward(&trunk, &mut columns, &mut inner);
            second.forward(&inner, &mut columns, &mut output);
            for (number, more) in trunk.numbers_mut().iter_mut().zip(output.numbers_mut()) {
                *number = (*number + *more).clamp(0.0, CLIP);
            }
        }
        let stage = usize::from(shooter.is_some());
        layers.policies[stage].forward(&trunk, &mut columns, &mut output);
        let at = |square| -> Vec<f32> {
            output.channels().map(|channel| channel[number(square)]).collect()
        };
        let mut shares: Vec<f32> = candidates
            .iter()
            .map(|choice| {
                let (from, to) = (at(choice.from), at(choice.to));
                self.pair(stage, &from[..=COMPARED], &to[COMPARED + 1..], choice.logit)
            })
            .collect();
        softmax(&mut shares);
        let sum = |channel: &[f32]| channel.iter().sum::<f32>() * POOLED;
        let pooled: Vec<f32> = trunk.channels().map(sum).collect();
        ResNetOutput { value: chance(self.value(&pooled, logit)), shares }
    }

    /// The logit of a choice from the numbers of its two squares.
    #[inline]
    fn pair(&self, stage: usize, from: &[f32], to: &[f32], logit: f32) -> f32 {
        const SCALE: f32 = 0.258_198_9; // 1 / sqrt(15)
        let product = dot(&from[..COMPARED], &to[..COMPARED]);
        let single = from[COMPARED] + to[COMPARED];
        bounded(SCALE * product + single + self.factors[stage] * logit.clamp(-MAX_LOGIT, MAX_LOGIT))
    }

    /// The logit of the value from the sums over the board.
    fn value(&self, pooled: &[f32], logit: f32) -> f32 {
        let hidden = self.hidden.chunks_exact(pooled.len()).zip(&self.hidden_biases);
        let hidden = hidden.map(|(weights, bias)| (dot(weights, pooled) + bias).max(0.0));
        let (last, direct) = self.value.split_at(HIDDEN);
        let sum: f32 = hidden.zip(last).map(|(number, weight)| number * weight).sum();
        let evaluated = self.factors[2] * logit.clamp(-MAX_LOGIT, MAX_LOGIT);
        bounded(sum + dot(direct, pooled) + self.value_bias + evaluated)
    }
}

/// The choices of a position with the evaluation's logits, and the logit of the position itself, as [`ResNet::evaluate`] is
/// asked: without a shooter of the queens' moves, else of the arrows of the queen that stands there.
pub fn candidates(
    weights: &Weights,
    position: &Position,
    shooter: Option<Square>,
) -> (f32, Vec<Candidate>) {
    let (own, other) = (position.to_move(), position.to_move().other());
    let (own, other) = (position.queens(own), position.queens(other));
    let free = position.free();
    // For the side that has just moved.
    let after = |own, free| Board { own: other, other: own, free };
    let (logit, mut candidates) = match shooter {
        None => {
            let mut candidates = Vec::new();
            for from in own {
                let to = position.destinations(from).iter();
                candidates.extend(to.map(|to| Candidate { from, to, logit: 0.0 }));
            }
            (weights.evaluate(position), candidates)
        }
        Some(from) => {
            let arrows = position.destinations(from).iter();
            let candidates = arrows.map(|to| Candidate { from, to, logit: 0.0 }).collect();
            (-weights.evaluate_features(&Features::of(other, own, free)), candidates)
        }
    };
    let board = |choice: &Candidate| match shooter {
        None => {
            let (from, to) = (choice.from.into(), choice.to.into());
            after((own - from) | to, (free | from) - to)
        }
        Some(_) => after(own, free - choice.to.into()),
    };
    weights.evaluate_each(&mut candidates, board, |choice, logit| choice.logit = -logit);
    (logit, candidates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn an_untrained_network_repeats_the_evaluation() {
        let size = ResNetSize { blocks: 1, channels: 8 };
        let network = ResNet::new(size, &ResNet::first_parameters(size, 1)).expect("a network");
        let weights = Weights::shipped();
        let start = Position::start();
        let shooter = start.queens(start.to_move()).iter().next();
        for shooter in [None, shooter] {
            let (logit, asked) = candidates(&weights, &start, shooter);
            let output = network.evaluate(&start, shooter, logit, &asked, &mut Scratch::default());
            let mut expected: Vec<f32> =
                asked.iter().map(|choice| choice.logit / EVALUATION_TEMPERATURE).collect();
            softmax(&mut expected);
            for (found, expected) in output.shares.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
            assert!((output.value - chance(logit)).abs() < 1e-5);
        }
    }

    #[test]
    fn whole_numbers_say_nearly_what_the_reference_says() {
        let size = ResNetSize { blocks: 2, channels: 40 };
        let mut parameters = ResNet::first_parameters(size, 3);
        for (at, parameter) in parameters.iter_mut().enumerate() {
            *parameter += 0.01 * (at as f32 * 0.7).sin();
        }
        let other = Arc::new(ResNet::new(size, &parameters).expect("a network"));
        let (weights, mut scratch) = (Weights::shipped(), Scratch::default());
        let (mut position, mut seed) = (Position::start(), 3u64);
        let (mut gaps, mut count) = ([0.0f32; 2], 0);
        for _ in 0..40 {
            let moves = position.moves();
            let Some(mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let between = position.after_queen(mv.from, mv.to);
            for (position, shooter) in [(&position, None), (&between, Some(mv.to))] {
                let (logit, asked) = candidates(&weights, position, shooter);
                for network in [&ResNet::shipped(), &other] {
                    let found = network.evaluate(position, shooter, logit, &asked, &mut scratch);
                    let exact = network.reference(position, shooter, logit, &asked);
                    let shares = found.shares.iter().zip(&exact.shares);
                    let gap = shares.map(|(a, b)| (a - b).abs()).sum::<f32>();
                    gaps[0] += gap;
                    gaps[1] += (found.value - exact.value).abs();
                    count += 1;
                    assert!(gap < 0.4, "{position}\n{gap}");
                    assert!((found.value - exact.value).abs() < 0.1, "{position}");
                }
            }
            position.make(*mv);
        }
        // On the average much less: hundredths of all shares, and of the chance.
        assert!(gaps.iter().all(|gap| gap / (count as f32) < 0.03), "{gaps:?} {count}");
    }

    #[test]
    fn absurd_parameters_give_shares_and_a_chance_all_the_same() {
        let size = ResNetSize { blocks: 1, channels: 8 };
        let (weights, start) = (Weights::shipped(), Position::start());
        let (logit, asked) = candidates(&weights, &start, None);
        for scale in [1e19, 1e30, f32::MAX] {
            let sign = |at: usize| if at.is_multiple_of(2) { scale } else { -scale };
            let parameters: Vec<f32> = (0..size.parameters()).map(sign).collect();
            let network = ResNet::new(size, &parameters).expect("a network");
            let quantised = network.evaluate(&start, None, logit, &asked, &mut Scratch::default());
            for said in [quantised, network.reference(&start, None, logit, &asked)] {
                let sum: f32 = said.shares.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "{sum}");
                assert!((0.0..=1.0).contains(&said.value), "{}", said.value);
            }
        }
    }

    #[test]
    fn parameters_are_counted_and_checked() {
        let size = ResNetSize::SHIPPED;
        let mut parameters = ResNet::first_parameters(size, 1);
        assert_eq!(parameters.len(), size.parameters());
        assert_eq!(parameters, ResNet::first_parameters(size, 1));
        assert_ne!(parameters, ResNet::first_parameters(size, 2));
        let found = parameters.len();
        parameters[7] = f32::NAN;
        assert_eq!(ResNet::new(size, &parameters), Err(ParameterError::NotFinite(7)));
        let expected = found;
        let found = found - 1;
        let count = ParameterError::Count { found, expected };
        assert_eq!(ResNet::new(size, &parameters[1..]), Err(count));
    }
}
