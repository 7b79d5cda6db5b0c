//! What is kept of a position in the tree beside its visits and utilities.

use super::utility::Value;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use tree_search::puct::NodeExtra;

/// A number that threads add to.
#[derive(Debug, Default)]
struct Sum(AtomicU64);

impl Sum {
    fn add(&self, value: f64) {
        let more = |bits| Some((f64::from_bits(bits) + value).to_bits());
        let _ = self.0.fetch_update(Relaxed, Relaxed, more);
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }

    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

/// What visits have found in the mean, Black's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    pub value: Value,
    pub utility_square: f32,
}

/// Sums over the finished visits, all Black's.
#[derive(Debug, Default)]
pub(super) struct NodeStats {
    win: Sum,
    score: Sum,
    score_square: Sum,
    lead: Sum,
    utility_square: Sum,
    /// What the network itself makes of the position, as a utility of 0 to 1.
    own: AtomicU32,
    /// Visits of other searches that are expected.
    expected: AtomicU32,
}

impl NodeStats {
    /// Expects a visit of another search, which has no value yet.
    pub fn expect_visit(&self) {
        self.expected.fetch_add(1, Relaxed);
    }

    /// Expects one less.
    pub fn forget_expected(&self) {
        self.expected.fetch_sub(1, Relaxed);
    }

    /// Adds a visit, with the square of Black's utility.
    pub fn add(&self, value: &Value, utility_square: f32) {
        let &Value { win, score, spread, lead } = value;
        self.win.add(f64::from(win));
        self.score.add(f64::from(score));
        self.score_square.add(f64::from(score * score + spread * spread));
        self.lead.add(f64::from(lead));
        self.utility_square.add(f64::from(utility_square));
    }

    /// The means over so many visits; none before the first. Sums may be a visit ahead of their number, which other threads
    /// add to later: a chance is none above 1 all the same.
    pub fn means(&self, visits: u32) -> Option<Value> {
        let mean = |sum: &Sum| (sum.get() / f64::from(visits)) as f32;
        let score = mean(&self.score);
        let spread = (mean(&self.score_square) - score * score).max(0.0).sqrt();
        let win = mean(&self.win).min(1.0);
        (visits > 0).then(|| Value { win, score, spread, lead: mean(&self.lead) })
    }

    /// All means over so many visits, of which there is at least one.
    pub fn all_means(&self, visits: u32) -> Means {
        let value = self.means(visits).unwrap_or_default();
        Means { value, utility_square: self.utility_square(visits) }
    }

    /// The mean square of Black's utility over so many visits.
    pub fn utility_square(&self, visits: u32) -> f32 {
        (self.utility_square.get() / f64::from(visits.max(1))) as f32
    }

    /// Notes what the network makes of the position: Black's utility, 0 to 1.
    pub fn set_own(&self, utility: f32) {
        self.own.store(utility.to_bits(), Relaxed);
    }

    /// What the network makes of the position.
    pub fn own(&self) -> f32 {
        f32::from_bits(self.own.load(Relaxed))
    }
}

/// No score is larger.
const MAX_POINTS: f64 = 1000.0;

impl NodeExtra for NodeStats {
    fn reset(&self) {
        self.copy_from(&NodeStats::default());
    }

    fn scale(&self, by: f64) {
        let NodeStats { win, score, score_square, lead, utility_square, own: _, expected: _ } =
            self;
        for sum in [win, score, score_square, lead, utility_square] {
            sum.set(sum.get() * by);
        }
    }

    fn expected_visits(&self) -> u32 {
        self.expected.load(Relaxed)
    }

    fn read_sums(&self, sums: &mut [f64]) {
        let NodeStats { win, score, score_square, lead, utility_square, own: _, expected: _ } =
            self;
        let own = [win, score, score_square, lead, utility_square];
        sums.iter_mut().zip(own).for_each(|(sum, own)| *sum = own.get());
    }

    fn add_sums(&self, visits: u32, sums: &mut [f64]) {
        let NodeStats { win, score, score_square, lead, utility_square, own: _, expected: _ } =
            self;
        let n = f64::from(visits);
        let points = n * MAX_POINTS;
        let own = [
            (win, 0.0..=n),
            (score, -points..=points),
            (score_square, 0.0..=points * MAX_POINTS),
            (lead, -points..=points),
            (utility_square, 0.0..=n),
        ];
        for (sum, (own, range)) in sums.iter_mut().zip(own) {
            *sum = sum.clamp(*range.start(), *range.end());
            own.add(*sum);
        }
    }

    fn copy_from(&self, other: &NodeStats) {
        self.win.set(other.win.get());
        self.score.set(other.score.get());
        self.score_square.set(other.score_square.get());
        self.lead.set(other.lead.get());
        self.utility_square.set(other.utility_square.get());
        self.set_own(other.own());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread adds to the sums, and then, node after node up to the root, to the visits.
    #[test]
    fn a_visit_that_is_not_counted_yet_makes_no_chance_above_one() {
        let stats = NodeStats::default();
        (0..3).for_each(|_| stats.add(&Value { win: 0.9, ..Value::default() }, 0.81));
        assert_eq!(stats.means(2).map(|found| found.win), Some(1.0));
        assert_eq!(stats.means(3).map(|found| found.win), Some(0.9));
    }
}
