//! How far off an estimate is: what was said of a position against how its game ended.

use rayon::prelude::*;

use super::Counted;
use super::estimator::TerritoryEstimate;

/// The numbers of moves after which positions are estimated on 19x19.
pub(super) const MOVES: [usize; 5] = [20, 60, 100, 150, 200];

/// The numbers of moves after which positions are estimated on a board of this side: as many to a
/// point as on 19x19.
pub fn moves(side: u8) -> [usize; MOVES.len()] {
    MOVES.map(|moves| moves * usize::from(side) * usize::from(side) / 361)
}

/// Regions of the board that are told apart: lines 1 and 2, 3 and 4, and the rest.
pub(super) const REGIONS: usize = 3;
/// How many kinds of chains are told apart by how safe they are called: bins of one width, from sure
/// to be taken to sure to live.
pub(super) const BINS: usize = 8;

/// What things come to together, found side by side and added in their order: sums of fractions depend on it, and it would
/// else be that of the threads.
pub(super) fn in_order<T: Sync, S: Send>(
    things: &[T],
    nothing: impl Fn() -> S + Sync,
    of: impl Fn(&T) -> S + Sync,
    plus: impl Fn(S, S) -> S + Sync,
) -> S {
    // Few enough that all threads have some, and so many that what they come to takes little memory.
    const PART: usize = 8;
    let parts: Vec<S> =
        things.par_chunks(PART).map(|part| part.iter().map(&of).fold(nothing(), &plus)).collect();
    parts.into_iter().fold(nothing(), plus)
}

/// What estimating some positions came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Points with an owner at the end, by region.
    points: [f64; REGIONS],
    /// Those whose owner was called right; a half for each that no owner was called of.
    right: [f64; REGIONS],
    /// Sum over those points of the squared error of the expected owner: 0 for one expected rightly
    /// and surely, 1 for one left open, 4 for one expected wrongly and surely.
    squared: f64,
    positions: f64,
    /// Sum of the score's absolute errors, in points.
    error: f64,
    /// Positions whose leader was the game's winner; a half where nobody was said to lead.
    leader: f64,
    /// Seconds of processor time.
    seconds: f64,
}

impl Sums {
    /// Both together.
    pub fn plus(mut self, other: Sums) -> Sums {
        for region in 0..REGIONS {
            self.points[region] += other.points[region];
            self.right[region] += other.right[region];
        }
        self.squared += other.squared;
        self.positions += other.positions;
        self.error += other.error;
        self.leader += other.leader;
        self.seconds += other.seconds;
        self
    }

    /// The same, after so many seconds of processor time.
    pub fn timed(self, seconds: f64) -> Sums {
        Sums { seconds, ..self }
    }

    /// Positions.
    pub fn positions(&self) -> f64 {
        self.positions
    }

    /// All of them together.
    pub fn total(sums: &[Sums]) -> Sums {
        sums.iter().copied().fold(Sums::default(), Sums::plus)
    }

    /// The share of points called right.
    pub fn right(&self) -> f64 {
        self.right.iter().sum::<f64>() / self.points.iter().sum::<f64>().max(1.0)
    }

    /// The mean squared error of a point's expected owner.
    pub fn squared(&self) -> f64 {
        self.squared / self.points.iter().sum::<f64>().max(1.0)
    }

    /// The mean error of the score, in points.
    pub fn error(&self) -> f64 {
        self.error / self.positions.max(1.0)
    }

    /// The share of positions whose leader was called right.
    pub fn leader(&self) -> f64 {
        self.leader / self.positions.max(1.0)
    }

    /// Mean processor time of a position, in microseconds.
    pub fn microseconds(&self) -> f64 {
        1e6 * self.seconds / self.positions.max(1.0)
    }

    /// The share of points called right in a region, below [`REGIONS`].
    pub(super) fn region(&self, region: usize) -> f64 {
        self.right[region] / self.points[region].max(1.0)
    }
}

/// Compares what was said of a position with how the game ended.
pub fn measure(game: &Counted, opinion: &TerritoryEstimate) -> Sums {
    let TerritoryEstimate { ownership, leanings, area_lead: lead } = opinion;
    let side = usize::from(game.moves.side);
    let mut sums = Sums { positions: 1.0, ..Sums::default() };
    let told = ownership.iter().zip(leanings);
    for (index, (&owner, (&expected, &leaning))) in game.owners.iter().zip(told).enumerate() {
        if owner == 0 {
            continue;
        }
        sums.squared += f64::from(expected - f32::from(owner)).powi(2);
        let (col, row) = (index % side, index / side);
        let line = col.min(row).min(side - 1 - col).min(side - 1 - row);
        let region = (line / 2).min(REGIONS - 1);
        sums.points[region] += 1.0;
        sums.right[region] += half(leaning, owner);
    }
    sums.error = (lead - game.area()).abs();
    sums.leader = match sign(game.margin) {
        0 => 0.5,
        winner => half(sign(lead - game.komi), winner),
    };
    sums
}

/// 1 for Black, -1 for White, 0 for neither.
pub(super) fn sign(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

/// 1 for the right side, 0 for the wrong one, a half for neither.
fn half(called: i8, right: i8) -> f64 {
    match called * right {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// How often chains lived, by how safe they were called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lives {
    pub(super) chains: [f64; BINS],
    pub(super) lived: [f64; BINS],
    /// Sum of how safe they were called.
    pub(super) called: [f64; BINS],
}

impl Lives {
    /// Adds a chain: how safe it was called, from 0 to 1, and whether it lived.
    pub(super) fn add(&mut self, safe: f64, lived: bool) {
        let bin = ((safe * BINS as f64) as usize).min(BINS - 1);
        self.chains[bin] += 1.0;
        self.called[bin] += safe;
        self.lived[bin] += f64::from(u8::from(lived));
    }

    /// Both together.
    pub fn plus(mut self, other: Lives) -> Lives {
        for bin in 0..BINS {
            self.chains[bin] += other.chains[bin];
            self.lived[bin] += other.lived[bin];
            self.called[bin] += other.called[bin];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_same_with_any_number_of_threads() {
        let numbers: Vec<f64> = (1..5000).map(|n| 1.0 / f64::from(n)).collect();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| in_order(&numbers, || 0.0, |&number| number, |a, b| a + b))
        };
        let alone = with(1);
        assert!((0..50).all(|run| with(2 + run % 5) == alone));
    }
}
