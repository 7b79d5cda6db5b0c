//! Playouts beside what the network says, where they are wanted.

use crate::position::Position;
use go_engine::board::{Board, Site};
use go_engine::playout::Playout;
use go_engine::playout::shapes::HandMade;
use go_engine::rng::Rng;
use go_engine::search::{Evaluator as _, Leaf, LeafValue, RolloutEvaluator, Scoring};

/// What plays positions to their end.
pub(super) type Playouts = RolloutEvaluator<Playout<HandMade>>;

/// What a thread makes playouts with.
pub(super) struct Rollout<const N: usize, const W: usize> {
    board: Option<Board<N, W>>,
    rng: Rng,
    moves: Vec<Site>,
    value: LeafValue,
}

impl<const N: usize, const W: usize> Rollout<N, W> {
    /// One with this seed.
    pub fn new(seed: u64) -> Self {
        let (rng, value) = (Rng::new(seed), LeafValue::default());
        Rollout { board: None, rng, moves: Vec::new(), value }
    }

    /// Plays a position to its end: what that is worth to Black, from 0 to 1.
    pub fn play(
        &mut self,
        playouts: &Playouts,
        scoring: &Scoring,
        position: &Position<N, W>,
    ) -> f32 {
        let Rollout { board, rng, moves, value } = self;
        let board = match board {
            Some(board) => {
                board.clone_from(position.board());
                board
            }
            None => board.insert(position.board().clone()),
        };
        moves.clear();
        let (to_move, last) = (position.to_play(), position.last_sites());
        let leaf = Leaf { board, to_move, last, scoring, rng, moves };
        playouts.evaluate(leaf, &mut (), value);
        value.value
    }
}
