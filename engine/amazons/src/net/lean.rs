//! The lean network: what the search can afford.
//!
//! One residual trunk of 3x3 convolutions over [`super::input`] serves both stages of a turn: asked of a position it judges
//! the queens' moves, asked of a position with a queen that is to shoot it judges the arrows. A choice is a pair of squares
//! on a line, the queen's and the one it moves or shoots to (2,940 pairs on the board, of which only the legal ones are
//! computed): its logit is the product of what the trunk says of either square, a number for the square gone to, and the
//! one-ply evaluation of the choice times a learned factor. So an untrained network repeats the evaluation, and training
//! teaches it where the evaluation's order of moves is wrong. The value is built on the evaluation in the same way.

use std::sync::{Arc, OnceLock};

use super::conv::{Activation, Conv, Shape};
use super::gemm::Row;
use super::input::{PLANES, input};
use super::planes::{AREA, number};
use super::{Draws, ParameterError, take};
use crate::eval::batch::Board;
use crate::eval::{Features, Weights, chance};
use crate::position::Position;
use crate::square::Square;

/// The network inside the program, as [`super::file`] keeps it.
const SHIPPED_BYTES: &[u8] = include_bytes!("../../weights/lean.net");

/// Numbers that are compared between two squares.
pub const COMPARED: usize = 16;
/// Outputs of a policy's last layer at each square: as the queen's square, as the one gone to, and a number for each.
pub const PAIRED: usize = 2 * COMPARED + 2;
/// Hidden numbers of the value.
pub const HIDDEN: usize = 32;
/// Learned factors of the evaluation: in the queen's policy, the arrow's, and the value.
pub const FACTORS: usize = 3;
/// Logits of the evaluation are cut off here, which only those of decided positions reach.
pub const MOST: f32 = 30.0;

/// How large a lean network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Residual blocks of two layers.
    pub blocks: usize,
    /// Channels of the trunk.
    pub channels: usize,
}

impl Form {
    /// The shipped network's form.
    pub const SHIPPED: Form = Form { blocks: 2, channels: 32 };

    /// The trunk's first layer.
    pub const fn stem(self) -> Shape {
        Shape { kernel: 3, inputs: PLANES, filters: self.channels, activation: Activation::Relu }
    }

    /// The two layers of a block: the first, and the second, to whose output is added what came into the block before
    /// negative numbers become 0.
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

    /// Weights and biases.
    pub const fn parameters(self) -> usize {
        self.stem().parameters()
            + self.blocks * 2 * self.block()[0].parameters()
            + 2 * self.policy().parameters()
            + HIDDEN * (self.channels + 1)
            + HIDDEN
            + 1
            + FACTORS
    }
}

/// What the network says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The chance that the side to move wins, which in the middle of a turn is the one that is to shoot.
    pub value: f32,
    /// The share of each choice that was asked about, together 1.
    pub shares: Vec<f32>,
}

/// A choice to be judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// The square of the queen that moves or shoots.
    pub from: Square,
    /// Where it moves or shoots to.
    pub to: Square,
    /// The evaluation's logit for the side to move after it.
    pub logit: f32,
}

/// Room to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Room {
    columns: Vec<Row>,
    trunk: Vec<Row>,
    inner: Vec<Row>,
    output: Vec<Row>,
}

/// A lean network with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Lean {
    form: Form,
    stem: Conv,
    blocks: Vec<[Conv; 2]>,
    /// Of the queen's policy and of the arrow's.
    policies: [Conv; 2],
    hidden: Vec<f32>,
    hidden_biases: Vec<f32>,
    value: Vec<f32>,
    value_bias: f32,
    factors: [f32; FACTORS],
}

impl Lean {
    /// A network of parameters in this order: the first layer, the blocks' layers, the last layers of the queen's and the
    /// arrow's policy, the value's hidden layer and its last, of each the weights first; then the factors of the evaluation.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn new(form: Form, parameters: &[f32]) -> Result<Lean, ParameterError> {
        ParameterError::check(parameters, form.parameters())?;
        let mut rest = parameters;
        let mut conv = |shape: Shape| Conv::new(shape, take(&mut rest, shape.parameters()));
        let stem = conv(form.stem());
        let blocks = (0..form.blocks).map(|_| form.block().map(&mut conv)).collect();
        let policies = [conv(form.policy()), conv(form.policy())];
        let mut numbers = |count: usize| take(&mut rest, count).to_vec();
        let (hidden, hidden_biases) = (numbers(HIDDEN * form.channels), numbers(HIDDEN));
        let (value, value_bias) = (numbers(HIDDEN), numbers(1)[0]);
        let mut factors = [0.0; FACTORS];
        factors.copy_from_slice(&numbers(FACTORS));
        Ok(Lean { form, stem, blocks, policies, hidden, hidden_biases, value, value_bias, factors })
    }

    /// Parameters as training begins, wholly given by a seed: drawn at random (He et al. 2015), but such that choices and
    /// value are the evaluation's, and the last layer of each block is small.
    pub fn first_parameters(form: Form, seed: u64) -> Vec<f32> {
        let mut draws = Draws::new(seed);
        draws.conv(form.stem(), 1.0);
        for _ in 0..form.blocks {
            let [first, second] = form.block();
            draws.conv(first, 1.0);
            draws.conv(second, 0.3);
        }
        for _ in 0..2 {
            let at = draws.parameters.len();
            draws.conv(form.policy(), 0.3);
            // Nothing is said of the square gone to, so products and sums are 0.
            let weights = &mut draws.parameters[at..];
            weights[COMPARED * form.channels..PAIRED * form.channels].fill(0.0);
        }
        draws.dense(form.channels, HIDDEN, 1.0);
        draws.dense(HIDDEN, 1, 0.0);
        draws.parameters.extend([1.0 / 0.6, 1.0 / 0.6, 1.0]);
        draws.parameters
    }

    /// The network inside the program.
    pub fn shipped() -> Arc<Lean> {
        static SHIPPED: OnceLock<Arc<Lean>> = OnceLock::new();
        let read = || match super::file::network(SHIPPED_BYTES) {
            Ok(super::file::Net::Lean(network)) => Arc::new(*network),
            // The tests hold that this cannot be; an untrained network says what the evaluation says.
            _ => {
                let first = Lean::first_parameters(Form::SHIPPED, 1);
                Lean::new(Form::SHIPPED, &first).map(Arc::new).unwrap_or_else(|_| unreachable!())
            }
        };
        SHIPPED.get_or_init(read).clone()
    }

    /// Its form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What the network says of choices of the side to move: queens' moves without a shooter, arrows of the shooter else.
    /// `logit` is the evaluation's logit of the position for that side.
    pub fn judge(
        &self,
        position: &Position,
        shooter: Option<Square>,
        logit: f32,
        asked: &[Asked],
        room: &mut Room,
    ) -> Opinion {
        input(position, shooter, &mut room.output);
        self.stem.forward(&room.output, &mut room.columns, &mut room.trunk);
        for [first, second] in &self.blocks {
            first.forward(&room.trunk, &mut room.columns, &mut room.inner);
            second.forward(&room.inner, &mut room.columns, &mut room.output);
            for (row, more) in room.trunk.iter_mut().zip(&room.output) {
                for (number, more) in row.iter_mut().zip(more) {
                    *number = (*number + more).max(0.0);
                }
            }
        }
        let stage = usize::from(shooter.is_some());
        self.policies[stage].forward(&room.trunk, &mut room.columns, &mut room.output);
        let scale = 1.0 / (COMPARED as f32).sqrt();
        let mut shares: Vec<f32> = asked
            .iter()
            .map(|choice| {
                let (from, to) = (number(choice.from), number(choice.to));
                let product: f32 = (0..COMPARED)
                    .map(|i| room.output[i][from] * room.output[COMPARED + i][to])
                    .sum();
                let single = room.output[PAIRED - 2][to] + room.output[PAIRED - 1][from];
                scale * product + single + self.factors[stage] * choice.logit.clamp(-MOST, MOST)
            })
            .collect();
        softmax(&mut shares);
        Opinion { value: chance(self.value(&room.trunk, logit)), shares }
    }

    fn value(&self, trunk: &[Row], logit: f32) -> f32 {
        let mean = |row: &Row| row[..AREA].iter().sum::<f32>() / AREA as f32;
        let means: Vec<f32> = trunk.iter().map(mean).collect();
        let hidden = self.hidden.chunks_exact(means.len()).zip(&self.hidden_biases);
        let hidden = hidden.map(|(weights, bias)| (dot(weights, &means) + bias).max(0.0));
        let sum: f32 = hidden.zip(&self.value).map(|(number, weight)| number * weight).sum();
        sum + self.value_bias + self.factors[2] * logit.clamp(-MOST, MOST)
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Turns logits into shares.
pub(super) fn softmax(logits: &mut [f32]) {
    let best = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - best).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// The choices of a position with the evaluation's logits, and the logit of the position itself, as [`Lean::judge`] is
/// asked: without a shooter of the queens' moves, else of the arrows of the queen that stands there.
pub fn ask(weights: &Weights, position: &Position, shooter: Option<Square>) -> (f32, Vec<Asked>) {
    let (own, other) = (position.to_move(), position.to_move().other());
    let (own, other) = (position.queens(own), position.queens(other));
    let free = position.free();
    // For the side that has just moved.
    let after = |own, free| Board { own: other, other: own, free };
    let (logit, mut asked) = match shooter {
        None => {
            let mut asked = Vec::new();
            for from in own {
                let to = position.destinations(from).iter();
                asked.extend(to.map(|to| Asked { from, to, logit: 0.0 }));
            }
            (weights.evaluate(position), asked)
        }
        Some(from) => {
            let arrows = position.destinations(from).iter();
            let asked = arrows.map(|to| Asked { from, to, logit: 0.0 }).collect();
            (-weights.judge(&Features::of(other, own, free)), asked)
        }
    };
    let board = |choice: &Asked| match shooter {
        None => {
            let (from, to) = (choice.from.into(), choice.to.into());
            after((own - from) | to, (free | from) - to)
        }
        Some(_) => after(own, free - choice.to.into()),
    };
    weights.judge_each(&mut asked, board, |choice, logit| choice.logit = -logit);
    (logit, asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untrained_network_repeats_the_evaluation() {
        let form = Form { blocks: 1, channels: 8 };
        let network = Lean::new(form, &Lean::first_parameters(form, 1)).expect("a network");
        let weights = Weights::shipped();
        let start = Position::start();
        let shooter = start.queens(start.to_move()).iter().next();
        for shooter in [None, shooter] {
            let (logit, asked) = ask(&weights, &start, shooter);
            let opinion = network.judge(&start, shooter, logit, &asked, &mut Room::default());
            let mut expected: Vec<f32> = asked.iter().map(|choice| choice.logit / 0.6).collect();
            softmax(&mut expected);
            for (found, expected) in opinion.shares.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
            assert!((opinion.value - chance(logit)).abs() < 1e-5);
        }
    }

    #[test]
    fn the_shipped_network_can_be_read() {
        let (class, parameters) = super::super::file::read(SHIPPED_BYTES).expect("a network");
        assert_eq!(class, super::super::file::Class::Lean(Lean::shipped().form()));
        assert_eq!(Lean::new(Lean::shipped().form(), &parameters).as_ref(), Ok(&*Lean::shipped()));
    }

    #[test]
    fn parameters_are_counted_and_checked() {
        let form = Form::SHIPPED;
        let mut parameters = Lean::first_parameters(form, 1);
        assert_eq!(parameters.len(), form.parameters());
        assert_eq!(parameters, Lean::first_parameters(form, 1));
        assert_ne!(parameters, Lean::first_parameters(form, 2));
        let found = parameters.len();
        parameters[7] = f32::NAN;
        assert_eq!(Lean::new(form, &parameters), Err(ParameterError::NotFinite(7)));
        let expected = found;
        let found = found - 1;
        let count = ParameterError::Count { found, expected };
        assert_eq!(Lean::new(form, &parameters[1..]), Err(count));
    }
}
