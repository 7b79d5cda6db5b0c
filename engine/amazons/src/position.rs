//! Queens, arrows and whose turn it is.

use crate::Color;
use crate::moves::Move;
use crate::notation::GameSquare;
use crate::square::{Size, Square};
use crate::squares::Squares;

/// A position. Small enough to be copied rather than taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    queens: [Squares; 2],
    arrows: Squares,
    free: Squares,
    to_move: Color,
    size: Size,
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// A square outside the board.
    #[error("{0} is not on the board")]
    OffBoard(GameSquare),
    /// No queen of the side to move stands there.
    #[error("{color} has no queen on {square}", color = .0.title(), square = .1)]
    NoQueen(Color, GameSquare),
    /// Not a free square on a free line from where the queen stands.
    #[error("a queen on {0} cannot go to {1}")]
    Unreachable(GameSquare, GameSquare),
    /// The arrow's square cannot be hit from where the queen stands.
    #[error("a queen on {0} cannot shoot to {1}")]
    NoShot(GameSquare, GameSquare),
}

impl Position {
    /// A board with nothing on it, White to move.
    pub fn empty(size: Size) -> Position {
        let free = Squares::all(size);
        Position {
            queens: [Squares::EMPTY; 2],
            arrows: Squares::EMPTY,
            free,
            to_move: Color::White,
            size,
        }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Makes it a side's turn.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The queens of a side.
    #[inline]
    pub fn queens(&self, color: Color) -> Squares {
        self.queens[color.index()]
    }

    /// The squares that arrows have closed.
    #[inline]
    pub fn arrows_shot(&self) -> Squares {
        self.arrows
    }

    /// The free squares.
    #[inline]
    pub fn free(&self) -> Squares {
        self.free
    }

    /// The side whose queen stands on a square.
    pub fn queen_at(&self, square: Square) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| self.queens(color).contains(square))
    }

    /// Puts a queen on a free square; false where it is not free.
    pub fn put_queen(&mut self, color: Color, square: Square) -> bool {
        let at = Squares::from(square);
        let free = !(self.free & at).is_empty();
        if free {
            self.queens[color.index()] = self.queens[color.index()] | at;
            self.free = self.free - at;
        }
        free
    }

    /// Closes a free square; false where it is not free.
    pub fn put_arrow(&mut self, square: Square) -> bool {
        let at = Squares::from(square);
        let free = !(self.free & at).is_empty();
        if free {
            self.arrows = self.arrows | at;
            self.free = self.free - at;
        }
        free
    }

    /// Takes away whatever is on a square of the board.
    pub fn clear(&mut self, square: Square) {
        if self.size.contains(square) {
            let at = Squares::from(square);
            self.queens = self.queens.map(|queens| queens - at);
            self.arrows = self.arrows - at;
            self.free = self.free | at;
        }
    }

    /// Whether the side to move may make this move.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(square) =
            [mv.from, mv.to, mv.arrow].into_iter().find(|&square| !self.size.contains(square))
        {
            return Err(IllegalMove::OffBoard(GameSquare(square)));
        }
        if !self.queens(self.to_move).contains(mv.from) {
            return Err(IllegalMove::NoQueen(self.to_move, GameSquare(mv.from)));
        }
        if !self.destinations(mv.from).contains(mv.to) {
            return Err(IllegalMove::Unreachable(GameSquare(mv.from), GameSquare(mv.to)));
        }
        if !self.arrows(mv.from, mv.to).contains(mv.arrow) {
            return Err(IllegalMove::NoShot(GameSquare(mv.to), GameSquare(mv.arrow)));
        }
        Ok(())
    }

    /// Makes a move of the side to move.
    ///
    /// # Errors
    /// As [`Position::check`]; the position is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Makes a move that is known to be legal. Anything else leaves a position that makes no sense.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let (from, to, arrow) =
            (Squares::from(mv.from), Squares::from(mv.to), Squares::from(mv.arrow));
        let own = &mut self.queens[self.to_move.index()];
        *own = (*own - from) | to;
        self.arrows = self.arrows | arrow;
        self.free = (self.free | from) - to - arrow;
        self.to_move = self.to_move.other();
    }

    /// The position between a queen's move and its arrow, the same side to move; the queen's move is taken to be legal.
    pub fn after_queen(&self, from: Square, to: Square) -> Position {
        let mut between = *self;
        let own = &mut between.queens[self.to_move.index()];
        *own = (*own - from.into()) | to.into();
        between.free = (self.free | from.into()) - to.into();
        between
    }

    /// The winner: the other side of the one that is to move and cannot.
    pub fn winner(&self) -> Option<Color> {
        (!self.can_move()).then(|| self.to_move.other())
    }
}
