//! The liberties that a stone would have.

use crate::Color;
use crate::board::{Board, Cell, Site, SiteSet};

/// The liberties that the chain of a stone of `color` on the empty site `s` would have. Of captured
/// chains only the stones beside `s` are counted: a lower bound when something is captured, exact
/// otherwise. [`liberties_after_captures`] is exact always, and slower.
#[inline]
pub fn liberties_after<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> SiteSet<W> {
    let mut set = SiteSet::EMPTY;
    for t in Board::<N, W>::neighbours(s) {
        let cell = board.cell(t);
        if cell == Cell::Empty {
            set.insert(Board::<N, W>::bit(t));
        } else if cell == color {
            set.union_with(board.liberty_set(t));
        } else if board.is_in_atari(t, color.other()) {
            set.insert(Board::<N, W>::bit(t));
        }
    }
    set.remove(Board::<N, W>::bit(s));
    set
}

/// The liberties that the chain of a stone of `color` on the empty site `s` would have, those that captures make among
/// them.
pub fn liberties_after_captures<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> SiteSet<W> {
    let mut set = SiteSet::EMPTY;
    for t in board.empties_beside(s) {
        set.insert(Board::<N, W>::bit(t));
    }
    let friends = board.chains_beside(s, color);
    for &friend in friends.iter() {
        set.union_with(board.liberty_set(friend));
    }
    set.remove(Board::<N, W>::bit(s));
    let joins = |t: Site| t == s || board.cell(t) == color && friends.contains(&board.chain(t));
    for &enemy in board.chains_beside(s, color.other()).iter() {
        if board.liberties(enemy) != 1 {
            continue;
        }
        for stone in board.chain_stones(enemy) {
            if Board::<N, W>::neighbours(stone).into_iter().any(joins) {
                set.insert(Board::<N, W>::bit(stone));
            }
        }
    }
    set
}
