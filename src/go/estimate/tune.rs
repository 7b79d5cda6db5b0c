//! `tesuji estimate --tune`: the tuned model learned anew; `--fit`: the constants of the others.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use go_engine::Color;
use go_engine::rng::Rng;
use go_influence::tuned::{NUMBERS, View};
use go_influence::{Model, Stones};
use go_patterns::influence::{Example, Settings, learn, to_bytes};
use rayon::prelude::*;

use super::counted::{Counted, collect, tell};
use super::evaluate::{Sums, measure, moves};
use crate::files;
use crate::go::train::games::Part;
use crate::go::train::progress::Bar;

/// Positions learned from each game.
const POSITIONS: usize = 8;
/// Half of them from the first moves, where the owners are hardest to tell.
const EARLY: u32 = 80;
/// Games that constants are fitted to.
const FITTED: usize = 400;

/// Runs `tesuji estimate --tune`.
///
/// # Errors
/// When records cannot be read or the model cannot be written.
pub fn tune(paths: &[PathBuf], size: u8, games: Option<usize>, out: &Path) -> Result<ExitCode> {
    let started = Instant::now();
    let bar = Bar::new();
    let ended = collect(paths, size, Part::Learned, games, &bar)?;
    tell(&ended, &bar);
    let examples: Vec<Example> = ended.games.par_iter().flat_map_iter(examples).collect();
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
        eprintln!("tesuji: interrupted; nothing was written");
        return Ok(ExitCode::from(130));
    };
    let bytes = to_bytes(&numbers);
    files::replace(out, &bytes).with_context(|| format!("cannot write {}", out.display()))?;
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

/// Runs `tesuji estimate --fit`: for each model with constants, those that call most points right, and
/// among equals those that expect the owners with the smallest squared error.
///
/// # Errors
/// When records cannot be read.
pub fn fit(paths: &[PathBuf], size: u8, games: Option<usize>) -> Result<ExitCode> {
    let bar = Bar::new();
    let ended = collect(paths, size, Part::Learned, Some(games.unwrap_or(FITTED)), &bar)?;
    tell(&ended, &bar);
    let positions: Vec<Position> = ended
        .games
        .iter()
        .flat_map(|game| moves(size).into_iter().filter_map(move |moves| Position::of(game, moves)))
        .collect();
    for mut model in Model::all() {
        let mut best = objective(&model, &positions);
        let before = best;
        loop {
            let mut better = false;
            let places = model.constants().map_or(0, |constants| constants.table().len());
            for place in 0..places {
                better |= improve(&mut model, place, &positions, &mut best);
            }
            if !better {
                break;
            }
        }
        println!("{:8} {} -> {}", model.name(), shown(before), shown(best));
        let Some(constants) = model.constants() else { continue };
        let values = constants.table().iter().enumerate();
        for (place, constant) in values {
            println!("    {} = {}", constant.name, constants.value(place));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A position, with the game it is of.
struct Position<'g> {
    game: &'g Counted,
    stones: Stones,
    to_play: Color,
}

impl<'g> Position<'g> {
    fn of(game: &'g Counted, moves: usize) -> Option<Position<'g>> {
        let position = game.after(moves)?;
        let stones = Stones::of_game(position.board());
        Some(Position { game, stones, to_play: position.to_play() })
    }
}

/// What is to be made large: the share of points called right, then the negative squared error.
type Objective = (f64, f64);

fn objective(model: &Model, positions: &[Position]) -> Objective {
    let sums = positions
        .par_iter()
        .map(|position| {
            let influence = model.spread(&position.stones, position.to_play);
            measure(position.game, &influence.ownerships(), &influence.leanings())
        })
        .reduce(Sums::default, Sums::plus);
    (sums.right(), -sums.squared())
}

fn shown((right, error): Objective) -> String {
    format!("{:.2}% right, squared error {:.3}", 100.0 * right, -error)
}

/// Tries other values of a constant, in steps that double while they help.
fn improve(model: &mut Model, place: usize, positions: &[Position], best: &mut Objective) -> bool {
    let mut better = false;
    let Some((value, limits)) =
        model.constants().map(|constants| (constants.value(place), constants.table()[place]))
    else {
        return false;
    };
    let mut value = value;
    for sign in [1, -1] {
        let mut step = (value / 16).max(1);
        loop {
            let tried = (value + sign * step).clamp(limits.min, limits.max);
            let mut other = model.clone();
            if let Some(constants) = other.constants_mut() {
                constants.put(place, tried);
            }
            let tried_objective = objective(&other, positions);
            if tried == value || tried_objective <= *best {
                break;
            }
            (*model, *best, value, better) = (other, tried_objective, tried, true);
            step *= 2;
        }
    }
    better
}
