//! The command line of the Connect6 engine.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, value_parser};
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
use crate::session::{self, SessionArgs, SessionConfig, TurnArgs};

/// Plays Connect6 over the Go Text Protocol (GTP) on standard input and output.
///
/// Point GoGui or another controller at this program; or type commands on a terminal, where `help` says
/// more.
#[derive(Parser, Debug)]
#[command(name = "tesuji-connect6", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
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
}

/// Options of a session over GTP.
#[derive(Args, Debug)]
struct PlayArgs {
    /// Visits for each turn, whatever the clock says: the same strength on every machine
    /// [default: what time allows, 5000 without a clock]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
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

/// Does what the command line says.
///
/// # Errors
/// Whatever goes wrong with it.
pub fn run(cli: &Cli) -> Result<ExitCode> {
    match &cli.command {
        Some(command) => {
            logging::start(tracing::Level::WARN);
            match command {
                Command::Solve(args) => solve::run(args),
                Command::Train(args) => train::run(args),
                Command::Selfplay(args) => selfplay::run(args),
                Command::Duel(args) => duel::run(args),
                Command::Bench(args) => bench::run(args),
            }
        }
        None => play(&cli.play),
    }
}

/// Answers GTP until the input ends, `quit` comes, or nobody reads the answers.
fn play(args: &PlayArgs) -> Result<ExitCode> {
    logging::start(args.session.log);
    let side = usize::from(args.boardsize);
    let rules = if args.gomoku { Rules::GOMOKU } else { Rules::new(side, side, 6, 2, 1)? };
    let knowledge = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => weights::shipped(),
    };
    let &SessionArgs { threads, max_memory, .. } = &args.session;
    let engine = Connect6Engine::new(knowledge, usize::from(threads), max_memory as usize);
    let config = SessionConfig::new(&args.session, args.visits, &args.turn);
    session::run(&commands(), &mut Connect6::new(Game::new(rules), engine, config))
}
