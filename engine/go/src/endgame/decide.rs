//! What to do with what a search found: play, pass or resign.

use super::status::{SURE, is_settled, statuses};
use crate::score::Statuses;
use crate::search::Report;
use crate::{Color, Game, Move, Point};

/// How the engine behaves at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndgamePolicy {
    /// Resigns when its chance of winning is below this, 0 to never resign.
    pub resign_below: f32,
    /// Below this number of visits nobody resigns.
    pub min_visits: u32,
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

/// A point's, when the engine thinks of passing first.
const SURE_POINT: f32 = 0.85;
/// A move that takes dead stones off may cost this much of the chance of winning.
const MAX_COST: f32 = 0.1;
/// A settled game is as good as lost below this chance of winning.
const HOPELESS: f32 = 0.01;

/// The decision of `color`, for whom `report` was made.
///
/// What a report knows rests on `color` moving now: a group that is to be killed looks dead in it,
/// and one that is to be saved alive. So before a pass that the search itself did not choose,
/// `re_search` is asked about the position after it, with the opponent to move.
pub fn decide(
    game: &Game,
    color: Color,
    report: &Report,
    policy: EndgamePolicy,
    re_search: &mut dyn FnMut(&Game, Color) -> Report,
) -> Decision {
    let Some(best) = report.best() else { return Decision::Play(Move::Pass) };
    let mut stands_after_pass = || {
        let mut passed = game.clone();
        if passed.play(color, Move::Pass).is_err() {
            return false;
        }
        let report = re_search(&passed, color.other());
        let found = statuses(&passed, &report);
        is_settled(&passed, &report.ownership, SURE) && for_color(passed.score(&found), color) > 0.0
    };
    let found = statuses(game, report);
    // Without agreement about the dead, and in a clean-up, what is dead has to be taken off.
    let must_take = policy.cleanup || !game.rules().friendly_pass_ok;
    let has_dead = found.dead.iter().any(|&p| game.board().stone(p) != Some(color));
    let settled = is_settled(game, &report.ownership, SURE);
    let done = settled && no_dame_left(game, report);
    let opponent_passed =
        game.last().is_some_and(|last| last.mv == Move::Pass && last.color != color);

    // In a clean-up the game is over: only the stones are still to be taken off.
    let resigns = !policy.cleanup
        && policy.resign_below > 0.0
        && report.visits >= policy.min_visits
        && best.winrate < policy.resign_below
        && game.board().stones().count() >= game.board().area() / 8;

    let counted = if must_take { Statuses::all_alive() } else { found.clone() };
    let won = for_color(game.score(&counted), color) > 0.0;
    if settled
        && won
        && (opponent_passed || done)
        && !(policy.cleanup && has_dead)
        && (best.mv == Move::Pass || stands_after_pass())
    {
        return Decision::Play(Move::Pass);
    }
    // A lost game in which nothing is open any more ends when the opponent passes.
    if settled && !won && opponent_passed && !policy.cleanup && best.winrate < HOPELESS && !resigns
    {
        return Decision::Play(Move::Pass);
    }
    if must_take
        && has_dead
        && (policy.cleanup || done)
        && let Some(mv) = capture_dead_move(game, color, report, &found)
    {
        return Decision::Play(mv);
    }
    if policy.cleanup && settled && !has_dead {
        return Decision::Play(Move::Pass);
    }
    if resigns {
        return Decision::Resign;
    }
    Decision::Play(best.mv)
}

fn for_color(score: f64, color: Color) -> f64 {
    match color {
        Color::Black => score,
        Color::White => -score,
    }
}

/// Whether every empty point is surely somebody's, so that no move gains anything. Under territory
/// scoring neutral points gain nothing either, but a player who stops early may be answered there;
/// so they are only left when the opponent has passed.
fn no_dame_left(game: &Game, report: &Report) -> bool {
    game.board()
        .points()
        .zip(&report.ownership)
        .all(|(point, owner)| !game.board().is_empty(point) || owner.abs() >= SURE_POINT)
}

/// The move that does most to take dead stones of the opponent's off: a liberty of such a chain,
/// of the chain with the fewest, that hardly costs anything.
fn capture_dead_move(game: &Game, color: Color, report: &Report, found: &Statuses) -> Option<Move> {
    let board = game.board();
    let best = report.best()?;
    let liberties = |stone: Point| -> Vec<Point> {
        let chain = board.chain(stone);
        let beside = chain.iter().flat_map(|&p| board.neighbours(p));
        let mut points: Vec<Point> = beside.filter(|&p| board.is_empty(p)).collect();
        points.sort();
        points.dedup();
        points
    };
    let mut targets: Vec<Vec<Point>> = found
        .dead
        .iter()
        .filter(|&&stone| board.stone(stone) == Some(color.other()))
        .map(|&stone| liberties(stone))
        .collect();
    targets.sort_by_key(Vec::len);
    let cost = |point: Point| {
        let tried = report.moves.iter().find(|m| m.mv == Move::Play(point) && m.visits > 0)?;
        Some(best.winrate - tried.winrate).filter(|&cost| cost < MAX_COST)
    };
    targets.into_iter().find_map(|points| {
        let costs = points.into_iter().filter_map(|point| Some((point, cost(point)?)));
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| Move::Play(point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Options, Search};

    const POLICY: EndgamePolicy =
        EndgamePolicy { resign_below: 0.05, min_visits: 100, cleanup: false };

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

    fn re_search(game: &Game, color: Color) -> Report {
        Search::handcrafted(Options::default()).search(game, color, &Limits::playouts(500), None)
    }

    fn decision(game: &Game, color: Color) -> Decision {
        with_policy(game, color, POLICY)
    }

    fn with_policy(game: &Game, color: Color, policy: EndgamePolicy) -> Decision {
        let mut search = Search::handcrafted(Options::default());
        let report = search.search(game, color, &Limits::playouts(500), None);
        decide(game, color, &report, policy, &mut re_search)
    }

    #[test]
    fn passes_when_all_is_settled_and_won_and_resigns_when_lost() {
        let rows = [".X.XO.O.O", "XXXXO.OOO", ".X.XOOOO.", "XXXXO.O.O", ".XXXOOOOO"];
        let mut won = game(&rows, -7.5);
        won.play(Color::White, Move::Pass).unwrap();
        assert_eq!(decision(&won, Color::Black), Decision::Play(Move::Pass));
        let mut lost = game(&rows, 30.5);
        assert_eq!(decision(&lost, Color::Black), Decision::Resign);
        // Who may not resign does not play on for ever in what is the opponent's.
        lost.play(Color::White, Move::Pass).unwrap();
        let never = EndgamePolicy { resign_below: 0.0, ..POLICY };
        assert_eq!(with_policy(&lost, Color::Black, never), Decision::Play(Move::Pass));
    }

    #[test]
    fn counts_dead_stones_as_dead() {
        // White's three stones at the left are dead; White passes, and Black need not take them.
        let rows = ["OO.XO.O.O", ".XXXO.OOO", "OX.XOOOO.", "XXXXO.O.O", ".XXXOOOOO"];
        let mut game = game(&rows, -6.5);
        game.set_rules(crate::Rules::CHINESE);
        game.play(Color::White, Move::Pass).unwrap();
        let mut search = Search::handcrafted(Options::default());
        let report = search.search(&game, Color::Black, &Limits::playouts(1000), None);
        let found = statuses(&game, &report);
        assert_eq!(found.dead.len(), 3, "{:?}", found.dead);
        let decision = decide(&game, Color::Black, &report, POLICY, &mut re_search);
        assert_eq!(decision, Decision::Play(Move::Pass));
    }
    #[test]
    fn takes_dead_stones_off_where_nobody_agrees_on_them() {
        let rows = ["OO.XO.O.O", ".XXXO.OOO", "OX.XOOOO.", "XXXXO.O.O", ".XXXOOOOO"];
        let mut game = game(&rows, -6.5);
        let cleanup = EndgamePolicy { cleanup: true, ..POLICY };
        for (rules, policy) in
            [(crate::Rules::CHINESE, cleanup), (crate::Rules::TROMP_TAYLOR, POLICY)]
        {
            game.set_rules(rules);
            let mut game = game.clone();
            // Black has won only once the stones are gone; the clean-up is lost either way.
            game.set_komi(if policy.cleanup { 30.5 } else { -6.5 });
            let mut taken = 0;
            for _ in 0..6 {
                game.play(Color::White, Move::Pass).unwrap();
                match with_policy(&game, Color::Black, policy) {
                    Decision::Play(Move::Pass) => break,
                    Decision::Play(mv) => game.play(Color::Black, mv).unwrap(),
                    Decision::Resign => panic!("resigned under {rules} rules"),
                }
                taken = game.captured(Color::White);
            }
            assert!(taken >= 2, "{taken} taken under {rules} rules: {:?}", game.board());
        }
    }

    #[test]
    fn does_not_pass_while_a_group_is_still_to_be_killed_or_saved() {
        let rows = ["OOOOOOO", ".......", "OOOOOOO", "......O", "OOOOO.O", "XXXXO.O", "...XO.O"];
        let mut game = game(&rows, -41.0);
        game.set_rules(crate::Rules::CHINESE);
        for color in Color::BOTH {
            let mut game = game.clone();
            game.play(color.other(), Move::Pass).unwrap();
            let vital = Move::Play(Point::new(1, 0));
            assert_eq!(decision(&game, color), Decision::Play(vital), "{color}");
        }
    }
}
