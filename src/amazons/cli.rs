//! The command line of the Amazons engine.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::net::file::Net;
use amazons_engine::net::policy::Policy;
use amazons_engine::net::resnet::ResNet;
use amazons_engine::{Game, Position};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum, value_parser};

use super::bench::BenchArgs;
use super::engine::AmazonsEngine;
use super::eval::EvalArgs;
use super::files::{read_network, read_weights};
use super::perft::PerftArgs;
use super::policy::Player;
use super::samples::SamplesArgs;
use super::selfplay::SelfPlayArgs;
use super::solve::SolveArgs;
use super::train_weights::TrainWeightsArgs;
use super::{Amazons, Form, bench, commands, eval, perft, samples, selfplay, solve, train_weights};
use crate::logging;
use crate::program::Run;
use crate::session::{self, SessionArgs, SessionConfig, TurnArgs};
use crate::web::review::{Reviews, TurnReviewer};
use crate::web::{Hosted, Offer, WebArgs, WebGame};

/// What the program does besides playing.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Answer which side wins, by trying everything
    Solve(SolveArgs),
    /// Count the sequences of turns from a position
    Perft(PerftArgs),
    /// Play games of the engine against itself, to learn from
    Selfplay(SelfPlayArgs),
    /// Learn the weights of the evaluation from games of `selfplay`
    #[command(alias = "fit")]
    TrainWeights(TrainWeightsArgs),
    /// Write games of `selfplay` as a table of samples, in the form of the patent CN 111330255 B
    Samples(SamplesArgs),
    /// Measure networks on games that they were not taught from
    #[command(alias = "evaluate")]
    Eval(EvalArgs),
    /// Measure speed, and tell a signature of what the engine does
    Bench(BenchArgs),
    /// Show a board in the browser: play, analyse, review, watch
    Web(Box<WebArgs<PlayArgs>>),
}

/// Options of a session over GTP.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// Visits for each turn, whatever more the clock allows: the same strength on every machine
    /// [default: what time allows, 20000 without a clock]
    #[arg(long, alias = "playouts", value_name = "N", value_parser = value_parser!(u64).range(1..))]
    visits: Option<u64>,

    /// Side of the board at the start: 10, 5 or 4
    #[arg(long, value_name = "N", default_value_t = 10)]
    boardsize: u8,

    /// Weights of the evaluation other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Network other than the one inside the program
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Plays without search: the likeliest turn by the network, by the evaluation one ply ahead, or any turn
    #[arg(long, value_enum, value_name = "BY", num_args = 0..=1, require_equals = true,
        default_missing_value = "network")]
    policy_only: Option<PolicyArg>,

    /// What `--policy-only=random` draws from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    turn: TurnArgs<Form>,
    #[command(flatten)]
    session: SessionArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum PolicyArg {
    /// The largest outputs of the network
    Network,
    /// The turn after which the evaluation is best, queen's move first
    Evaluation,
    /// Any turn, all alike
    Random,
}

impl Run for Command {
    fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Solve(args) => solve::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Selfplay(args) => selfplay::run(args),
            Command::TrainWeights(args) => train_weights::run(args),
            Command::Samples(args) => samples::run(args),
            Command::Eval(args) => eval::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Web(args) => args.run(),
        }
    }
}

impl PlayArgs {
    fn start(&self) -> Result<Position> {
        Position::start_on(self.boardsize).with_context(|| {
            format!("no start is known on {0}x{0}, only on 10, 5 and 4", self.boardsize)
        })
    }

    /// The engine, whose search takes so much memory.
    fn engine(&self, memory_mib: usize) -> Result<AmazonsEngine> {
        let weights = match &self.weights {
            Some(path) => Arc::new(read_weights(path)?),
            None => Weights::shipped(),
        };
        let mut engine = AmazonsEngine::new(weights, usize::from(self.session.threads), memory_mib);
        let network = self.network.as_deref().map(read_network).transpose()?.map(Arc::new);
        match (&network, self.policy_only) {
            (Some(net), None) => match &**net {
                Net::ResNet(network) => engine.set_network(Arc::new((**network).clone())),
                Net::Patent(_) => bail!(
                    "the patent's networks are too slow for the search; --policy-only plays by them"
                ),
            },
            (_, Some(PolicyArg::Evaluation)) => {
                engine.player = Some(Player::Policy(Policy::Evaluation));
            }
            (_, Some(PolicyArg::Random)) => engine.player = Some(Player::random(self.seed)),
            (_, Some(PolicyArg::Network)) => {
                let network = network.unwrap_or_else(|| {
                    Arc::new(Net::ResNet(Box::new((*ResNet::shipped()).clone())))
                });
                engine.player = Some(Player::Policy(Policy::Network(network)));
            }
            (None, None) => {}
        }
        Ok(engine)
    }
}

impl Run for PlayArgs {
    /// Answers GTP until the input ends, `quit` comes, or nobody reads the answers.
    fn run(&self) -> Result<ExitCode> {
        logging::start(self.session.log);
        let game = Game::new(self.start()?);
        let engine = self.engine(self.session.max_memory as usize)?;
        let config = SessionConfig::new(&self.session, self.visits, &self.turn);
        session::run(commands(), &mut Amazons::new(game, engine, config), &self.session)
    }
}

impl Hosted for PlayArgs {
    type Game = Game;

    fn web_game(&self) -> Result<WebGame<Game>> {
        let start = self.start()?;
        let memory_mib = self.session.memory_of_a_game() as usize;
        let args = self.clone();
        let config = SessionConfig::new(&self.session, self.visits, &self.turn);
        // What is wrong with its files is told at once.
        self.engine(memory_mib)?;
        let session = move || Ok(Amazons::new(Game::new(start), args.engine(memory_mib)?, config));
        let session = Arc::new(session);
        let size = Some(self.boardsize).filter(|&side| side != <Game as session::Game>::SIDE);
        let offer = Offer { size, visits: self.visits, ..Offer::default() };
        Ok(WebGame {
            commands,
            session: session.clone(),
            first_commands: &["tesuji-param genmove_form turns"],
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
        let command = crate::program::command::<Command, PlayArgs>("tesuji-amazons", "a game");
        assert_eq!(crate::examples::faults(&command), Vec::<String>::new());
    }
}
