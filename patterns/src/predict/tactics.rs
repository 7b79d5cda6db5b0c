//! Small readings about chains: what a move leaves a chain with, and ladders read out.

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
            liberties.add(Board::<N, W>::bit(next));
        }
    }
    let friends = Neighbours::of(board, site, color);
    for &friend in friends.as_slice() {
        liberties.unite(board.liberty_set(friend));
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
                liberties.add(Board::<N, W>::bit(stone));
            }
        }
    }
    liberties
}

/// Most positions that one ladder is read through; what needs more counts as an escape.
const LADDER_BUDGET: u32 = 80;
/// How many copies of the board may lie on the stack at once; a reading that branches more often
/// counts as an escape. The largest board takes 100 KiB.
const LADDER_BRANCHES: u32 = 5;

/// Whether the chain on `prey`, which has two liberties, is caught in a ladder when the other side
/// begins with an atari on `start`.
pub fn ladder_catches<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    start: Site,
) -> bool {
    let Some(color) = board.color(prey) else { return false };
    let hunter = color.other();
    let liberties = board.liberty_set(prey).iter().map(Board::<N, W>::site_of_bit);
    let Some(escape) = liberties.into_iter().find(|&site| site != start) else { return false };
    if !board.is_legal(start, hunter) || escape_gain(board, escape, start, color) >= 3 {
        return false;
    }
    let mut board = board.clone();
    board.play(start, hunter);
    is_caught(&mut board, prey, color, &mut { LADDER_BUDGET }, LADDER_BRANCHES)
}

/// Whether the chain on `prey`, in atari and with its own side to move, is caught.
pub fn atari_is_deadly<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> bool {
    let Some(color) = board.color(prey) else { return false };
    if liberties_after(board, board.any_liberty(prey), color).len() >= 3 {
        return false;
    }
    is_caught(&mut board.clone(), prey, color, &mut { LADDER_BUDGET }, LADDER_BRANCHES)
}

/// The liberties that `color` has after extending to `escape` when `taken` is filled by the other.
fn escape_gain<const N: usize, const W: usize>(
    board: &Board<N, W>,
    escape: Site,
    taken: Site,
    color: Color,
) -> u32 {
    let mut after = liberties_after(board, escape, color);
    after.remove(Board::<N, W>::bit(taken));
    after.len()
}

/// Reads a ladder on from an atari: whether `color`, to move, loses the chain on `prey`.
#[inline(never)]
fn is_caught<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    prey: Site,
    color: Color,
    budget: &mut u32,
    branches: u32,
) -> bool {
    if *budget == 0 || board.liberties(prey) > 1 {
        return false;
    }
    *budget -= 1;
    let hunter = color.other();
    // Capturing a hunter that touches the prey is taken to save it.
    let saved = board.chain_stones(prey).any(|stone| {
        Board::<N, W>::ORTHO.iter().any(|&step| {
            let next = stone.offset(step);
            board.cell(next) == hunter as u8
                && board.liberties(next) == 1
                && board.is_legal(board.any_liberty(next), color)
        })
    });
    if saved {
        return false;
    }
    let escape = board.any_liberty(prey);
    if !board.is_legal(escape, color) {
        return true;
    }
    board.play(escape, color);
    match board.liberties(escape) {
        0 | 1 => return true,
        2 => {}
        _ => return false,
    }
    let mut liberties = board.liberty_set(escape).iter().map(Board::<N, W>::site_of_bit);
    let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return false };
    // The hunter has to play where the prey would gain three; anywhere when it gains them nowhere.
    let gains_a = escape_gain(board, a, b, color) >= 3;
    let gains_b = escape_gain(board, b, a, color) >= 3;
    match (gains_a, gains_b) {
        (true, true) => false,
        (true, false) => hunt(board, escape, a, budget, branches),
        (false, true) => hunt(board, escape, b, budget, branches),
        (false, false) => {
            (branches > 0 && hunt_on_copy(board, escape, a, budget, branches - 1))
                || hunt(board, escape, b, budget, branches)
        }
    }
}

/// Whether the hunter catches the chain on `prey` by playing `at`.
fn hunt<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    prey: Site,
    at: Site,
    budget: &mut u32,
    branches: u32,
) -> bool {
    let Some(color) = board.color(prey) else { return false };
    if !board.is_legal(at, color.other()) {
        return false;
    }
    board.play(at, color.other());
    is_caught(board, prey, color, budget, branches)
}

/// The same on a copy of the board. In a function of its own, so that only readings that branch
/// have a board on the stack.
#[inline(never)]
fn hunt_on_copy<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    at: Site,
    budget: &mut u32,
    branches: u32,
) -> bool {
    hunt(&mut board.clone(), prey, at, budget, branches)
}
