//! `tesuji-amazons perft`: counts of the game tree, the usual test of a move generator.

use std::process::ExitCode;
use std::time::Instant;

use amazons_engine::{Position, perft::perft};
use anyhow::Result;
use clap::{Args, value_parser};

/// Options of `perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Turns to look ahead
    #[arg(default_value_t = 2, value_parser = value_parser!(u32).range(0..=20))]
    depth: u32,

    /// A diagram instead of the start: rows from the top, X White, O Black, # or * an arrow, divided by |; or 10, 5 or 4
    #[arg(long, value_name = "DIAGRAM", default_value = "10", value_parser = position)]
    position: Position,
}

/// Reads a position: a diagram, or the side of a board whose start is known.
///
/// # Errors
/// What is wrong with the diagram.
pub fn position(text: &str) -> Result<Position, String> {
    if let Ok(side) = text.parse() {
        let none = || format!("no start is known on {side}x{side}, only on 10, 5 and 4");
        return Position::start_on(side).ok_or_else(none);
    }
    text.parse().map_err(|why: amazons_engine::setup::DiagramError| why.to_string())
}

/// Counts, a depth after the other.
///
/// # Errors
/// None at present.
pub fn run(args: &PerftArgs) -> Result<ExitCode> {
    for depth in 0..=args.depth {
        let begun = Instant::now();
        let count = perft(&mut args.position.clone(), depth);
        let seconds = begun.elapsed().as_secs_f64();
        let speed = count as f64 / seconds.max(1e-9) / 1e6;
        let line = format!("{depth} {count} {seconds:.3} s {speed:.0} million/s");
        crate::output::say(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}
