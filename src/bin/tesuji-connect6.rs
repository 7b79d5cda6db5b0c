//! `tesuji-connect6`: Connect6 over GTP, and the tools around its engine.

use std::process::ExitCode;

use clap::Parser;
use tesuji::connect6::cli::{Cli, run};

fn main() -> ExitCode {
    run(&Cli::parse()).unwrap_or_else(|error| {
        eprintln!("tesuji-connect6: {error:#}");
        ExitCode::FAILURE
    })
}
