//! Which turns there are.

use crate::moves::Move;
use crate::position::Position;
use crate::rays::reach;
use crate::square::Square;
use crate::squares::Squares;

impl Position {
    /// Where a queen on `from` can go.
    #[inline]
    pub fn destinations(&self, from: Square) -> Squares {
        reach(from, self.free())
    }

    /// Where a queen that went from `from` to `to` can shoot; the square that it left is free then.
    #[inline]
    pub fn arrows(&self, from: Square, to: Square) -> Squares {
        reach(to, (self.free() | from.into()) - to.into())
    }

    /// The queens of the side to move that can move.
    pub fn movable(&self) -> Squares {
        self.queens(self.to_move())
            .iter()
            .filter(|&queen| !self.destinations(queen).is_empty())
            .collect()
    }

    /// Whether the side to move has a move. Whoever moved a queen can always shoot where it came from.
    pub fn can_move(&self) -> bool {
        self.queens(self.to_move()).iter().any(|queen| !self.destinations(queen).is_empty())
    }

    /// Calls `visit` with each move of the side to move, queens, destinations and arrows row by row from a1.
    #[inline]
    pub fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        for from in self.queens(self.to_move()) {
            for to in self.destinations(from) {
                for arrow in self.arrows(from, to) {
                    visit(Move { from, to, arrow });
                }
            }
        }
    }

    /// All moves of the side to move, in the order of [`Position::for_each_move`].
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// How many moves the side to move has. Arrows are counted, not visited.
    #[inline]
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        for from in self.queens(self.to_move()) {
            for to in self.destinations(from) {
                count += u64::from(self.arrows(from, to).len());
            }
        }
        count
    }
}
