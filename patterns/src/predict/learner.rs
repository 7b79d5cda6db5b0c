//! Learning the predictor: a softmax over a position's candidates, by stochastic gradient descent.
//!
//! A candidate's score is `w . x + u . max(0, b + V x)`, where `x` are its features (and, in the
//! hidden part, the position's): a linear model and one layer of hidden units on top. The gradient of
//! the log-likelihood is `p - y` in the scores; steps are Adagrad's (Duchi, Hazan, Singer 2011), one
//! rate for each weight and one for each row of `V`.

use super::features::{Extractor, Features, Position};
use super::groups::TACTICAL;
use super::net::{Net, Row, UNITS};
use super::ops::scalar::Scalar;
use super::sampling::{Chance, draw_candidates};
use super::shape_dict::{ShapeCounter, ShapeDict};
use crate::game::{Game, Replay};
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Step of the linear weights at the beginning; it falls to nothing along half a cosine.
    pub rate: f32,
    /// Step of the hidden weights, likewise.
    pub hidden_rate: f32,
    /// Positions whose features are worked out together, each from a game of its own.
    pub batch: usize,
    /// The share of all positions that is learned from, by chance.
    pub share: f64,
    /// Shapes are counted at every `counted`-th move of the records, 1 at all of them.
    pub counted: usize,
    /// Times that a shape has to be played at those moves to be known.
    pub min_count: u32,
    /// Shapes that are known at most; the most frequent are kept.
    pub shapes: usize,
    /// Shapes, the most frequent, that have a row of hidden weights.
    pub hidden_shapes: usize,
    /// Whether there are hidden units at all.
    pub hidden: bool,
    /// Of the first weights, the order of the games and the choice of positions.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            rate: 0.2,
            hidden_rate: 0.2,
            batch: 32,
            share: 0.1,
            counted: 2,
            min_count: 4,
            shapes: 1_000_000,
            hidden_shapes: 60_000,
            hidden: true,
            seed: 1,
        }
    }
}

/// Learns a predictor from games of one board size.
///
/// `progress` is told the loss from time to time. Returns `None` when it asks to stop.
pub fn learn(
    games: &[Game],
    settings: Settings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(Report),
) -> Option<(ShapeDict, Net)> {
    let counter = ShapeCounter::of(games, settings.counted, progress)?;
    let dict = counter.into_dict(settings.min_count, settings.shapes);
    let mut learner = Learner::new(&dict, settings);
    let mut chance = Chance(settings.seed);
    let mut order: Vec<&Game> = games.iter().collect();
    for i in (1..order.len()).rev() {
        order.swap(i, chance.below(i + 1));
    }
    let mut waiting = order.into_iter();
    let mut next_game = move || waiting.find_map(|game| with_layout!(game.side, lane(game)));
    let mut lanes: Vec<Box<dyn Lane + '_>> =
        (0..settings.batch).map_while(|_| next_game()).collect();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    progress.begin("learning", moves as u64);

    let mut so_far = Report::default();
    let mut passed = 0;
    let mut due = Report::EVERY;
    while !lanes.is_empty() {
        let mut lane = 0;
        let before = passed;
        while let Some(replay) = lanes.get_mut(lane) {
            loop {
                match replay.is_pass_next() {
                    Some(false) if chance.below_one() < settings.share => {
                        lane += 1;
                        break;
                    }
                    Some(_) => {
                        replay.advance();
                        passed += 1;
                    }
                    None => {
                        match next_game() {
                            Some(next) => *replay = next,
                            None => drop(lanes.swap_remove(lane)),
                        }
                        break;
                    }
                }
            }
        }
        let done = passed as f64 / moves.max(1) as f64;
        let rate = 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
        let (loss, first) = learner.learn(&dict, &lanes, rate.max(0.01) as f32, chance.bits());
        so_far.positions += lanes.len();
        so_far.loss += loss;
        so_far.first += first;
        for replay in &mut lanes {
            replay.advance();
            passed += 1;
        }
        if so_far.positions >= due {
            due = Report::EVERY;
            report(std::mem::take(&mut so_far));
        }
        progress.advance((passed - before) as u64);
        if progress.stopped() {
            return None;
        }
    }
    report(so_far);
    Some((dict, learner.net))
}

fn lane<'g, const N: usize, const W: usize>(game: &'g Game) -> Option<Box<dyn Lane + 'g>> {
    Some(Box::new(game.replay::<N, W>()?))
}

/// A game in which learning stands at some move, whatever the layout of its board: learning is compiled once.
trait Lane: Sync {
    /// Whether the next move is a pass; nothing at the end.
    fn is_pass_next(&self) -> Option<bool>;

    /// Makes the next move.
    fn advance(&mut self);

    /// Prepares the next move to be learned from.
    fn prepare(
        &self,
        net: &Net,
        dict: &ShapeDict,
        sample: &mut Sample,
        extractor: &mut Extractor,
        seed: u64,
    );
}

impl<const N: usize, const W: usize> Lane for Replay<'_, N, W> {
    fn is_pass_next(&self) -> Option<bool> {
        self.upcoming().map(|(_, site)| site.is_pass())
    }

    fn advance(&mut self) {
        Replay::advance(self);
    }

    fn prepare(
        &self,
        net: &Net,
        dict: &ShapeDict,
        sample: &mut Sample,
        extractor: &mut Extractor,
        seed: u64,
    ) {
        prepare(net, dict, self, sample, extractor, seed);
    }
}

/// How the last positions were predicted before they were learned from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// How many.
    pub positions: usize,
    /// Sum of their losses, minus log-likelihoods in nats.
    pub loss: f64,
    /// How often the move played was the first choice.
    pub first: usize,
}

impl Report {
    const EVERY: usize = 100_000;
}

/// A position prepared for learning.
#[derive(Default)]
struct Sample {
    features: Features,
    /// Gradient by candidate, its hidden activations, for those that are learned from.
    steps: Vec<(u32, f32, Row)>,
    loss: f64,
    first: bool,
}

struct Learner {
    net: Net,
    square: NetSquares,
    settings: Settings,
    samples: Vec<(Sample, Extractor)>,
}

struct NetSquares {
    tactical: Vec<f32>,
    shapes: Vec<f32>,
    vectors: Vec<f32>,
    bias: Row,
    out: Row,
}

/// Gradients smaller than this are taken by chance, at this size: most candidates of most positions
/// cost nothing then, and the expectation is the same.
const SMALL: f32 = 0.01;

impl Learner {
    fn new(dict: &ShapeDict, settings: Settings) -> Self {
        let vectors = TACTICAL + settings.hidden_shapes.min(dict.entries.len());
        let mut chance = Chance(!settings.seed);
        let mut row = |size: f32| -> Row {
            std::array::from_fn(|_| (chance.below_one() as f32 * 2.0 - 1.0) * size)
        };
        let mut net = Net::linear(vec![0.0; TACTICAL], vec![0.0; dict.entries.len()]);
        if settings.hidden {
            net.vectors = (0..vectors).map(|_| row(0.05)).collect();
            (net.bias, net.out) = (row(0.1), row(0.3));
        }
        let square = NetSquares {
            tactical: vec![1.0; TACTICAL],
            shapes: vec![1.0; dict.entries.len()],
            vectors: vec![1.0; vectors],
            bias: [1.0; UNITS],
            out: [1.0; UNITS],
        };
        let samples = (0..settings.batch).map(|_| Default::default()).collect();
        Learner { net, square, settings, samples }
    }

    /// Learns from a batch of positions; returns the summed loss and how often the move was first.
    fn learn(
        &mut self,
        dict: &ShapeDict,
        batch: &[Box<dyn Lane + '_>],
        rate: f32,
        seed: u64,
    ) -> (f64, usize) {
        let net = &self.net;
        self.samples[..batch.len()].par_iter_mut().zip(batch).enumerate().for_each(
            |(index, ((sample, extractor), replay))| {
                replay.prepare(net, dict, sample, extractor, seed ^ (index as u64) << 32);
            },
        );
        let mut total = (0.0, 0);
        let samples = std::mem::take(&mut self.samples);
        for (sample, _) in &samples[..batch.len()] {
            self.apply(sample, rate);
            total.0 += sample.loss;
            total.1 += usize::from(sample.first);
        }
        self.samples = samples;
        total
    }

    fn apply(&mut self, sample: &Sample, rate: f32) {
        let Learner { net, square, settings, .. } = self;
        let rate_vector = rate * settings.hidden_rate;
        let rate = rate * settings.rate;
        let mut context_gradient = [0.0; UNITS];
        for (candidate, gradient, hidden) in &sample.steps {
            let g = *gradient;
            let (tactical, shapes) = sample.features.of(*candidate as usize);
            if !settings.hidden {
                let rows = tactical.iter().map(|&row| usize::from(row));
                adagrad(&mut net.tactical, &mut square.tactical, rows, g, rate);
                let rows = shapes.iter().map(|&row| row as usize);
                adagrad(&mut net.shapes, &mut square.shapes, rows, g, rate);
                continue;
            }
            let mut hidden_gradient = [0.0; UNITS];
            for j in 0..UNITS {
                if hidden[j] > 0.0 {
                    hidden_gradient[j] = g * net.out[j];
                }
                let d = g * hidden[j];
                square.out[j] += d * d;
                net.out[j] -= rate_vector * d / square.out[j].sqrt();
                context_gradient[j] += hidden_gradient[j];
            }
            let norm = hidden_gradient.iter().map(|d| d * d).sum::<f32>() / UNITS as f32 * 4.0;
            for &row in tactical {
                let row = usize::from(row);
                square.tactical[row] += g * g;
                net.tactical[row] -= rate * g / square.tactical[row].sqrt();
                square.vectors[row] += norm;
                let step = rate_vector / square.vectors[row].sqrt();
                for (v, d) in net.vectors[row].iter_mut().zip(&hidden_gradient) {
                    *v -= step * d;
                }
            }
            for &row in shapes {
                let row = row as usize;
                square.shapes[row] += g * g;
                net.shapes[row] -= rate * g / square.shapes[row].sqrt();
                if let Some(vector) = net.vectors.get_mut(TACTICAL + row) {
                    let square = &mut square.vectors[TACTICAL + row];
                    *square += norm;
                    let step = rate_vector / square.sqrt();
                    for (v, d) in vector.iter_mut().zip(&hidden_gradient) {
                        *v -= step * d;
                    }
                }
            }
        }
        if !settings.hidden {
            return;
        }
        let norm = context_gradient.iter().map(|d| d * d).sum::<f32>() / UNITS as f32 * 4.0;
        for &row in &sample.features.context {
            let row = usize::from(row);
            square.vectors[row] += norm;
            let step = rate_vector / square.vectors[row].sqrt();
            for (v, d) in net.vectors[row].iter_mut().zip(&context_gradient) {
                *v -= step * d;
            }
        }
        for (j, d) in context_gradient.iter().enumerate() {
            square.bias[j] += d * d;
            net.bias[j] -= rate_vector * d / square.bias[j].sqrt();
        }
    }
}

/// Steps of the linear weights of a candidate's features, by its gradient.
fn adagrad(
    weights: &mut [f32],
    squares: &mut [f32],
    rows: impl Iterator<Item = usize>,
    gradient: f32,
    rate: f32,
) {
    for row in rows {
        squares[row] += gradient * gradient;
        weights[row] -= rate * gradient / squares[row].sqrt();
    }
}

fn prepare<const N: usize, const W: usize>(
    net: &Net,
    dict: &ShapeDict,
    replay: &Replay<'_, N, W>,
    sample: &mut Sample,
    extractor: &mut Extractor,
    seed: u64,
) {
    sample.steps.clear();
    sample.loss = 0.0;
    let Some((mover, site)) = replay.upcoming() else { return };
    let mut chance = Chance(seed);
    let board = &replay.board;
    let position = Position { board, mover, last: replay.last };
    let candidates = &mut sample.features.candidates;
    let Some(drawn) = draw_candidates(position, site, &mut chance, candidates) else { return };
    extractor.extract_of::<Scalar, N, W>(position, dict, &mut sample.features);
    let features = &sample.features;
    let played = drawn.played;
    let base = net.base(features);
    let mut scored: Vec<(f32, Row)> = Vec::with_capacity(features.candidates.len());
    for candidate in 0..features.candidates.len() {
        let (tactical, shapes) = features.of(candidate);
        let (score, hidden) = net.score(&base, tactical, shapes);
        let lift = drawn.log_weight(candidate);
        scored.push((score + lift, hidden));
    }
    let best = scored.iter().fold(f32::MIN, |best, scored| best.max(scored.0));
    let sum: f32 = scored.iter().map(|scored| (scored.0 - best).exp()).sum();
    sample.loss = f64::from(sum.ln() + best - scored[played].0);
    sample.first = scored[played].0 >= best;
    for (candidate, (score, hidden)) in scored.into_iter().enumerate() {
        let mut gradient = (score - best).exp() / sum;
        if candidate == played {
            gradient -= 1.0;
        } else if gradient < SMALL {
            if chance.below_one() as f32 * SMALL >= gradient {
                continue;
            }
            gradient = SMALL;
        }
        sample.steps.push((candidate as u32, gradient, hidden));
    }
}
