//! A game: a position with its rules, its start and the moves since, so that repetition can be
//! forbidden and moves can be taken back.
//!
//! ```
//! use go_engine::{Color, Game, Move, Point, Rules};
//!
//! let mut game = Game::new(9, 9).unwrap();
//! game.set_rules(Rules::JAPANESE);
//! game.play(Color::Black, Move::Play("E5".parse()?))?;
//! assert!(game.play(Color::White, Move::Play("E5".parse()?)).is_err());
//! assert_eq!(game.to_play(), Color::White);
//! game.undo()?;
//! assert!(game.moves().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_board;
mod handicap;
mod legal;
mod setup;

pub use any_board::AnyBoard;
pub use handicap::{HandicapError, fixed_handicap, max_fixed_handicap};
pub use legal::Illegal;
pub use setup::{SetupError, Start};

use crate::rules::Scoring;
use crate::{Color, Move, Rules};

/// The largest komi, up or down: more than any board has points.
pub const MAX_KOMI: f64 = 1000.0;

/// A move and who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Who made it.
    pub color: Color,
    /// What was made.
    pub mv: Move,
}

/// A game of Go at some moment.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    /// In points for White; any finite number.
    komi: f64,
    start: Start,
    moves: Vec<Played>,
    board: AnyBoard,
    /// The key of every position since the start, the present one last.
    keys: Vec<u64>,
    to_play: Color,
}

/// There is no move to take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no move to take back")]
pub struct NothingToUndo;

impl Game {
    /// An empty board under the default rules, Black to play, komi 0; none when a side is 0 or
    /// above 25.
    pub fn new(width: u8, height: u8) -> Option<Game> {
        let board = AnyBoard::new(width, height)?;
        Some(Game {
            rules: Rules::default(),
            komi: 0.0,
            start: Start::default(),
            moves: Vec::new(),
            keys: vec![board.key()],
            board,
            to_play: Color::Black,
        })
    }

    /// Empties the board. Size, rules and komi stay.
    pub fn clear(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        if let Some(game) = Game::new(width, height) {
            *self = Game { rules: self.rules, komi: self.komi, ..game };
        }
    }

    /// The stones.
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Other rules from now on. What has been played stays.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Points that White gets.
    pub fn komi(&self) -> f64 {
        self.komi
    }

    /// Sets the komi. One beyond [`MAX_KOMI`], and what is no number, is ignored.
    pub fn set_komi(&mut self, komi: f64) {
        if komi.abs() <= MAX_KOMI {
            // Zero has no sign.
            self.komi = komi + 0.0;
        }
    }

    /// What the game began with.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The moves since the start, passes too.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// The last move.
    pub fn last(&self) -> Option<Played> {
        self.moves.last().copied()
    }

    /// Whose turn it is: the other player's after a move, else as the start says.
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// Says whose turn it is.
    pub fn set_to_play(&mut self, color: Color) {
        self.to_play = color;
    }

    /// Passes at the end of the game so far, by either player.
    pub fn passes(&self) -> usize {
        self.moves.iter().rev().take_while(|played| played.mv == Move::Pass).count()
    }

    /// The keys of all positions since the start, the present one last: what superko looks at.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Points that White gets in all: the komi, and under area scoring the rule set's bonus for the
    /// handicap.
    pub fn compensation(&self) -> f64 {
        self.komi + f64::from(self.rules.handicap_bonus(self.handicap()))
    }

    /// Stones that Black has played beyond White's, those set up among them: by so much Black's lead in area exceeds that
    /// in territory and prisoners.
    pub fn extra_stones(&self) -> i32 {
        let on_board =
            self.board.stones().map(|(_, color)| if color == Color::Black { 1 } else { -1 });
        let captured = |color| self.captured(color) as i32;
        on_board.sum::<i32>() + captured(Color::Black) - captured(Color::White)
    }

    /// What Black's lead in area has to be less by to be the score under the rules in force: the
    /// [compensation](Game::compensation), and under territory scoring the [extra stones](Game::extra_stones).
    ///
    /// ```
    /// use go_engine::{Game, Rules};
    /// let mut game = Game::new(9, 9).unwrap();
    /// game.set_komi(0.5);
    /// game.place_fixed_handicap(4).unwrap();
    /// game.set_rules(Rules::JAPANESE);
    /// assert_eq!(game.area_compensation(), 4.5);
    /// ```
    pub fn area_compensation(&self) -> f64 {
        self.compensation()
            + match self.rules.scoring {
                Scoring::Area => 0.0,
                Scoring::Territory => f64::from(self.extra_stones()),
            }
    }

    /// Makes a move. Either player may move at any time.
    ///
    /// # Errors
    /// Why the move is not allowed; the game is as it was.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check(color, mv)?;
        self.put(color, mv);
        Ok(())
    }

    /// Makes a move from a record: repetition and suicide are allowed, whatever the rules, since
    /// the game was played so.
    ///
    /// # Errors
    /// When the point is taken or not on the board; the game is as it was.
    pub fn replay(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check_point(mv)?;
        self.put(color, mv);
        Ok(())
    }

    fn put(&mut self, color: Color, mv: Move) {
        self.apply(color, mv);
        self.moves.push(Played { color, mv });
    }

    fn apply(&mut self, color: Color, mv: Move) {
        match mv {
            Move::Play(point) => {
                self.board.play(point, color);
            }
            Move::Pass => self.board.pass(),
        }
        self.keys.push(self.board.key());
        self.to_play = color.other();
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// When there is none. Stones that were set up are no moves.
    pub fn undo(&mut self) -> Result<Played, NothingToUndo> {
        let last = self.last().ok_or(NothingToUndo)?;
        self.undo_to(self.moves.len() - 1);
        Ok(last)
    }

    /// Takes moves back until `count` are left; nothing when there are fewer.
    pub fn undo_to(&mut self, count: usize) {
        if count >= self.moves.len() {
            return;
        }
        let color = self.moves[count].color;
        self.moves.truncate(count);
        self.rebuild();
        self.to_play = color;
    }

    /// Plays everything again from the start.
    fn rebuild(&mut self) {
        self.board = self.start.board(self.board.width(), self.board.height());
        self.keys.clear();
        self.keys.push(self.board.key());
        self.to_play = self.start.to_play;
        for index in 0..self.moves.len() {
            let Played { color, mv } = self.moves[index];
            self.apply(color, mv);
        }
    }

    /// Stones of a colour that were captured since the game began, setups included.
    pub fn captured(&self, color: Color) -> u32 {
        self.board.captured(color) + self.start.captured[color.index()]
    }
}
