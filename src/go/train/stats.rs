//! `tesuji patterns stats`: distinct patterns by template, as the paper has them.

use super::frequencies::{Memory, When};
use super::games::{Part, Source, collect};
use super::interrupted;
use crate::output::print;
use crate::progress::Bar;
use anyhow::Result;
use clap::Args;
use go_patterns::frequencies::{LearnError, Settings, Template, learn};
use go_patterns::progress::Progress;
use std::fmt::Write;
use std::process::ExitCode;

/// Options of `tesuji patterns stats`.
#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    source: Source,
    /// When a pattern is looked at: before its move, or after it, when captured stones are off the board
    #[arg(long, value_enum, default_value_t = When::Before)]
    timing: When,
    #[command(flatten)]
    memory: Memory,
    /// Which of the games to count
    #[arg(long, value_enum, default_value_t = Part::All)]
    part: Part,
}

/// Runs `tesuji patterns stats`.
///
/// # Errors
/// When records cannot be read.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    let bar = Bar::new();
    let games = collect(&args.source, args.part, &bar)?;
    let settings = Settings {
        max_memory: args.memory.bytes(),
        distinct_playable: true,
        timing: args.timing.timing(),
    };
    let learned = match learn(&games, u32::MAX, settings, &bar) {
        Err(LearnError::Interrupted) => return Ok(interrupted()),
        learned => learned?,
    };
    bar.end();
    let mut text = format!("{} games, {} moves\n", games.len(), learned.totals[0].moves);
    let _ = writeln!(
        text,
        "{:8} {:>14} {:>16} {:>14} {:>14}",
        "template", "played", "playable (0.4%)", "played once", "mean C_A/C_N"
    );
    for (template, totals) in Template::all().zip(&learned.totals) {
        let _ = writeln!(
            text,
            "{:8} {:>14} {:>16} {:>14} {:>14.5}",
            template.to_string(),
            totals.distinct_played,
            totals.distinct_playable,
            totals.frequencies[0],
            totals.moves as f64 / totals.chances.max(1) as f64
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
