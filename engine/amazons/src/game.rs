//! A game: a position with its history, in which a turn may be made whole or in three steps.

use crate::Color;
use crate::moves::Move;
use crate::notation::GameSquare;
use crate::position::{IllegalMove, Position};
use crate::square::Square;

/// How far the turn in progress is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// A queen is to be chosen.
    #[default]
    From,
    /// The queen from here is to be set down.
    To(Square),
    /// The queen that went from here to there is to shoot.
    Arrow(Square, Square),
}

/// A game with its history.
///
/// ```
/// use amazons_engine::{Game, Position, game::Stage, notation::GameSquare};
/// let mut game = Game::new(Position::start());
/// for name in ["d1", "d7", "g7"] {
///     let GameSquare(square) = name.parse()?;
///     game.step(square)?;
/// }
/// assert_eq!((game.moves().len(), game.stage()), (1, Stage::From));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The position before each of the moves.
    before: Vec<Position>,
    stage: Stage,
}

impl Game {
    /// A game from a position.
    pub fn new(start: Position) -> Game {
        Game { start, position: start, moves: Vec::new(), before: Vec::new(), stage: Stage::From }
    }

    /// The position before the turn in progress.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The turns so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before the turn of this number, from 0.
    pub fn before(&self, number: usize) -> Option<&Position> {
        self.before.get(number)
    }

    /// How far the turn in progress is.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Makes it a side's turn; a turn in progress is given up.
    pub fn set_to_move(&mut self, color: Color) {
        self.stage = Stage::From;
        self.position.set_to_move(color);
    }

    /// Makes it a side's turn as [`Game::set_to_move`] does; before the first turn the game begins with that side.
    pub fn set_first_player(&mut self, color: Color) {
        self.set_to_move(color);
        if self.moves.is_empty() {
            self.start.set_to_move(color);
        }
    }

    /// Makes a whole turn of the side to move. A turn in progress must be this one.
    ///
    /// # Errors
    /// What is wrong with it; the game is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.stage {
            Stage::To(from) | Stage::Arrow(from, _) if from != mv.from => {
                return Err(IllegalMove::Unreachable(GameSquare(from), GameSquare(mv.to)));
            }
            Stage::Arrow(from, to) if to != mv.to => {
                return Err(IllegalMove::Unreachable(GameSquare(from), GameSquare(mv.to)));
            }
            _ => {}
        }
        let before = self.position;
        self.position.play(mv)?;
        self.moves.push(mv);
        self.before.push(before);
        self.stage = Stage::From;
        Ok(())
    }

    /// Makes the next step of the turn: takes up a queen that can move, sets it down, shoots.
    ///
    /// # Errors
    /// Why it cannot be; the game is as it was.
    pub fn step(&mut self, square: Square) -> Result<(), IllegalMove> {
        let position = &self.position;
        if !position.size().contains(square) {
            return Err(IllegalMove::OffBoard(GameSquare(square)));
        }
        match self.stage {
            Stage::From if !position.queens(position.to_move()).contains(square) => {
                return Err(IllegalMove::NoQueen(position.to_move(), GameSquare(square)));
            }
            Stage::From if position.destinations(square).is_empty() => {
                return Err(IllegalMove::Unreachable(GameSquare(square), GameSquare(square)));
            }
            Stage::From => self.stage = Stage::To(square),
            Stage::To(from) if !position.destinations(from).contains(square) => {
                return Err(IllegalMove::Unreachable(GameSquare(from), GameSquare(square)));
            }
            Stage::To(from) => self.stage = Stage::Arrow(from, square),
            Stage::Arrow(from, to) => self.play(Move { from, to, arrow: square })?,
        }
        Ok(())
    }

    /// The squares that the next step can name.
    pub fn steps(&self) -> crate::Squares {
        match self.stage {
            Stage::From => self.position.movable(),
            Stage::To(from) => self.position.destinations(from),
            Stage::Arrow(from, to) => self.position.arrows(from, to),
        }
    }

    /// Takes back the last step of the turn in progress, or else the last turn; false when there is none.
    pub fn undo(&mut self) -> bool {
        match self.stage {
            Stage::Arrow(from, _) => self.stage = Stage::To(from),
            Stage::To(_) => self.stage = Stage::From,
            Stage::From => match self.before.pop() {
                Some(before) => {
                    self.position = before;
                    self.moves.pop();
                }
                None => return false,
            },
        }
        true
    }

    /// Takes back the last step, of a finished turn the arrow; false when there is none.
    pub fn undo_step(&mut self) -> bool {
        let last = self.moves.last().copied().filter(|_| self.stage == Stage::From);
        let undone = self.undo();
        if let Some(Move { from, to, .. }) = last {
            self.stage = Stage::Arrow(from, to);
        }
        undone
    }

    /// The winner, once the side to move has no move.
    pub fn winner(&self) -> Option<Color> {
        match self.stage {
            Stage::From => self.position.winner(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::GameMove;

    fn mv(text: &str) -> Move {
        text.parse::<GameMove>().expect("a move").0
    }

    #[test]
    fn a_turn_in_steps_is_the_turn() {
        let mut whole = Game::new(Position::start());
        let mut steps = whole.clone();
        whole.play(mv("d1-d7/g7")).expect("legal");
        let Move { from, to, arrow } = mv("d1-d7/g7");
        for step in [from, to, arrow] {
            assert!(steps.steps().contains(step));
            steps.step(step).expect("legal");
        }
        assert_eq!(whole.position(), steps.position());
        // White's queen is none of Black's.
        assert_eq!(steps.step(to), Err(IllegalMove::NoQueen(Color::Black, GameSquare(to))));
        let mut turn = steps.clone();
        assert!(turn.undo());
        assert_eq!(*turn.position(), Position::start());
        assert!(!turn.undo());
        for stage in [Stage::Arrow(from, to), Stage::To(from), Stage::From] {
            assert!(steps.undo_step());
            assert_eq!(steps.stage(), stage);
        }
        assert!(!steps.undo_step());
    }

    #[test]
    fn a_side_that_moves_twice_is_undone_like_any_other() {
        let mut game = Game::new(Position::start());
        game.play(mv("d1-d7/g7")).expect("legal");
        game.set_to_move(Color::White);
        game.play(mv("d7-d6/d7")).expect("legal");
        let twice = *game.position();
        game.play(mv("a7-a6/a7")).expect("legal");
        assert!(game.undo());
        assert_eq!(*game.position(), twice);
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(*game.position(), Position::start());
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let mut game = Game::new(Position::start());
        let error = |game: &mut Game, text| game.play(mv(text)).expect_err("illegal").to_string();
        assert_eq!(error(&mut game, "a7-a6/a5"), "White has no queen on a7");
        assert_eq!(error(&mut game, "d1-e3/e4"), "a queen on d1 cannot go to e3");
        assert_eq!(error(&mut game, "d1-d7/e9"), "a queen on d7 cannot shoot to e9");
        // Through a queen: d10 stands between.
        assert_eq!(error(&mut game, "d1-d10/d9"), "a queen on d1 cannot go to d10");
        let mut small = Game::new(Position::start_on(5).expect("a start"));
        assert_eq!(error(&mut small, "b1-f1/g1"), "f1 is not on the board");
        assert!(game.moves().is_empty());
        // The square that the queen left can be shot at, through it too.
        game.play(mv("d1-d2/d1")).expect("legal");
    }

    #[test]
    fn the_game_ends_when_the_side_to_move_is_shut_in() {
        let mut game = Game::new("X#O|##.|...".parse().expect("a diagram"));
        assert_eq!(game.winner(), Some(Color::Black));
        assert!(game.steps().is_empty());
        game.set_to_move(Color::Black);
        assert_eq!(game.winner(), None);
    }
}
