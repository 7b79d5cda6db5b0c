//! `tesuji train joseki`: a state machine of what is played in corners.

use super::games::{Part, Source, Take, collect, collect_shard};
use super::{check_writable, interrupted, write};
use crate::output::print;
use crate::progress::Bar;
use crate::shard::{self, Shard, ShardArgs};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use go_patterns::joseki::{Counts, Cut, RECENT_WEIGHTS, SIDE, Settings};
use go_patterns::progress::Progress;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Options of `tesuji train joseki`.
#[derive(Args, Debug)]
pub struct JosekiArgs {
    #[command(flatten)]
    source: Source,
    /// The machine to write
    #[arg(short, long)]
    out: PathBuf,
    #[command(flatten)]
    cut: CutArgs,
    /// Drop moves played less often in a state
    #[arg(long, alias = "least", default_value_t = Settings::default().min_count,
          value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// Drop moves that are a smaller share of a state's moves, in percent
    #[arg(long, alias = "least-share", default_value_t = 100.0 * Settings::default().min_share, value_parser = percent)]
    min_share: f32,
    /// Drop states with fewer moves made in them
    #[arg(long, alias = "least-state", default_value_t = Settings::default().min_state,
          value_parser = clap::value_parser!(u32).range(1..))]
    min_state: u32,
    /// Games from this year on are recent
    #[arg(long, default_value_t = Settings::default().recent_since)]
    recent_since: u16,
    /// How many times as much a recent game counts
    #[arg(long, default_value_t = Settings::default().recent_weight, value_parser = weight)]
    recent_weight: f32,
    /// Which of the games to learn from
    #[arg(long, value_enum, default_value_t = Part::Learned)]
    part: Part,
    #[command(flatten)]
    shard: ShardArgs,
}

/// Where a corner's sequence ends.
#[derive(Args, Debug)]
pub struct CutArgs {
    /// Moves of a corner's sequence at most
    #[arg(long, default_value_t = Cut::default().moves)]
    moves: usize,
    /// Moves of each game that are looked at
    #[arg(long, default_value_t = Cut::default().opening)]
    opening: usize,
    /// Moves elsewhere after which a corner's sequence has ended
    #[arg(long, default_value_t = Cut::default().patience)]
    patience: usize,
}

impl CutArgs {
    /// The rules of cutting.
    pub fn cut(&self) -> Cut {
        Cut { moves: self.moves, opening: self.opening, patience: self.patience }
    }
}

fn percent(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 100 is expected".to_owned()),
    }
}

fn weight(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if RECENT_WEIGHTS.contains(&number) => Ok(number),
        _ => Err(format!(
            "a number from {} to {} is expected",
            RECENT_WEIGHTS.start(),
            RECENT_WEIGHTS.end()
        )),
    }
}

/// Boards without four corners' worth of room are refused.
///
/// # Errors
/// When the board is too small.
pub fn check_size(side: u8) -> Result<()> {
    if side < SIDE {
        bail!("a corner is {SIDE} x {SIDE}: there is none on a {side} x {side} board");
    }
    Ok(())
}

/// Runs `tesuji train joseki`.
///
/// # Errors
/// When records cannot be read or the book cannot be written.
pub fn run(args: &JosekiArgs) -> Result<ExitCode> {
    let started = Instant::now();
    check_size(args.source.size)?;
    check_writable(&args.out)?;
    let bar = Bar::new();
    let settings = Settings {
        cut: args.cut.cut(),
        min_count: args.min_count,
        min_share: args.min_share / 100.0,
        min_state: args.min_state,
        recent_since: args.recent_since,
        recent_weight: args.recent_weight,
    };
    if let Some(shard) = args.shard.shard {
        return count(args, shard, &settings, &bar);
    }
    let counts = match args.shard.merge {
        true => Some(merged(args, &settings)?),
        false => {
            let games = collect(&args.source, args.part, &bar)?;
            Counts::of(&games, &settings, &bar)
        }
    };
    let Some(counts) = counts else { return Ok(interrupted()) };
    let games = counts.games;
    let Some(learned) = counts.learn(&settings, &bar) else { return Ok(interrupted()) };
    bar.end();
    let book = learned.book;
    let bytes = book.to_bytes();
    write(&args.out, &bytes)?;
    let needs = book.states().iter().flat_map(|state| book.moves(state));
    let (now, later) = needs.fold((0, 0), |(now, later), transition| {
        let need = transition.need;
        (now + usize::from(need.now()), later + usize::from(need.later && !need.now()))
    });
    print(&format!(
        "{} games: {} corner moves and {} turns elsewhere in {} states; keys shared by different \
         positions: {}\n\
         kept: {} states, {} moves; {now} of them need a ladder, {later} come to one\n\
         {} bytes in {}; {:.0} s\n",
        games,
        learned.moves,
        learned.turns - learned.moves,
        learned.states,
        learned.shared_keys,
        book.states().len(),
        book.transitions(),
        bytes.len(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Counts one part of the games, into a file beside what is to be.
fn count(args: &JosekiArgs, shard: Shard, settings: &Settings, bar: &Bar) -> Result<ExitCode> {
    let take: &Take<_> = &|_, game| Ok(args.part.has(&game).then_some(game));
    let games = collect_shard(&args.source, shard, bar, take)?;
    let Some(mut counts) = Counts::of(&games, settings, bar) else { return Ok(interrupted()) };
    bar.end();
    let out = shard.part_of(&args.out);
    // Of a part without games the side is not known by itself.
    counts.side = args.source.size;
    write(&out, &counts.to_bytes())?;
    print(&format!("{} games counted in {}\n", games.len(), out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The counts of all parts.
fn merged(args: &JosekiArgs, settings: &Settings) -> Result<Counts> {
    let paths = shard::parts_of(&args.out)?;
    let parts = paths.iter().map(|path| {
        let place = || path.display().to_string();
        let bytes = std::fs::read(path).with_context(place)?;
        Counts::from_bytes(&bytes).with_context(place)
    });
    let counts = Counts::merged(parts)?.context("there are no parts")?;
    ensure!(counts.games > 0, "no game on a board of {0}x{0} was found", args.source.size);
    ensure!(
        (counts.side, counts.cut, counts.recent_since)
            == (args.source.size, settings.cut, settings.recent_since),
        "the parts were counted with another --size, --moves, --opening, --patience or --recent-since than this command has"
    );
    Ok(counts)
}
