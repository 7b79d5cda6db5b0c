//! What a game begins with: stones that nobody played.

use super::{AnyBoard, Game};
use crate::{Color, Point};

/// The position before the first move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Stones, sorted by point.
    pub stones: Vec<(Point, Color)>,
    /// Whose turn it is first.
    pub to_play: Color,
    /// Stones captured before, by their own colour: Black's, White's.
    pub captured: [u32; 2],
    /// How many of the stones are a handicap.
    pub handicap: u32,
}

/// Why a position cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A point lies outside the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A stone would stand without a liberty.
    #[error("the stone on {0} has no liberty")]
    NoLiberty(Point),
}

impl Default for Start {
    fn default() -> Start {
        Start { stones: Vec::new(), to_play: Color::Black, captured: [0; 2], handicap: 0 }
    }
}

impl Start {
    /// The board with these stones on it.
    pub(super) fn board(&self, width: u8, height: u8) -> AnyBoard {
        let mut board = AnyBoard::new(width, height).expect("the size of a board that exists");
        for &(point, color) in &self.stones {
            board.play(point, color);
        }
        board.lift_ko();
        board
    }
}

impl Game {
    /// Puts stones on the board or takes them off (`None`), outside play. The position becomes
    /// the new start: what was played before cannot be taken back any more, and is no repetition.
    ///
    /// # Errors
    /// When a point is not on the board, or a chain would have no liberty; the game is as it was.
    pub fn set_up(
        &mut self,
        placed: impl IntoIterator<Item = (Point, Option<Color>)>,
    ) -> Result<(), SetupError> {
        let mut stones: std::collections::BTreeMap<Point, Color> = self.board.stones().collect();
        for (point, stone) in placed {
            if !self.board.contains(point) {
                return Err(SetupError::OffBoard(point));
            }
            match stone {
                Some(color) => stones.insert(point, color),
                None => stones.remove(&point),
            };
        }
        let captured = Color::BOTH.map(|color| self.captured(color));
        let start = Start {
            stones: stones.into_iter().collect(),
            to_play: self.to_play,
            captured,
            handicap: 0,
        };
        self.begin_with(start)
    }

    /// Begins again from this start; size, rules and komi stay.
    ///
    /// # Errors
    /// When a point is not on the board, or a chain would have no liberty; the game is as it was.
    pub fn begin_with(&mut self, start: Start) -> Result<(), SetupError> {
        if let Some(&(point, _)) = start.stones.iter().find(|stone| !self.board.contains(stone.0)) {
            return Err(SetupError::OffBoard(point));
        }
        let board = start.board(self.board.width(), self.board.height());
        // A chain without a liberty is taken off while the stones are put down: stones put down
        // later can only take liberties away, and as long as a chain lacks a stone it has one.
        if let Some(&(point, _)) =
            start.stones.iter().find(|&&(point, color)| board.stone(point) != Some(color))
        {
            return Err(SetupError::NoLiberty(point));
        }
        self.begin(start);
        Ok(())
    }

    /// Begins again from this start.
    pub(super) fn begin(&mut self, start: Start) {
        self.start = start;
        self.moves.clear();
        self.rebuild();
    }

    /// Says who moves first after a setup.
    pub fn set_first_player(&mut self, color: Color) {
        if self.moves.is_empty() {
            self.start.to_play = color;
        }
        self.to_play = color;
    }
}
