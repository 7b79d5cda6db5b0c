//! Which candidates of a position are learned from.

use super::features::Position;
use super::geometry::distance;
use go_engine::{Board, Site};

/// A stream of numbers that the seed decides.
pub(super) struct Chance(pub u64);

impl Chance {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        game_core::splitmix(self.0)
    }

    pub fn below_one(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }
}

/// Moves that are farther than this from the last two count as far.
const NEAR: usize = 5;
/// Far moves that are looked at.
const FAR_DRAWN: usize = 24;

/// What was drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The candidate that was played.
    pub played: usize,
    /// How many of the candidates stand for themselves; those behind stand for several each.
    near: usize,
    far_log_weight: f32,
}

impl Drawn {
    /// All candidates, of which the first was played.
    #[cfg(test)]
    pub fn all(candidates: usize) -> Drawn {
        Drawn { played: 0, near: candidates, far_log_weight: 0.0 }
    }

    /// The logarithm of how many moves a candidate stands for, which is added to its score.
    pub fn log_weight(&self, candidate: usize) -> f32 {
        if candidate < self.near { 0.0 } else { self.far_log_weight }
    }
}

/// Writes the candidates that a position is learned with: the move played, all near the last two
/// moves, and some of the others, each standing for several, so that sums over all candidates keep their expectation.
/// `None` when the move played is not a legal one.
pub(super) fn draw_candidates<const N: usize, const W: usize>(
    position: Position<'_, N, W>,
    played: Site,
    chance: &mut Chance,
    candidates: &mut Vec<Site>,
) -> Option<Drawn> {
    let Position { board, mover, last } = position;
    if !board.is_legal(played, mover) {
        return None;
    }
    let legal = board.sites().filter(|&site| site != played && board.is_legal(site, mover));
    let (near, mut far): (Vec<Site>, Vec<Site>) =
        legal.partition(|&site| last.iter().any(|&last| is_near(board, site, last)));
    let drawn = far.len().min(FAR_DRAWN);
    for i in 0..drawn {
        let other = i + chance.below(far.len() - i);
        far.swap(i, other);
    }
    candidates.clear();
    candidates.push(played);
    candidates.extend(&near);
    candidates.extend(&far[..drawn]);
    let far_log_weight = (far.len() as f32 / drawn.max(1) as f32).ln();
    Some(Drawn { played: 0, near: 1 + near.len(), far_log_weight })
}

fn is_near<const N: usize, const W: usize>(board: &Board<N, W>, site: Site, last: Site) -> bool {
    if last.is_pass() {
        return false;
    }
    let (a, b) = (board.point(site), board.point(last));
    let dx = i32::from(a.col()) - i32::from(b.col());
    distance(dx, i32::from(a.row()) - i32::from(b.row())) <= NEAR
}
