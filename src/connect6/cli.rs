//! The command line of the Connect6 engine.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use connect6_engine::{Rules, weights};
use std::sync::Arc;

use super::bench::BenchArgs;
use super::duel::{DuelArgs, read_weights};
use super::selfplay::SelfPlayArgs;
use super::solve::SolveArgs;
use super::train::TrainArgs;
use super::{
    Connect6, Form, NAME, Settings, VERSION, bench, commands, duel, selfplay, solve, train,
};
use crate::options::{default_threads, lag};
use crate::{gtp, logging};

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

    /// Threads that search together; one thread with fixed visits repeats a game
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = value_parser!(u16).range(1..=64))]
    threads: u16,

    /// Memory that the search may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = value_parser!(u64).range(16..=1 << 18))]
    max_memory: u64,

    /// Side of the board at the start, 1 to 19
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(1..=19))]
    boardsize: u8,

    /// Gomoku instead of Connect6: 15x15, five in a row, one stone a turn
    #[arg(long, conflicts_with = "boardsize")]
    gomoku: bool,

    /// How genmove answers
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    genmove_form: FormArg,

    /// Weights other than those inside the program, as `train` writes them
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Resigns when the loss is proved
    #[arg(long)]
    resign: bool,

    /// Thinks on the opponent's time too
    #[arg(long)]
    ponder: bool,

    /// Seconds of each move that are lost between the controller's clock and this program
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = lag)]
    lag: f64,

    /// What to log on standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: tracing::Level,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum FormArg {
    /// As the last move came: one stone until a whole turn was played
    Auto,
    /// One stone
    Stone,
    /// The whole turn
    Turn,
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
    logging::start(args.log);
    let side = usize::from(args.boardsize);
    let rules = if args.gomoku { Rules::GOMOKU } else { Rules::new(side, side, 6, 2, 1)? };
    let knowledge = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => weights::shipped(),
    };
    let settings = Settings {
        visits: args.visits,
        ponder: args.ponder,
        lag: Duration::from_secs_f64(args.lag),
        form: match args.genmove_form {
            FormArg::Auto => Form::Auto,
            FormArg::Stone => Form::Stone,
            FormArg::Turn => Form::Turn,
        },
        resign: args.resign,
    };
    let mut session = Connect6::new(
        rules,
        knowledge,
        usize::from(args.threads),
        args.max_memory as usize,
        settings,
    );
    if io::stdin().is_terminal() {
        eprintln!("{NAME} {VERSION} plays Connect6 over GTP. `help` says more, `quit` leaves.");
    }
    gtp::run_with_idle(&commands(), &mut session, io::stdin(), &mut io::stdout().lock())
        .context("cannot read the input")?;
    Ok(ExitCode::SUCCESS)
}
