//! Moves that defend a dragon in danger, and moves that attack it.

use super::InfluenceModel;
use super::dragons::{Dragon, Dragons};
use go_engine::game::AnyBoard;
use go_engine::{Color, Point};

/// Dragons below this safety are in danger.
const IN_DANGER: u8 = 52;
/// Dragons below this safety are past help.
const PAST_HELP: u8 = 8;
/// A move has to change a dragon's safety at least so much.
const MIN_GAIN: i32 = 3;
/// Moves that are told at most, and points that are tried at most.
const MAX_MOVES: usize = 3;
const TRIED: usize = 48;

/// A move for or against a dragon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Urgent {
    /// Where.
    pub point: Point,
    /// The dragon's safety afterwards, from 0 to 64.
    pub safety: u8,
}

/// Whether a dragon is neither safe nor lost.
pub fn is_in_danger(dragon: &Dragon) -> bool {
    (PAST_HELP..IN_DANGER).contains(&dragon.safety)
}

/// The moves of `color` that change a dragon's safety most in its favour, the best first: up for
/// its owner, down for the opponent. Each is looked at one move deep, with the model.
pub fn urgent(
    board: &AnyBoard,
    model: &dyn InfluenceModel,
    dragon: &Dragon,
    color: Color,
) -> Vec<Urgent> {
    let sign = if color == dragon.color { 1 } else { -1 };
    let safety = |board: &AnyBoard| {
        let dragons = Dragons::estimate(board, model, color.other());
        // What was captured is dead; of what was cut apart the largest part counts.
        let parts = dragon.stones.iter().filter_map(|&stone| dragons.at(stone));
        let largest = parts.filter(|part| part.color == dragon.color).max_by_key(|part| {
            part.stones.iter().filter(|stone| dragon.stones.contains(stone)).count()
        });
        largest.map_or(0, |part| part.safety)
    };
    let unmoved = i32::from(safety(board));
    let mut moves: Vec<(i32, Urgent)> = candidates(board, dragon, color)
        .into_iter()
        .map(|point| {
            let mut after = board.clone();
            after.play(point, color);
            let safety = safety(&after);
            (sign * (i32::from(safety) - unmoved), Urgent { point, safety })
        })
        .filter(|&(gain, _)| gain >= MIN_GAIN)
        .collect();
    moves.sort_by_key(|&(gain, urgent)| (-gain, urgent.point));
    moves.truncate(MAX_MOVES);
    moves.into_iter().map(|(_, urgent)| urgent).collect()
}

/// Legal moves at most two steps from the dragon's stones, its liberties first.
fn candidates(board: &AnyBoard, dragon: &Dragon, color: Color) -> Vec<Point> {
    let mut points = dragon.liberties.clone();
    let further = dragon.liberties.iter().flat_map(|&p| board.neighbours(p));
    let mut further: Vec<Point> = further.filter(|&p| board.is_empty(p)).collect();
    further.sort_unstable();
    further.dedup();
    further.retain(|point| dragon.liberties.binary_search(point).is_err());
    points.extend(further);
    points.retain(|&p| board.ko() != Some(p) && !board.is_suicide(p, color));
    points.truncate(TRIED);
    points
}
