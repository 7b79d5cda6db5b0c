//! Moves that are the same when the board is turned or mirrored: one of each set is searched, with what is expected of all.

use super::worker::Play;
use go_engine::Point;
use go_engine::board::{Board, Site, SiteSet};
use go_engine::search::Symmetries;
use tree_search::puct::Choice;

/// Leaves one of each set of equal moves in a list, the most likely first.
pub(super) fn merge_twins<const N: usize, const W: usize>(
    board: &Board<N, W>,
    choices: &mut Vec<Choice<Play>>,
) {
    let symmetries = Symmetries::of(board);
    if symmetries.is_empty() {
        return;
    }
    let mut there = SiteSet::<W>::EMPTY;
    for choice in choices.iter().filter(|choice| !choice.mv.0.is_pass()) {
        there.insert(Board::<N, W>::bit(choice.mv.0));
    }
    let is_there =
        |point: Point| board.site(point).is_some_and(|s| there.contains(Board::<N, W>::bit(s)));
    let mut merged: Vec<Choice<Play>> = Vec::new();
    for choice in choices.drain(..) {
        let site = choice.mv.0;
        let chosen = match site.is_pass() {
            true => site,
            false => board.site(symmetries.chosen(board.point(site), is_there)).unwrap_or(site),
        };
        match merged.iter_mut().find(|known| known.mv.0 == chosen) {
            Some(known) => known.estimate += choice.estimate,
            None => merged.push(Choice { mv: Play(chosen), ..choice }),
        }
    }
    merged.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
    *choices = merged;
}

/// Whether equal moves are among those of a position that was met where that was not looked for.
pub(super) fn has_twins<const N: usize, const W: usize>(
    board: &Board<N, W>,
    moves: impl Iterator<Item = Site>,
) -> bool {
    let symmetries = Symmetries::of(board);
    if symmetries.is_empty() {
        return false;
    }
    let points: Vec<Point> =
        moves.filter(|site| !site.is_pass()).map(|site| board.point(site)).collect();
    points.iter().any(|&point| symmetries.twins(point).any(|twin| points.contains(&twin)))
}
