//! The sequential probability ratio test over pairs of games.
//!
//! Each pair of games with colours changed has one of five scores, so the pairs are draws from a distribution over five
//! values of which only the mean matters. The generalised test of Van den Bergh ("The generalized sequential probability
//! ratio test", 2021, as used by Stockfish's fishtest) takes, for each hypothesis, the distribution that has the
//! hypothesis' mean and makes the results most likely, and compares the two likelihoods.

use super::super::settings::SprtBounds;
use super::elo::expected_score;

/// How far a test has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below this, `elo0` is accepted.
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The lead is `elo0` or less.
    Elo0,
    /// The lead is `elo1` or more.
    Elo1,
}

impl Sprt {
    /// The state of the test after pairs with these scores (0, a half, ... 2 by number).
    pub fn new(bounds: &SprtBounds, pairs: &[u32; 5]) -> Sprt {
        Sprt {
            llr: log_likelihood_ratio(
                pairs,
                expected_score(bounds.elo0),
                expected_score(bounds.elo1),
            ),
            // Wald (1945).
            lower: (bounds.beta / (1.0 - bounds.alpha)).ln(),
            upper: ((1.0 - bounds.beta) / bounds.alpha).ln(),
        }
    }

    /// The decision, once there is one.
    pub fn decision(&self) -> Option<Decision> {
        if self.llr >= self.upper {
            Some(Decision::Elo1)
        } else if self.llr <= self.lower {
            Some(Decision::Elo0)
        } else {
            None
        }
    }
}

/// The logarithm of the likelihood ratio of mean score `s1` to mean score `s0`, each between 0 and 1.
fn log_likelihood_ratio(pairs: &[u32; 5], s0: f64, s1: f64) -> f64 {
    let seen: u32 = pairs.iter().sum();
    if seen == 0 {
        return 0.0;
    }
    // A score not seen yet is taken as just possible; without it a mean might be out of reach of those seen.
    let counts: [f64; 5] = pairs.map(|count| f64::from(count).max(1e-3));
    let total: f64 = counts.iter().sum();
    let seen_shares = counts.map(|count| count / total);
    let under = |mean| most_likely(&seen_shares, mean);
    let (p0, p1) = (under(s0), under(s1));
    (0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum()
}

/// The distribution over scores 0, 1/4, ... 1 with the given mean under which `shares` are most likely.
///
/// By Lagrange it is `shares[i] / (1 + t (i/4 - mean))`, with `t` such that the mean comes out (Van den Bergh,
/// proposition 1.1); the equation for `t` is monotone, so halving the interval finds it.
fn most_likely(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let distance = |i: usize| i as f64 / 4.0 - mean;
    let (mut low, mut high) = (-1.0 / distance(4), -1.0 / distance(0));
    for _ in 0..60 {
        let t = (low + high) / 2.0;
        let slope: f64 = (0..5).map(|i| shares[i] * distance(i) / (1.0 + t * distance(i))).sum();
        if slope > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + t * distance(i)))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn the_most_likely_distribution_has_the_mean_asked_for() {
        let shares = [0.1, 0.2, 0.4, 0.2, 0.1];
        for mean in [0.3, 0.5, 0.51, 0.8] {
            let p = most_likely(&shares, mean);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(((0..5).map(|i| p[i] * i as f64 / 4.0).sum::<f64>() - mean).abs() < 1e-9);
        }
        assert!(most_likely(&shares, 0.5).iter().zip(shares).all(|(p, s)| (p - s).abs() < 1e-9));
    }

    #[test]
    fn the_ratio_is_close_to_its_normal_approximation() {
        // For small differences the ratio tends to N (s1 - s0) (mean - (s0 + s1) / 2) / variance.
        let pairs = [40, 150, 400, 180, 60];
        let n: f64 = pairs.iter().map(|&c| f64::from(c)).sum();
        let mean: f64 = (0..5).map(|i| f64::from(pairs[i]) * i as f64 / 4.0).sum::<f64>() / n;
        let variance: f64 =
            (0..5).map(|i| f64::from(pairs[i]) * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>() / n;
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let approximate = n * (s1 - s0) * (mean - (s0 + s1) / 2.0) / variance;
        let exact = log_likelihood_ratio(&pairs, s0, s1);
        assert!((exact - approximate).abs() < 0.02, "{exact} {approximate}");
    }

    /// How often the test accepts `elo1` when the lead is `elo`, and how many pairs it takes. Pairs are unequal: in
    /// half of them an opening gives the first player a lead.
    fn accepted(bounds: &SprtBounds, elo: f64, runs: u32, seed: u64) -> (f64, f64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut accepted, mut pairs_used) = (0, 0u64);
        // With openings of different lead the mean score is not quite that of the mean lead: find the lead that
        // makes it so.
        let leads = [0.0, 150.0];
        let mean = |lead: f64| {
            leads
                .iter()
                .map(|l| (expected_score(lead + l) + expected_score(lead - l)) / 4.0)
                .sum::<f64>()
        };
        let (mut low, mut high) = (-500.0, 500.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if mean(middle) < expected_score(elo) { low = middle } else { high = middle }
        }
        for _ in 0..runs {
            let mut pairs = [0; 5];
            loop {
                let lead = leads[random.random_range(0..2)];
                let mut score = 0;
                for sign in [1.0, -1.0] {
                    let p = expected_score(low + sign * lead);
                    // A draw takes a tenth of the games without changing the mean.
                    let draw = random.random_bool(0.1) && p > 0.05 && p < 0.95;
                    score += if draw {
                        usize::from(random.random_bool(p)) + usize::from(random.random_bool(p))
                    } else {
                        2 * usize::from(random.random_bool(p))
                    };
                }
                pairs[score] += 1;
                pairs_used += 1;
                if let Some(decision) = Sprt::new(bounds, &pairs).decision() {
                    accepted += u32::from(decision == Decision::Elo1);
                    break;
                }
            }
        }
        (f64::from(accepted) / f64::from(runs), pairs_used as f64 / f64::from(runs))
    }

    #[test]
    fn error_rates_are_what_was_asked_for() {
        let bounds = SprtBounds { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.1 };
        let runs = 2000;
        let (false_positives, _) = accepted(&bounds, 0.0, runs, 1);
        let (power, pairs) = accepted(&bounds, 60.0, runs, 2);
        // Four standard errors of the simulation on the wrong side are allowed, none is needed on the other.
        let error = |p: f64| 4.0 * (p * (1.0 - p) / f64::from(runs)).sqrt();
        assert!(false_positives <= 0.05 + error(0.05), "false positives {false_positives}");
        assert!(1.0 - power <= 0.1 + error(0.1), "false negatives {}", 1.0 - power);
        // And it is a test worth having: far fewer pairs than one of fixed length needs (about 250 here).
        assert!(false_positives > 0.01 && power < 0.99, "{false_positives} {power}");
        assert!(pairs < 250.0, "{pairs} pairs");
    }
}
