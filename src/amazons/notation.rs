//! Between GTP's vertices and the engine's squares. Two notations that look alike are two types and never taken for each
//! other: GTP's vertices leave out the column I, so the last column is K; the game's own notation has it, so there it is
//! j ([`amazons_engine::notation`]).

use amazons_engine::{Move, Square};

use crate::gtp::{Step, Vertex};

/// A square as GTP names it.
pub fn vertex(square: Square) -> Vertex {
    Vertex { column: square.column(), row: square.row() }
}

/// The square that GTP names so; none beyond the largest board.
pub fn square(at: Vertex) -> Option<Square> {
    Square::new(at.column, at.row)
}

/// The turn that three steps make.
pub fn move_of(steps: &[Step]) -> Option<Move> {
    match *steps {
        [Step::At(from), Step::At(to), Step::At(arrow)] => {
            Some(Move { from: square(from)?, to: square(to)?, arrow: square(arrow)? })
        }
        _ => None,
    }
}
