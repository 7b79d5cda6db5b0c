//! Those who know the game behind one type for all, whatever they are and on whatever board.

use super::policy::{Evaluator, Priors};
use super::shared::Shared;
use super::value::{Leaf, LeafValue, Scoring};
use super::worker::Worker;
use crate::game::AnyBoard;
use crate::{Color, Site, rng::Rng, with_board};

/// What the threads of a search ask, behind one type for all: the search itself is compiled once, and its
/// threads where what they ask is known.
pub(super) trait Guide: Send + Sync {
    /// One of the threads.
    fn worker<'a>(
        &'a self,
        shared: &'a Shared<'a>,
        root: &'a AnyBoard,
        stream: u64,
    ) -> Box<dyn tree_search::Worker + 'a>;

    /// See [`Priors::policy`].
    fn policy(&self, board: &AnyBoard, color: Color, last: [Site; 2]) -> Vec<(Site, f32)>;

    /// Values a position so many times, each from its start.
    fn evaluate(
        &self,
        board: &AnyBoard,
        to_move: Color,
        scoring: &Scoring,
        rng: &mut Rng,
        times: u64,
        visit: &mut dyn FnMut(&LeafValue),
    );
}

/// Priors and an evaluator.
pub(super) struct Guides<P, E>(pub P, pub E);

impl<P: Priors, E: Evaluator> Guide for Guides<P, E> {
    fn worker<'a>(
        &'a self,
        shared: &'a Shared<'a>,
        root: &'a AnyBoard,
        stream: u64,
    ) -> Box<dyn tree_search::Worker + 'a> {
        with_board!(root, root => Box::new(Worker::new(shared, (&self.0, &self.1), root, stream)))
    }

    fn policy(&self, board: &AnyBoard, color: Color, last: [Site; 2]) -> Vec<(Site, f32)> {
        with_board!(board, board => self.0.policy(board, color, last))
    }

    fn evaluate(
        &self,
        board: &AnyBoard,
        to_move: Color,
        scoring: &Scoring,
        rng: &mut Rng,
        times: u64,
        visit: &mut dyn FnMut(&LeafValue),
    ) {
        with_board!(board, start => {
            let (mut board, mut moves) = (start.clone(), Vec::new());
            let (mut scratch, mut value) = (E::Scratch::default(), LeafValue::default());
            for _ in 0..times {
                board.clone_from(start);
                moves.clear();
                let last = [Site::PASS; 2];
                let (board, rng, moves) = (&mut *board, &mut *rng, &mut moves);
                let leaf = Leaf { board, to_move, last, scoring, rng, moves };
                self.1.evaluate(leaf, &mut scratch, &mut value);
                visit(&value);
            }
        });
    }
}
