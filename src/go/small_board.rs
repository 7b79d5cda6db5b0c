//! Boards of up to 5x5 points, where a solver finds what playouts do not see.

use std::time::Instant;

use game_core::Proven;
use go_engine::Game;
use go_engine::search::Report;
use go_engine::small::{self, Solution};

use crate::session::{Filter, Purpose, Query};

/// Positions that the solver looks at for each playout that the search would make.
const NODES_A_PLAYOUT: u64 = 500;
/// Share of a move's time that it may take.
const SHARE: f64 = 0.5;

/// What is known of the position, if the solver finds it out: within a share of the query's time, or as many positions as
/// its playouts are worth.
pub(super) fn solve(query: &Query<Game>, playouts: Option<u64>) -> Option<Solution> {
    let is_asked = matches!(query.purpose, Purpose::Play | Purpose::Regression);
    if !is_asked || *query.filter != Filter::default() || !small::is_small(query.game) {
        return None;
    }
    let end = query.deadlines.map(|deadlines| deadlines.part(SHARE).soft);
    let nodes = playouts.map_or(u64::MAX, |playouts| playouts.saturating_mul(NODES_A_PLAYOUT));
    let stop = || (query.stop)() || end.is_some_and(|end| Instant::now() >= end);
    small::solve(query.game, query.color, nodes, &stop)
}

/// Puts the solver's move first in what the search found, if it wins; whether it does.
pub(super) fn put_first(report: &mut Report, game: &Game, solution: Solution) -> bool {
    let compensation = game.compensation();
    let komi = match report.to_move {
        go_engine::Color::Black => compensation,
        go_engine::Color::White => -compensation,
    };
    let wins = solution.at_least.is_some_and(|points| f64::from(points) > komi);
    let Some(at) = report.moves.iter().position(|found| found.mv == solution.mv).filter(|_| wins)
    else {
        return false;
    };
    report.moves[..=at].rotate_right(1);
    let best = &mut report.moves[0];
    (best.winrate, best.lower_bound, best.proven) = (1.0, 1.0, Proven::Win);
    report.winrate = 1.0;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::search::{Limits, Options, Search};
    use go_engine::{Color, Move};

    #[test]
    fn what_wins_is_put_first() {
        let mut game = Game::new(3, 3).unwrap();
        game.set_komi(8.5);
        let mut search = Search::handcrafted(Options::default());
        let mut report = search.search(&game, Color::Black, &Limits::playouts(50), None);
        let solution = |at_least| Solution {
            mv: Move::Play("B2".parse().unwrap()),
            at_least: Some(at_least),
            at_most: None,
        };
        assert!(!put_first(&mut report, &game, solution(8)));
        assert!(put_first(&mut report, &game, solution(9)));
        let best = report.best().unwrap();
        assert_eq!((best.mv.to_string().as_str(), best.proven), ("B2", Proven::Win));
    }
}
