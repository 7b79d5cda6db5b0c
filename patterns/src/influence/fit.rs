//! Constants of the published models that fit finished games best.

use go_engine::Color;
use go_influence::{Model, Stones};

use super::Counted;
use super::estimator::TerritoryEstimate;
use super::measure::{Sums, in_order, measure, moves};
use crate::progress::Progress;

/// Fits the constants of a model: those that call most points right, and among equals those that
/// expect the owners with the smallest squared error. Gives what it came to before and after; `None` when it was told to
/// stop.
pub fn fit(
    model: &mut Model,
    games: &[Counted],
    progress: &dyn Progress,
) -> Option<[Objective; 2]> {
    let positions: Vec<Position> = games
        .iter()
        .flat_map(|game| {
            let moves = moves(game.moves.side);
            moves.into_iter().filter_map(move |moves| Position::of(game, moves))
        })
        .collect();
    let mut best = objective(model, &positions);
    let before = best;
    let places = model.constants().map_or(0, |constants| constants.table().len());
    loop {
        let mut better = false;
        for place in 0..places {
            better |= improve(model, place, &positions, &mut best, progress);
        }
        if progress.stopped() {
            return None;
        }
        if !better {
            return Some([before, best]);
        }
    }
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

/// What is made large: the share of points called right, then the negative squared error.
pub type Objective = (f64, f64);

fn objective(model: &Model, positions: &[Position]) -> Objective {
    let of_position = |position: &Position| {
        let influence = model.spread(&position.stones, position.to_play);
        measure(position.game, &TerritoryEstimate::of_influence(&influence))
    };
    let sums = in_order(positions, Sums::default, of_position, Sums::plus);
    (sums.right(), -sums.squared())
}

/// Tries other values of a constant, in steps that double while they help.
fn improve(
    model: &mut Model,
    place: usize,
    positions: &[Position],
    best: &mut Objective,
    progress: &dyn Progress,
) -> bool {
    let mut better = false;
    let Some((value, limits)) =
        model.constants().map(|constants| (constants.value(place), constants.table()[place]))
    else {
        return false;
    };
    let mut value = value;
    for sign in [1, -1] {
        let mut step = (value / 16).max(1);
        while !progress.stopped() {
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
