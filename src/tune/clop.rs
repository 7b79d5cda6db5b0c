//! Confident local optimization (CLOP) for few parameters: a quadratic is fitted to wins and losses by logistic regression,
//! games that it says to be surely worse than the mean count less, and new games are played where weight is left.
//!
//! Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning", Advances in Computer Games 13, 2011.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::linear;
use super::{Method, PairScore};

/// More parameters than this have more coefficients than games can tell.
pub const MAX_PARAMETERS: usize = 8;
/// Places that are tried for the next pair before the best of them is taken.
const MAX_TRIES: usize = 2000;
/// Rounds of Newton's method, which needs few.
const MAX_ROUNDS: usize = 30;
/// The prior's precision for each coefficient but the constant, which keeps them finite while there are few games.
const PRIOR: f64 = 0.01;
/// Games are weighted again until the sum of weights falls by less than this share.
const SETTLED: f64 = 0.01;
/// The fit is renewed when there are so many more pairs, as a share.
const RENEWED: f64 = 1.0 / 50.0;

/// How local the fit is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Locality {
    /// How many standard errors a place has to be worse than the mean to count by a factor of e less (the paper's H).
    pub errors: f64,
}

impl Default for Locality {
    fn default() -> Locality {
        Locality { errors: 3.0 }
    }
}

/// A pair of games: where, from -1 to 1 in each coordinate, and its points, from 0 to 2.
struct Sample {
    place: Vec<f64>,
    points: f64,
    weight: f64,
}

/// One quadratic, and the mean that it is held against.
struct Fit {
    coefficients: Vec<f64>,
    mean: f64,
    error: f64,
}

/// The search, as far as it has come.
pub struct Clop {
    locality: Locality,
    ranges: Vec<(f64, f64)>,
    start: Vec<f64>,
    random: Xoshiro256PlusPlus,
    /// Proposed and not yet taken, the oldest last.
    open: Vec<Vec<f64>>,
    samples: Vec<Sample>,
    /// From the first, global, to the last, most local.
    fits: Vec<Fit>,
    fitted: usize,
}

impl Clop {
    /// One from these coordinates within these ranges; the start is what it plays against.
    pub fn new(locality: Locality, seed: u64, start: Vec<f64>, ranges: Vec<(f64, f64)>) -> Clop {
        Clop {
            locality,
            ranges,
            start,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            open: Vec::new(),
            samples: Vec::new(),
            fits: Vec::new(),
            fitted: 0,
        }
    }

    fn to_coordinates(&self, place: &[f64]) -> Vec<f64> {
        let both = place.iter().zip(&self.ranges);
        both.map(|(x, (low, high))| low + (x + 1.0) / 2.0 * (high - low)).collect()
    }

    /// How much a game at a place counts, from 0 to 1.
    fn weight(&self, place: &[f64]) -> f64 {
        let features = features(place);
        let errors = self.locality.errors;
        self.fits.iter().fold(1.0, |weight, fit| weight.min(fit.weight(&features, errors)))
    }

    /// Fits quadratics, each more local than the one before, until weights settle.
    fn fit(&mut self) {
        self.fits.clear();
        self.fitted = self.samples.len();
        self.samples.iter_mut().for_each(|sample| sample.weight = 1.0);
        let all: Vec<Vec<f64>> = self.samples.iter().map(|s| features(&s.place)).collect();
        let mut before = self.samples.len() as f64;
        loop {
            let Some(fit) = Fit::of(&self.samples, &all) else { return };
            for (sample, features) in self.samples.iter_mut().zip(&all) {
                sample.weight = sample.weight.min(fit.weight(features, self.locality.errors));
            }
            self.fits.push(fit);
            let sum: f64 = self.samples.iter().map(|sample| sample.weight).sum();
            if sum > (1.0 - SETTLED) * before {
                return;
            }
            before = sum;
        }
    }
}

impl Method for Clop {
    fn propose(&mut self) -> [Vec<f64>; 2] {
        let mut best = (Vec::new(), -1.0);
        for _ in 0..MAX_TRIES {
            let place: Vec<f64> =
                self.ranges.iter().map(|_| self.random.random_range(-1.0..=1.0)).collect();
            let weight = self.weight(&place);
            if weight > best.1 {
                best = (place.clone(), weight);
            }
            if self.random.random_bool(weight.clamp(0.0, 1.0)) {
                best = (place, weight);
                break;
            }
        }
        self.open.insert(0, best.0.clone());
        [self.to_coordinates(&best.0), self.start.clone()]
    }

    fn take(&mut self, score: PairScore) {
        let (Some(place), Some(score)) = (self.open.pop(), score) else { return };
        let weight = self.weight(&place);
        self.samples.push(Sample { place, points: 1.0 + score / 2.0, weight });
        if self.samples.len() as f64 >= self.fitted as f64 * (1.0 + RENEWED) {
            self.fit();
        }
    }

    /// The mean of the places, by weight, as the paper has it.
    fn best(&self) -> Vec<f64> {
        let all: f64 = self.samples.iter().map(|sample| sample.weight).sum();
        if all <= 0.0 {
            return self.start.clone();
        }
        let mean = |at| self.samples.iter().map(|s| s.weight * s.place[at]).sum::<f64>() / all;
        let place: Vec<f64> = (0..self.ranges.len()).map(mean).collect();
        self.to_coordinates(&place)
    }
}

impl Fit {
    /// The likeliest quadratic, and the likeliest constant with its standard error. Nothing without games.
    fn of(samples: &[Sample], all: &[Vec<f64>]) -> Option<Fit> {
        let size = all.first()?.len();
        let games: f64 = samples.iter().map(|sample| 2.0 * sample.weight).sum();
        let won: f64 = samples.iter().map(|sample| sample.weight * sample.points).sum();
        // As if half a game more had been won and half a game lost: never quite 0 or 1.
        let share = (won + 0.5) / (games + 1.0);
        let mean = (share / (1.0 - share)).ln();
        let error = (1.0 / ((games + 1.0) * share * (1.0 - share))).sqrt();
        let mut coefficients = vec![0.0; size];
        coefficients[0] = mean;
        for _ in 0..MAX_ROUNDS {
            let mut gradient = vec![0.0; size];
            let mut curvature = vec![vec![0.0; size]; size];
            for (sample, features) in samples.iter().zip(all) {
                let chance = logistic(dot(&coefficients, features));
                let miss = sample.weight * (sample.points - 2.0 * chance);
                let bend = 2.0 * sample.weight * chance * (1.0 - chance);
                for (row, &feature) in features.iter().enumerate() {
                    gradient[row] += miss * feature;
                    for (column, &other) in features[..=row].iter().enumerate() {
                        curvature[row][column] += bend * feature * other;
                    }
                }
            }
            for (at, coefficient) in coefficients.iter().enumerate() {
                let precision = if at == 0 { 1e-6 } else { PRIOR };
                gradient[at] -= precision * coefficient;
                curvature[at][at] += precision;
            }
            let step = linear::solve(curvature, gradient)?;
            let length = step.iter().map(|x| x.abs()).fold(0.0, f64::max);
            // Far from the top the curvature says nothing of how far it is.
            let shorten = (2.0 / length.max(1e-12)).min(1.0);
            coefficients.iter_mut().zip(&step).for_each(|(at, step)| *at += shorten * step);
            if length < 1e-6 {
                break;
            }
        }
        Some(Fit { coefficients, mean, error })
    }

    fn weight(&self, features: &[f64], errors: f64) -> f64 {
        let lead = dot(&self.coefficients, features) - self.mean;
        (lead / (errors * self.error)).exp().min(1.0)
    }
}

/// The constant, each coordinate, and the products of every two.
fn features(place: &[f64]) -> Vec<f64> {
    let mut features = vec![1.0];
    features.extend(place);
    for (at, x) in place.iter().enumerate() {
        features.extend(place[..=at].iter().map(|y| x * y));
    }
    features
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of an engine that is best at 3 and -2 of ranges from -5 to 5.
    fn tuned(seed: u64, pairs: u32, delay: usize) -> Vec<f64> {
        let ranges = vec![(-5.0, 5.0); 2];
        let mut clop = Clop::new(Locality::default(), seed, vec![0.0, 0.0], ranges);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed + 100);
        let strength = |at: &[f64]| -15.0 * ((at[0] - 3.0).powi(2) + (at[1] + 2.0).powi(2));
        let mut scores = Vec::new();
        for _ in 0..pairs {
            let [first, second] = clop.propose();
            assert!(first.iter().all(|x| (-5.0..=5.0).contains(x)) && second == [0.0, 0.0]);
            let chance = logistic((strength(&first) - strength(&second)) / 173.7);
            let won = |_| if random.random_bool(chance) { 1.0 } else { -1.0 };
            scores.push(Some((0..2).map(won).sum::<f64>()));
            if scores.len() > delay {
                clop.take(scores.remove(0));
            }
        }
        clop.best()
    }

    #[test]
    fn it_finds_where_games_are_won() {
        for seed in 1..=2 {
            let best = tuned(seed, 800, 8);
            assert!((best[0] - 3.0).abs() < 1.0 && (best[1] + 2.0).abs() < 1.0, "{best:?}");
        }
        assert_eq!(tuned(1, 200, 8), tuned(1, 200, 8));
    }

    #[test]
    fn a_fit_is_the_likeliest_quadratic() {
        // Half of the points in the middle, a quarter at both ends: log odds 0 and -1.0986.
        let sample = |x: f64, points| Sample { place: vec![x], points, weight: 50.0 };
        let samples = [sample(-1.0, 0.5), sample(0.0, 1.0), sample(1.0, 0.5)];
        let all: Vec<Vec<f64>> = samples.iter().map(|s| features(&s.place)).collect();
        let fit = Fit::of(&samples, &all).unwrap();
        let expected = [0.0, 0.0, -1.0986];
        let near = |(a, b): (&f64, f64)| (a - b).abs() < 0.01;
        assert!(fit.coefficients.iter().zip(expected).all(near), "{:?}", fit.coefficients);
        assert!(fit.weight(&features(&[0.0]), 3.0) == 1.0);
        assert!(fit.weight(&features(&[1.0]), 3.0) < 0.4);
    }

    #[test]
    fn games_without_a_result_count_for_nothing() {
        let mut clop = Clop::new(Locality::default(), 1, vec![0.5], vec![(0.0, 1.0)]);
        clop.propose();
        clop.take(None);
        assert_eq!(clop.best(), [0.5]);
    }
}
