//! The eight ways to turn and mirror the 10x10 board.

use crate::Color;
use crate::position::Position;
use crate::square::{MAX_SIDE, Square};

/// One of the eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Nothing is turned.
    pub const NONE: Symmetry = Symmetry(0);

    /// The one of a number; only its last three bits count.
    pub fn new(number: u64) -> Symmetry {
        Symmetry((number & 7) as u8)
    }

    /// All eight.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Where a square comes to.
    pub fn square(self, square: Square) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.0 & 1 != 0 {
            column = MAX_SIDE - 1 - column;
        }
        if self.0 & 2 != 0 {
            row = MAX_SIDE - 1 - row;
        }
        if self.0 & 4 != 0 {
            std::mem::swap(&mut column, &mut row);
        }
        // Both stay below the side.
        Square::new(column, row).unwrap_or(square)
    }

    /// A position on the 10x10 board, turned. Other sizes are left as they are.
    pub fn position(self, position: &Position) -> Position {
        if position.size() != crate::Size::FULL {
            return *position;
        }
        let mut turned = Position::empty(position.size());
        for color in Color::BOTH {
            for queen in position.queens(color) {
                turned.put_queen(color, self.square(queen));
            }
        }
        for arrow in position.arrows_shot() {
            turned.put_arrow(self.square(arrow));
        }
        turned.set_to_move(position.to_move());
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    #[test]
    fn what_is_turned_is_worth_the_same() {
        let mut position = Position::start();
        for _ in 0..6 {
            let moves = position.moves();
            position.make(moves[moves.len() / 3]);
        }
        let weights = Weights::shipped();
        let mut seen = std::collections::HashSet::new();
        for symmetry in Symmetry::all() {
            let turned = symmetry.position(&position);
            assert_eq!(turned.count_moves(), position.count_moves());
            let gap = weights.evaluate(&turned) - weights.evaluate(&position);
            assert!(gap.abs() < 1e-4, "{gap}");
            seen.insert(turned);
        }
        assert_eq!(seen.len(), 8);
        assert_eq!(Symmetry::NONE.position(&position), position);
    }
}
