//! Priors from tactics, hand-made shapes and distances.

use super::policy::{Prior, Priors};
use crate::Color;
use crate::board::{Board, Site};
use crate::params::Params;
use crate::playout::tactics::{Candidates, add_ataris, add_rescues, is_bad_self_atari};

/// Tactics, the shapes of MoGo and distances: what is known without anything learned.
pub struct HandcraftedPolicy {
    params: Params,
}

impl HandcraftedPolicy {
    /// With these tunables.
    pub fn new(params: &Params) -> HandcraftedPolicy {
        HandcraftedPolicy { params: params.clone() }
    }
}

impl Priors for HandcraftedPolicy {
    type Scratch = ();

    fn priors<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        _: &mut (),
        moves: &mut [Prior],
    ) {
        let p = &self.params;
        let (rescues, ataris) = tactical_moves(board, color);
        for prior in moves {
            let s = prior.site;
            let pattern = board.pattern3x3(s);
            if board.touches_atari(s, color.other()) {
                prior.add_wins(p.prior_capture);
            } else if rescues.as_slice().contains(&s) {
                prior.add_wins(p.prior_rescue);
            } else if pattern.empties() < 2 && is_bad_self_atari(board, s, color) {
                prior.add_losses(p.prior_self_atari);
            } else if ataris.as_slice().contains(&s) {
                prior.add_wins(p.prior_atari);
            }
            if crate::playout::mogo_patterns::MOGO.contains(pattern, color) {
                prior.add_wins(p.prior_pattern);
            }
            if !last[0].is_pass() {
                let d = distance(board, s, last[0]);
                if d <= 8 {
                    prior.add_wins(p.prior_near / (1.0 + d as f32));
                }
            }
            if is_lonely(board, s) {
                match line(board, s) {
                    1 => prior.add_losses(p.prior_edge),
                    2 => prior.add_losses(p.prior_edge * 0.5),
                    3 => prior.add_wins(p.prior_third_line),
                    _ => {}
                }
            }
        }
    }
}

/// Moves that save a chain in atari, and sound ataris, over the whole board.
fn tactical_moves<const N: usize, const W: usize>(
    board: &Board<N, W>,
    color: Color,
) -> (Candidates, Candidates) {
    let (mut rescues, mut ataris) = (Candidates::default(), Candidates::default());
    for s in board.sites() {
        let Some(owner) = board.color(s) else { continue };
        if board.chain(s) != s {
            continue;
        }
        match board.liberties(s) {
            1 if owner == color => add_rescues(board, s, color, true, &mut rescues),
            2 if owner != color => add_ataris(board, s, color, &mut ataris),
            _ => {}
        }
    }
    (rescues, ataris)
}

/// Distance as move predictors use it: the sides' sum and the longer side.
#[inline]
pub fn distance<const N: usize, const W: usize>(board: &Board<N, W>, a: Site, b: Site) -> u32 {
    let (p, q) = (board.point(a), board.point(b));
    let dx = u32::from(p.col().abs_diff(q.col()));
    let dy = u32::from(p.row().abs_diff(q.row()));
    dx + dy + dx.max(dy)
}

/// The line that a site stands on, 1 at the edge.
#[inline]
pub fn line<const N: usize, const W: usize>(board: &Board<N, W>, s: Site) -> u8 {
    let p = board.point(s);
    let col = p.col().min(board.width() - 1 - p.col());
    let row = p.row().min(board.height() - 1 - p.row());
    col.min(row) + 1
}

/// Whether there is no stone within two steps along the rows and columns or one diagonally.
fn is_lonely<const N: usize, const W: usize>(board: &Board<N, W>, s: Site) -> bool {
    let is_stone = |t: Site| board.color(t).is_some();
    Board::<N, W>::ORTHO.iter().all(|&step| {
        let t = s.offset(step);
        let beyond = board.is_empty(t) && is_stone(t.offset(step));
        !(is_stone(t) || beyond)
    }) && Board::<N, W>::DIAGONAL.iter().all(|&step| !is_stone(s.offset(step)))
}
