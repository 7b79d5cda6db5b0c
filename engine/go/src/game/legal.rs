//! Which moves the rules allow.

use super::Game;
use crate::rules::Ko;
use crate::{Color, Move, Point};

/// Why a move is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The point lies outside the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// The point has a stone.
    #[error("there is a stone on {0}")]
    Occupied(Point),
    /// The stone would have no liberty, and the rules forbid that.
    #[error("{0} is suicide")]
    Suicide(Point),
    /// The move would bring back a position that the rules forbid to bring back.
    #[error("{0} repeats a position")]
    Repetition(Point),
}

impl Game {
    /// Whether a move is allowed.
    ///
    /// # Errors
    /// Why it is not. A pass is always allowed.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check_point(mv)?;
        let Move::Play(point) = mv else { return Ok(()) };
        if !self.rules.suicide && self.board.is_suicide(point, color) {
            return Err(Illegal::Suicide(point));
        }
        if self.repeats(color, point) {
            return Err(Illegal::Repetition(point));
        }
        Ok(())
    }

    /// All points where a player may put a stone, row by row from A1.
    pub fn legal_points(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.board.points().filter(move |&point| self.check(color, Move::Play(point)).is_ok())
    }

    pub(super) fn check_point(&self, mv: Move) -> Result<(), Illegal> {
        match mv {
            Move::Pass => Ok(()),
            Move::Play(point) if !self.board.contains(point) => Err(Illegal::OffBoard(point)),
            Move::Play(point) if !self.board.is_empty(point) => Err(Illegal::Occupied(point)),
            Move::Play(_) => Ok(()),
        }
    }

    /// Whether a stone on this empty point brings back what must not come back.
    fn repeats(&self, color: Color, point: Point) -> bool {
        let took_last = self.last().is_some_and(|last| last.color == color);
        match self.rules.ko {
            // A player who moves twice running may fill the ko.
            Ko::Simple => self.board.ko() == Some(point) && !took_last,
            Ko::Positional => self.keys.contains(&self.board.key_after(point, color)),
            Ko::Situational => {
                let key = self.board.key_after(point, color);
                self.occurred(key, color.other())
            }
        }
    }

    /// Whether the position of this key has been on the board with this player to move: one whose
    /// turn it was, or who moved although it was not.
    fn occurred(&self, key: u64, to_move: Color) -> bool {
        self.keys.iter().enumerate().any(|(index, &earlier)| {
            let turn = match index.checked_sub(1) {
                Some(before) => self.moves[before].color.other(),
                None => self.start.to_play,
            };
            let moved = self.moves.get(index).map(|played| played.color);
            earlier == key && (turn == to_move || moved == Some(to_move))
        })
    }
}
