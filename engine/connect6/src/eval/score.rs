//! The static score: what the shapes on the board are worth, set by hand.

use crate::Color;
use crate::board::Board;
use crate::geometry::LINES;
use crate::shape::{ShapeType, shape, stretches};

/// What a shape of each type is worth to the side to move and to the other side, in the units of the
/// score (1 is about as much as one clear initiative).
const WORTH: [(ShapeType, f32, f32); 12] = [
    (ShapeType::Other, 0.0, 0.0),
    (ShapeType::Live2, 0.10, 0.06),
    (ShapeType::Dead3, 0.08, 0.04),
    (ShapeType::Sleeping3, 0.12, 0.07),
    (ShapeType::Live3, 0.35, 0.25),
    (ShapeType::Dead4, 3.0, 0.5),
    (ShapeType::Sleeping4, 3.0, 0.5),
    (ShapeType::Live4, 3.0, 1.0),
    (ShapeType::Dead5, 3.0, 0.5),
    (ShapeType::Live5, 3.0, 1.0),
    (ShapeType::DoubleWin, 3.0, 3.0),
    (ShapeType::Win, 5.0, 5.0),
];

/// The largest and smallest score that is given.
pub const LIMIT: f32 = 4.0;

/// The static score of a position for the side to move, within [`LIMIT`].
pub fn static_score(board: &Board, side: Color) -> f32 {
    let mut score = 0.0;
    for line in 0..LINES {
        let (own, other) = (board.stones(side, line), board.stones(!side, line));
        if own | other == 0 {
            continue;
        }
        let valid = board.geometry().valid(line);
        for (_, len, stones) in stretches(own, other, valid) {
            score += WORTH[shape(len, stones).kind as usize].1;
        }
        for (_, len, stones) in stretches(other, own, valid) {
            score -= WORTH[shape(len, stones).kind as usize].2;
        }
    }
    score.clamp(-LIMIT, LIMIT)
}
