//! `tesuji`: Go over GTP, and the tools around the engines.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tesuji::arena::cli::MatchArgs;
use tesuji::go::bench::BenchArgs;
use tesuji::go::cli::PlayArgs;
use tesuji::go::joseki::Joseki;
use tesuji::go::train::{Report, Train};
use tesuji::go::{joseki, train};
use tesuji::{arena, go, logging};

/// Plays Go over the Go Text Protocol (GTP) on standard input and output.
///
/// Point GoGui, Sabaki or another controller at this program; or type commands on a terminal,
/// where `help` says more.
#[derive(Parser, Debug)]
#[command(name = "tesuji", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play matches and tournaments between GTP programs
    Match(Box<MatchArgs>),
    /// Tell how fast the Go engine is here, and the signature of what it does
    Bench(BenchArgs),
    /// Estimate the score of a position of a game record without search
    #[command(alias = "judge")]
    Estimate(go::estimate::EstimateArgs),
    /// Learn from folders of game records
    #[command(subcommand, alias = "learn")]
    Train(Train),
    /// Report on patterns: counts, how well moves are predicted, single patterns
    #[command(subcommand)]
    Patterns(Report),
    /// Show what is played in corners, and report on it
    #[command(subcommand)]
    Joseki(Joseki),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Some(Command::Match(args)) => {
            logging::start(tracing::Level::WARN);
            arena::cli::run(&args)
        }
        Some(Command::Bench(args)) => go::bench::run(&args),
        Some(Command::Estimate(args)) => go::estimate::run(&args),
        Some(Command::Train(what)) => train::train(&what),
        Some(Command::Patterns(what)) => train::report(&what),
        Some(Command::Joseki(what)) => joseki::run(&what),
        None => go::cli::run(&cli.play),
    };
    result.unwrap_or_else(|error| {
        eprintln!("tesuji: {error:#}");
        ExitCode::FAILURE
    })
}
