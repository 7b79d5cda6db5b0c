//! `tesuji-amazons train-weights`: learns the evaluation's weights from games of self-play.
//!
//! The same games give the same weights, in whatever order threads have written them.

use std::path::PathBuf;
use std::process::ExitCode;

use amazons_engine::Position;
use amazons_engine::eval::Weights;
use amazons_engine::learn::{FitOptions, Fitter, Part, WeightSample};
use anyhow::{Context, Result, bail};
use clap::Args;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

use super::selfplay::read_games;
use crate::files;
use crate::output::say;

/// Options of `train-weights`.
#[derive(Args, Debug)]
pub struct TrainWeightsArgs {
    /// Files of games that `selfplay` has written; without any the weights set by hand are written, to begin with
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,

    /// File for the weights
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Passes over the positions; the best by the validation games (two in ten, by their seeds) is written
    #[arg(long, value_name = "N", default_value_t = 40)]
    passes: u32,

    /// Share of the result in what is learned; the rest is the chance that the search gave
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    result: f32,
}

/// Fits weights to games, beginning with those set by hand.
///
/// # Errors
/// When games cannot be read, hold an illegal move or are too few, or the weights not be written.
pub fn run(args: &TrainWeightsArgs) -> Result<ExitCode> {
    if !(0.0..=1.0).contains(&args.result) {
        bail!("--result is a share from 0 to 1");
    }
    let write = |weights: &Weights| {
        files::replace(&args.output, weights.to_text().as_bytes())
            .with_context(|| args.output.display().to_string())
    };
    if args.games.is_empty() {
        write(&Weights::hand_made())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut games = Vec::new();
    for path in &args.games {
        for (number, game) in read_games(path)?.iter().enumerate() {
            let place = || format!("{}, line {}", path.display(), number + 1);
            let (mut samples, mut position) = (Vec::new(), Position::start());
            for turn in &game.turns {
                let won = if game.winner == position.to_move() { 1.0 } else { 0.0 };
                let target = if Part::of(game.seed) == Part::Validation {
                    won
                } else {
                    let chance = turn.chance.unwrap_or(won);
                    args.result * won + (1.0 - args.result) * chance
                };
                samples.push(WeightSample::new(&position, target));
                position.play(turn.mv).with_context(place)?;
            }
            games.push((game.seed, samples));
        }
    }
    games.sort_by_key(|game| game.0);
    let (mut learned, mut measured) = (Vec::new(), Vec::new());
    for (seed, samples) in games {
        match Part::of(seed) {
            Part::Train => learned.extend(samples),
            Part::Validation => measured.extend(samples),
            // What networks and weights are compared by in the end is no part of what they are made from.
            Part::Test => {}
        }
    }
    if learned.is_empty() || measured.is_empty() {
        bail!(
            "too few games: {} positions to learn from, {} to measure with",
            learned.len(),
            measured.len()
        );
    }
    shuffle(&mut learned);
    say(&format!("{} positions to learn from, {} to validate on", learned.len(), measured.len()))?;
    let mut fitter = Fitter::new(&Weights::hand_made(), FitOptions::default());
    let tell = |pass: u32, (loss, called): (f32, f32)| {
        say(&format!("pass {pass}: log loss {loss:.4}, winner called {:.1}%", 100.0 * called))
    };
    let mut best = (fitter.measure(&measured), fitter.weights());
    tell(0, best.0)?;
    for pass in 1..=args.passes {
        fitter.pass(&learned);
        let found = fitter.measure(&measured);
        tell(pass, found)?;
        if found.0 < best.0.0 {
            best = (found, fitter.weights());
        }
    }
    write(&best.1)?;
    Ok(ExitCode::SUCCESS)
}

/// The same order every time, which is no order of the games.
fn shuffle(samples: &mut [WeightSample]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for i in (1..samples.len()).rev() {
        samples.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
    }
}
