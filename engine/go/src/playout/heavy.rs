//! The heavy playout: local answers to the last moves first, in a fixed order of rules each taken
//! with a probability; then any sensible move of the whole board.
//!
//! The order is that of MoGo's sequence-like playouts (Gelly, Wang, Munos, Teytaud 2006) with the
//! two-liberty fights and eye-space points of later programs: answer an atari; fight where a chain
//! has two liberties; take the vital point of an eye space; answer with a 3x3 shape beside the last
//! move or the one before; else a random move that neither fills an eye nor is a bad self-atari.

use super::nakade::vital_point;
use super::pattern3::MOGO;
use super::tactics::{Candidates, add_ataris, add_extensions, add_rescues, is_bad_self_atari};
use super::{random_move, terminal_score};
use crate::board::{Board, Site};
use crate::params::Params;
use crate::{Color, rng::Rng};

/// The shapes that answer the last moves: what the playout asks of those who know some.
pub trait Shapes: Send + Sync {
    /// How good a stone of `color` is on each of the empty sites beside a stone, by their places:
    /// moves are drawn in proportion, and not at all for 0, which is what `weights` has. All at once,
    /// so that one's look-up need not wait for another's.
    fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        beside: Beside,
        color: Color,
        weights: &mut [u16; 8],
    );
}

/// The empty sites about a stone.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// The stone.
    pub stone: Site,
    /// Bit `2 * place` for each of them; the places are those of [`Board::AROUND`].
    pub empties: u16,
}

impl Beside {
    /// Those about a stone on the board.
    #[inline(always)]
    pub fn new<const N: usize, const W: usize>(board: &Board<N, W>, stone: Site) -> Beside {
        Beside { stone, empties: board.around(stone).all_empties() }
    }

    /// Each with its place, 0 to 7; seen from it the stone lies on the opposite place, `place ^ 2`.
    #[inline(always)]
    pub fn sites<const N: usize, const W: usize>(self) -> impl Iterator<Item = (usize, Site)> {
        let mut empties = self.empties;
        std::iter::from_fn(move || {
            let place = (empties != 0).then(|| (empties.trailing_zeros() >> 1) as usize & 7)?;
            empties &= empties - 1;
            Some((place, self.stone.offset(Board::<N, W>::AROUND[place])))
        })
    }
}

/// The hand-made 3x3 shapes of MoGo, all as good as each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

impl Shapes for HandMade {
    #[inline(always)]
    fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        beside: Beside,
        color: Color,
        weights: &mut [u16; 8],
    ) {
        for (place, s) in beside.sites::<N, W>() {
            weights[place] = u16::from(MOGO.has(board.around(s), color));
        }
    }
}

/// The rules' chances and shapes, ready for use.
#[derive(Clone)]
pub struct Heavy<S = HandMade> {
    atari: u32,
    two_liberties: u32,
    nakade: u32,
    pattern: u32,
    pattern_second: u32,
    self_atari: u32,
    read_ladders: bool,
    shapes: S,
}

impl Heavy {
    /// The policy with these tunables and the hand-made shapes.
    pub fn new(params: &Params) -> Heavy {
        Heavy::with_shapes(params, HandMade)
    }
}

impl<S: Shapes> Heavy<S> {
    /// The policy with these tunables and shapes.
    pub fn with_shapes(params: &Params, shapes: S) -> Heavy<S> {
        Heavy {
            atari: params.playout_atari,
            two_liberties: params.playout_two_liberties,
            nakade: params.playout_nakade,
            pattern: params.playout_pattern,
            pattern_second: params.playout_pattern_second,
            self_atari: params.playout_self_atari,
            read_ladders: params.playout_ladders,
            shapes,
        }
    }

    /// Plays `board` to its end, `to_move` first. `last` are the last move and the one before
    /// ([`Site::PASS`] where there is none); every move is appended to `moves`, colours in turn.
    /// Returns Black's area minus White's.
    pub fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
    ) -> i32 {
        let mut color = to_move;
        let [mut last, mut before] = last;
        let mut passes = 0;
        let longest = 3 * board.area();
        for _ in 0..longest {
            let s = self.choose(board, color, last, before, rng);
            if s.is_pass() {
                board.pass();
                passes += 1;
                if passes == 2 {
                    break;
                }
            } else {
                board.play(s, color);
                passes = 0;
            }
            moves.push(s);
            (before, last) = (last, s);
            color = color.other();
        }
        terminal_score(board)
    }

    /// The next move of a playout.
    #[inline]
    pub fn choose<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        color: Color,
        last: Site,
        before: Site,
        rng: &mut Rng,
    ) -> Site {
        if !last.is_pass() && board.cell(last) == color.other() as u8 {
            let local = self.answer(board, color, last, before, rng);
            if !local.is_pass() {
                return local;
            }
        }
        let refuse = self.self_atari;
        let wary = rng.chance(refuse);
        random_move(board, color, rng, |board, s| {
            // Only with few empty neighbours can it be one.
            !(wary && board.around(s).empties() < 2 && is_bad_self_atari(board, s, color))
        })
    }

    /// An answer near the last move, or [`Site::PASS`] when no rule has one.
    #[inline]
    fn answer<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: Site,
        before: Site,
        rng: &mut Rng,
    ) -> Site {
        // One draw serves all the rules: eight bits each.
        let luck = rng.bits();
        let lucky = |rule: u32, share: u32| ((luck >> (8 * rule)) & 0xff) < u64::from(share);
        let pick = |c: &Candidates, rng: &mut Rng| {
            let sites = c.as_slice();
            sites[rng.below(sites.len() as u32) as usize]
        };

        let mut urgent = Candidates::new();
        let mut fights = Candidates::new();
        let fight = lucky(1, self.two_liberties);
        let their_liberties = board.liberties(last);
        if their_liberties == 1 {
            let s = board.any_liberty(last);
            if s != board.ko() {
                urgent.add(s);
            }
        }
        let mut mine = board.around(last).ortho_stones(color);
        while mine != 0 {
            let step = Board::<N, W>::ORTHO[(mine.trailing_zeros() >> 1) as usize & 3];
            mine &= mine - 1;
            let t = last.offset(step);
            match board.liberties(t) {
                1 => add_rescues(board, t, color, self.read_ladders, &mut urgent),
                2 if fight => add_extensions(board, t, color, &mut fights),
                _ => {}
            }
        }
        if lucky(0, self.atari) && !urgent.as_slice().is_empty() {
            return pick(&urgent, rng);
        }
        if fight {
            if their_liberties == 2 {
                add_ataris(board, last, color, &mut fights);
            }
            if !fights.as_slice().is_empty() {
                return pick(&fights, rng);
            }
        }
        if lucky(2, self.nakade) {
            let mut empties = board.around(last).ortho_empties();
            while empties != 0 {
                let step = Board::<N, W>::ORTHO[(empties.trailing_zeros() >> 1) as usize & 3];
                empties &= empties - 1;
                if let Some(s) = vital_point(board, last.offset(step), color.other())
                    && board.is_legal(s, color)
                {
                    return s;
                }
            }
        }
        if lucky(3, self.pattern) {
            let s = self.draw_shape(board, last, color, rng);
            if !s.is_pass() {
                return s;
            }
            if !before.is_pass() && lucky(4, self.pattern_second) {
                return self.draw_shape(board, before, color, rng);
            }
        }
        Site::PASS
    }

    /// A move around `last` that makes a known shape and is no bad self-atari, drawn by the shapes'
    /// weights; [`Site::PASS`] when there is none.
    ///
    /// What is dear to know is asked only of moves that are drawn: one that turns out illegal or a
    /// bad self-atari is taken out and another drawn, which gives each of the others the chance that
    /// it would have had without it.
    #[inline]
    fn draw_shape<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        last: Site,
        color: Color,
        rng: &mut Rng,
    ) -> Site {
        let beside = Beside::new(board, last);
        let mut weights = [0; 8];
        self.shapes.weigh(board, beside, color, &mut weights);
        let mut sum: u32 = weights.iter().map(|&weight| u32::from(weight)).sum();
        while sum > 0 {
            let at = rng.below(sum);
            let (mut place, mut below) = (0, 0);
            for &weight in &weights {
                below += u32::from(weight);
                place += usize::from(below <= at);
            }
            let s = last.offset(Board::<N, W>::AROUND[place & 7]);
            if board.is_legal(s, color) && !is_bad_self_atari(board, s, color) {
                return s;
            }
            sum -= u32::from(std::mem::take(&mut weights[place & 7]));
        }
        Site::PASS
    }
}
