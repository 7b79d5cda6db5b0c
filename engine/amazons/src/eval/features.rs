//! What is counted on a board.

use super::flood::{KING_CLASSES, QUEEN_CLASSES, distances};
use super::mobility::{self, MOBILITY_CLASSES, Neighbours};
use crate::squares::Squares;

/// Where the counts by pairs of king distances begin.
pub(super) const KING: usize = QUEEN_CLASSES * QUEEN_CLASSES;
/// Where the counts of the queens of the side to move by mobility begin; those of the other side follow.
pub(super) const MOBILITY: usize = KING + KING_CLASSES * KING_CLASSES;
/// A feature that is always 1: what the right to move is worth.
pub(super) const TEMPO: usize = MOBILITY + 2 * MOBILITY_CLASSES;
/// How many features there are.
pub const FEATURES: usize = TEMPO + 1;
/// The same, up to a whole number of vectors.
pub(super) const PADDED: usize = FEATURES.next_multiple_of(8);

/// The counts of a position, for the side to move.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) counts: [i32; PADDED],
    /// How many free squares both sides can reach: how open the position is.
    pub contested: u32,
}

impl Features {
    /// The counts, by the queens of the side to move, those of the other side, and the free squares.
    #[inline]
    pub fn of(own: Squares, other: Squares, free: Squares) -> Features {
        let [ours, theirs] = distances([own, other], free);
        let mut counts = [0; PADDED];
        for (row, squares) in counts.chunks_exact_mut(QUEEN_CLASSES).zip(ours.queen) {
            for (count, other) in row.iter_mut().zip(theirs.queen) {
                *count = (squares & other).len() as i32;
            }
        }
        for (row, squares) in counts[KING..].chunks_exact_mut(KING_CLASSES).zip(ours.king) {
            for (count, other) in row.iter_mut().zip(theirs.king) {
                *count = (squares & other).len() as i32;
            }
        }
        let neighbours = Neighbours::new(free.0);
        for (side, queens) in [own, other].into_iter().enumerate() {
            for queen in queens {
                let class = mobility::class(mobility::freedom(queen, free, &neighbours));
                counts[MOBILITY + side * MOBILITY_CLASSES + class] += 1;
            }
        }
        counts[TEMPO] = 1;
        Features { counts, contested: (ours.reach & theirs.reach).len() }
    }

    /// The counts in their order.
    pub fn counts(&self) -> &[i32] {
        &self.counts[..FEATURES]
    }
}
