//! Simultaneous perturbation stochastic approximation: all parameters at once are moved a little in a direction drawn at
//! random, the engine plays itself moved the other way, and the values follow the winner.
//!
//! Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE Transactions
//! on Automatic Control 37, 1992; the gains are set as Fishtest and OpenBench do it: each parameter names the step at the
//! end, from which those before it follow.

use game_core::mix64;
use serde::{Deserialize, Serialize};

use super::{Method, PairScore};
use crate::arena::schedule::mix;

/// How fast steps shrink, and how far values move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gains {
    /// How fast the values move less: the power of the number of pairs.
    pub alpha: f64,
    /// How fast the steps that are tried shrink.
    pub gamma: f64,
    /// Pairs, as a share of all, over which values move with some restraint at first.
    pub stability: f64,
    /// How far a won game moves the values at the end, in steps; a pair won twice, by twice as much. Too small nothing is
    /// learned, too large nothing settles.
    pub rate: f64,
}

impl Default for Gains {
    fn default() -> Gains {
        Gains { alpha: 0.602, gamma: 0.101, stability: 0.1, rate: 0.02 }
    }
}

impl Gains {
    /// Checks that the numbers make sense.
    ///
    /// # Errors
    /// Names what cannot be.
    pub fn check(&self) -> Result<(), String> {
        let Gains { alpha, gamma, stability, rate } = *self;
        let within = |name, number: f64, max: f64| match number {
            number if (0.0..=max).contains(&number) => Ok(()),
            _ => Err(format!("spsa: {name} must be from 0 to {max}, not {number}")),
        };
        within("alpha", alpha, 1.0)?;
        within("gamma", gamma, 1.0)?;
        within("stability", stability, 10.0)?;
        within("rate", rate, 10.0)?;
        if rate == 0.0 { Err("spsa: with rate 0 nothing moves".to_owned()) } else { Ok(()) }
    }
}

/// The search, as far as it has come.
pub struct Spsa {
    gains: Gains,
    pairs: f64,
    seed: u64,
    /// Limits of the coordinates, which are in steps.
    ranges: Vec<(f64, f64)>,
    values: Vec<f64>,
    proposed: u32,
    taken: u32,
}

impl Spsa {
    /// One over so many pairs of games, from these coordinates.
    pub fn new(
        gains: Gains,
        pairs: u32,
        seed: u64,
        start: Vec<f64>,
        ranges: Vec<(f64, f64)>,
    ) -> Spsa {
        Spsa { gains, pairs: f64::from(pairs), seed, ranges, values: start, proposed: 0, taken: 0 }
    }

    /// How far a pair's sides are from the values, in steps: 1 at the end, more before.
    fn spread(&self, pair: u32) -> f64 {
        (self.pairs / f64::from(pair + 1)).powf(self.gains.gamma)
    }

    /// How far its score moves the values.
    fn gain(&self, pair: u32) -> f64 {
        let restraint = self.gains.stability * self.pairs;
        let past = (restraint + self.pairs) / (restraint + f64::from(pair + 1));
        self.gains.rate * past.powf(self.gains.alpha) / self.spread(pair)
    }

    /// Which way the first side's parameters are moved in a pair: each 1 or -1.
    fn directions(&self, pair: u32) -> impl Iterator<Item = f64> + use<> {
        let begin = mix(self.seed ^ mix64(u64::from(pair)));
        let count = self.values.len() as u64;
        (0..count).map(move |at| if mix(begin ^ at) & 1 == 0 { 1.0 } else { -1.0 })
    }
}

impl Method for Spsa {
    fn propose(&mut self) -> [Vec<f64>; 2] {
        let (pair, spread) = (self.proposed, self.spread(self.proposed));
        self.proposed += 1;
        [spread, -spread].map(|spread| {
            let moved = self.values.iter().zip(self.directions(pair)).zip(&self.ranges);
            moved
                .map(|((value, way), &(low, high))| (value + spread * way).clamp(low, high))
                .collect()
        })
    }

    fn take(&mut self, score: PairScore) {
        let pair = self.taken;
        self.taken += 1;
        let Some(score) = score else { return };
        let gain = self.gain(pair) * score;
        let ways: Vec<f64> = self.directions(pair).collect();
        for ((value, way), &(low, high)) in self.values.iter_mut().zip(ways).zip(&self.ranges) {
            *value = (*value + gain * way).clamp(low, high);
        }
    }

    fn best(&self) -> Vec<f64> {
        self.values.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Games of an engine that loses so many Elo for each step's square away from 3 and -2.
    fn tuned(seed: u64, elo: f64, pairs: u32) -> Vec<f64> {
        let ranges = vec![(-20.0, 20.0); 2];
        let mut spsa = Spsa::new(Gains::default(), pairs, seed, vec![0.0, 0.0], ranges);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let strength = |at: &[f64]| -elo * ((at[0] - 3.0).powi(2) + (at[1] + 2.0).powi(2));
        for _ in 0..pairs {
            let [first, second] = spsa.propose();
            let lead = strength(&first) - strength(&second);
            let chance = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
            let won = |_| if random.random_bool(chance) { 1.0 } else { -1.0 };
            let score = (0..2).map(won).sum();
            spsa.take(Some(score));
        }
        spsa.best()
    }

    #[test]
    fn values_go_where_games_are_won() {
        for seed in 1..=5 {
            let best = tuned(seed, 5.0, 10_000);
            assert!((best[0] - 3.0).abs() < 1.5 && (best[1] + 2.0).abs() < 1.5, "{best:?}");
        }
        // The same again; another seed, another way.
        assert_eq!(tuned(1, 5.0, 500), tuned(1, 5.0, 500));
        assert_ne!(tuned(1, 5.0, 500), tuned(2, 5.0, 500));
    }

    #[test]
    fn sides_lie_around_the_values_and_within_limits() {
        let mut spsa =
            Spsa::new(Gains::default(), 100, 7, vec![0.0, 4.9], vec![(-5.0, 5.0), (-5.0, 5.0)]);
        let [first, second] = spsa.propose();
        assert!(first[0] == -second[0] && first[0].abs() > 1.0, "{first:?} {second:?}");
        assert!(first[1].max(second[1]) == 5.0);
        spsa.take(None);
        assert_eq!(spsa.best(), [0.0, 4.9]);
        spsa.propose();
        spsa.take(Some(2.0));
        assert_ne!(spsa.best()[0], 0.0);
    }

    #[test]
    fn the_last_step_is_the_one_that_was_named() {
        let spsa = Spsa::new(Gains::default(), 1000, 7, vec![0.0], vec![(-50.0, 50.0)]);
        assert_eq!(spsa.spread(999), 1.0);
        assert!((spsa.gain(999) - 0.02).abs() < 1e-12 && spsa.gain(0) > 0.02);
    }
}
