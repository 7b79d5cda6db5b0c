//! The command line of the Go engine.

use std::io::{PipeReader, PipeWriter};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::{Context, Result};
use clap::{ArgAction, Args, value_parser};
use game_core::GOLDEN_GAMMA;
use go_engine::game::MAX_KOMI;
use go_engine::{Game, Rules};
use go_patterns::knowledge::{Library, Patterns};

use super::book::BUILT_IN_BOOK;
use super::cluster::{Role, serve};
use super::engine::{EngineConfig, GoEngine};
use super::network_file::OWN_NETWORK;
use super::review::live::LiveReviewer;
use super::{Go, commands};
use crate::cluster::{self, ClusterParams, Follower, Hub, Transport};
use crate::gtp::Commands;
use crate::gtp::params::Params;
use crate::logging;
use crate::options::percent;
use crate::program::Run;
use crate::session::{self, SessionArgs, SessionConfig};
use crate::web::review::Reviews;
use crate::web::{Hosted, Offer, WebGame};

/// The usual komi by area.
const KOMI: f64 = 7.5;

/// Options of a session over GTP.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Playouts for each move, whatever more the clock allows: the same strength on every machine
    /// [default: what time allows; without a clock 800, or 10000 where no network is used]
    #[arg(long, alias = "visits", value_name = "N", value_parser = value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Plays weaker, from 1, for beginners, to 10; the same on machines with AVX2 [default: full strength]
    #[arg(long, value_name = "LEVEL", value_parser = value_parser!(u8).range(1..=10),
          conflicts_with = "playouts")]
    level: Option<u8>,

    /// Seed of all random choices: one thread and one seed repeat a game [default: the time]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Rules: tromp-taylor, chinese, japanese, aga or new-zealand
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    rules: Rules,

    /// Points that White gets, until the controller says otherwise
    #[arg(long, value_name = "POINTS", default_value_t = KOMI, allow_negative_numbers = true,
          value_parser = komi)]
    komi: f64,

    /// Side of the board at the start, 2 to 25 [default: 19]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(2..=25))]
    boardsize: Option<u8>,

    /// Resigns when it expects to win less than this share of games, in percent; 0 never resigns, and without a number it
    /// is 1
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_value_t = 10.0, default_missing_value = "1",
          value_parser = percent, hide_short_help = true)]
    resign: f64,

    /// Patterns that a search without a network uses: none, hand (hand-made 3x3 shapes), 3x3, 5x5
    /// (learned frequencies), katz (all sizes, with back-off) or full (a predictor of moves)
    #[arg(long, value_name = "KIND", default_value = "full", hide_short_help = true)]
    patterns: Patterns,

    /// Joseki learned from professional games in the corners of boards of 19x19 and larger, without a network: on or off
    #[arg(long, value_name = "ON|OFF", default_value = "on", action = ArgAction::Set,
          value_parser = switch, hide_short_help = true)]
    joseki: bool,

    /// The network that moves are searched with: built-in (on boards from 9x9 to 19x19), none, or a file, one of KataGo's (.bin.gz) or
    /// of `tesuji train network`. `tesuji network FILE` tells how fast it is here
    #[arg(long, value_name = "FILE", default_value = OWN_NETWORK)]
    network: PathBuf,

    /// The opening book for games at full strength: built-in (9x9, komi 7 and 7.5, area scoring), off, or a file of `tesuji book make`
    #[arg(long, value_name = "FILE", default_value = BUILT_IN_BOOK, hide_short_help = true)]
    book: PathBuf,

    #[command(flatten)]
    session: SessionArgs,
}

fn komi(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(komi) if komi.abs() <= MAX_KOMI => Ok(komi),
        Ok(komi) if komi.is_finite() => {
            Err(format!("at most {MAX_KOMI} points, up or down, are expected"))
        }
        _ => Err("a number is expected".to_owned()),
    }
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("on or off is expected".to_owned()),
    }
}

/// A seed that differs from one start to the next. Below 2^63, as `tesuji-param` shows it.
fn seed_by_time() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64) >> 1
}

impl PlayArgs {
    /// The game that a session begins with.
    fn game(&self) -> Result<Game> {
        let side = self.boardsize.unwrap_or(<Game as session::Game>::SIDE);
        let mut game = Game::new(side, side).context("no such board")?;
        game.set_rules(self.rules);
        game.set_komi(self.komi);
        Ok(game)
    }

    fn engine(&self) -> Result<GoEngine> {
        self.engine_with(self.seed.unwrap_or_else(seed_by_time))
    }

    fn engine_with(&self, seed: u64) -> Result<GoEngine> {
        let config = EngineConfig {
            threads: usize::from(self.session.threads),
            seed,
            memory_mib: self.session.max_memory,
            level: self.level,
        };
        let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
        let mut engine = GoEngine::new(config, self.patterns, library);
        if !self.joseki {
            engine.set_param("joseki", "0").map_err(anyhow::Error::msg)?;
        }
        engine.use_network(&self.network)?;
        engine.use_book(&self.book)?;
        Ok(engine)
    }
}

impl Run for PlayArgs {
    /// Answers GTP until the input ends, `quit` comes, or nobody reads the answers.
    fn run(&self) -> Result<ExitCode> {
        logging::start(self.session.log);
        match cluster::connect()? {
            None => self.play(self.engine()?, commands()),
            Some(transport) => self.play_together(transport),
        }
    }
}

impl PlayArgs {
    /// What a session logs.
    pub fn log_level(&self) -> tracing::Level {
        self.session.log
    }

    /// Holds a session over pipes until the input ends, `quit` comes, or nobody reads the answers.
    ///
    /// # Errors
    /// When what the options name cannot be used, or the input cannot be read.
    pub fn serve(&self, orders: PipeReader, answers: PipeWriter) -> Result<()> {
        let mut go = self.begin_with(self.engine()?)?;
        session::serve(commands(), &mut go, &self.session, orders, answers)
    }

    fn begin_with(&self, engine: GoEngine) -> Result<Go> {
        let config = SessionConfig::plain(&self.session, self.playouts, self.resign);
        Ok(Go::new(self.game()?, engine, config))
    }

    fn play(&self, engine: GoEngine, commands: Commands<Go>) -> Result<ExitCode> {
        session::run(commands, &mut self.begin_with(engine)?, &self.session)
    }

    /// Rank 0 answers GTP, all others follow it. Each begins with another seed.
    fn play_together(&self, transport: Box<dyn Transport>) -> Result<ExitCode> {
        let rank = transport.rank() as u64;
        let seed = self.seed.unwrap_or_else(seed_by_time);
        let seed = (seed ^ rank.wrapping_mul(GOLDEN_GAMMA)) & i64::MAX as u64;
        let mut engine = self.engine_with(seed)?;
        let params = ClusterParams::default();
        if rank > 0 {
            let follower = Arc::new(Mutex::new(Follower::new(transport, params)));
            engine.join(Role::Follower(follower.clone()));
            serve(&mut engine, &follower);
            return Ok(ExitCode::SUCCESS);
        }
        let hub = Arc::new(Mutex::new(Hub::new(transport, params)));
        engine.join(Role::Hub(hub.clone()));
        let mut commands = commands();
        super::cluster::register(&mut commands, hub.clone());
        let done = self.play(engine, commands);
        hub.lock().unwrap_or_else(PoisonError::into_inner).quit();
        done
    }
}

impl Hosted for PlayArgs {
    type Game = Game;

    fn web_game(&self) -> Result<WebGame<Game>> {
        let (game, mut first) = (self.game()?, self.engine()?);
        first
            .set_param("max_memory", &self.session.memory_of_a_game().to_string())
            .map_err(anyhow::Error::msg)?;
        let config = SessionConfig::plain(&self.session, self.playouts, self.resign);
        let reviewer = LiveReviewer::new(first.another(), usize::from(self.session.threads));
        let reviews = Arc::new(Reviews::new(reviewer));
        // What was learned is in memory once, for all games.
        let first = Mutex::new(first);
        let session = move || {
            let engine = first.lock().unwrap_or_else(PoisonError::into_inner).another();
            Ok(Go::new(game.clone(), engine, config))
        };
        let offer = Offer {
            size: self.boardsize,
            rules: self.rules.name().filter(|_| self.rules != Rules::CHINESE),
            komi: Some(self.komi).filter(|&komi| komi != KOMI),
            level: self.level,
            visits: self.playouts,
        };
        Ok(WebGame { commands, session: Arc::new(session), first_commands: &[], reviews, offer })
    }
}
