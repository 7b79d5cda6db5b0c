//! Playing a position to its end at random.
//!
//! * [`light`]: every legal move that fills no eye, equally likely. Several times faster and much
//!   weaker: for measuring, and for a search as plain as they come (`playout_policy`).
//! * [`heavy`]: local answers first; what the search uses.
//! * [`ownership`]: whose the points become; [`territory`]: what of it is territory.
//! * [`sampling`]: its random moves, by the shapes that experts play.
//! * `rules`: its table of rules; [`shapes`], [`tactics`], [`liberties`], [`nakade`], [`mogo_patterns`]: what their answers are made of.

pub mod heavy;
pub mod ladder;
pub mod liberties;
pub mod light;
pub mod mogo_patterns;
pub mod nakade;
pub mod ownership;
mod rollout;
mod rules;
pub mod sampling;
pub mod shapes;
pub mod tactics;
pub mod territory;

pub use rollout::{Playout, Rollout};

use crate::board::{Board, Cell, Site};
use crate::{Color, rng::Rng};

/// Whose a site is at the end of a playout: that of the stone on it, or of the side that has all
/// its neighbours; none when it is neither's.
#[inline(always)]
pub fn owner<const N: usize, const W: usize>(board: &Board<N, W>, s: Site) -> Option<Color> {
    let pattern = board.pattern3x3(s);
    match board.cell(s) {
        Cell::Empty if pattern.is_surrounded(Color::Black) => Some(Color::Black),
        Cell::Empty if pattern.is_surrounded(Color::White) => Some(Color::White),
        cell => cell.color(),
    }
}

/// Black's area minus White's at the end of a playout: what each is [`owner`] of.
#[inline(always)]
pub fn terminal_score<const N: usize, const W: usize>(board: &Board<N, W>) -> i32 {
    let mut score = board.stones_on_board(Color::Black) as i32;
    score -= board.stones_on_board(Color::White) as i32;
    for s in board.empties() {
        let pattern = board.pattern3x3(s);
        score += i32::from(pattern.is_surrounded(Color::Black));
        score -= i32::from(pattern.is_surrounded(Color::White));
    }
    score
}

/// Whether a move on an empty site is legal and fills no eye of the mover's.
#[inline(always)]
fn is_playable<const N: usize, const W: usize>(board: &Board<N, W>, s: Site, color: Color) -> bool {
    let pattern = board.pattern3x3(s);
    pattern.touches_empty()
        || (!pattern.is_eye(color) && s != board.ko() && !board.is_dead_end(s, color))
}

/// A random legal move that fills no eye of the mover's, or a pass when there is none. From a random
/// place of the list of empty sites the first such move is taken: as the list is shuffled by the
/// game itself, all are nearly equally likely. `accept` may refuse moves.
#[inline(always)]
pub fn random_move<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    color: Color,
    rng: &mut Rng,
    mut accept: impl FnMut(&Board<N, W>, Site) -> bool,
) -> Site {
    let n = board.n_empties();
    let mut at = if n == 0 { 0 } else { rng.below(n as u32) as usize };
    for _ in 0..n {
        let s = board.empty_at(at);
        if is_playable(board, s, color) && accept(board, s) {
            return s;
        }
        at = if at == 0 { n - 1 } else { at - 1 };
    }
    Site::PASS
}
