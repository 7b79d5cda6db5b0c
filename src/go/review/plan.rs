//! How the playouts of a review are spent: passes of growing depth, the last one where the most was lost.
//!
//! The positions of a pass are cut into runs of neighbours. One worker searches a run from its first position to its last and
//! hands the tree on, so that a move that was expected is not looked at twice; runs are searched side by side. How they are cut
//! depends on the game alone: the same seed gives the same review with any number of workers.

use std::ops::Range;

/// A pass over a game or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// How many visits each of its positions has in the end.
    pub visits: u64,
    /// Positions that are searched one after the other; none is in two runs.
    pub runs: Vec<Range<usize>>,
}

/// Of the playouts of a position, what the first pass spends: enough to see the large mistakes.
const QUICK_SHARE: u64 = 10;
/// What the first pass spends at least.
const MIN_QUICK: u64 = 20;
/// How long the runs of the first and of the second pass are.
const QUICK_RUN: usize = 16;
const MAIN_RUN: usize = 8;
/// How many times as deep the last pass is.
const DEEP: u64 = 4;
/// Moves that the last pass looks at: so many, and one more for each of these.
const DEEP_MOVES: usize = 4;
const MOVES_OF_DEEP_ONE: usize = 25;

/// The first pass, quick, over a game with so many positions.
pub fn quick(positions: usize, playouts: u64) -> Pass {
    let visits = (playouts / QUICK_SHARE).max(MIN_QUICK).min(playouts.max(1));
    Pass { visits, runs: cut(positions, QUICK_RUN) }
}

/// The second pass, to the full depth.
pub fn main(positions: usize, playouts: u64) -> Pass {
    Pass { visits: playouts, runs: cut(positions, MAIN_RUN) }
}

/// The last pass: the positions before and after the moves with the largest of these losses, in points.
pub fn deep(losses: &[f64], playouts: u64) -> Pass {
    let mut order: Vec<usize> = (0..losses.len()).filter(|&at| losses[at] > 0.0).collect();
    order.sort_by(|&a, &b| losses[b].total_cmp(&losses[a]).then(a.cmp(&b)));
    order.truncate(deep_moves(losses.len()));
    order.sort_unstable();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in order {
        match runs.last_mut() {
            // Searched in one run if they meet: the position between them is needed once.
            Some(last) if at < last.end => last.end = at + 2,
            _ => runs.push(at..at + 2),
        }
    }
    Pass { visits: playouts.saturating_mul(DEEP), runs }
}

fn deep_moves(moves: usize) -> usize {
    DEEP_MOVES + moves / MOVES_OF_DEEP_ONE
}

fn cut(positions: usize, length: usize) -> Vec<Range<usize>> {
    (0..positions).step_by(length).map(|at| at..(at + length).min(positions)).collect()
}

impl Pass {
    /// What it costs, in visits.
    pub fn cost(&self) -> u64 {
        self.runs.iter().map(|run| run.len() as u64 * self.visits).sum()
    }
}

/// What the second and the last pass cost, in visits, for each playout of a position: what is known before the first pass.
pub fn cost_of_playout(moves: usize) -> u64 {
    (moves + 1) as u64 + DEEP * 2 * deep_moves(moves).min(moves) as u64
}

/// What a review costs, in visits, as far as that is known before it.
pub fn cost(moves: usize, playouts: u64) -> u64 {
    quick(moves + 1, playouts)
        .cost()
        .saturating_add(cost_of_playout(moves).saturating_mul(playouts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_run() {
        for positions in [1, 8, 9, 251] {
            let pass = main(positions, 100);
            let all: Vec<usize> = pass.runs.iter().cloned().flatten().collect();
            assert_eq!(all, (0..positions).collect::<Vec<_>>());
            assert_eq!(pass.cost(), 100 * positions as u64);
        }
        assert_eq!(
            (quick(10, 1000).visits, quick(10, 50).visits, quick(10, 3).visits),
            (100, 20, 3)
        );
    }

    #[test]
    fn the_last_pass_goes_where_most_was_lost() {
        let mut losses = vec![0.0; 40];
        for (at, loss) in [(3, 5.0), (4, 9.0), (20, 7.0), (30, 1.0), (35, 0.5), (39, 6.0)] {
            losses[at] = loss;
        }
        // Five moves for forty; the least of the six is left out.
        let pass = deep(&losses, 100);
        assert_eq!(pass.runs, [3..6, 20..22, 30..32, 39..41]);
        assert_eq!(pass.visits, 400);
        assert_eq!(deep(&[0.0; 9], 100).runs, []);
    }
}
