//! `tesuji doctor`: what this machine gives the program, and what other programs have to be told to use it.

mod clients;
mod machine;
mod speed;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::options::{default_threads, seconds};
use crate::output::print;
use crate::session::VERSION;

/// Options of `tesuji doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// How long the speed on each board is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
}

/// Runs `tesuji doctor`.
///
/// # Errors
/// When the program cannot find itself, what was learned cannot be read, or nothing can be written.
pub fn run(args: &DoctorArgs) -> Result<ExitCode> {
    // Where the system does not tell, how it was called has to do.
    let called = || std::env::args_os().next().map(PathBuf::from);
    let program = std::env::current_exe().ok().or_else(called);
    let program = program.context("cannot find this program's own path")?;
    let threads = default_threads();
    let mut text = String::new();
    for (name, value) in [
        ("program", program.display().to_string()),
        ("version", VERSION.to_owned()),
        ("system", format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)),
        ("processor", machine::processor()),
        (
            "threads",
            format!("{threads}; a search uses all of them unless --threads says otherwise"),
        ),
        ("vectors", machine::vectors()),
        ("memory", machine::memory()),
    ] {
        let _ = writeln!(text, "{name:<10} {value}");
    }
    print(&text)?;
    let mut engine = speed::engine(threads)?;
    let network = engine.any_network().map_or_else(
        || "none".to_owned(),
        |network| format!("built in, computed in {}", network.kernels()),
    );
    print(&format!(
        "{:<10} {network}\n\nSpeed, {threads} threads, from an empty board\n",
        "network"
    ))?;
    let limit = Duration::from_secs_f64(args.seconds);
    for side in speed::SIDES {
        // The first search pays for what later ones find ready.
        let rate = speed::measure(&mut engine, side, limit)?;
        print(&format!("  {:<8} {:>7.0} visits a second\n", format!("{side}x{side}"), rate))?;
    }
    print(&format!("\n{}", clients::lines(&program)))?;
    Ok(ExitCode::SUCCESS)
}
