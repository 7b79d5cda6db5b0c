//! Fits the tuned model to who owned each point at the end of finished games.

use super::Counted;
use super::gradient::{LAST, Scratch, backward, forward, round_at};
use crate::progress::Progress;
use go_engine::Color;
use go_engine::rng::Rng;
use go_influence::Stones;
use go_influence::tuned::{INPUTS, KINDS, Layout, NUMBERS, ROUNDS, View};
use rayon::prelude::*;

/// A position and how it ended.
pub struct Example {
    /// The position as the player to move sees it.
    pub view: View,
    /// Row by row from A1: 1 the mover's at the end, -1 the opponent's, 0 nobody's.
    pub owners: Vec<i8>,
}

/// Positions learned from each game.
const POSITIONS: usize = 8;
/// Half of them from the first moves, where the owners are hardest to tell.
const EARLY: u32 = 80;

/// Positions of a game, drawn by chance that the game itself decides.
pub fn examples(game: &Counted) -> Vec<Example> {
    let mut rng = Rng::new(game.moves.opening_hash());
    let positions = (0..POSITIONS).filter_map(|number| {
        let last = game.moves.moves.len().saturating_sub(4).max(1) as u32;
        let last = if number % 2 == 0 { last.min(EARLY) } else { last };
        let moves = 4 + rng.below(last) as usize;
        let position = game.after(moves)?;
        let mover = position.to_play();
        let view = View::new(&Stones::of_game(position.board()), mover);
        let sign = if mover == Color::Black { 1 } else { -1 };
        let owners = game.owners.iter().map(|&owner| sign * owner).collect();
        Some(Example { view, owners })
    });
    positions.collect()
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Times that all examples are gone through.
    pub epochs: usize,
    /// Examples a step.
    pub batch: usize,
    /// Length of the first steps; it falls to nothing by half a cosine.
    pub rate: f32,
    /// Where chance begins: the same seed and examples give the same numbers.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epochs: 5, batch: 32, rate: 4e-3, seed: 1 }
    }
}

/// How learning goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// Examples since the last report.
    pub examples: usize,
    /// Mean loss of a point, in nats.
    pub loss: f64,
    /// Share of owned points whose owner was called right.
    pub right: f64,
}

/// What a batch adds up to.
struct Sum {
    gradient: Vec<f32>,
    loss: f64,
    right: usize,
    points: usize,
}

/// Learns the numbers of the model from positions of one board size; `None` when it was broken off.
/// One seed gives one result, on any number of threads.
pub fn learn(
    side: u8,
    examples: &[Example],
    settings: Settings,
    progress: &dyn Progress,
    mut report: impl FnMut(Passed),
) -> Option<Vec<f32>> {
    let layout = Layout::new(side, side);
    let mut rng = Rng::new(settings.seed);
    let mut numbers = begin(&mut rng);
    let (mut mean, mut spread) = (vec![0.0f32; NUMBERS], vec![0.0f32; NUMBERS]);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let steps = settings.epochs * examples.len().div_ceil(settings.batch.max(1));
    progress.begin("learning influence", steps as u64);
    let (mut step, mut seen) = (0usize, Sum::new());
    let mut since = 0;
    for _ in 0..settings.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        for batch in order.chunks(settings.batch.max(1)) {
            if progress.stopped() {
                return None;
            }
            let sum = gradient(&numbers, &layout, examples, batch);
            step += 1;
            let rate = settings.rate
                * 0.5
                * (1.0 + (std::f32::consts::PI * step as f32 / steps as f32).cos());
            adam(&mut numbers, &sum.gradient, &mut mean, &mut spread, rate, step);
            seen.take(&sum);
            since += batch.len();
            progress.advance(1);
        }
        let points = seen.points.max(1) as f64;
        report(Passed {
            examples: since,
            loss: seen.loss / points,
            right: seen.right as f64 / points,
        });
        (seen, since) = (Sum::new(), 0);
    }
    progress.end();
    Some(numbers)
}

impl Sum {
    fn new() -> Sum {
        Sum { gradient: Vec::new(), loss: 0.0, right: 0, points: 0 }
    }

    /// Adds the counts of another.
    fn take(&mut self, other: &Sum) {
        self.loss += other.loss;
        self.right += other.right;
        self.points += other.points;
    }
}

/// Small random weights; the first two kinds tell the mover's influence and the opponent's, so that
/// there is something to begin with.
fn begin(rng: &mut Rng) -> Vec<f32> {
    // The sum of three uniform numbers is normal enough.
    let mut chance = |size: f32| {
        let sum: f32 = (0..3).map(|_| rng.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5).sum();
        2.0 * size * sum
    };
    let mut numbers: Vec<f32> = (0..NUMBERS).map(|_| chance(0.3)).collect();
    for round in 0..ROUNDS.len() {
        let at = round_at(round);
        for (input, weights) in numbers[at..at + INPUTS * KINDS].chunks_mut(KINDS).enumerate() {
            // Sums over four neighbours are larger than a point's own kinds.
            let size = if input < KINDS { 0.15 } else { 0.08 };
            weights.iter_mut().for_each(|weight| *weight = chance(size));
        }
        numbers[at + INPUTS * KINDS..at + INPUTS * KINDS + KINDS].fill(0.0);
    }
    for weight in &mut numbers[LAST..NUMBERS - 1] {
        *weight = chance(0.3);
    }
    numbers[NUMBERS - 1] = 0.0;
    numbers
}

/// The mean gradient of a batch. Parts are added in their order, so that threads change nothing.
fn gradient(numbers: &[f32], layout: &Layout, examples: &[Example], batch: &[usize]) -> Sum {
    const PART: usize = 8;
    let parts: Vec<Sum> = batch
        .par_chunks(PART)
        .map(|part| {
            let mut scratch = Scratch::new(layout);
            let (mut logits, mut slopes) = (Vec::new(), Vec::new());
            let mut sum = Sum { gradient: vec![0.0; NUMBERS], ..Sum::new() };
            for &index in part {
                let Example { view, owners } = &examples[index];
                forward(numbers, layout, view, &mut scratch, &mut logits);
                let points = owners.iter().filter(|&&owner| owner != 0).count().max(1);
                let weight = 1.0 / (points * batch.len()) as f32;
                slopes.clear();
                for (&logit, &owner) in logits.iter().zip(owners) {
                    if owner == 0 {
                        slopes.push(0.0);
                        continue;
                    }
                    let chance = 1.0 / (1.0 + (-logit).exp());
                    let won = f32::from(u8::from(owner > 0));
                    slopes.push(weight * (chance - won));
                    let called = if owner > 0 { chance } else { 1.0 - chance };
                    sum.loss -= f64::from(called.max(1e-9).ln());
                    sum.right += usize::from(called > 0.5);
                }
                sum.points += points;
                backward(numbers, layout, view, &mut scratch, &slopes, &mut sum.gradient);
            }
            sum
        })
        .collect();
    let mut whole = Sum { gradient: vec![0.0; NUMBERS], ..Sum::new() };
    for part in &parts {
        whole.take(part);
        for (sum, part) in whole.gradient.iter_mut().zip(&part.gradient) {
            *sum += part;
        }
    }
    whole
}

/// A step of Adam (Kingma and Ba 2015, "Adam: a method for stochastic optimization").
fn adam(
    numbers: &mut [f32],
    gradient: &[f32],
    mean: &mut [f32],
    spread: &mut [f32],
    rate: f32,
    step: usize,
) {
    let (keep_mean, keep_spread) = (0.9f32, 0.999f32);
    let step = step.min(100_000) as i32;
    let (unbiased, unbiased_spread) = (1.0 - keep_mean.powi(step), 1.0 - keep_spread.powi(step));
    for (((number, &slope), mean), spread) in numbers.iter_mut().zip(gradient).zip(mean).zip(spread)
    {
        *mean = keep_mean * *mean + (1.0 - keep_mean) * slope;
        *spread = keep_spread * *spread + (1.0 - keep_spread) * slope * slope;
        *number -= rate * (*mean / unbiased) / ((*spread / unbiased_spread).sqrt() + 1e-8);
    }
}
