//! Boards of up to 5x5 points, where a solver finds what playouts do not see.

use std::time::Instant;

use game_core::Proven;
use go_engine::score::Statuses;
use go_engine::search::Report;
use go_engine::small::{self, Solver};
use go_engine::{Color, Game, Move};

use crate::session::{Filter, Purpose, Query};

/// Positions that the solver looks at for each playout that the search would make.
const NODES_A_PLAYOUT: u64 = 1000;
/// Share of a move's time that it may take.
const SHARE: f64 = 0.5;

/// Playouts that a search makes beside a move that is known to win, to tell more of the position.
pub(super) const PLAYOUTS: u64 = 200;

/// Positions that it looks at for each side to see whether the stones of a game that is over stand.
const NODES_AT_END: u64 = 300_000;

/// A move and the result that it is known to bring the mover at least: a win, or a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SolvedMove {
    pub mv: Move,
    pub is_won: bool,
}

/// A move that wins, if the solver finds one, or draws where none wins: within a share of the query's time, or as many
/// positions as its playouts are worth.
pub(super) fn solve(
    solver: &mut Solver,
    query: &Query<Game>,
    playouts: Option<u64>,
) -> Option<SolvedMove> {
    let is_asked = matches!(query.purpose, Purpose::Play | Purpose::Regression);
    if !is_asked || *query.filter != Filter::default() || !small::is_small(query.game) {
        return None;
    }
    let end = query.deadlines.map(|deadlines| deadlines.part(SHARE).soft);
    let nodes = playouts.map_or(u64::MAX, |playouts| playouts.saturating_mul(NODES_A_PLAYOUT));
    let stop = || (query.stop)() || end.is_some_and(|end| Instant::now() >= end);
    let solution = solver.solve(query.game, query.color, nodes, &stop)?;
    let compensation = query.game.compensation();
    let komi = if query.color == Color::Black { compensation } else { -compensation };
    let points = f64::from(solution.at_least?);
    (points >= komi).then_some(SolvedMove { mv: solution.mv, is_won: points > komi })
}

/// Whether the stones of a game that is over stand as they are: neither side gets more than the board shows by moving on.
pub(super) fn stands(game: &Game, stop: &dyn Fn() -> bool) -> bool {
    let margin = game.count(&Statuses::all_alive()) + game.compensation();
    let mut even = game.clone();
    even.set_komi(game.komi() + margin - game.compensation());
    small::is_small(game)
        && Color::BOTH.into_iter().all(|color| {
            let max_points = if color == Color::Black { margin } else { -margin };
            let solution = Solver::default().solve(&even, color, NODES_AT_END, stop);
            let at_most = solution.and_then(|solution| solution.at_most);
            at_most.is_some_and(|points| f64::from(points) <= max_points)
        })
}

/// Puts a move whose result is known first in what the search found; where that looked at an equal one on the other side of
/// the board instead, in its place.
pub(super) fn put_first(report: &mut Report, known: SolvedMove) {
    match report.moves.iter().position(|found| found.mv == known.mv) {
        Some(at) => report.moves[..=at].rotate_right(1),
        None => {
            let Some(best) = report.moves.first_mut() else { return };
            best.mv = known.mv;
            best.variation = vec![known.mv];
            best.variation_visits.truncate(1);
        }
    }
    let best = &mut report.moves[0];
    if known.is_won {
        (best.winrate, best.lower_bound, best.proven) = (1.0, 1.0, Proven::Win);
        report.winrate = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::search::{Limits, Options, Search};

    #[test]
    fn what_wins_is_put_first() {
        let game = Game::new(3, 3).unwrap();
        let mut search = Search::handcrafted(Options::default());
        let mut report = search.search(&game, Color::Black, &Limits::playouts(50), None);
        let winning = Move::Play("B1".parse().unwrap());
        put_first(&mut report, SolvedMove { mv: winning, is_won: true });
        let best = report.best().unwrap();
        assert_eq!((best.mv, best.proven, report.winrate), (winning, Proven::Win, 1.0));
    }
}
