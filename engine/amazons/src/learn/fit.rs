//! Fitting the evaluation's weights to games: logistic regression, drawn towards the weights it began with.

use crate::eval::weights::{KNOTS, mix};
use crate::eval::{FEATURES, Features, Weights, chance};
use crate::position::Position;

/// A position and how it turned out for the side to move, 0 to 1.
#[derive(Clone, Debug)]
pub struct WeightSample {
    counts: Vec<(u16, f32)>,
    contested: u32,
    /// What the logit should lead to.
    pub target: f32,
}

impl WeightSample {
    /// The sample of a position.
    pub fn new(position: &Position, target: f32) -> WeightSample {
        let (own, other) = (position.to_move(), position.to_move().other());
        let features = Features::of(position.queens(own), position.queens(other), position.free());
        let counts = features.counts().iter().enumerate().filter(|(_, count)| **count != 0);
        let counts = counts.map(|(i, &count)| (i as u16, count as f32)).collect();
        WeightSample { counts, contested: features.contested, target }
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The length of a step.
    pub rate: f32,
    /// How strongly weights are drawn to those at the start, for each sample.
    pub decay: f32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { rate: 0.002, decay: 2e-5 }
    }
}

/// Fits weights by Adam (Kingma and Ba 2015).
#[derive(Clone, Debug)]
pub struct Fitter {
    start: Vec<[f32; FEATURES]>,
    knots: Vec<[f32; FEATURES]>,
    first: Vec<[f32; FEATURES]>,
    second: Vec<[f32; FEATURES]>,
    steps: i32,
    options: FitOptions,
}

/// Samples to a step.
const BATCH: usize = 256;

impl Fitter {
    /// A fitter that begins with these weights.
    pub fn new(weights: &Weights, options: FitOptions) -> Fitter {
        let zero = vec![[0.0; FEATURES]; KNOTS.len()];
        let knots = weights.knots().to_vec();
        Fitter { start: knots.clone(), knots, first: zero.clone(), second: zero, steps: 0, options }
    }

    /// The weights as they stand.
    pub fn weights(&self) -> Weights {
        Weights::from_knots(self.knots.clone())
    }

    fn logit(&self, sample: &WeightSample) -> f32 {
        let (at, share) = mix(sample.contested);
        let (low, high) = (&self.knots[at], &self.knots[at + 1]);
        let weight = |i: usize| low[i] * (1.0 - share) + high[i] * share;
        sample.counts.iter().map(|&(i, count)| weight(usize::from(i)) * count).sum()
    }

    /// The mean cross-entropy, and the share of samples whose winner is called.
    pub fn measure(&self, samples: &[WeightSample]) -> (f32, f32) {
        let (mut loss, mut right) = (0.0f64, 0usize);
        for sample in samples {
            let p = chance(self.logit(sample)).clamp(1e-6, 1.0 - 1e-6);
            loss -= f64::from(sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln());
            right += usize::from((p > 0.5) == (sample.target > 0.5));
        }
        let count = samples.len().max(1) as f64;
        ((loss / count) as f32, (right as f64 / count) as f32)
    }

    /// One pass over samples, in the order in which they come.
    pub fn pass(&mut self, samples: &[WeightSample]) {
        for batch in samples.chunks(BATCH) {
            let mut gradient = vec![[0.0f32; FEATURES]; KNOTS.len()];
            for sample in batch {
                let (at, share) = mix(sample.contested);
                let error = chance(self.logit(sample)) - sample.target;
                for &(i, count) in &sample.counts {
                    gradient[at][usize::from(i)] += error * count * (1.0 - share);
                    gradient[at + 1][usize::from(i)] += error * count * share;
                }
            }
            self.step(&gradient, batch.len() as f32);
        }
    }

    fn step(&mut self, gradient: &[[f32; FEATURES]], count: f32) {
        const BETA: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let (one, two) = (1.0 - BETA.0.powi(self.steps), 1.0 - BETA.1.powi(self.steps));
        for (knot, gradient) in gradient.iter().enumerate() {
            for (i, gradient) in gradient.iter().enumerate() {
                let pull = self.options.decay * (self.knots[knot][i] - self.start[knot][i]);
                let slope = gradient / count + pull;
                let (m, v) = (&mut self.first[knot][i], &mut self.second[knot][i]);
                *m = BETA.0 * *m + (1.0 - BETA.0) * slope;
                *v = BETA.1 * *v + (1.0 - BETA.1) * slope * slope;
                self.knots[knot][i] -= self.options.rate * (*m / one) / ((*v / two).sqrt() + 1e-8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_always_wins_is_learned() {
        // The side with the larger room wins; weights that know nothing find it.
        let nothing = Weights::from_knots(vec![[0.0; FEATURES]; KNOTS.len()]);
        let mut samples = Vec::new();
        for (diagram, target) in [("X...|....|####|O...", 1.0), ("O...|....|####|X...", 0.0)] {
            let position: Position = diagram.parse().expect("a diagram");
            samples.extend(vec![WeightSample::new(&position, target); 300]);
        }
        let mut fitter = Fitter::new(&nothing, FitOptions { rate: 0.01, decay: 0.0 });
        let before = fitter.measure(&samples);
        for _ in 0..20 {
            fitter.pass(&samples);
        }
        let after = fitter.measure(&samples);
        assert!((before.0 - 0.693).abs() < 0.01 && after.0 < 0.2 && after.1 == 1.0, "{after:?}");
    }
}
