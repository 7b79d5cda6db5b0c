//! Temporal-difference learning of the network.

use super::Lesson;
use crate::eval::features::Inputs;
use crate::eval::net::{HIDDEN, Net, activation, sigmoid};
use crate::eval::{SPREAD, combine, static_score};
use crate::game::Game;
use crate::rules::Rules;

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueOptions {
    /// TD(lambda): 1 learns from the result alone, 0 from the next position alone.
    pub lambda: f32,
    /// The step of AdaGrad (Duchi, Hazan and Singer 2011).
    pub step: f32,
}

impl Default for ValueOptions {
    fn default() -> ValueOptions {
        ValueOptions { lambda: 0.9, step: 0.02 }
    }
}

/// What a network's judgement is worth on games it has not learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueFigures {
    /// Positions judged.
    pub positions: usize,
    /// Mean of minus the logarithm of the chance given to what happened.
    pub log_loss: f64,
    /// The part of positions whose winner was called.
    pub right: f64,
}

/// A network and the squared gradients so far.
#[derive(Clone, Debug)]
pub struct ValueLearner {
    net: Net,
    squares: Net,
    options: ValueOptions,
}

/// One position of a game, with who is to move.
struct Step {
    inputs: Inputs,
    score: f32,
    black: bool,
}

impl ValueLearner {
    /// A learner that goes on from a network. Small differences between the hidden units are made where they
    /// are all zero, from the seed.
    pub fn new(mut net: Net, options: ValueOptions, seed: u64) -> ValueLearner {
        if net.out.iter().all(|w| *w == 0.0) {
            let mut state = seed ^ 0x2545_f491_4f6c_dd1d;
            let mut random = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
            };
            net.out.fill_with(&mut random);
            net.bias.fill_with(|| random() * 0.2);
            for row in net.rows.iter_mut().flatten() {
                row.fill_with(|| random() * 0.05);
            }
        }
        ValueLearner { net, squares: Net::default(), options }
    }

    /// The network as it is now.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Changes how it learns from here on.
    pub fn set_options(&mut self, options: ValueOptions) {
        self.options = options;
    }

    /// All that it has learned and how far each step has shrunk, to be saved.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.net.numbers().chain(self.squares.numbers())
    }

    /// The same to be set, in the same order.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.net.numbers_mut().chain(self.squares.numbers_mut())
    }

    /// Learns from one game.
    pub fn learn(&mut self, rules: Rules, lesson: &Lesson) {
        let steps = steps(rules, lesson);
        // Black's chances, and from the end backwards the lambda return of each position.
        let chances: Vec<f32> = steps.iter().map(|s| self.chance(s)).collect();
        let mut target = lesson.result(crate::Colour::Black);
        for (step, chance) in steps.iter().zip(&chances).rev() {
            let own = if step.black { target } else { 1.0 - target };
            self.step(step, own);
            target = self.options.lambda * target + (1.0 - self.options.lambda) * chance;
        }
    }

    /// Black's chance.
    fn chance(&self, step: &Step) -> f32 {
        let own = sigmoid(combine(step.score, self.net.output(&step.inputs)));
        if step.black { own } else { 1.0 - own }
    }

    /// One step of AdaGrad down the logarithmic loss.
    fn step(&mut self, step: &Step, target: f32) {
        let hidden = self.net.hidden(&step.inputs);
        let active = hidden.map(activation);
        let z: f32 =
            active.iter().zip(&self.net.out).map(|(h, w)| h * w).sum::<f32>() + self.net.out_bias;
        let network = sigmoid(z);
        let error = sigmoid(combine(step.score, network)) - target;
        let dz = error * SPREAD * network * (1.0 - network);
        let rate = self.options.step;
        let adjust = |weight: &mut f32, square: &mut f32, gradient: f32| {
            *square += gradient * gradient;
            *weight -= rate * gradient / (square.sqrt() + 1e-6);
        };
        let mut dh = [0.0; HIDDEN];
        for i in 0..HIDDEN {
            // The derivative of x / (1 + |x|) is 1 / (1 + |x|)^2.
            let slope = 1.0 / (1.0 + hidden[i].abs()).powi(2);
            dh[i] = dz * self.net.out[i] * slope;
            adjust(&mut self.net.out[i], &mut self.squares.out[i], dz * active[i]);
            adjust(&mut self.net.bias[i], &mut self.squares.bias[i], dh[i]);
        }
        adjust(&mut self.net.out_bias, &mut self.squares.out_bias, dz);
        for (side, classes) in [&step.inputs.own, &step.inputs.other].into_iter().enumerate() {
            for &class in classes {
                let (row, squares) = (
                    &mut self.net.rows[side][class as usize],
                    &mut self.squares.rows[side][class as usize],
                );
                for i in 0..HIDDEN {
                    adjust(&mut row[i], &mut squares[i], dh[i]);
                }
            }
        }
    }
}

/// How well a network (or the static score alone) foretells the results of games.
pub fn judge(net: Option<&Net>, rules: Rules, lessons: &[Lesson]) -> ValueFigures {
    let mut figures = ValueFigures::default();
    for lesson in lessons {
        for step in steps(rules, lesson) {
            let chance = sigmoid(match net {
                Some(net) => combine(step.score, net.output(&step.inputs)),
                None => step.score,
            });
            let result =
                lesson.result(if step.black { crate::Colour::Black } else { crate::Colour::White });
            let chance = f64::from(chance.clamp(1e-6, 1.0 - 1e-6));
            let result = f64::from(result);
            figures.positions += 1;
            figures.log_loss -= result * chance.ln() + (1.0 - result) * (1.0 - chance).ln();
            figures.right += if (chance > 0.5) == (result > 0.5) { 1.0 } else { 0.0 };
        }
    }
    let n = figures.positions.max(1) as f64;
    figures.log_loss /= n;
    figures.right /= n;
    figures
}

/// The positions of a game in which a whole turn is to be played, from the second turn on. Positions in
/// which the side to move has a threat are left out: it has won, and the search never asks about them.
fn steps(rules: Rules, lesson: &Lesson) -> Vec<Step> {
    let mut game = Game::new(rules);
    let mut steps = Vec::new();
    for &point in &lesson.stones {
        let to_move = game.to_move();
        if game.board().count() > 0
            && usize::from(to_move.stones) == rules.p()
            && !game.board().has_threat(to_move.colour)
        {
            steps.push(Step {
                inputs: Inputs::of(game.board(), to_move.colour),
                score: static_score(game.board(), to_move.colour),
                black: to_move.colour == crate::Colour::Black,
            });
        }
        if game.play(to_move.colour, point).is_err() {
            break;
        }
    }
    steps
}
