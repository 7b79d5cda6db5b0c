//! `tesuji`: Go over GTP, and the tools around the engines.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tesuji::arena::cli::MatchArgs;
use tesuji::{arena, logging};

/// A Go engine that speaks GTP, and tools around it.
#[derive(Parser, Debug)]
#[command(name = "tesuji", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play matches and tournaments between GTP programs
    Match(Box<MatchArgs>),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Match(args) => {
            logging::start(tracing::Level::WARN);
            arena::cli::run(&args)
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("tesuji: {error:#}");
        ExitCode::FAILURE
    })
}
