//! `tesuji-connect6`: Connect6 over GTP, and the tools around its engine.

use std::process::ExitCode;

use tesuji::connect6::cli::{Command, PlayArgs};
use tesuji::program;

fn main() -> ExitCode {
    program::main::<Command, PlayArgs>("tesuji-connect6", "Connect6")
}
