//! `tesuji train influence`: the model that estimates positions without search.

use super::games::Part;
use super::{check_writable, interrupted, write};
use crate::go::estimate::counted::{Chosen, collect};
use crate::output::say;
use crate::progress::Bar;
use anyhow::{Result, ensure};
use clap::{Args, value_parser};
use go_influence::tuned::NUMBERS;
use go_patterns::influence::{Example, Settings, examples, learn, to_bytes};
use rayon::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Options of `tesuji train influence`.
#[derive(Args, Debug)]
pub struct InfluenceArgs {
    /// Folders of records, or records
    #[arg(required = true, value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// Side of the board; other games are left out
    #[arg(short, long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(5..=25))]
    pub size: u8,
    /// Looks at so many counted games at most, spread evenly
    #[arg(long, value_name = "N")]
    pub games: Option<usize>,
    /// The model to write
    #[arg(short, long)]
    pub out: PathBuf,
}

/// Runs `tesuji train influence`.
///
/// # Errors
/// When records cannot be read or the model cannot be written.
pub fn run(args: &InfluenceArgs) -> Result<ExitCode> {
    let &InfluenceArgs { ref paths, size, games, ref out } = args;
    let started = Instant::now();
    check_writable(out)?;
    let bar = Bar::new();
    let games = collect(&Chosen { paths, size, part: Part::Learned, games }, &bar)?;
    let examples: Vec<Example> = games.par_iter().flat_map_iter(examples).collect();
    ensure!(!examples.is_empty(), "the games that were counted are too short to learn from");
    let settings = Settings::default();
    let numbers = learn(size, &examples, settings, &bar, |passed| {
        bar.say(&format!(
            "{} positions: loss {:.4}, {:.2}% of points right",
            passed.examples,
            passed.loss,
            100.0 * passed.right
        ));
    });
    let Some(numbers) = numbers else {
        return Ok(interrupted());
    };
    let bytes = to_bytes(&numbers);
    write(out, &bytes)?;
    say(&format!(
        "{} games, {} positions; {NUMBERS} numbers, {} bytes in {}; {:.0} s",
        games.len(),
        examples.len(),
        bytes.len(),
        out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}
