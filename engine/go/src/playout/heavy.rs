//! The heavy playout: an answer to the last moves by the first of `rules.rs` that has one;
//! else a random move of the whole board that neither fills an eye nor is a bad self-atari, if the shapes tell how often
//! experts play in each by `sampling.rs`.

use super::rules::{Near, Rules};
use super::sampling::Sampling;
use super::shapes::{HandMade, Shapes};
use super::tactics::is_bad_self_atari;
use super::{is_playable, random_move, terminal_score};
use crate::board::{Board, Site};
use crate::params::Params;
use crate::{Color, rng::Rng};
use std::sync::OnceLock;

/// The rules, ready for use.
#[derive(Clone)]
pub struct Heavy<S = HandMade> {
    rules: Rules<S>,
    /// Chance out of 256 of refusing a bad self-atari when moving at random.
    self_atari: u32,
    /// Points drawn for a random move.
    samples: u32,
    /// How random moves are drawn, where not evenly. Made for the first of them: who plays by the network makes none.
    sampling: OnceLock<Option<Sampling>>,
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
            rules: Rules::new(params, shapes),
            self_atari: params.playout_self_atari,
            samples: params.playout_samples,
            sampling: OnceLock::new(),
        }
    }

    /// How random moves are drawn, where not evenly.
    #[inline]
    fn sampling(&self) -> Option<&Sampling> {
        let make = || {
            let rates = if self.samples > 1 { self.rules.shapes().rates() } else { None };
            rates.map(|rates| Sampling::new(rates, self.samples))
        };
        self.sampling.get_or_init(make).as_ref()
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
        if !last.is_pass() && board.cell(last) == color.other() {
            let local = self.rules.answer(board, Near { color, last, before }, rng);
            if !local.is_pass() {
                return local;
            }
        }
        let refuse_self_atari = rng.chance(self.self_atari);
        let accept = |board: &Board<N, W>, s: Site| {
            // Only with few empty neighbours can it be one.
            !(refuse_self_atari
                && board.pattern3x3(s).empties() < 2
                && is_bad_self_atari(board, s, color))
        };
        if let Some(sampling) = self.sampling() {
            let s = sampling.draw(board, color, rng);
            if !s.is_pass() && is_playable(board, s, color) && accept(board, s) {
                return s;
            }
        }
        random_move(board, color, rng, accept)
    }
}
