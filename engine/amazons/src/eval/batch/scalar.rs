//! Boards evaluated one after another.

use super::{Board, MAX_BATCH};
use crate::eval::{Features, Weights};

/// The logits of boards.
pub(super) fn evaluate(weights: &Weights, boards: &[Board], logits: &mut [f32; MAX_BATCH]) {
    for (board, logit) in boards.iter().zip(logits) {
        *logit = weights.evaluate_features(&Features::of(board.own, board.other, board.free));
    }
}
