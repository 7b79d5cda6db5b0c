//! Many positions evaluated at once: the moves of a node.
//!
//! Both levels add the same numbers in the same order, so they agree to the last bit.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use super::weights::Weights;
use crate::squares::Squares;
use simd::Level;

/// What the evaluation sees of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Board {
    /// The queens of the side to move.
    pub own: Squares,
    /// Those of the other side.
    pub other: Squares,
    /// The free squares.
    pub free: Squares,
}

/// Boards that are evaluated together.
pub(crate) const MAX_BATCH: usize = 8;
/// Fewer than these are evaluated sooner one by one.
const MIN_BATCH: usize = 3;

impl Weights {
    /// The logits of up to [`MAX_BATCH`] boards, each for its side to move; those beyond are not set.
    #[inline]
    pub(crate) fn evaluate_batch(&self, boards: &[Board], logits: &mut [f32; MAX_BATCH]) {
        self.evaluate_batch_at(simd::level(), boards, logits);
    }

    #[inline]
    fn evaluate_batch_at(&self, level: Level, boards: &[Board], logits: &mut [f32; MAX_BATCH]) {
        let (level, weights) = (if boards.len() < MIN_BATCH { Level::SCALAR } else { level }, self);
        simd::dispatch!(level => avx512 | scalar: evaluate(weights, boards, logits));
    }

    /// Evaluates things that boards belong to, however many there are.
    #[inline]
    pub(crate) fn evaluate_each<T>(
        &self,
        things: &mut [T],
        board: impl Fn(&T) -> Board,
        mut tell: impl FnMut(&mut T, f32),
    ) {
        let mut logits = [0.0; MAX_BATCH];
        for part in things.chunks_mut(MAX_BATCH) {
            let mut boards = [Board::default(); MAX_BATCH];
            for (place, thing) in boards.iter_mut().zip(&*part) {
                *place = board(thing);
            }
            self.evaluate_batch(&boards[..part.len()], &mut logits);
            for (thing, &logit) in part.iter_mut().zip(&logits) {
                tell(thing, logit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Features;
    use crate::{Position, Size};

    #[test]
    fn many_are_evaluated_as_one_by_one() {
        let weights = Weights::shipped();
        let starts = [
            Position::start(),
            Position::start_on(5).expect("a start"),
            Position::start_on(4).expect("a start"),
        ];
        let mut seed = 5u64;
        for start in starts {
            for _ in 0..20 {
                let mut position = start;
                let mut boards = Vec::new();
                loop {
                    let (own, other) = (position.to_move(), position.to_move().other());
                    let (own, other) = (position.queens(own), position.queens(other));
                    boards.push(Board { own, other, free: position.free() });
                    let moves = position.moves();
                    if moves.is_empty() {
                        break;
                    }
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    position.make(moves[(seed >> 33) as usize % moves.len()]);
                }
                // Boards without queens, and without free squares.
                boards.push(Board { free: Squares::all(Size::FULL), ..Board::default() });
                boards.push(Board::default());
                let mut evaluated: Vec<(Board, f32)> =
                    boards.iter().map(|&board| (board, 0.0)).collect();
                weights.evaluate_each(&mut evaluated, |thing| thing.0, |thing, l| thing.1 = l);
                for (board, found) in evaluated {
                    let features = Features::of(board.own, board.other, board.free);
                    assert_eq!(found, weights.evaluate_features(&features), "{board:?}");
                }
                for (part, level) in boards
                    .chunks(MAX_BATCH)
                    .flat_map(|part| Level::available().into_iter().map(move |level| (part, level)))
                {
                    let (mut found, mut expected) = ([0.0; MAX_BATCH], [0.0; MAX_BATCH]);
                    weights.evaluate_batch_at(level, part, &mut found);
                    scalar::evaluate(&weights, part, &mut expected);
                    let count = part.len();
                    assert_eq!(found[..count], expected[..count], "{level:?} {part:?}");
                }
            }
        }
    }
}
