//! The playouts that a search can be told to use, and whose each site is at their end.

use super::heavy::Heavy;
use super::shapes::Shapes;
use super::{light::LightBoard, owner};
use crate::board::{Board, Site};
use crate::params::{Params, PlayoutPolicy};
use crate::{Color, rng::Rng};

/// A way to play a position to its end.
pub trait Rollout: Send + Sync {
    /// Plays `board` to its end, `to_move` first. `last` are the last move and the one before
    /// ([`Site::PASS`] where there is none); every move is appended to `moves`, colours in turn.
    /// Returns Black's area minus White's, and writes for each site whose it is: 1 for Black, -1 for
    /// White, 0 for neither.
    fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
        ownership: &mut [f32],
    ) -> i32;
}

/// How playouts move.
#[derive(Clone)]
pub struct Playout<S> {
    heavy: Heavy<S>,
    policy: PlayoutPolicy,
}

impl<S> Playout<S> {
    /// Such a heavy playout, or a light one when the tunables say so.
    pub fn new(params: &Params, heavy: Heavy<S>) -> Playout<S> {
        Playout { heavy, policy: params.playout_policy }
    }
}

impl<S: Shapes> Rollout for Playout<S> {
    #[inline]
    fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
        ownership: &mut [f32],
    ) -> i32 {
        match self.policy {
            PlayoutPolicy::Heavy => {
                let margin = self.heavy.play_out(board, to_move, last, rng, moves);
                board.sites().for_each(|s| ownership[usize::from(s.0)] = sign(owner(board, s)));
                margin
            }
            PlayoutPolicy::Light => {
                let mut light = LightBoard::new(board);
                let margin = light.play_out(to_move, rng, |s| moves.push(s));
                board.sites().for_each(|s| ownership[usize::from(s.0)] = sign(light.owner(s)));
                margin
            }
        }
    }
}

/// Whose a site is, as a number.
#[inline(always)]
fn sign(owner: Option<Color>) -> f32 {
    match owner {
        None => 0.0,
        Some(Color::Black) => 1.0,
        Some(Color::White) => -1.0,
    }
}
