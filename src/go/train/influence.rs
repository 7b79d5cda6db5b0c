//! `tesuji train influence`: the model that estimates positions without search.

use super::games::Part;
use super::progress::Bar;
use super::{interrupted, write};
use crate::go::estimate::counted::{Counted, collect, tell};
use anyhow::Result;
use clap::{Args, value_parser};
use go_engine::Color;
use go_engine::rng::Rng;
use go_influence::Stones;
use go_influence::tuned::{NUMBERS, View};
use go_patterns::influence::{Example, Settings, learn, to_bytes};
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

/// Positions learned from each game.
const POSITIONS: usize = 8;
/// Half of them from the first moves, where the owners are hardest to tell.
const EARLY: u32 = 80;
/// Runs `tesuji train influence`.
///
/// # Errors
/// When records cannot be read or the model cannot be written.
pub fn run(args: &InfluenceArgs) -> Result<ExitCode> {
    let InfluenceArgs { paths, size, games, out } = args;
    let started = Instant::now();
    let bar = Bar::new();
    let ended = collect(paths, *size, Part::Learned, *games, &bar)?;
    tell(&ended, &bar);
    let examples: Vec<Example> = ended.games.par_iter().flat_map_iter(examples).collect();
    let settings = Settings::default();
    let numbers = learn(*size, &examples, settings, &bar, |passed| {
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
    println!(
        "{} games, {} positions; {NUMBERS} numbers, {} bytes in {}; {:.0} s",
        ended.games.len(),
        examples.len(),
        bytes.len(),
        out.display(),
        started.elapsed().as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// Positions of a game, drawn by chance that the game itself decides.
fn examples(game: &Counted) -> Vec<Example> {
    let mut rng = Rng::new(game.moves.opening_hash());
    let positions = (0..POSITIONS).filter_map(|number| {
        let last = game.len().saturating_sub(4).max(1) as u32;
        let last = if number % 2 == 0 { last.min(EARLY) } else { last };
        let moves = 4 + rng.below(last) as usize;
        let position = game.after(moves)?;
        let mover = position.to_play();
        let view = View::new(&Stones::of_game(position.board()), mover);
        let sign = if mover == Color::Black { 1 } else { -1 };
        let owners = game.owners.iter().map(|&owner| sign * owner).collect();
        Some(Example { view, owners })
    });
    positions.collect()
}
