//! The rules by which a heavy playout answers the last moves, in their order, each taken with a chance.
//!
//! The order is that of MoGo's sequence-like playouts (Gelly, Wang, Munos, Teytaud 2006) with the
//! two-liberty fights and eye-space points of later programs.

use super::nakade::vital_point;
use super::shapes::{Neighbours8, Shapes};
use super::tactics::{Candidates, add_ataris, add_extensions, add_rescues, is_bad_self_atari};
use crate::board::{Board, Site};
use crate::params::Params;
use crate::{Color, rng::Rng};

/// Declares the table: for each rule the method of [`Rules`] that looks for a move and the tunable with its
/// chance, out of 256. One random number serves all the rules, eight bits each in their order.
macro_rules! table {
    ($($rule:ident: $chance:ident;)*) => {
        #[derive(Clone)]
        struct Chances {
            $($rule: u32,)*
        }

        impl Chances {
            fn new(params: &Params) -> Chances {
                Chances { $($rule: params.$chance,)* }
            }
        }

        impl<S: Shapes> Rules<S> {
            /// An answer near the last move, or [`Site::PASS`] when no rule has one.
            #[inline]
            pub(super) fn answer<const N: usize, const W: usize>(
                &self,
                board: &Board<N, W>,
                near: Near,
                rng: &mut Rng,
            ) -> Site {
                let mut dice = Dice(rng.bits());
                $(if dice.roll(self.chances.$rule) {
                    let answer = self.$rule(board, near, dice, rng);
                    if !answer.is_pass() {
                        return answer;
                    }
                })*
                Site::PASS
            }
        }
    };
}

table! {
    answer_atari: playout_atari;
    fight_for_two_liberties: playout_two_liberties;
    take_vital_point: playout_nakade;
    make_shape: playout_pattern;
}

/// The moves that a playout answers, and who answers.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// Who is to move.
    pub color: Color,
    /// The opponent's stone that was played last.
    pub last: Site,
    /// The move before it, [`Site::PASS`] where there is none.
    pub before: Site,
}

/// A random number that is used up eight bits at a time.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    /// True with a chance out of 256.
    #[inline(always)]
    fn roll(&mut self, chance: u32) -> bool {
        let hit = self.0 & 0xff < u64::from(chance);
        self.0 >>= 8;
        hit
    }
}

/// The rules' chances and shapes, ready for use.
#[derive(Clone)]
pub(super) struct Rules<S> {
    chances: Chances,
    second_shape: u32,
    read_ladders: bool,
    shapes: S,
}

impl<S: Shapes> Rules<S> {
    /// The shapes that answer.
    pub(super) fn shapes(&self) -> &S {
        &self.shapes
    }

    /// With these tunables and shapes.
    pub(super) fn new(params: &Params, shapes: S) -> Rules<S> {
        Rules {
            chances: Chances::new(params),
            second_shape: params.playout_pattern_second,
            read_ladders: params.playout_ladders,
            shapes,
        }
    }

    /// Captures what has just put itself in atari, or saves what has just been put in it.
    #[inline(always)]
    fn answer_atari<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        Near { color, last, .. }: Near,
        _: Dice,
        rng: &mut Rng,
    ) -> Site {
        let mut found = Candidates::default();
        if board.liberties(last) == 1 {
            let s = board.any_liberty(last);
            if s != board.ko() {
                found.add(s);
            }
        }
        for t in board.stones_beside(last, color) {
            if board.liberties(t) == 1 {
                add_rescues(board, t, color, self.read_ladders, &mut found);
            }
        }
        pick(&found, rng)
    }

    /// Fights where a chain of either side beside the last move has two liberties.
    #[inline(always)]
    fn fight_for_two_liberties<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        Near { color, last, .. }: Near,
        _: Dice,
        rng: &mut Rng,
    ) -> Site {
        let mut found = Candidates::default();
        for t in board.stones_beside(last, color) {
            if board.liberties(t) == 2 {
                add_extensions(board, t, color, &mut found);
            }
        }
        if board.liberties(last) == 2 {
            add_ataris(board, last, color, &mut found);
        }
        pick(&found, rng)
    }

    /// Takes the vital point of a small eye space beside the last move.
    #[inline(always)]
    fn take_vital_point<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        Near { color, last, .. }: Near,
        _: Dice,
        _: &mut Rng,
    ) -> Site {
        board
            .empties_beside(last)
            .filter_map(|s| vital_point(board, s, color.other()))
            .find(|&s| board.is_legal(s, color))
            .unwrap_or(Site::PASS)
    }

    /// Makes a known shape beside the last move or, with a chance of its own, the one before.
    #[inline(always)]
    fn make_shape<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        Near { color, last, before }: Near,
        mut dice: Dice,
        rng: &mut Rng,
    ) -> Site {
        let s = self.random_shape(board, last, color, rng);
        if s.is_pass() && !before.is_pass() && dice.roll(self.second_shape) {
            return self.random_shape(board, before, color, rng);
        }
        s
    }

    /// A move around `last` that makes a known shape and is no bad self-atari, drawn by the shapes'
    /// weights; [`Site::PASS`] when there is none.
    ///
    /// What is dear to know is asked only of moves that are drawn: one that turns out illegal or a
    /// bad self-atari is taken out and another drawn, which gives each of the others the chance that
    /// it would have had without it.
    #[inline]
    fn random_shape<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        last: Site,
        color: Color,
        rng: &mut Rng,
    ) -> Site {
        let neighbours = Neighbours8::new(board, last);
        let mut weights = [0; 8];
        self.shapes.weights(board, neighbours, color, &mut weights);
        let mut sum: u32 = weights.iter().map(|&weight| u32::from(weight)).sum();
        while sum > 0 {
            let at = rng.below(sum);
            let (mut place, mut below) = (0, 0);
            for &weight in &weights {
                below += u32::from(weight);
                place += usize::from(below <= at);
            }
            let s = last.offset(Board::<N, W>::NEIGHBOURS[place & 7]);
            if board.is_legal(s, color) && !is_bad_self_atari(board, s, color) {
                return s;
            }
            sum -= u32::from(std::mem::take(&mut weights[place & 7]));
        }
        Site::PASS
    }
}

/// One of the candidates, each as likely as the others; [`Site::PASS`] when there is none.
#[inline(always)]
fn pick(candidates: &Candidates, rng: &mut Rng) -> Site {
    match candidates.as_slice() {
        [] => Site::PASS,
        sites => sites[rng.below(sites.len() as u32) as usize],
    }
}
