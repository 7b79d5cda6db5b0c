//! The Game of the Amazons over GTP: each command turned into calls of the engine, and its answer into words.
//!
//! [`Amazons`] is the state of a session: a game, a clock and a searcher. [`commands`] is the table of everything it
//! answers to; each module below registers its part. [`cli`] is the program's command line, with the tools beside the
//! session.

mod analyze;
pub mod bench;
pub mod cli;
mod display;
pub mod evaluate;
pub mod fit;
mod gogui;
mod help;
mod moves;
pub mod perft;
mod policy;
mod position;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod solve;
mod tournament;
pub mod train;
pub mod words;

use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::game::Stage;
use amazons_engine::net::resnet::ResNet;
use amazons_engine::search::{Control, Progress, SearchLimits, Searcher};
use amazons_engine::{Color, Game, Move, Position};

use self::policy::Player;
use crate::clock::{self, Clock};
use crate::gtp::params::{Param, Params};
use crate::gtp::{Commands, Idle, Signal};
use crate::siblings;
use clap::ValueEnum;
use tunables::Table;

/// The program's name.
pub const NAME: &str = "Tesuji Amazons";
/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// A step of a turn for each move: from, to, arrow.
    #[default]
    Points,
    /// A whole turn as three vertices, `D1 D7 G7`.
    Turns,
    /// A whole turn in the game's own notation, `d1-d7/g7`.
    Algebraic,
}

tunables::choice! {
    /// How genmove answers.
    #[derive(ValueEnum, Default)]
    pub enum Form {
        /// As the last move came: one point until a whole turn was played
        #[default]
        Auto = "auto",
        /// One point: from, to, arrow
        Points = "points",
        /// Three points, D1 D7 G7
        Turns = "turns",
        /// The game's own notation, d1-d7/g7
        Algebraic = "algebraic",
    }
}

impl Form {
    /// The spelling, when moves came in this one last.
    fn spelling(self, heard: Spelling) -> Spelling {
        match self {
            Form::Auto => heard,
            Form::Points => Spelling::Points,
            Form::Turns => Spelling::Turns,
            Form::Algebraic => Spelling::Algebraic,
        }
    }
}

/// What the user sets for a session.
pub type Settings = siblings::Settings<Form>;

/// Visits for a turn when neither time nor the user sets a limit.
const DEFAULT_VISITS: u64 = 20_000;

/// Where a game stood before a command changed it: turns made, and how far the turn in progress was.
type Mark = (usize, Stage, Color);

/// A session: one game after another over one connection.
pub struct Amazons {
    game: Game,
    /// Where the game stood before each of the moves that were played, steps or turns.
    marks: Vec<Mark>,
    clock: Clock,
    searcher: Searcher,
    /// Who chooses in the search's place.
    player: Option<Player>,
    settings: Settings,
    /// How the last move was written.
    heard: Spelling,
    /// The turn that was chosen whole while it is played step by step.
    chosen: Option<Move>,
    /// The engine has moved, and the opponent's answer has not come yet.
    awaiting_answer: bool,
    /// What the last search found, and for whom.
    found: Option<(Color, Progress)>,
    /// How the last chosen move was found.
    explanation: String,
    /// Whom `cgos-opponent_name` named.
    opponent: String,
}

impl Amazons {
    /// A session that begins with a position.
    pub fn new(
        start: Position,
        weights: Arc<Weights>,
        threads: usize,
        mebibytes: usize,
        settings: Settings,
    ) -> Amazons {
        let mut clock = Clock::default();
        clock.set_lag(settings.lag);
        Amazons {
            game: Game::new(start),
            marks: Vec::new(),
            clock,
            searcher: Searcher::new(weights, threads, mebibytes),
            player: None,
            settings,
            heard: Spelling::Points,
            chosen: None,
            awaiting_answer: false,
            found: None,
            explanation: String::new(),
            opponent: String::new(),
        }
    }

    /// Lets the search ask another network than the one inside the program.
    pub fn set_network(&mut self, network: Arc<ResNet>) {
        self.searcher.set_network(network);
    }

    /// Lets someone choose in the search's place.
    fn play_by(&mut self, player: Player) {
        self.player = Some(player);
    }

    /// Puts another game in the place of this one; the clock begins anew. Its turns are there to be taken back.
    fn replace(&mut self, game: Game) {
        self.marks = (0..game.moves().len()).map(|n| mark_before(&game, n)).collect();
        self.game = game;
        self.clock.restart();
        self.searcher.clear();
        self.chosen = None;
        self.awaiting_answer = false;
        self.found = None;
        self.explanation.clear();
    }

    /// Whether there is nothing left to play.
    fn is_over(&self) -> bool {
        self.game.winner().is_some()
    }

    /// Where the game stands.
    fn mark(&self) -> Mark {
        (self.game.moves().len(), self.game.stage(), self.game.position().to_move())
    }
}

/// Where a game stood before its turn of this number.
fn mark_before(game: &Game, number: usize) -> Mark {
    let side = game.before(number).map_or(Color::White, Position::to_move);
    (number, Stage::From, side)
}

/// Writes a line of a tool's report. A closed output is an error, not a panic.
fn say(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush())
}

/// Everything that a session answers to.
pub fn commands() -> Commands<Amazons> {
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

impl clock::Timed for Amazons {
    fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }
}

impl Idle for Amazons {
    fn idle(&mut self, new_input: &Signal) {
        if self.settings.ponder && self.player.is_none() && self.awaiting_answer && !self.is_over()
        {
            self.searcher.search(&self.game, &SearchLimits::default(), &mut |_| {
                if new_input.is_raised() { Control::Stop } else { Control::Continue }
            });
            self.awaiting_answer = false;
        }
    }

    fn recover(&mut self) {
        // Playing the game again from its start mends a board that was left half changed.
        let mut game = Game::new(*self.game.start());
        for &mv in self.game.moves() {
            if game.play(mv).is_err() {
                break;
            }
        }
        let (weights, threads) = (self.searcher.weights().clone(), self.searcher.threads());
        let (tuning, network) = (self.searcher.tuning.clone(), self.searcher.network().clone());
        self.searcher = Searcher::new(weights, threads, self.searcher.mebibytes());
        self.searcher.set_network(network);
        self.searcher.tuning = tuning;
        self.marks = (0..game.moves().len()).map(|n| mark_before(&game, n)).collect();
        self.game = game;
        self.chosen = None;
    }
}

/// The session's own parameters, then the engine's.
impl Params for Amazons {
    fn params(&self) -> Vec<Param> {
        let mut params = self.settings.params(
            "Answer genmove with one point, with three, in the game's notation, or as the last move came.",
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
