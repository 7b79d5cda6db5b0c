//! Connect6 over GTP: each command turned into calls of the engine, and its answer into words.
//!
//! [`Connect6`] is the state of a session: a game, a clock and a searcher. [`commands`] is the table of
//! everything it answers to; each module below registers its part. [`cli`] is the program's command line,
//! with `solve`, `train`, `duel` and `bench` beside the session.

mod analyze;
pub mod bench;
pub mod cli;
mod display;
pub mod duel;
mod gogui;
mod help;
mod lessons;
mod moves;
mod position;
pub mod record;
pub mod selfplay;
pub mod solve;
mod tournament;
pub mod train;
pub mod words;

use std::sync::Arc;

use connect6_engine::search::{Control, Knowledge, Progress, SearchLimits, Searcher};
use connect6_engine::{Color, Game, Outcome, Point, Rules};

use crate::clock::{self, Clock};
use crate::gtp::params::{Param, Params};
use crate::gtp::{Commands, Idle, Signal};
use crate::siblings;
use clap::ValueEnum;
use tunables::Table;

/// The program's name.
pub const NAME: &str = "Tesuji Connect6";
/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

tunables::choice! {
    /// How genmove answers.
    #[derive(ValueEnum, Default)]
    pub enum Form {
        /// As the last move came: one stone until a whole turn was played
        #[default]
        Auto = "auto",
        /// One stone
        Stone = "stone",
        /// The whole turn
        Turn = "turn",
    }
}

/// What the user sets for a session.
pub type Settings = siblings::Settings<Form>;

/// Visits for a turn when neither time nor the user sets a limit.
const DEFAULT_VISITS: u64 = 5000;

/// A session: one game after another over one connection.
pub struct Connect6 {
    game: Game,
    /// How many stones stood before each command that played some: what `undo` goes back to.
    marks: Vec<usize>,
    clock: Clock,
    searcher: Searcher,
    settings: Settings,
    /// The form of the last move that was played.
    whole_turns: bool,
    /// The rest of the turn that was chosen, and the key of the position it belongs to.
    rest: Option<(u64, Point)>,
    /// The engine has moved, and the opponent's answer has not come yet.
    awaiting_answer: bool,
    /// What the last search found, and for whom.
    found: Option<(Color, Progress)>,
    /// How the last chosen move was found.
    explanation: String,
    /// Whom `cgos-opponent_name` named.
    opponent: String,
}

impl Connect6 {
    /// A session that begins with an empty board.
    pub fn new(
        rules: Rules,
        knowledge: Arc<Knowledge>,
        threads: usize,
        mebibytes: usize,
        settings: Settings,
    ) -> Connect6 {
        let mut clock = Clock::default();
        clock.set_lag(settings.lag);
        Connect6 {
            game: Game::new(rules),
            marks: Vec::new(),
            clock,
            searcher: Searcher::new(knowledge, threads, mebibytes),
            settings,
            whole_turns: false,
            rest: None,
            awaiting_answer: false,
            found: None,
            explanation: String::new(),
            opponent: String::new(),
        }
    }

    /// Puts another game in the place of this one; the clock begins anew. Its turns are there to be taken back.
    fn replace(&mut self, game: Game) {
        let mut before = 0;
        self.marks.clear();
        for (_, stones) in record::turns(&game) {
            self.marks.push(before);
            before += stones.len();
        }
        self.game = game;
        self.clock.restart();
        self.searcher.clear();
        self.rest = None;
        self.awaiting_answer = false;
        self.found = None;
        self.explanation.clear();
    }

    /// Whether there is nothing left to play.
    fn is_over(&self) -> bool {
        self.game.outcome() != Outcome::Open
    }
}

/// Everything that a session answers to.
pub fn commands() -> Commands<Connect6> {
    let mut commands = Commands::new(NAME, VERSION);
    help::register(&mut commands);
    position::register(&mut commands);
    moves::register(&mut commands);
    analyze::register(&mut commands);
    clock::register(&mut commands);
    record::register(&mut commands);
    tournament::register(&mut commands);
    gogui::register(&mut commands);
    display::register(&mut commands);
    commands
}

impl clock::Timed for Connect6 {
    fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }
}

impl Idle for Connect6 {
    fn idle(&mut self, new_input: &Signal) {
        if self.settings.ponder && self.awaiting_answer && !self.is_over() {
            self.searcher.search(&self.game, &SearchLimits::default(), &mut |_| {
                if new_input.is_raised() { Control::Stop } else { Control::Continue }
            });
            self.awaiting_answer = false;
        }
    }

    fn recover(&mut self) {
        // Playing the game again from its start mends a board that was left half changed.
        let mut game = Game::new(self.game.rules());
        for (color, point) in self.game.stones() {
            if game.play(color, point).is_err() {
                break;
            }
        }
        let threads = self.searcher.threads();
        let tuning = self.searcher.tuning.clone();
        let knowledge = Arc::new(self.searcher.knowledge().clone());
        self.searcher = Searcher::new(knowledge, threads, self.searcher.mebibytes());
        self.searcher.tuning = tuning;
        self.game = game;
        self.marks.retain(|&mark| mark < self.game.stones().len());
        self.rest = None;
    }
}

/// The session's own parameters, then the engine's.
impl Params for Connect6 {
    fn params(&self) -> Vec<Param> {
        let mut params = self.settings.params(
            "Answer genmove with one stone, with the whole turn, or as the last move came.",
        );
        params.extend(Param::rows(&self.searcher.tuning));
        params
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        if self.settings.set(name, value)? {
            self.clock.set_lag(self.settings.lag);
            return Ok(());
        }
        self.searcher.tuning.set(name, value).map_err(|error| error.to_string())?;
        // What was searched under other settings would show through.
        self.searcher.clear();
        Ok(())
    }
}
