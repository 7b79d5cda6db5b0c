//! The scores below a node: their mean and spread, for leads that are each move's own.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Mean and spread of the scores of playouts. Threads that add at once may lose one of theirs, as in
/// [`Stats::add_loosely`](super::node::Stats::add_loosely).
#[derive(Default)]
pub struct ScoreStats {
    count: AtomicU32,
    /// The mean, as the bits of an `f32`: a sum would lose its last digits after some millions.
    mean: AtomicU32,
    /// The mean of the squares, likewise.
    square: AtomicU32,
}

/// What a [`ScoreStats`] says at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Playouts that were counted.
    pub count: u32,
    /// Black's mean points less White's, komi not counted.
    pub mean: f32,
    /// The standard deviation of one playout's score.
    pub stdev: f32,
}

impl ScoreStats {
    /// Adds the score of one playout: Black's points less White's.
    #[inline(always)]
    pub fn add(&self, score: f32) {
        let count = self.count.load(Relaxed).saturating_add(1);
        let share = 1.0 / count as f32;
        let towards = |mean: &AtomicU32, value: f32| {
            let old = f32::from_bits(mean.load(Relaxed));
            mean.store((old + share * (value - old)).to_bits(), Relaxed);
        };
        towards(&self.mean, score);
        towards(&self.square, score * score);
        self.count.store(count, Relaxed);
    }

    /// What it says now.
    pub fn get(&self) -> Score {
        let mean = f32::from_bits(self.mean.load(Relaxed));
        let square = f32::from_bits(self.square.load(Relaxed));
        let stdev = (square - mean * mean).max(0.0).sqrt();
        Score { count: self.count.load(Relaxed), mean, stdev }
    }

    /// How many scores were counted, their sum, and that of their squares.
    pub(super) fn sums(&self) -> [f64; 3] {
        let count = f64::from(self.count.load(Relaxed));
        let sum = |mean: &AtomicU32| count * f64::from(f32::from_bits(mean.load(Relaxed)));
        [count, sum(&self.mean), sum(&self.square)]
    }

    /// Adds scores of another search, by such sums.
    pub(super) fn add_sums(&self, more: &[f64; 3]) {
        let [count, sum, square] = self.sums();
        let all = count + more[0];
        if more[0] > 0.0 && all < f64::from(u32::MAX) {
            self.mean.store((((sum + more[1]) / all) as f32).to_bits(), Relaxed);
            self.square.store((((square + more[2]) / all) as f32).to_bits(), Relaxed);
            self.count.store(all as u32, Relaxed);
        }
    }

    pub(super) fn copy_from(&self, other: &ScoreStats) {
        self.count.store(other.count.load(Relaxed), Relaxed);
        self.mean.store(other.mean.load(Relaxed), Relaxed);
        self.square.store(other.square.load(Relaxed), Relaxed);
    }

    pub(super) fn clear(&self) {
        self.copy_from(&ScoreStats::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_of_what_was_added() {
        let stats = ScoreStats::default();
        assert_eq!(stats.get(), Score::default());
        for score in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            stats.add(score);
        }
        let Score { count, mean, stdev } = stats.get();
        assert_eq!(count, 8);
        assert!((mean - 5.0).abs() < 1e-5 && (stdev - 2.0).abs() < 1e-4, "{mean} {stdev}");
        let copy = ScoreStats::default();
        copy.copy_from(&stats);
        assert_eq!(copy.get(), stats.get());
        copy.clear();
        assert_eq!(copy.get(), Score::default());
    }
}
