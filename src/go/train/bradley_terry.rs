//! `tesuji train bradley-terry`: a predictor of moves from strengths of features, by minorisation-maximisation.

use super::games::{Part, Source, collect};
use super::{check_writable, interrupted, write};
use crate::output::print;
use crate::progress::Bar;
use anyhow::Result;
use clap::{Args, ValueEnum, value_parser};
use go_patterns::predict::bradley_terry::{Report, Settings, ShapeLevels, learn};
use go_patterns::predict::predictor::Predictor;
use go_patterns::progress::Progress;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Options of `tesuji train bradley-terry`.
#[derive(Args, Debug)]
pub struct BradleyTerryArgs {
    #[command(flatten)]
    source: Source,
    /// The predictor to write
    #[arg(short, long)]
    out: PathBuf,
    /// Positions that are learned from, by chance from all; each needs some 5 kB of memory
    #[arg(long, default_value_t = Settings::default().positions as u64, value_parser = value_parser!(u64).range(1..=20_000_000))]
    positions: u64,
    /// Times that every strength is adjusted
    #[arg(long, default_value_t = Settings::default().iterations, value_parser = value_parser!(u32).range(1..))]
    iterations: u32,
    /// Shapes played at least so often are known
    #[arg(long, default_value_t = Settings::default().min_count)]
    min_count: u32,
    /// Most shapes that are known
    #[arg(long, default_value_t = Settings::default().shapes)]
    shapes: usize,
    /// Which known shapes about a move have a strength
    #[arg(long, value_enum, default_value_t = Levels::All)]
    levels: Levels,
    /// Seed of the choice of positions: the same seed gives the same file
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Which of the games to learn from
    #[arg(long, value_enum, default_value_t = Part::Learned)]
    part: Part,
}

/// Which of the nested shapes about a move have a strength.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Levels {
    /// All: a larger one tells what it adds to the smaller ones
    All,
    /// The largest, as in Coulom's paper
    Largest,
}

/// Runs `tesuji train bradley-terry`.
///
/// # Errors
/// When records cannot be read or the predictor cannot be written.
pub fn run(args: &BradleyTerryArgs) -> Result<ExitCode> {
    let started = Instant::now();
    check_writable(&args.out)?;
    let bar = Bar::new();
    let games = collect(&args.source, args.part, &bar)?;
    let settings = Settings {
        positions: args.positions as usize,
        iterations: args.iterations,
        min_count: args.min_count,
        shapes: args.shapes,
        levels: match args.levels {
            Levels::All => ShapeLevels::All,
            Levels::Largest => ShapeLevels::Largest,
        },
        seed: args.seed,
        ..Settings::default()
    };
    let mut say = |report: Report| {
        let Report { iteration, positions, candidates, log_likelihood } = report;
        bar.say(&format!(
            "before iteration {iteration}: log-likelihood {log_likelihood:.4} ({positions} \
             positions, {candidates} candidates)"
        ));
    };
    let Some((dict, net)) = learn(&games, settings, &bar, &mut say) else {
        return Ok(interrupted());
    };
    bar.end();
    let predictor = Predictor::new(&dict, &net, args.source.size, games.len() as u64);
    let bytes = predictor.to_bytes();
    write(&args.out, &bytes)?;
    print(&format!(
        "{} games; {} shapes; {} bytes in {}; {:.0} s\n",
        games.len(),
        predictor.shapes(),
        bytes.len(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}
