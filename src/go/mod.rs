//! Go over GTP: each command turned into calls of the engine, and its answer into words.
//!
//! [`Go`] is the state of a session: a game, a clock, and whatever plays. [`commands`] is the table
//! of everything it answers to; each module below registers its part.

mod analyze;
pub mod bench;
mod bench_ratio;
pub mod cli;
mod display;
pub mod engine;
mod gogui;
mod help;
mod joseki;
pub mod judge;
pub mod level;
mod moves;
mod params;
pub mod player;
mod position;
pub mod record;
mod rules;
mod score;
mod settle;
mod tournament;
mod tree;
mod words;

use std::time::Duration;

use go_engine::Game;

use crate::clock::{self, Clock};
use crate::gtp::params::{Param, Params};
use crate::gtp::{Commands, Idle, Signal};
use engine::Engine;
use tunables::Kind;

/// The program's name.
pub const NAME: &str = "Tesuji";
/// The program's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the user sets for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Playouts for a move, whatever the clock says. Without it, time decides if it is limited.
    pub playouts: Option<u64>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Time that every move loses between the two clocks.
    pub lag: Duration,
    /// Playouts that the judgement without search counts for in `kata-analyze`.
    pub judged_playouts: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { playouts: None, ponder: false, lag: Duration::ZERO, judged_playouts: 100 }
    }
}

/// A session: one game after another over one connection.
pub struct Go {
    game: Game,
    clock: Clock,
    engine: Box<dyn Engine>,
    settings: Settings,
    /// The engine has moved, and the opponent's answer has not come yet.
    awaiting_answer: bool,
    /// How the last chosen move was found.
    explanation: String,
    /// Whom `cgos-opponent_name` named.
    opponent: String,
    /// Which stones are dead in the present position, once it was asked.
    judged: Option<score::Judged>,
}

impl Go {
    /// A session that begins with this game.
    pub fn new(game: Game, engine: Box<dyn Engine>, settings: Settings) -> Go {
        let mut clock = Clock::default();
        clock.set_lag(settings.lag);
        Go {
            game,
            clock,
            engine,
            settings,
            awaiting_answer: false,
            explanation: String::new(),
            opponent: String::new(),
            judged: None,
        }
    }

    /// Forgets the game, not its size, rules, komi and clock settings.
    fn forget(&mut self) {
        self.game.clear();
        self.clock.restart();
        self.engine.new_game();
        self.explanation.clear();
        self.awaiting_answer = false;
    }
}

/// Everything that a session answers to.
pub fn commands() -> Commands<Go> {
    let mut commands = Commands::new(NAME, VERSION);
    help::register(&mut commands);
    position::register(&mut commands);
    moves::register(&mut commands);
    analyze::register(&mut commands);
    clock::register(&mut commands);
    rules::register(&mut commands);
    score::register(&mut commands);
    record::register(&mut commands);
    tournament::register(&mut commands);
    gogui::register(&mut commands);
    joseki::register(&mut commands);
    judge::gogui::register(&mut commands);
    commands
}

impl clock::Timed for Go {
    fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }
}

impl Idle for Go {
    fn idle(&mut self, new_input: &Signal) {
        if self.settings.ponder && self.awaiting_answer {
            self.engine.ponder(&self.game, &|| new_input.is_raised());
        }
    }

    fn recover(&mut self) {
        self.engine.new_game();
        // Playing the game again from its start mends a board that was left half changed.
        let moves = self.game.moves().to_vec();
        self.game.undo_to(0);
        for played in moves {
            if self.game.replay(played.color, played.mv).is_err() {
                break;
            }
        }
    }
}

/// The session's own parameters, then the engine's.
impl Params for Go {
    fn params(&self) -> Vec<Param> {
        let mut params = vec![
            Param::new(
                "playouts",
                Kind::Integer(0, i64::MAX),
                self.settings.playouts.unwrap_or(0).to_string(),
                "Playouts for a move; 0 lets time decide.",
            ),
            Param::new(
                "ponder",
                Kind::Switch,
                u8::from(self.settings.ponder).to_string(),
                "Think on the opponent's time.",
            ),
            Param::new(
                "lag",
                Kind::Real(0.0, 60.0),
                self.settings.lag.as_secs_f64().to_string(),
                "Seconds that every move loses between the two clocks.",
            ),
            Param::new(
                "judged_playouts",
                Kind::Integer(0, 1_000_000),
                self.settings.judged_playouts.to_string(),
                "Playouts that the judgement without search counts for in the leads and ownership \
                 that kata-analyze tells; 0 leaves it out.",
            ),
        ];
        params.extend(self.engine.params());
        params
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "playouts" => {
                let playouts = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                self.settings.playouts = (playouts > 0).then_some(playouts);
            }
            "ponder" => self.settings.ponder = value == "1",
            "judged_playouts" => {
                self.settings.judged_playouts =
                    value.parse().map_err(|_| format!("{value:?} is no number"))?;
            }
            "lag" => {
                let lag: f64 = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                self.settings.lag = Duration::from_secs_f64(lag);
                self.clock.set_lag(self.settings.lag);
            }
            _ => return self.engine.set_param(name, value),
        }
        Ok(())
    }
}
