//! `tesuji train patterns`: how often patterns are played where they can be.

use super::games::{Part, Source, collect};
use super::katz::KatzArgs;
use super::{interrupted, print, write};
use crate::progress::Bar;
use anyhow::Result;
use clap::{Args, ValueEnum};
use go_patterns::frequencies::{Katz, LearnError, Settings, Table, Timing, learn};
use go_patterns::progress::Progress;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Options of `tesuji train patterns`.
#[derive(Args, Debug)]
pub struct FrequencyArgs {
    #[command(flatten)]
    source: Source,
    /// The table to write
    #[arg(short, long)]
    out: PathBuf,
    /// Keep patterns played at least so often
    #[arg(long, alias = "least", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// When a pattern is looked at: before its move, or after it, when captured stones are off the board
    #[arg(long, value_enum, default_value_t = When::Before)]
    timing: When,
    #[command(flatten)]
    katz: KatzArgs,
    #[command(flatten)]
    memory: Memory,
    /// Which of the games to learn from
    #[arg(long, value_enum, default_value_t = Part::Learned)]
    part: Part,
}

/// When a pattern is looked at.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum When {
    /// Before its move
    Before,
    /// After its move, as in the paper
    After,
}

impl When {
    /// As learning has it.
    pub fn timing(self) -> Timing {
        match self {
            When::Before => Timing::BeforeMove,
            When::After => Timing::AfterMove,
        }
    }
}

/// The memory that counting may take.
#[derive(Args, Debug)]
pub struct Memory {
    /// Memory for counting in MiB; with little the games are gone through several times
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u64).range(16..))]
    max_memory: u64,
}

impl Memory {
    /// In bytes.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.max_memory << 20).unwrap_or(usize::MAX)
    }
}

/// Runs `tesuji train patterns`.
///
/// # Errors
/// When records cannot be read or the table cannot be written.
pub fn run(args: &FrequencyArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let bar = Bar::new();
    let games = collect(&args.source, args.part, &bar)?;
    let settings = Settings {
        max_memory: args.memory.bytes(),
        distinct_playable: false,
        timing: args.timing.timing(),
    };
    let learned = match learn(&games, args.min_count, settings, &bar) {
        Err(LearnError::Interrupted) => return Ok(interrupted()),
        learned => learned?,
    };
    bar.end();
    if bar.stopped() {
        return Ok(interrupted());
    }
    let moves = learned.totals[0].moves;
    let katz = args.katz.or(Katz::GOOD_TURING);
    let table = Table::new(&learned, args.source.size, games.len() as u64, katz);
    let bytes = table.to_bytes();
    write(&args.out, &bytes)?;
    print(&format!(
        "{} games, {moves} moves; {} patterns played {} times or more; {} bytes in {}; {:.0} s\n",
        games.len(),
        table.len(),
        args.min_count,
        bytes.len(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}
