//! A game: the board, whose turn it is, what was played, and how it ended.

use crate::Color;
use crate::board::Board;
use crate::point::{Point, Turn};
use crate::rules::Rules;
use game_core::GOLDEN_GAMMA;
pub use game_core::Outcome;
use thiserror::Error;

/// Why a stone cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The point is not on this board.
    #[error("{0:?} is not on the board")]
    OffBoard(Point),
    /// A stone stands there.
    #[error("{0:?} is occupied")]
    Occupied(Point),
    /// The game has been won already.
    #[error("the game is over")]
    Over,
}

/// Whose turn it is and how many stones of the turn are still to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToMove {
    /// The side to move.
    pub color: Color,
    /// Stones left in this turn, at least 1.
    pub stones: u8,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    color: Color,
    point: Point,
    before: ToMove,
}

/// A game with its history.
///
/// ```
/// use connect6_engine::{Color, Game, Point, Rules};
/// let mut game = Game::new(Rules::CONNECT6);
/// game.play(Color::Black, Point::new(9, 9).unwrap()).unwrap();
/// // Black's first turn is one stone; White has two.
/// assert_eq!(game.to_move().color, Color::White);
/// assert_eq!(game.to_move().stones, 2);
/// assert!(game.play(Color::White, Point::new(9, 9).unwrap()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    to_move: ToMove,
    /// The stones that stood there before the first turn.
    setup: Vec<(Color, Point)>,
    /// Whose the first turn is.
    first: Color,
    played: Vec<Played>,
    winner: Option<Color>,
}

impl Game {
    /// A new game.
    pub fn new(rules: Rules) -> Game {
        Game {
            board: Board::new(rules),
            to_move: ToMove { color: Color::Black, stones: rules.q() as u8 },
            setup: Vec::new(),
            first: Color::Black,
            played: Vec::new(),
            winner: None,
        }
    }

    /// A game that begins with these stones on the board and a whole turn of this side.
    ///
    /// # Errors
    /// The first stone that is off the board or on another one.
    pub fn with_setup(
        rules: Rules,
        stones: impl IntoIterator<Item = (Color, Point)>,
        first: Color,
    ) -> Result<Game, PlayError> {
        let mut game = Game::new(rules);
        for (color, point) in stones {
            game.check_free(point)?;
            game.board.place(color, point);
            game.setup.push((color, point));
        }
        let has_won = |color: &Color| game.board.winning_row(*color).is_some();
        game.winner = Color::BOTH.into_iter().find(has_won);
        if !game.setup.is_empty() {
            game.to_move.stones = rules.p() as u8;
        }
        game.set_first_player(first);
        Ok(game)
    }

    /// A game from stones in the order of play, turns as the rules have them.
    ///
    /// # Errors
    /// The first stone that cannot be played.
    pub fn from_stones(
        rules: Rules,
        stones: impl IntoIterator<Item = Point>,
    ) -> Result<Game, PlayError> {
        let mut game = Game::new(rules);
        for point in stones {
            game.play(game.to_move.color, point)?;
        }
        Ok(game)
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.board.rules()
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> ToMove {
        self.to_move
    }

    /// The stones that the turn in progress has begun with, the last one first.
    pub fn turn_so_far(&self) -> impl Iterator<Item = Point> + '_ {
        let ToMove { color, stones } = self.to_move;
        let rules = self.rules();
        let is_first =
            color == Color::Black && self.board.count() + usize::from(stones) == rules.q();
        let all = if is_first { rules.q() } else { rules.p() };
        let begun = self.played.iter().rev().take(all.saturating_sub(stones.into()));
        begun.take_while(move |played| played.color == color).map(|played| played.point)
    }

    /// The stones that stood on the board before the first turn.
    pub fn setup(&self) -> &[(Color, Point)] {
        &self.setup
    }

    /// Whose the first turn is, unless the other side played it all the same.
    pub fn first_player(&self) -> Color {
        self.first
    }

    /// Makes it a side's turn, which is remembered as the first one while none was played.
    pub fn set_first_player(&mut self, color: Color) {
        self.set_to_move(color);
        if self.played.is_empty() {
            self.first = color;
        }
    }

    fn check_free(&self, point: Point) -> Result<(), PlayError> {
        if !self.rules().contains(point) {
            return Err(PlayError::OffBoard(point));
        }
        match self.board.get(point) {
            Some(_) => Err(PlayError::Occupied(point)),
            None => Ok(()),
        }
    }

    /// Makes it a side's turn from its first stone (Black's first turn on an empty board keeps q).
    pub fn set_to_move(&mut self, color: Color) {
        if self.to_move.color != color {
            let first = self.board.count() == 0 && color == Color::Black;
            let stones = if first { self.rules().q() } else { self.rules().p() };
            self.to_move = ToMove { color, stones: stones as u8 };
        }
    }

    /// How the game stands.
    pub fn outcome(&self) -> Outcome {
        match self.winner {
            Some(color) => Outcome::Win(color),
            None if self.board.count() == self.rules().width() * self.rules().height() => {
                Outcome::Draw
            }
            None => Outcome::Open,
        }
    }

    /// A hash of the position: the stones and whose turn it is, whatever the order of play.
    pub fn key(&self) -> u64 {
        let turn = self.to_move.color.index() as u64 * 16 + u64::from(self.to_move.stones);
        self.board.key() ^ turn.wrapping_mul(GOLDEN_GAMMA)
    }

    /// Plays one stone. The side that is not to move may play too: its turn then begins.
    ///
    /// # Errors
    /// Occupied, off the board, or the game is over; nothing changes.
    pub fn play(&mut self, color: Color, point: Point) -> Result<(), PlayError> {
        self.check_free(point)?;
        if self.winner.is_some() {
            return Err(PlayError::Over);
        }
        self.played.push(Played { color, point, before: self.to_move });
        self.set_to_move(color);
        self.board.place(color, point);
        if self.board.wins_at(color, point) {
            self.winner = Some(color);
        }
        self.to_move.stones -= 1;
        if self.to_move.stones == 0 {
            self.to_move = ToMove { color: !color, stones: self.rules().p() as u8 };
        }
        Ok(())
    }

    /// Plays the stones of a turn; a row made by the first stone ends the game before the second.
    ///
    /// # Errors
    /// As [`Game::play`]; nothing changes.
    pub fn play_turn(&mut self, color: Color, turn: Turn) -> Result<(), PlayError> {
        for (i, point) in turn.stones().enumerate() {
            match self.play(color, point) {
                Err(PlayError::Over) if i > 0 => break,
                Err(error) => {
                    for _ in 0..i {
                        self.undo();
                    }
                    return Err(error);
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Takes the last stone back; none when there is none.
    pub fn undo(&mut self) -> Option<(Color, Point)> {
        let last = self.played.pop()?;
        self.board.remove(last.color, last.point);
        self.to_move = last.before;
        self.winner = None;
        Some((last.color, last.point))
    }

    /// The stones played so far, in order.
    pub fn stones(&self) -> impl ExactSizeIterator<Item = (Color, Point)> + '_ {
        self.played.iter().map(|p| (p.color, p.point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(column: usize, row: usize) -> Point {
        Point::new(column, row).expect("a point of the board")
    }

    #[test]
    fn a_setup_is_no_turn() {
        let stones = [(Color::Black, point(9, 9)), (Color::White, point(0, 0))];
        let mut game =
            Game::with_setup(Rules::CONNECT6, stones, Color::White).expect("free points");
        assert_eq!(game.to_move(), ToMove { color: Color::White, stones: 2 });
        assert_eq!((game.stones().len(), game.board().count()), (0, 2));
        assert_eq!(game.undo(), None);
        game.play(Color::White, point(1, 1)).expect("a free point");
        assert_eq!(game.turn_so_far().collect::<Vec<_>>(), [point(1, 1)]);
        assert!(Game::with_setup(Rules::CONNECT6, [stones[0], stones[0]], Color::White).is_err());
        let row = (0..6).map(|column| (Color::White, point(column, 3)));
        let over = Game::with_setup(Rules::CONNECT6, row, Color::Black).expect("free points");
        assert_eq!(over.outcome(), Outcome::Win(Color::White));
    }
}
