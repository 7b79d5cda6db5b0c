//! `tesuji-amazons`: the Game of the Amazons over GTP, and the tools around its engine.

use std::process::ExitCode;

use clap::Parser;
use tesuji::amazons::cli::{Cli, run};

fn main() -> ExitCode {
    run(&Cli::parse()).unwrap_or_else(|error| {
        eprintln!("tesuji-amazons: {error:#}");
        ExitCode::FAILURE
    })
}
