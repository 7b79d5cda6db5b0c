//! `tesuji estimate --fit`: constants of the published models that fit finished games best.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use go_engine::Color;
use go_influence::{Model, Stones};
use rayon::prelude::*;

use super::counted::{Counted, collect, tell};
use super::evaluate::{Sums, measure, moves};
use crate::go::train::games::Part;
use crate::go::train::progress::Bar;

/// Games that constants are fitted to.
const FITTED: usize = 400;

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
