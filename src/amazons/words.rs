//! Between words and the engine's types. Two notations that look alike are two types and never taken for each other:
//! GTP's vertices leave out the column I, so the last column is K; the game's own notation has it, so there it is j.

use amazons_engine::notation::{GameMove, GtpMove, GtpSquare};
use amazons_engine::{Move, Square};

use super::Spelling;
use crate::gtp::{self, Failure, Vertex};

/// A square in GTP's words.
pub fn vertex(square: Square) -> String {
    GtpSquare(square).to_string()
}

/// Squares in GTP's words, with spaces between them.
pub fn vertices(squares: impl IntoIterator<Item = Square>) -> String {
    squares.into_iter().map(vertex).collect::<Vec<_>>().join(" ")
}

/// The failure of a word that is no colour or no square.
pub fn bad_coordinate() -> Failure {
    Failure::new("invalid color or coordinate")
}

/// The failure of a move that the rules forbid.
pub fn illegal_move() -> Failure {
    Failure::new("illegal move")
}

/// The squares in a text of GTP vertices that stand apart, have commas between them or none.
///
/// # Errors
/// A word that is no vertex is a bad coordinate; one beyond the largest board an illegal move.
pub fn read_squares(text: &str) -> Result<Vec<Square>, Failure> {
    let square = |at: Vertex| Square::new(at.column, at.row).ok_or_else(illegal_move);
    gtp::read_vertices(text)?.into_iter().map(square).collect()
}

/// What `play` is given: one step of a turn, or a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// One step.
    Step(Square),
    /// A whole turn, and how it was written.
    Turn(Move, Spelling),
}

/// Reads what `play` is given, by its form: with a hyphen it is the game's own notation, else GTP's vertices.
///
/// # Errors
/// What is neither one vertex nor three nor a move like `d1-d7/g7`.
pub fn read_played(text: &str) -> Result<Played, Failure> {
    if text.contains('-') {
        let GameMove(mv) = text.parse().map_err(|_| bad_coordinate())?;
        return Ok(Played::Turn(mv, Spelling::Algebraic));
    }
    match *read_squares(text)?.as_slice() {
        [square] => Ok(Played::Step(square)),
        [from, to, arrow] => Ok(Played::Turn(Move { from, to, arrow }, Spelling::Turns)),
        _ => Err(bad_coordinate()),
    }
}

/// A whole turn as it is spelt.
pub fn spell(mv: Move, spelling: Spelling) -> String {
    match spelling {
        Spelling::Algebraic => GameMove(mv).to_string(),
        Spelling::Points | Spelling::Turns => GtpMove(mv).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_in_many_forms() {
        let GameMove(mv) = "d1-d7/g7".parse().unwrap();
        for text in ["D1 D7 G7", "d1,d7,g7", "D1D7G7", "d1 D7 g7"] {
            assert_eq!(read_played(text), Ok(Played::Turn(mv, Spelling::Turns)), "{text}");
        }
        for text in ["d1-d7/g7", "D1-D7/G7", "d1-d7(g7)"] {
            assert_eq!(read_played(text), Ok(Played::Turn(mv, Spelling::Algebraic)), "{text}");
        }
        assert_eq!(read_played("d1"), Ok(Played::Step(mv.from)));
        for bad in ["", "D1 D7", "D1 D7 G7 G8", "d1-d7", "I5", "D1-D7 G7", "pass", "d1-k7/a1", "é1"]
        {
            assert!(read_played(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_column_has_two_names() {
        let corner = Square::new(9, 3).unwrap();
        assert_eq!(vertex(corner), "K4");
        assert_eq!(read_squares("k4"), Ok(vec![corner]));
        let GameMove(mv) = "j4-i4/j4".parse().unwrap();
        assert_eq!(spell(mv, Spelling::Turns), "K4 J4 K4");
        assert_eq!(spell(mv, Spelling::Algebraic), "j4-i4/j4");
        // Beyond the board, and no vertex at all.
        assert_eq!(read_squares("L4"), Err(illegal_move()));
        assert_eq!(read_squares("i4"), Err(bad_coordinate()));
    }
}
