//! What to do with what a search found: play, pass or resign.

use super::status::{is_settled, statuses};
use crate::rules::Scoring;
use crate::score::Statuses;
use crate::search::{MoveReport, Report};
use crate::{Color, Game, Move};

/// How the engine behaves at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manners {
    /// Resigns when its chance of winning is below this, 0 to never resign.
    pub resign_below: f32,
    /// Passes only when nothing dead is left on the board, whatever the rules say.
    pub cleanup: bool,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Make this move.
    Play(Move),
    /// Give the game up.
    Resign,
}

/// A chain's fate counts as known from this mean ownership on.
const SURE: f32 = 0.75;
/// A point's, when the engine thinks of passing first.
const SURE_POINT: f32 = 0.85;
/// Below this number of visits nobody resigns.
const FEWEST_TO_RESIGN: u32 = 100;

/// The decision of `color`, for whom `report` was made.
pub fn decide(game: &Game, color: Color, report: &Report, manners: Manners) -> Decision {
    let Some(best) = report.best() else { return Decision::Play(Move::Pass) };
    if may_pass(game, color, report, manners) {
        return Decision::Play(Move::Pass);
    }
    if manners.resign_below > 0.0
        && report.visits >= FEWEST_TO_RESIGN
        && best.winrate < manners.resign_below
        && game.board().stones().count() >= game.board().area() / 8
    {
        return Decision::Resign;
    }
    if best.mv == Move::Pass && !is_sound_pass(game, color, report, manners) {
        let other = report.moves.iter().find(|m| m.mv != Move::Pass && is_worth_a_try(m, best));
        if let Some(other) = other {
            return Decision::Play(other.mv);
        }
    }
    Decision::Play(best.mv)
}

/// Whether the engine passes of its own accord: the count is won as it stands.
fn may_pass(game: &Game, color: Color, report: &Report, manners: Manners) -> bool {
    let opponent_passed =
        game.last().is_some_and(|last| last.mv == Move::Pass && last.color != color);
    let settled = is_settled(game, &report.ownership, SURE);
    if !settled || lead(game, color, report, manners) <= 0.0 {
        return false;
    }
    opponent_passed || nothing_left(game, report)
}

/// Whether every empty point is surely somebody's, so that no move gains anything. Under territory
/// scoring neutral points gain nothing either, but a player who stops early may be answered there;
/// so they are only left when the opponent has passed.
fn nothing_left(game: &Game, report: &Report) -> bool {
    game.board()
        .points()
        .zip(&report.ownership)
        .all(|(point, owner)| !game.board().is_empty(point) || owner.abs() >= SURE_POINT)
}

/// By how much `color` leads if the game ends here.
fn lead(game: &Game, color: Color, report: &Report, manners: Manners) -> f64 {
    let found = statuses(game, &report.ownership);
    let counted = if !game.rules().agreement || manners.cleanup {
        // What is dead has to be gone.
        if game.rules().scoring == Scoring::Area || found.dead.is_empty() {
            Statuses::all_alive()
        } else {
            return f64::NEG_INFINITY;
        }
    } else {
        found.clone()
    };
    if manners.cleanup && found.dead.iter().any(|&p| game.board().stone(p) != Some(color)) {
        return f64::NEG_INFINITY;
    }
    let score = game.score(&counted);
    match color {
        Color::Black => score,
        Color::White => -score,
    }
}

/// Whether a pass that the search likes is one: it reckons with all stones alive, as if nobody
/// agreed on anything, so a pass is sound when that count is won, or when all is lost anyway.
fn is_sound_pass(game: &Game, color: Color, report: &Report, manners: Manners) -> bool {
    if manners.cleanup {
        return lead(game, color, report, manners) > f64::NEG_INFINITY;
    }
    true
}

/// Whether another move may stand in for the best one: not much worse.
fn is_worth_a_try(other: &MoveReport, best: &MoveReport) -> bool {
    other.visits > 0 && other.winrate > best.winrate - 0.2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Options, Search};

    const MANNERS: Manners = Manners { resign_below: 0.05, cleanup: false };

    fn game(rows: &[&str], komi: f64) -> Game {
        let mut game = Game::new(rows[0].len() as u8, rows.len() as u8).unwrap();
        game.set_komi(komi);
        let stones = rows.iter().rev().enumerate().flat_map(|(row, text)| {
            text.chars().enumerate().filter_map(move |(col, sign)| {
                let color = match sign {
                    'X' => Color::Black,
                    'O' => Color::White,
                    _ => return None,
                };
                Some((crate::Point::new(col as u8, row as u8), Some(color)))
            })
        });
        game.set_up(stones.collect::<Vec<_>>()).unwrap();
        game
    }

    fn decision(game: &Game, color: Color) -> Decision {
        let mut search = Search::plain(Options::default());
        let report = search.think(game, color, &Limits::playouts(500), None);
        decide(game, color, &report, MANNERS)
    }

    #[test]
    fn passes_when_all_is_settled_and_won_and_resigns_when_lost() {
        let rows = [".X.XO.O.O", "XXXXO.OOO", ".X.XOOOO.", "XXXXO.O.O", ".XXXOOOOO"];
        let mut won = game(&rows, -7.5);
        won.play(Color::White, Move::Pass).unwrap();
        assert_eq!(decision(&won, Color::Black), Decision::Play(Move::Pass));
        let lost = game(&rows, 30.5);
        assert_eq!(decision(&lost, Color::Black), Decision::Resign);
    }

    #[test]
    fn counts_dead_stones_as_dead() {
        // White's three stones at the left are dead; White passes, and Black need not take them.
        let rows = ["OO.XO.O.O", ".XXXO.OOO", "OX.XOOOO.", "XXXXO.O.O", ".XXXOOOOO"];
        let mut game = game(&rows, -6.5);
        game.set_rules(crate::Rules::CHINESE);
        game.play(Color::White, Move::Pass).unwrap();
        let mut search = Search::plain(Options::default());
        let report = search.think(&game, Color::Black, &Limits::playouts(1000), None);
        let found = statuses(&game, &report.ownership);
        assert_eq!(found.dead.len(), 3, "{:?}", found.dead);
        assert_eq!(decide(&game, Color::Black, &report, MANNERS), Decision::Play(Move::Pass));
    }
}
