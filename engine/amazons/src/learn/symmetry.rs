//! Positions on the 10x10 board, turned and mirrored.

use crate::position::Position;
use crate::square::{MAX_SIDE, Square};
use crate::{Color, Symmetry};

/// Where a square of the 10x10 board comes to.
pub fn turn_square(symmetry: Symmetry, square: Square) -> Square {
    let (column, row) = symmetry.of((square.column(), square.row()), (MAX_SIDE, MAX_SIDE));
    // Both stay below the side.
    Square::new(column, row).unwrap_or(square)
}

/// A position on the 10x10 board, turned. Other sizes are left as they are.
pub fn turn_position(symmetry: Symmetry, position: &Position) -> Position {
    if position.size() != crate::Size::FULL {
        return *position;
    }
    let mut turned = Position::empty(position.size());
    for color in Color::BOTH {
        for queen in position.queens(color) {
            turned.put_queen(color, turn_square(symmetry, queen));
        }
    }
    for arrow in position.arrows_shot() {
        turned.put_arrow(turn_square(symmetry, arrow));
    }
    turned.set_to_move(position.to_move());
    turned
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
            let turned = turn_position(symmetry, &position);
            assert_eq!(turned.count_moves(), position.count_moves());
            let gap = weights.evaluate(&turned) - weights.evaluate(&position);
            assert!(gap.abs() < 1e-4, "{gap}");
            seen.insert(turned);
        }
        assert_eq!(seen.len(), 8);
        assert_eq!(turn_position(Symmetry::NONE, &position), position);
    }
}
