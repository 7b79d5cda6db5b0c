//! How well moves are predicted: on games that were not learned from.

mod models;

pub use models::{Model, Outcome, predict_game};

/// How often the expert's move was among the first ones, and how likely it was said to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Moves.
    pub moves: u64,
    /// How often it was first, within 5, 10 and 20; moves of equal standing count as being before.
    pub within: [u64; 4],
    /// Sum of the logarithms of its probability, in nats.
    pub log_likelihood: f64,
}

/// The ranks that [`Score::within`] counts.
pub const RANKS: [usize; 4] = [1, 5, 10, 20];

impl Score {
    /// Adds a position: the probabilities, or weights, of all moves, and which was played.
    pub fn add(&mut self, weights: &[f32], played: usize) {
        let own = weights[played];
        let rank = weights.iter().filter(|&&weight| weight >= own).count();
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        self.moves += 1;
        for (within, limit) in self.within.iter_mut().zip(RANKS) {
            *within += u64::from(rank <= limit);
        }
        // A move thought impossible costs as much as one in a million.
        let likelihood = if sum > 0.0 { f64::from(own) / sum } else { 0.0 };
        self.log_likelihood += likelihood.max(1e-6).ln();
    }

    /// Adds another score's moves.
    pub fn merge(&mut self, other: &Score) {
        self.moves += other.moves;
        self.log_likelihood += other.log_likelihood;
        for (a, b) in self.within.iter_mut().zip(other.within) {
            *a += b;
        }
    }

    /// The share of moves within each of [`RANKS`].
    pub fn shares(&self) -> [f64; 4] {
        self.within.map(|within| within as f64 / self.moves.max(1) as f64)
    }

    /// Mean log-likelihood of a move, in nats.
    pub fn mean_log_likelihood(&self) -> f64 {
        self.log_likelihood / self.moves.max(1) as f64
    }
}

/// The phases of a game that are reported apart, by the number of the move.
pub const PHASES: [(usize, usize); 5] = [(1, 30), (31, 60), (61, 120), (121, 180), (181, 1000)];

/// The phase of the move with this number, from 1.
pub fn phase(number: usize) -> usize {
    PHASES.iter().position(|&(_, last)| number <= last).unwrap_or(PHASES.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_do_not_flatter() {
        let mut score = Score::default();
        score.add(&[1.0; 10], 3);
        assert_eq!(score.within, [0, 0, 1, 1]);
        assert!((score.mean_log_likelihood() - 0.1f64.ln()).abs() < 1e-9);
        score.add(&[0.5, 0.25, 0.25], 0);
        assert_eq!(score.within, [1, 1, 2, 2]);
    }
}
