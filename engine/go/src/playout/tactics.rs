//! Small readings about chains with few liberties, cheap enough for every move of a playout.

use super::ladder::atari_is_deadly;
use super::liberties::liberties_after;
use super::nakade::vital_point_of;
use crate::Color;
use crate::board::{Board, Site};
use smallvec::SmallVec;

/// A handful of candidate moves without repetition. So many need no allocation.
#[derive(Clone, Default)]
pub struct Candidates(SmallVec<[Site; 24]>);

impl Candidates {
    /// Adds a move unless it is there already.
    #[inline(always)]
    pub fn add(&mut self, s: Site) {
        if !self.0.contains(&s) {
            self.0.push(s);
        }
    }

    /// The moves.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Site] {
        &self.0
    }
}

/// Whether a stone of `color` on the empty site `s` would stand in a chain with one liberty or none.
#[inline]
pub fn is_self_atari<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> bool {
    if board.pattern3x3(s).empties() >= 2 {
        return false;
    }
    // Most stones join a chain that keeps two liberties without this one: nothing to add up.
    let joins_safe_chain = board.stones_beside(s, color).any(|stone| board.liberties(stone) > 2);
    !joins_safe_chain && liberties_after(board, s, color).len() < 2
}

/// Whether a self-atari of `color` on `s` is worth refusing in a playout. Not refused are: a single
/// stone thrown in beside a chain that it leaves short of liberties, and a small clump that, once
/// captured, leaves the opponent a shape with one eye (2 or 3 stones, the T and the square of four,
/// the bulky five and the cross of five).
pub fn is_bad_self_atari<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> bool {
    if !is_self_atari(board, s, color) {
        return false;
    }
    let mut clump = [s; 6];
    let mut n = 1;
    for &chain in board.chains_beside(s, color).iter() {
        if n + board.chain_len(chain) as usize > 5 {
            return true;
        }
        for stone in board.chain_stones(chain) {
            clump[n] = stone;
            n += 1;
        }
    }
    if n == 1 {
        // Thrown in: it must press something.
        return !board.stones_beside(s, color.other()).any(|stone| board.liberties(stone) <= 2);
    }
    n > 3 && vital_point_of::<N, W>(&clump[..n]).is_none()
}

/// Adds the moves that save the chain of `color` in atari at `at`: capturing a neighbour in atari,
/// or running out to at least two liberties; with `read_ladders` not when it is caught all the same.
pub fn add_rescues<const N: usize, const W: usize>(
    board: &Board<N, W>,
    at: Site,
    color: Color,
    read_ladders: bool,
    out: &mut Candidates,
) {
    add_captures_around(board, at, color, out);
    let exit = board.any_liberty(at);
    if exit.is_pass() || out.as_slice().contains(&exit) {
        return;
    }
    if board.is_suicide(exit, color) {
        return;
    }
    // With two liberties it may be a ladder.
    match liberties_after(board, exit, color).len() {
        0 | 1 => {}
        2 if read_ladders && atari_is_deadly(board, at) => {}
        _ => out.add(exit),
    }
}

/// Adds the moves that capture a chain in atari next to the chain of `color` at `at`.
pub fn add_captures_around<const N: usize, const W: usize>(
    board: &Board<N, W>,
    at: Site,
    color: Color,
    out: &mut Candidates,
) {
    for stone in board.chain_stones(at) {
        for enemy in board.stones_beside(stone, color.other()) {
            if board.liberties(enemy) == 1 {
                let s = board.any_liberty(enemy);
                if s != board.ko() {
                    out.add(s);
                }
            }
        }
    }
}

/// Adds moves that fight for the chain of `color` with two liberties at `at`: those that leave it
/// three or more, and captures of what presses it.
pub fn add_extensions<const N: usize, const W: usize>(
    board: &Board<N, W>,
    at: Site,
    color: Color,
    out: &mut Candidates,
) {
    add_captures_around(board, at, color, out);
    for s in board.liberty_sites(at) {
        if board.is_legal(s, color) && liberties_after(board, s, color).len() >= 3 {
            out.add(s);
        }
    }
}

/// Adds ataris of `color` on the enemy chain with two liberties at `at`: each liberty that is safe
/// to take and from which the chain does not simply run out to three liberties through the other.
pub fn add_ataris<const N: usize, const W: usize>(
    board: &Board<N, W>,
    at: Site,
    color: Color,
    out: &mut Candidates,
) {
    let libs = board.liberty_set(at);
    let Some(first) = libs.first() else { return };
    let mut rest = *libs;
    rest.remove(first);
    let Some(second) = rest.first() else { return };
    for (take, leave) in [(first, second), (second, first)] {
        let s = Board::<N, W>::site_of_bit(take);
        if !board.is_legal(s, color) || is_self_atari(board, s, color) {
            continue;
        }
        let mut after = liberties_after(board, Board::<N, W>::site_of_bit(leave), color.other());
        after.remove(take);
        if after.len() <= 2 {
            out.add(s);
        }
    }
}
