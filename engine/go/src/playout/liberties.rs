//! The liberties that a stone would have.

use crate::Color;
use crate::board::{Board, Site, SiteSet};

/// The liberties that the chain of a stone of `color` on the empty site `s` would have. Of captured
/// chains only the stones beside `s` are counted: a lower bound when something is captured, exact
/// otherwise.
#[inline]
pub fn liberties_after<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> SiteSet<W> {
    let mut set = SiteSet::EMPTY;
    for step in Board::<N, W>::ORTHO {
        let t = s.offset(step);
        let cell = board.cell(t);
        if cell == crate::board::EMPTY {
            set.insert(Board::<N, W>::bit(t));
        } else if cell == color as u8 {
            set.union_with(board.liberty_set(t));
        } else if cell == color.other() as u8 && board.liberties(t) == 1 {
            set.insert(Board::<N, W>::bit(t));
        }
    }
    set.remove(Board::<N, W>::bit(s));
    set
}
