//! Whole-game searches: what they find, leave out, keep and repeat.

use tree_search::TurnFilter;

use super::{Control, Proven, Report, Search, SearchLimits, Searcher};
use crate::eval::Weights;
use crate::game::Game;
use crate::moves::Move;
use crate::notation::GameSquare;
use crate::position::Position;
use crate::solve::{self, Solver};

fn search(position: Position, visits: u64, threads: usize) -> Report<Move> {
    let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
    let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
    searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue)
}

#[test]
fn a_search_repeats_itself() {
    let first = search(Position::start(), 100, 1);
    assert_eq!(first, search(Position::start(), 100, 1));
    assert!(first.visits >= 100 && first.moves.len() > 10);
    assert!(Position::start().check(first.moves[0].mv).is_ok());
}

#[test]
fn the_network_has_its_say_where_it_is_asked() {
    let search = |visits: u32, threads: usize| {
        let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
        searcher.params.network_visits = visits;
        searcher.params.network_arrows = true;
        searcher.params.network_value = 2.0;
        let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
        let game = Game::new(Position::start());
        let first = searcher.search(&game, &limits, &mut |_| Control::Continue);
        // The tree that is kept has its opinions in it, and is searched on.
        let mut next = game.clone();
        next.play(first.moves[0].mv).expect("legal");
        let second = searcher.search(&next, &limits, &mut |_| Control::Continue);
        (first, second)
    };
    assert_eq!(search(2, 1), search(2, 1));
    assert_ne!(search(2, 1), search(0, 1));
    for found in <[Report<Move>; 2]>::from(search(1, 3)) {
        assert!(found.moves.iter().all(|c| (0.0..=1.0).contains(&c.prior)), "{found:?}");
    }
    // A smaller board is none that it knows.
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    searcher.params.network_visits = 1;
    let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
    let game = Game::new(Position::start_on(5).expect("a start"));
    let asked = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert_eq!(asked, self::search(Position::start_on(5).expect("a start"), 50, 1));
}

#[test]
fn turns_are_left_out_in_the_whole_tree() {
    let mut searcher = Searcher::new(Weights::shipped(), 2, 64);
    let game = Game::new(Position::start());
    let limits = SearchLimits { visits: Some(400), ..SearchLimits::default() };
    // Neither side moves the queens that it prefers to, and no arrow goes into the middle.
    let refused =
        |mv: Move| matches!(mv.from.column(), 3 | 6) || (3..7).contains(&mv.arrow.column());
    let accepts = |_, mv, depth| depth >= 2 || !refused(mv);
    let mut look = |_: &dyn Fn() -> Report<Move>| Control::Continue;
    let found = searcher.search_among(&game, &limits, TurnFilter::new(2, &accepts), &mut look);
    assert!(found.moves.len() > 5);
    for found in &found.moves {
        assert!(!found.line.iter().take(2).any(|&mv| refused(mv)), "{:?}", found.line);
    }
    let none = TurnFilter::new(1, &|_, _, _| false);
    assert!(searcher.search_among(&game, &limits, none, &mut look).moves.is_empty());
    // Of a turn in progress the rest is left out.
    let mut begun = game.clone();
    let [from, to] = ["d1", "d7"].map(|name| name.parse::<GameSquare>().expect("a square").0);
    begun.step(from).and_then(|()| begun.step(to)).expect("legal");
    let arrow = "g7".parse::<GameSquare>().expect("a square").0;
    let is_it = |_, mv: Move, _| mv.arrow == arrow;
    let only = TurnFilter::new(1, &is_it);
    let found = searcher.search_among(&begun, &limits, only, &mut look);
    assert_eq!(found.moves.iter().map(|m| m.mv).collect::<Vec<_>>(), [Move { from, to, arrow }]);
}

#[test]
fn a_side_that_may_not_make_its_winning_turns_has_not_lost() {
    let game = Game::new("X.O|..#|...".parse().expect("a diagram"));
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    let limits = SearchLimits { visits: Some(500), ..SearchLimits::default() };
    let mut look = |_: &dyn Fn() -> Report<Move>| Control::Continue;
    let best = searcher.search(&game, &limits, &mut look);
    assert_eq!(best.proven, Proven::Win);
    let mut left_out = Vec::new();
    // One winning turn after the other, until none is left.
    loop {
        let accepts = |_, mv: Move, _| !left_out.contains(&mv);
        let found = searcher.search_among(&game, &limits, TurnFilter::new(1, &accepts), &mut look);
        assert_ne!(found.proven, Proven::Loss);
        match found.moves.first() {
            Some(best) if found.proven == Proven::Win => {
                assert!(!left_out.contains(&best.mv));
                left_out.push(best.mv);
            }
            Some(best) => {
                assert!(!left_out.contains(&best.mv));
                break;
            }
            None => break,
        }
    }
    assert!(!left_out.is_empty());
}

#[test]
fn several_threads_keep_the_books() {
    let found = search(Position::start(), 2000, 3);
    let visits: u64 = found.moves.iter().map(|c| u64::from(c.visits)).sum();
    assert!(visits <= found.visits && visits > found.visits / 2, "{visits} {}", found.visits);
}

#[test]
fn whole_games_agree_with_the_solver() {
    // The search against itself on 4x4 from positions that the solver has decided: the winner wins.
    let mut seed = 3u64;
    for _ in 0..8 {
        let mut game = Game::new(Position::start_on(4).expect("a start"));
        for _ in 0..2 {
            let moves = game.position().moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            game.play(moves[(seed >> 33) as usize % moves.len()]).expect("legal");
        }
        let mut solver = Solver::new(16);
        let report = solver.solve(game.position(), &solve::Limits::default());
        let side = game.position().to_move();
        let winner = if report.proven == Proven::Win { side } else { side.other() };
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.params.solve_nodes = 1_000_000;
        while game.winner().is_none() {
            let limits = SearchLimits { visits: Some(300), ..SearchLimits::default() };
            let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
            game.play(found.moves[0].mv).expect("legal");
        }
        assert_eq!(game.winner(), Some(winner));
    }
}

#[test]
fn alpha_beta_finds_a_move_and_a_win() {
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    searcher.params.alpha_beta = true;
    searcher.params.solve_squares = 0;
    let limits = SearchLimits { visits: Some(3000), ..SearchLimits::default() };
    let game = Game::new(Position::start());
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert!(game.position().check(found.moves[0].mv).is_ok() && found.visits >= 3000);
    // Black's last free square is shot at.
    let game = Game::new("X.O|..#|...".parse().expect("a diagram"));
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    let proven = Solver::new(1).solve(game.position(), &solve::Limits::default()).proven;
    assert_eq!(proven, Proven::Win);
    assert_eq!(found.proven, Proven::Win, "{found:?}");
}

#[test]
fn alpha_beta_proves_nothing_by_replies_that_it_did_not_look_at() {
    let mut position: Position = "#..X|.#.#|.#.X|O.#.|O#X.".parse().expect("a diagram");
    position.set_to_move(crate::Color::Black);
    let truth = Solver::new(1).solve(&position, &solve::Limits::default()).proven;
    assert_eq!(truth, Proven::Loss);
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    searcher.params.alpha_beta = true;
    searcher.params.solve_squares = 0;
    searcher.params.alpha_beta_queens = 2;
    searcher.params.alpha_beta_arrows = 2;
    let limits = SearchLimits { visits: Some(3000), ..SearchLimits::default() };
    let found = searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue);
    assert_eq!(found.proven, Proven::Unknown, "{found:?}");
}

#[test]
fn alpha_beta_takes_no_evaluation_for_a_proof() {
    use crate::eval::{FEATURES, KNOTS};
    let weights = Weights::from_knots(vec![[-1e10; FEATURES]; KNOTS.len()]);
    let mut searcher = Searcher::new(std::sync::Arc::new(weights), 1, 64);
    searcher.params.alpha_beta = true;
    let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
    let game = Game::new(Position::start());
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert_eq!(found.proven, Proven::Unknown, "{found:?}");
}

#[test]
fn alpha_beta_tells_turns_that_go_on_what_has_begun() {
    let mut game = Game::new(Position::start());
    let GameSquare(from) = "j4".parse().expect("a square");
    game.step(from).expect("a queen");
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    searcher.params.alpha_beta = true;
    let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
    let mut told = 0;
    searcher.search(&game, &limits, &mut |report| {
        let found = report();
        assert!(found.moves.iter().all(|found| found.mv.from == from), "{found:?}");
        assert!(found.winrate > 0.0);
        told += 1;
        Control::Continue
    });
    assert!(told > 0);
}

#[test]
fn the_tree_alone_finds_proofs() {
    let position: Position = "X..O|..#.|#..X|O..#".parse().expect("a diagram");
    let report = Solver::new(16).solve(&position, &solve::Limits::default());
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    searcher.params.solve_squares = 0;
    let limits = SearchLimits { visits: Some(20_000), ..SearchLimits::default() };
    let found = searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue);
    let expected = if report.proven == Proven::Win { Proven::Win } else { Proven::Loss };
    assert_eq!(found.proven, expected, "{found:?}");
}

#[test]
fn a_full_tree_is_searched_on_and_kept() {
    let mut searcher = Searcher::new(Weights::shipped(), 2, 4);
    let mut game = Game::new(Position::start());
    let limits = SearchLimits { visits: Some(40_000), ..SearchLimits::default() };
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    // Without a limit there would be a node for each visit.
    assert!(found.visits >= 40_000 && found.nodes < 38_000, "{}", found.nodes);
    game.play(found.moves[0].mv).expect("legal");
    let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
    let kept = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert!(kept.visits > 50 && kept.nodes <= found.nodes);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    let mut game = Game::new(Position::start());
    let limits = SearchLimits { visits: Some(60_000), ..SearchLimits::default() };
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    let line = &found.moves[0].line;
    assert!(line.len() >= 2);
    game.play(line[0]).expect("legal");
    game.play(line[1]).expect("legal");
    let none = SearchLimits { visits: Some(0), ..SearchLimits::default() };
    let kept = searcher.search(&game, &none, &mut |_| Control::Continue);
    assert!(kept.visits > 2, "{}", kept.visits);
}

#[test]
fn a_turn_in_progress_is_finished() {
    let mut game = Game::new(Position::start());
    let from = crate::Square::new(3, 0).expect("a square");
    game.step(from).expect("a queen");
    let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
    let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert!(found.moves.iter().all(|choice| choice.mv.from == from));
    let to = crate::Square::new(3, 1).expect("a square");
    game.step(to).expect("legal");
    let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert!(found.moves.iter().all(|choice| (choice.mv.from, choice.mv.to) == (from, to)));
}
