//! The command line of the Connect6 engine.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand, value_parser};
use connect6_engine::{Rules, weights};
use std::sync::Arc;

use super::bench::BenchArgs;
use super::duel::{DuelArgs, read_weights};
use super::selfplay::SelfPlayArgs;
use super::solve::SolveArgs;
use super::train::TrainArgs;
use super::{Connect6, Form, NAME, VERSION, bench, commands, duel, selfplay, solve, train};
use crate::siblings::SessionArgs;
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

    /// Side of the board at the start, 1 to 19
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(1..=19))]
    boardsize: u8,

    /// Gomoku instead of Connect6: 15x15, five in a row, one stone a turn
    #[arg(long, conflicts_with = "boardsize")]
    gomoku: bool,

    /// How genmove answers
    #[arg(long, value_enum, default_value_t = Form::Auto)]
    genmove_form: Form,

    /// Weights other than those inside the program, as `train` writes them
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

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
    let settings = args.session.settings(args.visits, args.genmove_form);
    let mut session = Connect6::new(
        rules,
        knowledge,
        usize::from(args.session.threads),
        args.session.max_memory as usize,
        settings,
    );
    if io::stdin().is_terminal() {
        eprintln!("{NAME} {VERSION} plays Connect6 over GTP. `help` says more, `quit` leaves.");
    }
    gtp::run_with_idle(&commands(), &mut session, io::stdin(), &mut io::stdout().lock())
        .context("cannot read the input")?;
    Ok(ExitCode::SUCCESS)
}
