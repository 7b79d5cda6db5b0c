//! `tesuji-amazons`: the Game of the Amazons over GTP, and the tools around its engine.

use std::process::ExitCode;

use tesuji::amazons::cli::{Command, PlayArgs};
use tesuji::program;

fn main() -> ExitCode {
    program::main::<Command, PlayArgs>("tesuji-amazons", "the Game of the Amazons")
}
