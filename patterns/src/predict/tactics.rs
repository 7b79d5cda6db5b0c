//! Small readings about the chains that a move touches.

use go_engine::board::SiteSet;
use go_engine::{Board, Color, Site};

/// Chains next to a site, each once.
pub struct Neighbours {
    heads: [Site; 4],
    len: usize,
}

impl Neighbours {
    /// The chains of `color` that touch `site`.
    #[inline]
    pub fn of<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        color: Color,
    ) -> Self {
        let mut found = Neighbours { heads: [Site::PASS; 4], len: 0 };
        for step in Board::<N, W>::ORTHO {
            let next = site.offset(step);
            if board.cell(next) == color as u8 {
                let head = board.chain(next);
                if !found.as_slice().contains(&head) {
                    found.heads[found.len & 3] = head;
                    found.len += 1;
                }
            }
        }
        found
    }

    /// The chains, by the site that names each.
    #[inline]
    pub fn as_slice(&self) -> &[Site] {
        &self.heads[..self.len]
    }
}

/// The liberties that the chain made by `color` playing on `site` will have, captures included
/// (the points of captured stones next to the new chain's own stones are counted when they touch
/// `site` or a chain that it joins).
pub fn liberties_after<const N: usize, const W: usize>(
    board: &Board<N, W>,
    site: Site,
    color: Color,
) -> SiteSet<W> {
    let mut liberties = SiteSet::<W>::EMPTY;
    for step in Board::<N, W>::ORTHO {
        let next = site.offset(step);
        if board.is_empty(next) {
            liberties.insert(Board::<N, W>::bit(next));
        }
    }
    let friends = Neighbours::of(board, site, color);
    for &friend in friends.as_slice() {
        liberties.union_with(board.liberty_set(friend));
    }
    liberties.remove(Board::<N, W>::bit(site));
    for &enemy in Neighbours::of(board, site, color.other()).as_slice() {
        if board.liberties(enemy) != 1 {
            continue;
        }
        for stone in board.chain_stones(enemy) {
            let touches = Board::<N, W>::ORTHO.iter().any(|&step| {
                let next = stone.offset(step);
                next == site
                    || (board.cell(next) == color as u8
                        && friends.as_slice().contains(&board.chain(next)))
            });
            if touches {
                liberties.insert(Board::<N, W>::bit(stone));
            }
        }
    }
    liberties
}
