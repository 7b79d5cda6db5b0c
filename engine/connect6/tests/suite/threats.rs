//! Threat-space search: no false proof, and the tactics of recorded games.

use crate::common::{Plain, Random, check, game, points, rows};
use connect6_engine::tss::{Options, Solver, ThreatResult, Turns};
use connect6_engine::{Board, Color, Game, Outcome, Point, Rules};

/// Solves and, when a win is claimed, checks the whole tree.
fn solve(solver: &mut Solver, game: &Game, side: Color, turns: Turns, nodes: u64) -> ThreatResult {
    let mut board = game.board().clone();
    let before = board.key();
    let options = Options { stones: 2, turns, nodes };
    let (report, plan) = solver.solve_with_plan(&mut board, side, &options);
    assert_eq!(board.key(), before, "the board is left as it was");
    if report.result == ThreatResult::Win {
        let plan = plan.expect("a proof has a tree");
        if let Err(why) = check(&Plain::of(&board), side, &plan) {
            panic!("{side:?} {:?}: {why}", game.stones().map(|s| s.1).collect::<Vec<_>>());
        }
    }
    report.result
}

#[test]
fn recorded_tactics_are_found_and_their_trees_hold() {
    for (file, step) in [("tactics_win_in_1", 40), ("tactics_unstoppable_in_1", 40)] {
        let mut solver = Solver::new(16);
        for row in rows(&format!("data/connect6/{file}.tsv")).iter().step_by(step) {
            let game = game(&row[4]);
            let side = if row[2] == "B" { Color::Black } else { Color::White };
            assert_eq!(
                solve(&mut solver, &game, side, Turns::Doubles, 1_000_000),
                ThreatResult::Win,
                "{row:?}"
            );
        }
    }
}

/// So many positions of recorded games, and as many drawn at random, each for both sides: 150, or half
/// of what `TESUJI_PROOF_POSITIONS` says.
fn positions_asked() -> usize {
    let asked = std::env::var("TESUJI_PROOF_POSITIONS").ok().and_then(|n| n.parse().ok());
    asked.map_or(150, |n: usize| n.div_ceil(2))
}

/// Nodes for each.
const NODES: u64 = 500;

#[test]
fn no_false_proof_in_recorded_games() {
    let rows = rows("data/connect6/games.tsv");
    let mut solver = Solver::new(32);
    let mut random = Random(7);
    let (mut wins, mut positions) = (0, 0);
    let asked = positions_asked();
    for row in rows.iter().cycle().step_by(61).take(rows.len() * 4) {
        if positions == asked {
            break;
        }
        // From the middle on, where there are threats.
        let words: Vec<&str> = row[6].split_whitespace().collect();
        let length = words.len() / 3 + random.below(words.len() * 2 / 3);
        let game = game(&words[..length.min(words.len().saturating_sub(1))].join(" "));
        if game.outcome() != Outcome::Open {
            continue;
        }
        positions += 1;
        for side in Color::BOTH {
            let verdict = solve(&mut solver, &game, side, Turns::Doubles, NODES);
            wins += usize::from(verdict == ThreatResult::Win);
        }
    }
    println!("{wins} wins claimed in {positions} positions of games, each proof checked");
    // Without records there was nothing to do, and that was said.
    if !rows.is_empty() {
        assert_eq!(positions, asked);
        assert!(wins > asked / 2, "{wins}");
    }
}

#[test]
fn wins_that_need_a_single_threat_are_found_and_their_trees_hold() {
    let mut solver = Solver::new(32);
    for (side, moves) in [
        (
            Color::Black,
            "j10 j9l11 h8h7 l12m12 h9h10 h12h6 k10i10 l10f10 k12l13 j11k11 m11i13 l8g7 l7f8 j8i11 i7g11",
        ),
        (
            Color::White,
            "j10 i11k11 j11k10 i10j9 i12l9 m8h13 k8j13 h11g12 f13j15 j14m10 i14m11 h10h9 h12g9 h15k6 f10l7 \
             l6h8 h7j7 i7i6 i8m6 j6k5 l4g6 j4i3 m7h2",
        ),
    ] {
        let game = game(moves);
        let doubles = solve(&mut solver, &game, side, Turns::Doubles, 3_000);
        assert_eq!(doubles, ThreatResult::NoWin, "{moves}");
        let singles = solve(&mut solver, &game, side, Turns::Singles, 20_000);
        assert_eq!(singles, ThreatResult::Win, "{moves}");
    }
}

#[test]
fn no_false_proof_with_single_threats() {
    let mut solver = Solver::new(32);
    let rows = rows("data/connect6/games.tsv");
    let mut wins = 0;
    for row in rows.iter().skip(7).step_by(4000) {
        let words: Vec<&str> = row[6].split_whitespace().collect();
        let game = game(&words[..words.len() * 2 / 3].join(" "));
        for side in Color::BOTH {
            let verdict = solve(&mut solver, &game, side, Turns::Singles, 3_000);
            wins += usize::from(verdict == ThreatResult::Win);
        }
    }
    println!("{wins} wins claimed, each proof checked");
    assert!(rows.is_empty() || wins > 3, "{wins}");
}

#[test]
fn no_false_proof_in_random_positions() {
    let mut random = Random(99);
    let mut solver = Solver::new(1);
    let (mut wins, mut positions, mut round) = (0, 0, 0);
    let asked = positions_asked();
    while positions < asked {
        round += 1;
        // Crowded, so that there are threats; on smaller boards too, and Gomoku.
        let (side, rules) = match round % 3 {
            0 => (11, Rules::new(11, 11, 6, 2, 1).unwrap()),
            1 => (9, Rules::CONNECT6),
            _ => (9, Rules::new(13, 13, 5, 1, 1).unwrap()),
        };
        let mut game = Game::new(rules);
        for _ in 0..12 + random.below(20) {
            let point = Point::new(random.below(side), random.below(side)).unwrap();
            if game.outcome() == Outcome::Open && game.board().is_empty(point) {
                game.play(game.to_move().color, point).unwrap();
            }
        }
        if game.outcome() != Outcome::Open {
            continue;
        }
        positions += 1;
        let mut board = game.board().clone();
        let options = Options { stones: rules.p(), turns: Turns::Doubles, nodes: NODES };
        for side in Color::BOTH {
            let (report, plan) = solver.solve_with_plan(&mut board, side, &options);
            if report.result == ThreatResult::Win {
                wins += 1;
                let checked = check(&Plain::of(&board), side, &plan.expect("a tree"));
                assert_eq!(checked, Ok(()), "{rules:?} {:?}", game.stones().collect::<Vec<_>>());
            }
        }
        solver.clear();
    }
    println!("{wins} wins claimed in {positions} random positions, each proof checked");
    assert!(wins > asked / 10, "{wins}");
}

#[test]
fn a_search_that_was_cut_off_leaves_no_false_disproof() {
    let mut board = Board::new(Rules::new(8, 8, 5, 2, 1).unwrap());
    for (color, words) in [(Color::Black, "g8b7b5c2a1"), (Color::White, "c7e6a3a2d2f1")] {
        points(words).into_iter().for_each(|at| board.place(color, at));
    }
    let mut solver = Solver::new(1);
    for nodes in [300, 100_000] {
        let report = solver.solve(&mut board, Color::Black, &Options::doubles(nodes));
        let expected = if nodes == 300 { ThreatResult::Unknown } else { ThreatResult::Win };
        assert_eq!(report.result, expected, "{nodes}");
    }
}

#[test]
fn a_stone_outside_the_zone_changes_nothing() {
    let mut solver = Solver::new(16);
    let rows = rows("data/connect6/tactics_unstoppable_in_1.tsv");
    let mut tried = 0;
    for row in rows.iter().step_by(600) {
        let words: Vec<&str> = row[4].split_whitespace().collect();
        // Two turns earlier, so that the win takes several turns.
        let game = game(&words[..words.len().saturating_sub(2).max(1)].join(" "));
        let side = game.to_move().color;
        let mut board = game.board().clone();
        let options = Options::doubles(2_000);
        let report = solver.solve(&mut board, side, &options);
        if report.result != ThreatResult::Win {
            continue;
        }
        let zone = solver.zone(&mut board, side, &report, 1);
        let plan = solver.plan(&mut board, side, &options, &report).unwrap();
        for point in board.empties().filter(|p| !zone.contains(*p)).step_by(29).collect::<Vec<_>>()
        {
            let mut with = board.clone();
            with.place(!side, point);
            assert_eq!(check(&Plain::of(&with), side, &plan), Ok(()), "{row:?} {point:?}");
            tried += 1;
        }
    }
    println!("{tried} stones outside zones tried");
    assert!(rows.is_empty() || tried > 100, "{tried}");
}
