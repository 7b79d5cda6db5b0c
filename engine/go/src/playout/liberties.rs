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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board9;
    use crate::playout::random_move;
    use crate::rng::Rng;

    #[test]
    fn what_is_said_of_a_stone_is_what_it_has_once_it_is_played() {
        let mut captures = 0;
        for seed in 0..20 {
            let (mut board, mut rng) = (Board9::new(7, 6).unwrap(), Rng::new(seed));
            let mut color = Color::Black;
            for _ in 0..120 {
                let empties: Vec<Site> = board.empties().collect();
                for s in empties.into_iter().filter(|&s| board.is_legal(s, color)) {
                    let bound = liberties_after(&board, s, color);
                    let exact = liberties_after_captures(&board, s, color);
                    let mut after = board.clone();
                    let captured = after.play(s, color);
                    assert_eq!(exact, *after.liberty_set(s), "{}\n{board}", board.point(s));
                    assert!(bound.iter().all(|bit| exact.contains(bit)));
                    assert!(captured > 0 || bound == exact);
                    captures += captured;
                }
                match random_move(&mut board, color, &mut rng, |_, _| true) {
                    Site::PASS => board.pass(),
                    s => drop(board.play(s, color)),
                }
                color = color.other();
            }
        }
        assert!(captures > 1000, "{captures}");
    }
}
