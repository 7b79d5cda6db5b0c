//! What a search asks of those who know the game: how playouts move, and what to expect of a move
//! before it was tried. Dispatch is static: the search is compiled for its knowledge.

use crate::board::{Board, EMPTY, Site};
use crate::params::Params;
use crate::playout::heavy::Heavy;
use crate::playout::tactics::{Candidates, add_ataris, add_rescues, is_bad_self_atari};
use crate::{Color, rng::Rng};

/// A move that a new node may make, with its virtual visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The move.
    pub site: Site,
    /// Virtual visits so far.
    pub visits: f32,
    /// The sum of their values.
    pub wins: f32,
    /// Whether the move is so bad that it is not tried; at the root it is all the same.
    pub is_cut: bool,
}

impl Prior {
    /// A move with virtual visits at an even value.
    #[inline]
    pub fn even(site: Site, visits: f32) -> Prior {
        Prior { site, visits, wins: 0.5 * visits, is_cut: false }
    }

    /// Adds virtual visits that won.
    #[inline]
    pub fn favour(&mut self, visits: f32) {
        self.visits += visits;
        self.wins += visits;
    }

    /// Adds virtual visits that lost.
    #[inline]
    pub fn disfavour(&mut self, visits: f32) {
        self.visits += visits;
    }
}

/// Knowledge of the game, given to a search.
pub trait Knowledge: Send + Sync {
    /// Plays `board` to its end, as [`Heavy::play_out`] does.
    fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
    ) -> i32;

    /// Weighs the moves of a new node: `moves` come with an even prior, legal and filling no eye.
    /// `last` are the last move and the one before, [`Site::PASS`] for none.
    fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        moves: &mut [Prior],
    );

    /// By how many points Black's area is expected to be larger than White's, from the stones
    /// alone; `None` from those who do not say.
    fn judge<const N: usize, const W: usize>(
        &self,
        _board: &Board<N, W>,
        _to_move: Color,
    ) -> Option<f32> {
        None
    }

    /// How likely each legal move is thought to be an expert's, summing to 1; empty for those who
    /// do not say.
    fn expect<const N: usize, const W: usize>(
        &self,
        _board: &Board<N, W>,
        _color: Color,
        _last: [Site; 2],
    ) -> Vec<(Site, f32)> {
        Vec::new()
    }
}

/// Knowledge without anything learned: the heavy playout and tactical priors.
pub struct Plain {
    heavy: Heavy,
    params: Params,
}

impl Plain {
    /// With these tunables.
    pub fn new(params: &Params) -> Plain {
        Plain { heavy: Heavy::new(params), params: params.clone() }
    }
}

impl Knowledge for Plain {
    #[inline]
    fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
    ) -> i32 {
        self.heavy.play_out(board, to_move, last, rng, moves)
    }

    fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        moves: &mut [Prior],
    ) {
        let p = &self.params;
        let (rescues, ataris) = tactical_moves(board, color);
        for prior in moves {
            let s = prior.site;
            let around = board.around(s);
            let captures = Board::<N, W>::ORTHO.iter().any(|&step| {
                let t = s.offset(step);
                board.cell(t) == color.other() as u8 && board.liberties(t) == 1
            });
            if captures {
                prior.favour(p.prior_capture);
            } else if rescues.as_slice().contains(&s) {
                prior.favour(p.prior_rescue);
            } else if around.empties() < 2 && is_bad_self_atari(board, s, color) {
                prior.disfavour(p.prior_self_atari);
            } else if ataris.as_slice().contains(&s) {
                prior.favour(p.prior_atari);
            }
            if crate::playout::pattern3::MOGO.has(around, color) {
                prior.favour(p.prior_pattern);
            }
            if !last[0].is_pass() {
                let d = distance(board, s, last[0]);
                if d <= 8 {
                    prior.favour(p.prior_near / (1.0 + d as f32));
                }
            }
            if is_lonely(board, s) {
                match line(board, s) {
                    1 => prior.disfavour(p.prior_edge),
                    2 => prior.disfavour(p.prior_edge * 0.5),
                    3 => prior.favour(p.prior_third_line),
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
    let (mut rescues, mut ataris) = (Candidates::new(), Candidates::new());
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
        let beyond = board.cell(t) == EMPTY && is_stone(t.offset(step));
        !(is_stone(t) || beyond)
    }) && Board::<N, W>::DIAGONAL.iter().all(|&step| !is_stone(s.offset(step)))
}
