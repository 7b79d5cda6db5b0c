//! Random moves of the whole board that prefer good shapes: of a few empty sites, drawn evenly, one is taken in
//! proportion to how often experts play in its 3x3 shape. Coulom (*Computing Elo Ratings of Move Patterns in the Game of
//! Go*, 2007) draws in proportion from all moves, which costs an update for each point that a move touches; a few cost a
//! look-up each, and tell the good from the bad nearly as well.

use crate::Color;
use crate::board::{Board, Site};
use crate::rng::Rng;
use std::sync::Arc;

/// How often experts play in each 3x3 shape, of 255, by its code seen from the mover
/// ([`Pattern3x3::seen_by`](crate::board::Pattern3x3::seen_by)). At least 1: no shape is out of the question.
pub type ShapeRates = [u8; 1 << 16];

/// The drawing, ready for use.
#[derive(Clone)]
pub(super) struct Sampling {
    rates: Arc<ShapeRates>,
    /// Sites drawn for a move.
    samples: u32,
}

impl Sampling {
    /// Of so many sites, by these rates.
    pub(super) fn new(rates: Arc<ShapeRates>, samples: u32) -> Sampling {
        Sampling { rates, samples }
    }

    /// A site of those that are empty, legal or not; a pass where there is none.
    #[inline(always)]
    pub(super) fn draw<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        rng: &mut Rng,
    ) -> Site {
        let n = board.n_empties() as u64;
        if n == 0 {
            return Site::PASS;
        }
        // 64 random bits serve the drawing of three sites and, with their highest 16, all choices between two of them.
        let mut bits = rng.bits();
        let mut choice = (bits >> 48) as u32;
        let mut chosen = Site::PASS;
        let mut sum = 0;
        for k in 0..self.samples {
            if k % 4 == 3 {
                bits = rng.bits();
            }
            let s = board.empty_at((((bits & 0xffff) * n) >> 16) as usize);
            bits >>= 16;
            let rate = u32::from(self.rates[usize::from(board.pattern3x3(s).seen_by(color).0)]);
            sum += rate;
            // It replaces the one that was chosen with a chance of rate / sum, of 2^16. Below that the choice is evenly
            // spread up to it, else over what is left: stretched to 2^16 it serves for the next one.
            let limit = (rate << 16) / sum;
            let (below, width) = match choice < limit {
                true => (0, limit),
                false => (limit, (1 << 16) - limit),
            };
            if choice < limit {
                chosen = s;
            }
            choice = ((choice - below) << 16) / width;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board9;

    /// How often each of the sites is drawn, of so many times.
    fn drawn(rates: ShapeRates, samples: u32, board: &Board9, times: usize) -> Vec<(Site, f64)> {
        let sampling = Sampling::new(Arc::new(rates), samples);
        let mut rng = Rng::new(7);
        let mut counts: Vec<(Site, f64)> = board.empties().map(|s| (s, 0.0)).collect();
        for _ in 0..times {
            let s = sampling.draw(board, Color::White, &mut rng);
            let (_, count) = counts.iter_mut().find(|(site, _)| *site == s).expect("an empty site");
            *count += 1.0 / times as f64;
        }
        counts
    }

    #[test]
    fn sites_are_drawn_in_proportion_to_their_rates() {
        let board = Board9::new(2, 2).unwrap();
        // Corners of the empty board: four shapes, each a turn of the others.
        let mut rates = [1; 1 << 16];
        let sites: Vec<Site> = board.empties().collect();
        let code = |s: Site| usize::from(board.pattern3x3(s).seen_by(Color::White).0);
        for (&s, rate) in sites.iter().zip([10, 20, 30, 40]) {
            rates[code(s)] = rate;
        }
        let even = drawn(rates, 1, &board, 20_000);
        assert!(even.iter().all(|(_, share)| (share - 0.25).abs() < 0.02), "{even:?}");
        // Exactly: all draws of two, one of which is taken in proportion.
        let two = drawn(rates, 2, &board, 40_000);
        for (at, (_, share)) in two.iter().enumerate() {
            let rate = |k: usize| f64::from(rates[code(sites[k])]);
            let expected: f64 = (0..4).map(|k| rate(at) / (rate(at) + rate(k)) / 8.0).sum();
            assert!((share - expected).abs() < 0.02, "{at}: {share} {expected}");
        }
        // With many they come near their shares of the sum, 0.1 to 0.4.
        let many = drawn(rates, 64, &board, 20_000);
        for ((_, share), expected) in many.iter().zip([0.1, 0.2, 0.3, 0.4]) {
            assert!((share - expected).abs() < 0.02, "{many:?}");
        }
    }

    #[test]
    fn the_only_site_is_drawn() {
        let mut board = Board9::new(1, 2).unwrap();
        let s = board.empties().next().unwrap();
        board.play(s, Color::Black);
        let s = board.empties().next().unwrap();
        let sampling = Sampling::new(Arc::new([1; 1 << 16]), 4);
        assert_eq!(sampling.draw(&board, Color::Black, &mut Rng::new(1)), s);
    }
}
