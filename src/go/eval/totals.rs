//! What evaluators said of positions, as sums.

use go_patterns::eval::{PHASES, Score};

/// Sums of squared errors, and how many.
#[derive(Clone, Copy, Default)]
pub(super) struct Errors {
    pub sum: f64,
    pub count: u64,
}

impl Errors {
    pub fn add(&mut self, difference: f64) {
        self.sum += difference * difference;
        self.count += 1;
    }

    /// What two evaluators were wrong by at once: the mean of such products tells how much of it they share.
    pub fn add_product(&mut self, one: f64, other: f64) {
        self.sum += one * other;
        self.count += 1;
    }

    pub fn merge(&mut self, other: &Errors) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// All of some.
    pub fn sum_of(parts: &[Errors]) -> Errors {
        parts.iter().fold(Errors::default(), |mut sum, part| {
            sum.merge(part);
            sum
        })
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The mean as it is told.
    pub fn words(&self) -> String {
        counted(self.count, format!("{:.4}", self.mean()))
    }
}

/// What is told of so many; a dash where there was nothing to count.
pub(super) fn counted(count: u64, words: String) -> String {
    if count == 0 { "-".to_owned() } else { words }
}

/// How much of the second value is to be mixed into the first, 0 to 1, so that the squared error is smallest, and how large it
/// then is; of the mean squared errors of both and the mean product of their errors.
pub(super) fn best_mixture([first, second, product]: [f64; 3]) -> (f64, f64) {
    let curve = first + second - 2.0 * product;
    let share = if curve > 0.0 { ((first - product) / curve).clamp(0.0, 1.0) } else { 0.0 };
    let rest = 1.0 - share;
    (share, rest * rest * first + share * share * second + 2.0 * share * rest * product)
}

/// Who says something of positions.
pub(super) const EVALUATORS: [&str; 5] = ["predictor", "experts", "network", "teacher", "playouts"];
pub(super) const PREDICTOR: usize = 0;
pub(super) const EXPERTS: usize = 1;
pub(super) const NETWORK: usize = 2;
pub(super) const TEACHER: usize = 3;
pub(super) const PLAYOUTS: usize = 4;

/// What was found of some positions.
#[derive(Clone, Default)]
pub(super) struct EvalTotals {
    pub positions: u64,
    /// How well each evaluator predicts moves.
    pub moves: [Score; EVALUATORS.len()],
    /// The same of the network, by phase; of its policy of experts if it has one.
    pub by_phase: [Score; PHASES.len()],
    /// Errors of each evaluator's value, -1 to 1, by phase, against the game's result.
    pub values: [[Errors; PHASES.len()]; EVALUATORS.len()],
    /// Products of the errors of the network's value and the playouts', by phase.
    pub together: [Errors; PHASES.len()],
    /// How often the network's best move is the teacher's.
    pub agree: u64,
    /// Errors of the network's value, its owners and its lead, against the teacher's.
    pub beside: [Errors; 3],
}

impl EvalTotals {
    pub fn merge(mut self, other: &EvalTotals) -> EvalTotals {
        self.positions += other.positions;
        self.agree += other.agree;
        self.moves.iter_mut().zip(&other.moves).for_each(|(a, b)| a.merge(b));
        self.by_phase.iter_mut().zip(&other.by_phase).for_each(|(a, b)| a.merge(b));
        self.beside.iter_mut().zip(&other.beside).for_each(|(a, b)| a.merge(b));
        self.together.iter_mut().zip(&other.together).for_each(|(a, b)| a.merge(b));
        let values = self.values.iter_mut().flatten().zip(other.values.iter().flatten());
        values.for_each(|(a, b)| a.merge(b));
        self
    }

    /// Calls for each number in a fixed order, those that are no whole numbers as their bits.
    fn each(&mut self, visit: &mut dyn FnMut(&mut u64)) {
        fn real(number: &mut f64, visit: &mut dyn FnMut(&mut u64)) {
            let mut bits = number.to_bits();
            visit(&mut bits);
            *number = f64::from_bits(bits);
        }
        visit(&mut self.positions);
        visit(&mut self.agree);
        for score in self.moves.iter_mut().chain(&mut self.by_phase) {
            visit(&mut score.moves);
            score.within.iter_mut().for_each(&mut *visit);
            real(&mut score.log_likelihood, visit);
        }
        let values = self.values.iter_mut().flatten().chain(&mut self.together);
        for errors in values.chain(&mut self.beside) {
            real(&mut errors.sum, visit);
            visit(&mut errors.count);
        }
    }

    /// All of it as numbers, from which it can be made again to the last bit.
    pub fn to_numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        self.clone().each(&mut |number| numbers.push(*number));
        numbers
    }

    /// What [`EvalTotals::to_numbers`] made numbers of; none when these are not such.
    pub fn from_numbers(numbers: &[u64]) -> Option<EvalTotals> {
        let (mut found, mut numbers) = (EvalTotals::default(), numbers.iter());
        let mut is_short = false;
        found.each(&mut |number| match numbers.next() {
            Some(&next) => *number = next,
            None => is_short = true,
        });
        let mut sums = found.values.iter().flatten().chain(&found.together);
        let is_finite = sums.all(|errors| errors.sum.is_finite());
        (!is_short && numbers.next().is_none() && is_finite).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::best_mixture;

    #[test]
    fn values_are_mixed_by_how_wrong_they_are_and_how_much_of_it_they_share() {
        // Errors that have nothing to do with each other: as variances are weighed.
        assert_eq!(best_mixture([1.0, 3.0, 0.0]), (0.25, 0.75));
        // The second is the first and something more.
        assert_eq!(best_mixture([1.0, 2.0, 1.0]), (0.0, 1.0));
        assert_eq!(best_mixture([2.0, 1.0, 1.0]), (1.0, 1.0));
        assert_eq!(best_mixture([0.5, 0.5, 0.5]), (0.0, 0.5), "the same");
    }
}
