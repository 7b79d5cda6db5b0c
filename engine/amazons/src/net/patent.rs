//! The patent's two networks as they stand in CN 111330255 B: Move-Net chooses a queen's move, Arrow-Net the arrow on the
//! board after it.
//!
//! Decided where the patent leaves it open, or is unsound:
//! * the planes are divided by 100, so that a free square is 1;
//! * kernels of even size hang over at the end ([`nn::Conv`]);
//! * the value goes through a sigmoid, since it is fitted to 0 and 1, and is the chance of the side to move;
//! * illegal outputs are left out before the softmax rather than set to 0, which would leave them a share; of Move-Net's
//!   10,000 outputs only 2,940 can ever be legal, so only the legal ones are computed at all;
//! * dropout does nothing in playing.

use super::planes::{AREA, BOARD, QUEENS, number, planes};
use super::{NetOutput, bounded};
use crate::eval::chance;
use crate::position::Position;
use crate::square::Square;
use nn::dense::Dense;
use nn::parameters::{check, take};
use nn::{Activation, Conv, ParameterError, Planes, RandomParameters, Shape, softmax};

const fn shape(kernel: usize, inputs: usize, filters: usize, activation: Activation) -> Shape {
    Shape { kernel, inputs, filters, activation }
}

use Activation::{Relu, Tanh};

/// The twelve layers that both networks begin with.
pub const TRUNK: [Shape; 12] = [
    shape(6, QUEENS, 128, Relu),
    shape(5, 128, 64, Relu),
    shape(4, 64, 32, Tanh),
    shape(2, 32, 16, Tanh),
    shape(4, 16, 128, Relu),
    shape(3, 128, 128, Relu),
    shape(3, 128, 64, Tanh),
    shape(2, 64, 64, Tanh),
    shape(3, 64, 64, Relu),
    shape(4, 64, 64, Relu),
    shape(5, 64, 32, Tanh),
    shape(6, 32, 16, Tanh),
];

/// Layers of the trunk, from 0, whose weights both networks share.
pub const fn is_shared(layer: usize) -> bool {
    layer < 4 || layer >= 8
}

/// The convolutions of the policy, behind the trunk.
pub const POLICY: [Shape; 4] = [
    shape(2, 16, 128, Relu),
    shape(2, 128, 64, Relu),
    shape(2, 64, 32, Tanh),
    shape(2, 32, 16, Tanh),
];

/// Numbers that go into a fully connected layer.
pub const FLAT: usize = 16 * AREA;

/// Which of the two networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From-square by to-square.
    Move,
    /// The arrow's square.
    Arrow,
}

impl Kind {
    /// Outputs of the policy.
    pub const fn outputs(self) -> usize {
        match self {
            Kind::Move => AREA * AREA,
            Kind::Arrow => AREA,
        }
    }

    /// Weights and biases of the whole network.
    pub const fn parameters(self) -> usize {
        sum_parameters(&TRUNK) + sum_parameters(&POLICY) + FLAT + 1 + self.outputs() * (FLAT + 1)
    }

    /// Multiply-adds of a whole forward pass, with all outputs computed.
    pub const fn multiply_adds(self) -> usize {
        sum_multiply_adds(&TRUNK) + sum_multiply_adds(&POLICY) + FLAT + self.outputs() * FLAT
    }
}

const fn sum_parameters(layers: &[Shape]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < layers.len() {
        sum += layers[i].parameters();
        i += 1;
    }
    sum
}

const fn sum_multiply_adds(layers: &[Shape]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < layers.len() {
        sum += layers[i].multiply_adds(BOARD);
        i += 1;
    }
    sum
}

/// One of the patent's networks with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    kind: Kind,
    trunk: Vec<Conv>,
    value: Dense,
    policy: Vec<Conv>,
    last: Dense,
}

/// Space to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    columns: Vec<f32>,
    input: Planes,
    output: Planes,
}

impl Network {
    /// A network of parameters in this order: the trunk's layers, the value's layer, the policy's layers, the last layer;
    /// of each the weights first.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn new(kind: Kind, parameters: &[f32]) -> Result<Network, ParameterError> {
        check(parameters, kind.parameters())?;
        let mut rest = parameters;
        let mut take = |count: usize| take(&mut rest, count);
        let trunk = TRUNK.map(|shape| Conv::new(shape, take(shape.parameters()))).to_vec();
        let value = Dense::new(FLAT, take(FLAT), take(1));
        let policy = POLICY.map(|shape| Conv::new(shape, take(shape.parameters()))).to_vec();
        let outputs = kind.outputs();
        let last = Dense::new(FLAT, take(FLAT * outputs), take(outputs));
        Ok(Network { kind, trunk, value, policy, last })
    }

    /// Parameters drawn at random, as training begins (He et al. 2015), wholly given by a seed.
    pub fn random_parameters(kind: Kind, seed: u64) -> Vec<f32> {
        let mut random = RandomParameters::new(seed);
        for shape in TRUNK {
            random.conv(shape, 1.0);
        }
        random.dense(FLAT, 1, 1.0);
        for shape in POLICY {
            random.conv(shape, 1.0);
        }
        random.dense(FLAT, kind.outputs(), 1.0);
        random.parameters
    }

    /// What the network says of a position, of which one side's queens are to move ([`Kind::Move`]) or one of them,
    /// which has moved to a square, is to shoot ([`Kind::Arrow`]).
    ///
    /// ```
    /// use amazons_engine::{Position, net::patent::{Kind, Network, Scratch}};
    /// let parameters = Network::random_parameters(Kind::Arrow, 1);
    /// let network = Network::new(Kind::Arrow, &parameters)?;
    /// let start = Position::start();
    /// let queen = start.queens(start.to_move()).iter().next().unwrap();
    /// let output = network.evaluate(&start, Some(queen), &mut Scratch::default());
    /// assert!((output.policy.iter().map(|choice| choice.2).sum::<f32>() - 1.0).abs() < 1e-4);
    /// # Ok::<(), amazons_engine::net::ParameterError>(())
    /// ```
    pub fn evaluate(
        &self,
        position: &Position,
        shooter: Option<Square>,
        scratch: &mut Scratch,
    ) -> NetOutput {
        let mut choices = Vec::new();
        match (self.kind, shooter) {
            (Kind::Move, _) => {
                for from in position.queens(position.to_move()) {
                    choices.extend(position.destinations(from).iter().map(|to| (from, to)));
                }
            }
            (Kind::Arrow, Some(at)) => {
                choices.extend(position.destinations(at).iter().map(|arrow| (arrow, arrow)));
            }
            (Kind::Arrow, None) => {}
        }
        scratch.input.clear(BOARD, QUEENS);
        for (channel, plane) in planes(position).into_iter().enumerate() {
            for (number, mean) in scratch.input.channel_mut(channel).iter_mut().zip(plane) {
                *number = mean / 100.0;
            }
        }
        for conv in &self.trunk {
            conv.forward(&scratch.input, &mut scratch.columns, &mut scratch.output);
            std::mem::swap(&mut scratch.input, &mut scratch.output);
        }
        let value = chance(bounded(self.value.output(0, &flat(&scratch.input))));
        for conv in &self.policy {
            conv.forward(&scratch.input, &mut scratch.columns, &mut scratch.output);
            std::mem::swap(&mut scratch.input, &mut scratch.output);
        }
        let features = flat(&scratch.input);
        let logit = |&(from, to): &(Square, Square)| {
            let output = match self.kind {
                Kind::Move => number(from) * AREA + number(to),
                Kind::Arrow => number(to),
            };
            bounded(self.last.output(output, &features))
        };
        let mut shares: Vec<f32> = choices.iter().map(logit).collect();
        softmax(&mut shares);
        let policy = choices.into_iter().zip(shares).map(|((from, to), share)| (from, to, share));
        NetOutput { value, policy: policy.collect() }
    }
}

/// The squares of all channels in one row, without the unused columns.
fn flat(planes: &Planes) -> Vec<f32> {
    planes.channels().flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_patents() {
        assert_eq!(sum_parameters(&TRUNK), 701_216);
        assert_eq!(sum_multiply_adds(&TRUNK), 70_041_600);
        assert_eq!(sum_parameters(&POLICY), 51_440);
        assert_eq!(FLAT + 1, 1_601);
        assert_eq!(Kind::Move.outputs() * (FLAT + 1), 16_010_000);
        assert_eq!(Kind::Arrow.outputs() * (FLAT + 1), 160_100);
        assert_eq!(Kind::Move.parameters(), 16_764_257);
        assert_eq!(Kind::Move.multiply_adds(), 91_163_200);
        assert_eq!(Kind::Arrow.parameters(), 914_357);
        assert_eq!(Kind::Arrow.multiply_adds(), 75_323_200);
        let shared: usize =
            (0..TRUNK.len()).filter(|&i| is_shared(i)).map(|i| TRUNK[i].parameters()).sum();
        assert_eq!(shared, 430_496);
        assert_eq!(Kind::Move.parameters() + Kind::Arrow.parameters() - shared, 17_248_118);
    }

    #[test]
    fn queens_can_move_along_2940_lines() {
        let mut lines = 0;
        for square in Position::empty(crate::Size::FULL).free() {
            lines += Position::empty(crate::Size::FULL).destinations(square).len();
        }
        assert_eq!(lines, 2940);
    }

    #[test]
    fn opinions_are_shares_of_what_is_legal() {
        let start = Position::start();
        let parameters = Network::random_parameters(Kind::Move, 3);
        let network = Network::new(Kind::Move, &parameters).expect("a network");
        let mut scratch = Scratch::default();
        let output = network.evaluate(&start, None, &mut scratch);
        let legal: u32 = start.movable().iter().map(|queen| start.destinations(queen).len()).sum();
        assert_eq!(output.policy.len(), legal as usize);
        let sum: f32 = output.policy.iter().map(|choice| choice.2).sum();
        assert!((sum - 1.0).abs() < 1e-4 && (0.0..=1.0).contains(&output.value), "{sum}");
        assert_eq!(output, network.evaluate(&start, None, &mut scratch));
        let short = &parameters[1..];
        let expected = ParameterError::Count { found: 16_764_256, expected: 16_764_257 };
        assert_eq!(Network::new(Kind::Move, short), Err(expected));
    }
}
