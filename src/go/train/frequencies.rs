//! `tesuji train patterns`: how often patterns are played where they can be.

use super::games::{Part, Source, Take, collect, collect_shard};
use super::katz::KatzArgs;
use super::{check_writable, interrupted, write};
use crate::options::default_memory;
use crate::output::print;
use crate::progress::Bar;
use crate::shard::{self, Shard, ShardArgs};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use go_patterns::frequencies::parts::{self, Chances, Played};
use go_patterns::frequencies::{Katz, LearnError, Learned, Settings, Table, Timing, learn};
use go_patterns::progress::Progress;
use std::path::{Path, PathBuf};
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
    /// Parts are counted in two steps: once all have done the first, the same commands do the second
    #[command(flatten)]
    shard: ShardArgs,
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
    #[arg(long, default_value_t = default_memory(4096), value_parser = clap::value_parser!(u64).range(16..))]
    max_memory: u64,
}

impl Memory {
    /// In bytes.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.max_memory.saturating_mul(1 << 20)).unwrap_or(usize::MAX)
    }
}

/// Runs `tesuji train patterns`.
///
/// # Errors
/// When records cannot be read or the table cannot be written.
pub fn run(args: &FrequencyArgs) -> Result<ExitCode> {
    let started = Instant::now();
    check_writable(&args.out)?;
    let bar = Bar::new();
    if let Some(shard) = args.shard.shard {
        return count(args, shard, &bar);
    }
    if args.shard.merge {
        let (games, learned) = merged(args)?;
        return finish(args, games, &learned, started);
    }
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
    finish(args, games.len() as u64, &learned, started)
}

/// Writes the table of what was learned.
fn finish(
    args: &FrequencyArgs,
    games: u64,
    learned: &Learned,
    started: Instant,
) -> Result<ExitCode> {
    let moves = learned.totals[0].moves;
    let katz = args.katz.or(Katz::GOOD_TURING);
    let table = Table::new(learned, args.source.size, games, katz);
    let bytes = table.to_bytes();
    write(&args.out, &bytes)?;
    print(&format!(
        "{} games, {moves} moves; {} patterns played {} times or more; {} bytes in {}; {:.0} s\n",
        games,
        table.len(),
        args.min_count,
        bytes.len(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What the first step of a table's parts is called.
fn played_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".played");
    name.into()
}

/// Counts a part of the games: what was played, or once that is known of all parts, what could have been.
fn count(args: &FrequencyArgs, shard: Shard, bar: &Bar) -> Result<ExitCode> {
    let take: &Take<_> = &|_, game| Ok(args.part.has(&game).then_some(game));
    let out = played_of(&args.out);
    let first = shard.part_of(&out);
    // What others have counted is read before the long part begins.
    let all = if first.exists() { Some(all_played(&out)?) } else { None };
    let games = collect_shard(&args.source, shard, bar, take)?;
    let done = match &all {
        None => {
            let (side, timing) = (args.source.size, args.timing.timing());
            let played = Played::of(&games, side, timing, args.memory.bytes(), bar);
            played.map(|played| {
                (first, played.to_bytes(), "once all parts are counted, run them again")
            })
        }
        Some(all) => {
            let own = read(&first, Played::from_bytes)?;
            ensure!(
                own.is_of(&games),
                "{} was counted from other games ({}) than there are now ({}); remove it to begin again",
                first.display(),
                own.games,
                games.len()
            );
            let chances = Chances::of(&games, all, args.min_count, bar);
            let next = "once all parts are counted, put them together by --merge";
            chances.map(|chances| (shard.part_of(&args.out), chances.to_bytes(), next))
        }
    };
    let (out, bytes, next) = match done {
        Err(LearnError::Interrupted) => return Ok(interrupted()),
        done => done?,
    };
    bar.end();
    write(&out, &bytes)?;
    print(&format!("{} games counted in {}; {next}\n", games.len(), out.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn read<T>(
    path: &Path,
    from_bytes: impl Fn(&[u8]) -> Result<T, go_patterns::file::FileError>,
) -> Result<T> {
    let place = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(place)?;
    from_bytes(&bytes).with_context(place)
}

/// What was played in all parts.
fn all_played(out: &Path) -> Result<Played> {
    let paths = shard::parts_of(out)?;
    let parts = paths.iter().map(|path| read(path, Played::from_bytes));
    Played::merged(parts)?.context("there are no parts")
}

/// What was learned in all parts, and from how many games.
fn merged(args: &FrequencyArgs) -> Result<(u64, Learned)> {
    let played = all_played(&played_of(&args.out))?;
    let games = played.games;
    ensure!(games > 0, "no game on a board of {0}x{0} was found", args.source.size);
    ensure!(
        (played.side, played.timing) == (args.source.size, args.timing.timing()),
        "the parts were counted with another --size or --timing than this command has"
    );
    let paths = shard::parts_of(&args.out)?;
    let chances = paths.iter().map(|path| read(path, Chances::from_bytes));
    Ok((games, parts::learned(played, chances, args.min_count)?))
}
