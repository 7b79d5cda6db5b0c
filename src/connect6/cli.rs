//! The command line of the Connect6 engine.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand, value_parser};
use connect6_engine::search::Knowledge;
use connect6_engine::{Game, Rules, weights};
use std::sync::Arc;

use super::bench::BenchArgs;
use super::duel::{DuelArgs, read_weights};
use super::engine::Connect6Engine;
use super::selfplay::SelfPlayArgs;
use super::solve::SolveArgs;
use super::train::TrainArgs;
use super::{Connect6, Form, bench, commands, duel, selfplay, solve, train};
use crate::logging;
use crate::program::Run;
use crate::session::{self, SessionArgs, SessionConfig, TurnArgs};
use crate::web::review::{Reviews, TurnReviewer};
use crate::web::{Hosted, Offer, WebArgs, WebGame};

/// What the program does besides playing.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Answer whether the side to move wins by threats
    Solve(SolveArgs),
    /// Learn the weights from records and self-play
    Train(TrainArgs),
    /// Play games against itself, to learn from
    Selfplay(SelfPlayArgs),
    /// Play two settings of the engine against each other
    Duel(DuelArgs),
    /// Measure speed, and count the nodes of fixed searches
    Bench(BenchArgs),
    /// Show a board in the browser: play, analyse, review, watch
    Web(Box<WebArgs<PlayArgs>>),
}

/// Options of a session over GTP.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Visits for each turn, whatever more the clock allows: the same strength on every machine
    /// [default: what time allows, 5000 without a clock]
    #[arg(long, alias = "playouts", value_name = "N", value_parser = value_parser!(u64).range(1..))]
    visits: Option<u64>,

    /// Side of the board at the start, 1 to 19
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(1..=19))]
    boardsize: u8,

    /// Gomoku instead of Connect6: 15x15, five in a row, one stone a turn
    #[arg(long, conflicts_with = "boardsize")]
    gomoku: bool,

    /// Weights other than those inside the program, as `train` writes them
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    turn: TurnArgs<Form>,
    #[command(flatten)]
    session: SessionArgs,
}

impl Run for Command {
    fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Solve(args) => solve::run(args),
            Command::Train(args) => train::run(args),
            Command::Selfplay(args) => selfplay::run(args),
            Command::Duel(args) => duel::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Web(args) => args.run(),
        }
    }
}

impl PlayArgs {
    fn rules(&self) -> Result<Rules> {
        let side = usize::from(self.boardsize);
        Ok(if self.gomoku { Rules::GOMOKU } else { Rules::new(side, side, 6, 2, 1)? })
    }

    /// The engine, whose search takes so much memory.
    fn engine(&self, memory_mib: usize) -> Result<Connect6Engine> {
        let threads = usize::from(self.session.threads);
        Ok(Connect6Engine::new(self.knowledge()?, threads, memory_mib))
    }

    fn knowledge(&self) -> Result<Arc<Knowledge>> {
        Ok(match &self.weights {
            Some(path) => Arc::new(read_weights(path)?),
            None => weights::shipped(),
        })
    }
}

impl Run for PlayArgs {
    /// Answers GTP until the input ends, `quit` comes, or nobody reads the answers.
    fn run(&self) -> Result<ExitCode> {
        logging::start(self.session.log);
        let engine = self.engine(self.session.max_memory as usize)?;
        let config = SessionConfig::new(&self.session, self.visits, &self.turn);
        session::run(
            commands(),
            &mut Connect6::new(Game::new(self.rules()?), engine, config),
            &self.session,
        )
    }
}

impl Hosted for PlayArgs {
    type Game = Game;

    fn web_game(&self) -> Result<WebGame<Game>> {
        let (rules, knowledge) = (self.rules()?, self.knowledge()?);
        let threads = usize::from(self.session.threads);
        let memory_mib = self.session.memory_of_a_game() as usize;
        let config = SessionConfig::new(&self.session, self.visits, &self.turn);
        let session = move || {
            let engine = Connect6Engine::new(knowledge.clone(), threads, memory_mib);
            Ok(Connect6::new(Game::new(rules), engine, config))
        };
        let session = Arc::new(session);
        let size =
            u8::try_from(rules.width()).ok().filter(|&side| side != <Game as session::Game>::SIDE);
        let offer = Offer { size, visits: self.visits, ..Offer::default() };
        Ok(WebGame {
            commands,
            session: session.clone(),
            first_commands: &["tesuji-param genmove_form turn"],
            reviews: Arc::new(Reviews::new(TurnReviewer::new(session))),
            offer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_an_example_and_fits_on_a_screen() {
        let command = crate::program::command::<Command, PlayArgs>("tesuji-connect6", "a game");
        assert_eq!(crate::examples::faults(&command), Vec::<String>::new());
    }
}
