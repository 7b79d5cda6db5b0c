//! The points about a stone one by one, in plain code.

use super::super::square5::Square5;
use super::{InnerMatch, Weights};
use go_engine::playout::shapes::Neighbours8;
use go_engine::{Board, Color};

/// See [`Weights::weigh`].
pub(super) fn weigh<const N: usize, const W: usize>(
    tables: &Weights,
    board: &Board<N, W>,
    neighbours: Neighbours8,
    mover: Color,
    weights: &mut [u16; 8],
) {
    // The sites' tables are looked at without a branch: what waits for memory then keeps nobody
    // else waiting, and nothing is guessed wrongly.
    let mut seen = [InnerMatch::default(); 8];
    let mut open = 0u32;
    for (place, site) in neighbours.sites::<N, W>() {
        let found = tables.match_inner(Square5::without_corners(board, site, mover));
        weights[place] = tables.worth[usize::from(found.level.0)];
        seen[place] = found;
        open |= u32::from(found.level.has_more() & tables.may_know(found.ring)) << place;
    }
    while open != 0 {
        let place = open.trailing_zeros() as usize & 7;
        open &= open - 1;
        let InnerMatch { ring, way, .. } = seen[place];
        let probe = tables.rings.probe(ring.key());
        if let Some(level) = tables.match_outer(board, neighbours, place, mover, probe, way) {
            weights[place] = tables.worth[usize::from(level.0)];
        }
    }
}
