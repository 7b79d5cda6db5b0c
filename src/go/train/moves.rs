//! `tesuji train moves`: a predictor of moves from shapes and tactics.

use super::games::{Part, Source, collect};
use super::{check_writable, interrupted, write};
use crate::output::print;
use crate::progress::Bar;
use anyhow::Result;
use clap::Args;
use go_patterns::predict::learner::{Report, Settings, learn};
use go_patterns::predict::predictor::Predictor;
use go_patterns::progress::Progress;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Options of `tesuji train moves`.
#[derive(Args, Debug)]
pub struct MoveArgs {
    #[command(flatten)]
    source: Source,
    /// The predictor to write
    #[arg(short, long)]
    out: PathBuf,
    /// The share of all positions that is learned from
    #[arg(long, default_value_t = Settings::default().share, value_parser = share)]
    share: f64,
    /// Shapes played at least so often are known
    #[arg(long, alias = "least", default_value_t = Settings::default().min_count)]
    min_count: u32,
    /// Most shapes that are known
    #[arg(long, default_value_t = Settings::default().shapes)]
    shapes: usize,
    /// Most shapes with hidden weights
    #[arg(long, default_value_t = Settings::default().hidden_shapes as u32,
          value_parser = clap::value_parser!(u32).range(0..=60_000))]
    hidden_shapes: u32,
    /// No hidden units: a weight for each feature, and nothing else
    #[arg(long)]
    linear: bool,
    /// Step of the linear weights
    #[arg(long, default_value_t = Settings::default().rate, value_parser = step)]
    rate: f32,
    /// Step of the hidden weights
    #[arg(long, default_value_t = Settings::default().hidden_rate, value_parser = step)]
    hidden_rate: f32,
    /// Seed of everything left to chance: the same seed gives the same file
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Which of the games to learn from
    #[arg(long, value_enum, default_value_t = Part::Learned)]
    part: Part,
}

/// Of nothing nothing is learned.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1.0 => Ok(number),
        _ => Err("a number above 0, up to 1, is expected".to_owned()),
    }
}

/// With longer steps weights grow beyond what a file of them may hold.
fn step(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=MAX_STEP).contains(&number) => Ok(number),
        _ => Err(format!("a number from 0 to {MAX_STEP} is expected")),
    }
}

const MAX_STEP: f32 = 10.0;

/// Runs `tesuji train moves`.
///
/// # Errors
/// When records cannot be read or the predictor cannot be written.
pub fn run(args: &MoveArgs) -> Result<ExitCode> {
    let started = Instant::now();
    check_writable(&args.out)?;
    let bar = Bar::new();
    let games = collect(&args.source, args.part, &bar)?;
    let settings = Settings {
        rate: args.rate,
        hidden_rate: args.hidden_rate,
        share: args.share,
        min_count: args.min_count,
        shapes: args.shapes,
        hidden_shapes: args.hidden_shapes as usize,
        hidden: !args.linear,
        seed: args.seed,
        ..Settings::default()
    };
    let side = args.source.size;
    let mut say = |report: Report| {
        let n = report.positions.max(1) as f64;
        bar.say(&format!(
            "{} positions: loss {:.4}, first {:.2}%",
            report.positions,
            report.loss / n,
            100.0 * report.first as f64 / n
        ));
    };
    let Some((dict, net)) = learn(&games, settings, &bar, &mut say) else {
        return Ok(interrupted());
    };
    bar.end();
    let predictor = Predictor::new(&dict, &net, side, games.len() as u64);
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
