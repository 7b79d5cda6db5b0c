//! The patent's two networks as they stand in CN 111330255 B: Move-Net chooses a queen's move, Arrow-Net the arrow on the
//! board after it.
//!
//! Decided where the patent leaves it open, or is unsound:
//! * the planes are divided by 100, so that a free square is 1;
//! * kernels of even size hang over at the end ([`super::conv`]);
//! * the value goes through a sigmoid, since it is fitted to 0 and 1, and is the chance of the side to move;
//! * illegal outputs are left out before the softmax rather than set to 0, which would leave them a share; of Move-Net's
//!   10,000 outputs only 2,940 can ever be legal, so only the legal ones are computed at all;
//! * dropout does nothing in playing.

use super::conv::{Activation, Conv, Shape};
use super::gemm::{COLUMNS, Row};
use super::planes::{AREA, QUEENS, number, planes};
use super::{Draws, ParameterError, take};
use crate::eval::chance;
use crate::position::Position;
use crate::square::Square;

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
        sum += layers[i].multiply_adds();
        i += 1;
    }
    sum
}

/// A fully connected layer, of which single outputs can be computed.
#[derive(Clone, Debug, PartialEq)]
struct Dense {
    /// By output and input.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl Dense {
    fn output(&self, number: usize, input: &[f32]) -> f32 {
        let weights = &self.weights[number * FLAT..(number + 1) * FLAT];
        let mut sums = [0.0f32; 16];
        for (weights, numbers) in weights.chunks_exact(16).zip(input.chunks_exact(16)) {
            for i in 0..16 {
                sums[i] += weights[i] * numbers[i];
            }
        }
        sums.iter().sum::<f32>() + self.biases[number]
    }
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

/// What a network says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The chance that the side to move wins.
    pub value: f32,
    /// The share of each legal choice, together 1: for Move-Net from and to, for Arrow-Net the arrow's square twice.
    pub policy: Vec<(Square, Square, f32)>,
}

/// Room to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Room {
    columns: Vec<Row>,
    input: Vec<Row>,
    output: Vec<Row>,
}

impl Network {
    /// A network of parameters in this order: the trunk's layers, the value's layer, the policy's layers, the last layer;
    /// of each the weights first.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn new(kind: Kind, parameters: &[f32]) -> Result<Network, ParameterError> {
        ParameterError::check(parameters, kind.parameters())?;
        let mut rest = parameters;
        let mut take = |count: usize| take(&mut rest, count);
        let trunk = TRUNK.map(|shape| Conv::new(shape, take(shape.parameters()))).to_vec();
        let value = Dense { weights: take(FLAT).to_vec(), biases: take(1).to_vec() };
        let policy = POLICY.map(|shape| Conv::new(shape, take(shape.parameters()))).to_vec();
        let outputs = kind.outputs();
        let last = Dense { weights: take(FLAT * outputs).to_vec(), biases: take(outputs).to_vec() };
        Ok(Network { kind, trunk, value, policy, last })
    }

    /// Parameters drawn at random, as training begins (He et al. 2015), wholly given by a seed.
    pub fn random_parameters(kind: Kind, seed: u64) -> Vec<f32> {
        let mut draws = Draws::new(seed);
        for shape in TRUNK {
            draws.conv(shape, 1.0);
        }
        draws.dense(FLAT, 1, 1.0);
        for shape in POLICY {
            draws.conv(shape, 1.0);
        }
        draws.dense(FLAT, kind.outputs(), 1.0);
        draws.parameters
    }

    /// What the network says of a position, of which one side's queens are to move ([`Kind::Move`]) or one of them,
    /// which has moved to a square, is to shoot ([`Kind::Arrow`]).
    ///
    /// ```
    /// use amazons_engine::{Position, net::literal::{Kind, Network, Room}};
    /// let parameters = Network::random_parameters(Kind::Arrow, 1);
    /// let network = Network::new(Kind::Arrow, &parameters)?;
    /// let start = Position::start();
    /// let queen = start.queens(start.to_move()).iter().next().unwrap();
    /// let opinion = network.judge(&start, Some(queen), &mut Room::default());
    /// assert!((opinion.policy.iter().map(|choice| choice.2).sum::<f32>() - 1.0).abs() < 1e-4);
    /// # Ok::<(), amazons_engine::net::ParameterError>(())
    /// ```
    pub fn judge(&self, position: &Position, shooter: Option<Square>, room: &mut Room) -> Opinion {
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
        room.input.clear();
        for plane in planes(position) {
            let mut row = [0.0; COLUMNS];
            for (number, mean) in row.iter_mut().zip(plane) {
                *number = mean / 100.0;
            }
            room.input.push(row);
        }
        for conv in &self.trunk {
            conv.forward(&room.input, &mut room.columns, &mut room.output);
            std::mem::swap(&mut room.input, &mut room.output);
        }
        let value = chance(self.value.output(0, &flat(&room.input)));
        for conv in &self.policy {
            conv.forward(&room.input, &mut room.columns, &mut room.output);
            std::mem::swap(&mut room.input, &mut room.output);
        }
        let features = flat(&room.input);
        let mut policy: Vec<(Square, Square, f32)> = choices
            .into_iter()
            .map(|(from, to)| {
                let output = match self.kind {
                    Kind::Move => number(from) * AREA + number(to),
                    Kind::Arrow => number(to),
                };
                (from, to, self.last.output(output, &features))
            })
            .collect();
        softmax(&mut policy);
        Opinion { value, policy }
    }
}

/// The squares of all channels in one row, without the unused columns.
fn flat(rows: &[Row]) -> Vec<f32> {
    rows.iter().flat_map(|row| row[..AREA].iter().copied()).collect()
}

fn softmax(policy: &mut [(Square, Square, f32)]) {
    let best = policy.iter().map(|choice| choice.2).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for choice in policy.iter_mut() {
        choice.2 = (choice.2 - best).exp();
        sum += choice.2;
    }
    for choice in policy {
        choice.2 /= sum;
    }
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
        let mut room = Room::default();
        let opinion = network.judge(&start, None, &mut room);
        let legal: u32 = start.movable().iter().map(|queen| start.destinations(queen).len()).sum();
        assert_eq!(opinion.policy.len(), legal as usize);
        let sum: f32 = opinion.policy.iter().map(|choice| choice.2).sum();
        assert!((sum - 1.0).abs() < 1e-4 && (0.0..=1.0).contains(&opinion.value), "{sum}");
        assert_eq!(opinion, network.judge(&start, None, &mut room));
        let short = &parameters[1..];
        let expected = ParameterError::Count { found: 16_764_256, expected: 16_764_257 };
        assert_eq!(Network::new(Kind::Move, short), Err(expected));
    }
}
