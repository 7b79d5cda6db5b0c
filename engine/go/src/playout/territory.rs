//! Territory at the end of a playout.
//!
//! Playouts fill everything but eyes, so that what they end with is area. Both counts differ by the stones that either
//! side has played (see [`Scoring::extra_stones`]): those of the game and of the tree are counted, those of the playout are
//! not, since with them each side only fills up what it has, or takes in turn what is left. Neutral points, which one
//! side gets in the playout and nobody has in the end, are left out.
//!
//! [`Scoring::extra_stones`]: crate::search::Scoring::extra_stones

use crate::Color;
use crate::board::{Board, Site, SiteSet};

/// The neutral points of a position: those of empty regions in which every point touches stones of both sides. None are
/// looked for before half of the board is full.
pub fn neutral_points<const N: usize, const W: usize>(board: &Board<N, W>) -> SiteSet<W> {
    let mut neutral = SiteSet::EMPTY;
    if 2 * board.n_empties() > board.area() {
        return neutral;
    }
    let touches_both = |s: Site| {
        let pattern = board.pattern3x3(s);
        Color::BOTH.iter().all(|&color| pattern.ortho_stones(color) != 0)
    };
    let mut seen = SiteSet::<W>::EMPTY;
    let mut region = Vec::new();
    for first in board.empties() {
        // Most points of territory and of open space touch one side's stones or none: no need to walk over their region.
        if !touches_both(first) || !seen.insert(Board::<N, W>::bit(first)) {
            continue;
        }
        region.clear();
        region.push(first);
        let (mut at, mut is_neutral) = (0, true);
        while at < region.len() {
            for next in Board::<N, W>::neighbours(region[at]) {
                if board.is_empty(next) {
                    if !touches_both(next) {
                        is_neutral = false;
                    } else if seen.insert(Board::<N, W>::bit(next)) {
                        region.push(next);
                    }
                }
            }
            at += 1;
        }
        if is_neutral {
            for &s in &region {
                neutral.insert(Board::<N, W>::bit(s));
            }
        }
    }
    neutral
}

/// Black's territory and prisoners less White's, as far as the owners of all sites at the end of a playout tell them: 1
/// Black's, -1 White's, 0 neither's. `neutral` are the [`neutral_points`] of the position that it began with, and
/// `extra_stones` Black's stones less White's played up to then.
pub fn territory_margin<const N: usize, const W: usize>(
    end: &Board<N, W>,
    ownership: &[f32],
    neutral: &SiteSet<W>,
    extra_stones: i32,
) -> i32 {
    let owner = |s: Site| ownership.get(usize::from(s.0)).map_or(0, |&owner| owner as i32);
    let mut area: i32 = end.sites().map(owner).sum();
    for s in neutral.iter().map(Board::<N, W>::site_of_bit) {
        // Points beside stones that were dead are not neutral any more once these are off.
        if Board::<N, W>::neighbours(s).into_iter().any(|t| owner(t) == -owner(s)) {
            area -= owner(s);
        }
    }
    area - seki_eyes(end, owner) - extra_stones
}

/// Eyes of groups in seki, Black's less White's: they are nobody's territory. At the end of a playout only points in a
/// seki are left that are neither's.
fn seki_eyes<const N: usize, const W: usize>(
    end: &Board<N, W>,
    owner: impl Fn(Site) -> i32,
) -> i32 {
    let mut eyes = SiteSet::<W>::EMPTY;
    for shared in end.empties().filter(|&s| owner(s) == 0) {
        for stone in Board::<N, W>::neighbours(shared) {
            if end.color(stone).is_some() {
                eyes.union_with(end.liberty_set(stone));
            }
        }
    }
    eyes.iter().map(|bit| owner(Board::<N, W>::site_of_bit(bit))).sum()
}
