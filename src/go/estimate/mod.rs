//! `tesuji estimate`: estimating positions without search, and how well that is done.
//!
//! * `text`, `json`, `svg`: an estimate in words, for programs, and as a picture; `balance`: what its lead is made of.
//! * `models`: the models by name. `gogui`: the same over GTP.
//! * `counted`: the counted games of records; measuring models and fitting constants on them.

mod balance;
pub(super) mod counted;
pub(super) mod gogui;
mod groups;
mod json;
pub(super) mod models;
mod svg;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, value_parser};
use go_patterns::influence::Estimator;

use counted::Chosen;

use crate::files;
use crate::go::recorded::{PlaceArgs, Position};
use crate::go::train::games::Part;
use crate::go::train::influence::{self, InfluenceArgs};
use crate::output::print;

/// Games that constants are fitted to, where it is not said.
const FITTED: usize = 400;

/// Options of `tesuji estimate`.
#[derive(Args, Debug)]
pub struct EstimateArgs {
    /// The record to estimate
    #[arg(value_name = "FILE.sgf", required_unless_present_any = ["evaluate", "tune", "fit", "constants_help"])]
    file: Option<PathBuf>,

    #[command(flatten)]
    place: PlaceArgs,

    /// The model: network (the default from 9x9 to 19x19), tuned, zobrist, ryder, chen, thesis or bouzy
    #[arg(long, value_name = "MODEL",
          value_parser = clap::builder::PossibleValuesParser::new(models::NAMES))]
    model: Option<String>,

    /// Takes the constants that fit finished games best, not the source's
    #[arg(long)]
    fitted: bool,

    /// Sets a constant of the model; may be given several times
    #[arg(long = "constant", value_name = "NAME=VALUE")]
    constants: Vec<String>,

    /// Lists the constants of the models and ends
    #[arg(long)]
    constants_help: bool,

    /// Draws the position into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Prints one line of JSON instead of text
    #[arg(long)]
    json: bool,

    /// Measures the models on the games of folders of records
    #[arg(long = "eval", alias = "evaluate", value_name = "DIR", num_args = 1.., conflicts_with = "file")]
    evaluate: Option<Vec<PathBuf>>,

    /// What `tesuji train influence` was called
    #[arg(long, hide = true, value_name = "DIR", num_args = 1.., requires = "out",
          conflicts_with_all = ["file", "evaluate"])]
    tune: Option<Vec<PathBuf>>,

    /// Fits the constants of the other models to folders of records, and prints them
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["file", "evaluate", "tune"])]
    fit: Option<Vec<PathBuf>>,

    /// Where --tune writes the model
    #[arg(short, long, hide = true, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Side of the board of the games that are measured or learned from; others are left out
    #[arg(short, long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(5..=25))]
    size: u8,

    /// Looks at so many counted games at most, spread evenly
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// Which of the games to measure on
    #[arg(long, value_enum, default_value_t = Part::Validation,
          conflicts_with_all = ["file", "tune", "fit"])]
    part: Part,

    /// Compares with a search on so many of the games
    #[arg(long, value_name = "N", default_value_t = 0,
          conflicts_with_all = ["file", "tune", "fit"])]
    search: usize,

    /// Playouts of that search
    #[arg(long, alias = "visits", value_name = "N", default_value_t = 1000, requires = "search", value_parser = value_parser!(u64).range(1..))]
    playouts: u64,

    /// A tuned model to use instead of the built-in one
    #[arg(long, value_name = "FILE")]
    tuned: Option<PathBuf>,
}

/// Runs `tesuji estimate`.
///
/// # Errors
/// What went wrong, in words; no file is left half written.
pub fn run(args: &EstimateArgs) -> Result<ExitCode> {
    if let (Some(paths), Some(out)) = (&args.tune, &args.out) {
        let (paths, out) = (paths.clone(), out.clone());
        return influence::run(&InfluenceArgs { paths, size: args.size, games: args.games, out });
    }
    let &EstimateArgs { size, part, .. } = args;
    if let Some(paths) = &args.fit {
        let games = Some(args.games.unwrap_or(FITTED));
        return counted::fit_constants(&Chosen { paths, size, part: Part::Learned, games });
    }
    if args.constants_help {
        print(&models::help())?;
        return Ok(ExitCode::SUCCESS);
    }
    let tuned = args.tuned.as_deref().map(models::from_file).transpose()?;
    if let Some(paths) = &args.evaluate {
        let tuned = match tuned {
            Some(model) => model,
            None => Estimator::tuned()?,
        };
        let chosen = Chosen { paths, size, part, games: args.games };
        return counted::evaluate(&chosen, tuned, (args.search, args.playouts));
    }
    // One of the four has to be there.
    let file = args.file.as_deref().unwrap_or(Path::new("-"));
    let Position { game, moves } = args.place.read(file)?;
    let of_sources =
        args.model.as_deref().is_some_and(|name| !["network", "tuned"].contains(&name));
    ensure!(
        !args.fitted || of_sources,
        "--fitted is for zobrist, ryder, chen, thesis and bouzy; name one with --model"
    );
    let mut estimator = match (&args.model, tuned) {
        (None, None) => models::best(&game)?,
        (None, tuned) => models::by_name("tuned", args.fitted, tuned)?,
        (Some(name), tuned) => models::by_name(name, args.fitted, tuned)?,
    };
    models::set(&mut estimator, &args.constants)?;
    let estimate = estimator.estimate(&game)?;
    let name =
        file.file_name().map_or_else(|| file.to_string_lossy(), |name| name.to_string_lossy());
    let title = format!("{name}, after move {moves}");
    if let Some(path) = &args.svg {
        files::replace(path, svg::svg(&title, &game, &estimate).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = if args.json {
        json::text(&name, moves, &game, &estimate) + "\n"
    } else {
        text::text(&title, &game, &estimate)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
