//! The search with a network: on networks of random weights what holds for any, on a published one what it finds.

use crate::common::{networks, random_network};
use go_engine::rng::Rng;
use go_engine::search::{Avoided, Limits, Report};
use go_engine::{Color, Game, Move, Point, Rules};
use go_network::{
    Network, NetworkFile, NetworkOptions, NetworkParams, NetworkSearch, Symmetry, evaluate_game,
};
use std::sync::Arc;

fn published() -> Option<Arc<Network>> {
    let file = networks()?.join("g170-b6c96-s175395328-d26788732.bin.gz");
    Some(Arc::new(Network::with_best_kernels(&NetworkFile::open(&file).ok()?)))
}

fn options(threads: usize) -> NetworkOptions {
    NetworkOptions { threads, max_memory: 32 << 20, seed: 7, params: NetworkParams::default() }
}

fn visits(n: u64) -> Limits {
    Limits { stop_early: false, ..Limits::playouts(n) }
}

fn game(columns: u8, rows: u8, rules: Rules) -> Game {
    let mut game = Game::new(columns, rows).unwrap();
    game.set_rules(rules);
    game.set_komi(7.0);
    game
}

/// What of a report does not depend on time.
fn told(report: &Report) -> Vec<(Move, u32, u32, Vec<Move>)> {
    let moves = report.moves.iter();
    moves.map(|m| (m.mv, m.visits, m.winrate.to_bits(), m.variation.clone())).collect()
}

fn point(name: &str) -> Move {
    Move::Play(name.parse().unwrap())
}

#[test]
fn a_search_repeats_itself_and_keeps_its_limits() {
    let network = random_network();
    let game = game(7, 9, Rules::CHINESE);
    let search = |options: NetworkOptions| {
        NetworkSearch::new(network.clone(), options).search(&game, Color::Black, &visits(150), None)
    };
    let first = search(options(1));
    assert_eq!(told(&first), told(&search(options(1))));
    let other = search(NetworkOptions { seed: 8, ..options(1) });
    assert_ne!(told(&first), told(&other), "the seed draws other symmetries");
    assert_eq!((first.playouts, first.visits), (149, 150), "one is the root's own");
    assert_eq!(first.moves.iter().map(|m| m.visits).sum::<u32>(), 149);
    assert_eq!(first.moves.len(), 21, "one of each set of equal points, and a pass");
    let priors: f32 = first.moves.iter().map(|m| m.prior).sum();
    assert!((priors - 1.0).abs() < 1e-3, "{priors}");
    assert_eq!(first.ownership.len(), 63);
    assert!(first.ownership.iter().all(|owner| owner.abs() <= 1.0));
    // A random network's evaluations differ a little everywhere.
    assert!(first.ownership_stdev.iter().all(|stdev| (1e-6..=1.0).contains(stdev)));
    assert!(first.counted > 100 && (0.0..=1.0).contains(&first.winrate));
    for threads in [2, 3] {
        let found = search(options(threads));
        assert_eq!((found.playouts, found.visits), (149, 150), "{threads} threads lose nothing");
    }
}

/// Leaves that are asked about at once: no visit is lost, the last ones are brought to their end, and a search repeats itself.
#[test]
fn leaves_are_gathered_and_none_is_lost() {
    let network = random_network();
    let game = game(7, 9, Rules::CHINESE);
    let search = |threads, batch, n| {
        let params = NetworkParams { network_batch: batch, ..NetworkParams::default() };
        let options = NetworkOptions { params, ..options(threads) };
        NetworkSearch::new(network.clone(), options).search(&game, Color::Black, &visits(n), None)
    };
    let one = search(1, 1, 150);
    let four = search(1, 4, 150);
    assert_eq!(told(&four), told(&search(1, 4, 150)));
    assert_ne!(told(&four), told(&one), "less is known when a leaf is chosen");
    // 149 is no multiple of the batches; some batches are larger than all visits.
    for (threads, batch, n) in [(1, 4, 150), (1, 32, 20), (3, 4, 150), (2, 7, 150)] {
        let found = search(threads, batch, n);
        let of_moves: u32 = found.moves.iter().map(|m| m.visits).sum();
        let counts = [found.playouts + 1, found.visits.into(), u64::from(of_moves) + 1];
        assert_eq!(counts, [n; 3], "{threads} threads, {batch} at once");
    }
}

/// Several orders of moves lead to a position on a small board; what one has found the others need not find again.
#[test]
fn ways_to_a_position_share_what_they_find() {
    let network = random_network();
    let game = game(3, 3, Rules::CHINESE);
    let search = |shares, threads| {
        let params = NetworkParams { network_transpositions: shares, ..NetworkParams::default() };
        let options = NetworkOptions { params, ..options(threads) };
        NetworkSearch::new(network.clone(), options).search(
            &game,
            Color::Black,
            &visits(1500),
            None,
        )
    };
    let (shared, alone) = (search(true, 1), search(false, 1));
    assert_eq!(told(&shared), told(&search(true, 1)), "it repeats itself");
    for found in [&shared, &alone, &search(true, 2)] {
        assert_eq!((found.playouts, found.visits), (1499, 1500), "nothing is lost");
        assert!((0.0..=1.0).contains(&found.winrate));
    }
    // What was taken over was not evaluated.
    assert!(shared.counted + 100 < alone.counted, "{} {}", shared.counted, alone.counted);
    assert!((shared.winrate - alone.winrate).abs() < 0.05);
}

#[test]
fn the_tree_lives_on_from_move_to_move() {
    let network = random_network();
    let mut game = game(9, 9, Rules::CHINESE);
    let mut search = NetworkSearch::new(network, options(1));
    let report = search.search(&game, Color::Black, &visits(400), None);
    let line = report.moves[0].variation.clone();
    assert!(line.len() > 2, "{line:?}");
    for (color, &mv) in Color::BOTH.iter().zip(&line) {
        game.play(*color, mv).unwrap();
    }
    let kept = search.search(&game, Color::Black, &visits(1), None);
    assert_eq!(kept.visits - 1, report.moves[0].variation_visits[1], "as visited before");
    assert_eq!(kept.moves.len(), 80, "what was left out below the root is there");
    assert!(search.node_infos(1).iter().all(|node| node.depth >= 1 && node.visits >= 1));
    let fresh = search.search(&game, Color::Black, &Limits { fresh: true, ..visits(20) }, None);
    assert_eq!(fresh.visits, 20);
    // The same player again, or other komi: another tree.
    let report = search.search(&game, Color::White, &visits(20), None);
    assert_eq!((report.visits, report.to_move), (20, Color::White));
    game.set_komi(0.5);
    assert_eq!(search.search(&game, Color::White, &visits(20), None).visits, 20);
}

#[test]
fn moves_to_be_avoided_are_not_looked_at() {
    let game = game(5, 5, Rules::TROMP_TAYLOR);
    let mut search = NetworkSearch::new(random_network(), options(2));
    let wanted = [point("C3"), point("B2")];
    let all = game.board().points().map(Move::Play).chain([Move::Pass]);
    let avoid = Avoided::at_root(Color::Black, all.filter(|mv| !wanted.contains(mv)));
    let limits = Limits { avoid, ..visits(50) };
    let report = search.search(&game, Color::Black, &limits, None);
    assert!(report.moves.iter().all(|m| wanted.contains(&m.mv)), "{:?}", told(&report));
    let all = game.board().points().map(Move::Play).chain([Move::Pass]);
    let avoid = Avoided::at_root(Color::Black, all);
    let report = search.search(&game, Color::Black, &Limits { avoid, ..visits(10) }, None);
    assert_eq!(report.moves[0].mv, Move::Pass, "there is always one");
}

#[test]
fn answers_to_be_avoided_are_not_looked_at_down_to_their_depth() {
    let game = game(5, 5, Rules::TROMP_TAYLOR);
    let wanted = [point("C3"), point("B2")];
    let others = || {
        let all = game.board().points().map(Move::Play).chain([Move::Pass]);
        all.filter(|mv| !wanted.contains(mv))
    };
    for depth in [2, 4] {
        let avoid = others().map(|mv| Avoided { color: Color::White, mv, depth }).collect();
        let mut search = NetworkSearch::new(random_network(), options(1));
        search.search(&game, Color::Black, &Limits { avoid, ..visits(600) }, None);
        let nodes = search.node_infos(1);
        let at = |depth| nodes.iter().filter(move |node| node.depth == depth);
        let is_free = |depth| at(depth).any(|node| !wanted.contains(&node.mv));
        assert!(at(2).count() > 2 && !is_free(2), "{depth}");
        // What is allowed may stand there already: then there is nothing but a pass.
        let beyond = at(4).any(|node| !wanted.contains(&node.mv) && node.mv != Move::Pass);
        assert!(is_free(1) && is_free(3) && beyond == (depth == 2), "{depth}");
    }
}

#[test]
fn one_of_each_set_of_equal_moves_is_searched() {
    let game = game(9, 9, Rules::CHINESE);
    let mut search = NetworkSearch::new(random_network(), options(1));
    let report = search.search(&game, Color::Black, &visits(300), None);
    assert_eq!(report.moves.len(), 16, "an eighth of the board with its edges, and a pass");
    let priors: f32 = report.moves.iter().map(|m| m.prior).sum();
    assert!((priors - 1.0).abs() < 1e-3, "{priors}");
    // After a move in the middle the board is as symmetrical as before.
    let mut after = game.clone();
    after.play(Color::Black, point("E5")).unwrap();
    let report = search.search(&after, Color::White, &visits(50), None);
    assert_eq!(report.moves.len(), 15);
    // Where one was asked for, it is searched, whichever it is.
    let wanted = [point("A1"), Move::Pass];
    let all = game.board().points().map(Move::Play);
    let avoid = Avoided::at_root(Color::Black, all.filter(|mv| !wanted.contains(mv)));
    let report = search.search(&game, Color::Black, &Limits { avoid, ..visits(10) }, None);
    assert!(report.moves.iter().any(|m| m.mv == point("A1")), "{:?}", told(&report));
}

#[test]
fn a_handicap_is_what_the_game_counts_as_one() {
    use go_network::{FromGame, NetworkRules, Position};
    let stones = ["C3", "G7", "E5"].map(|name| name.parse::<Point>().unwrap());
    let mut placed = game(9, 9, Rules::CHINESE);
    placed.place_handicap(&stones).unwrap();
    let mut set_up = game(9, 9, Rules::CHINESE);
    set_up.set_up(stones.map(|at| (at, Some(Color::Black)))).unwrap();
    set_up.set_first_player(Color::White);
    for game in [placed, set_up] {
        let network = random_network();
        let rules = NetworkRules::from(*game.rules());
        let position = Position::<128, 2>::from_game(&game, game.to_play(), rules).unwrap();
        let features = go_network::FeatureWriter::new(network.strict_pass_alive()).write(&position);
        // White's komi, in twentieths of a point.
        assert!((f64::from(features.globals[5]) * 20.0 - game.compensation()).abs() < 1e-4);
    }
}

#[test]
fn what_is_settled_is_left_alone_where_that_is_wanted() {
    let mut game = game(5, 5, Rules::CHINESE);
    let stones =
        "A2 B2 B1 D1 D2 E2 C2 E5".split(' ').map(|name| (name.parse().unwrap(), Color::Black));
    // Two eyes in the corners and one point between them; one more stone, so that the board has no symmetry.
    game.set_up(stones.map(|(at, color)| (at, Some(color))).collect::<Vec<_>>()).unwrap();
    for leaves_settled in [true, false] {
        let mut search = NetworkSearch::new(random_network(), options(1));
        let limits = Limits { leaves_settled, ..visits(30) };
        let report = search.search(&game, Color::Black, &limits, None);
        for name in ["A1", "C1", "E1"] {
            let is_there = report.moves.iter().any(|m| m.mv == point(name));
            assert_eq!(is_there, !leaves_settled, "{name}");
        }
        assert_eq!(report.moves.len(), if leaves_settled { 15 } else { 18 });
    }
}

#[test]
fn whatever_it_names_is_legal_under_all_rules() {
    let network = random_network();
    let rules =
        [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::JAPANESE, Rules::AGA, Rules::NEW_ZEALAND];
    for (seed, rules) in rules.into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        // Small boards are full of captures, ko and positions that come back.
        let mut game = game(4, 3, rules);
        let mut search = NetworkSearch::new(network.clone(), options(1));
        for turn in 0..60 {
            let color = game.to_play();
            let report = search.search(&game, color, &visits(30), None);
            assert!(!report.moves.is_empty());
            for found in &report.moves {
                assert!(
                    game.check(color, found.mv).is_ok(),
                    "{} {} {rules}",
                    game.board(),
                    found.mv
                );
                let mut after = game.clone();
                let mut turn = color;
                for &mv in &found.variation {
                    after.play(turn, mv).unwrap_or_else(|why| panic!("{rules}: {mv}: {why}"));
                    turn = turn.other();
                }
            }
            let tried: Vec<Move> =
                report.moves.iter().filter(|m| m.visits > 0).map(|m| m.mv).collect();
            let mv = tried[rng.below(tried.len() as u32) as usize];
            if turn % 3 != 2 {
                game.play(color, mv).unwrap();
            } else {
                // And now and then something else.
                let legal: Vec<Point> = game.legal_points(color).collect();
                let other = legal.first().map_or(Move::Pass, |&point| Move::Play(point));
                game.play(color, other).unwrap();
            }
        }
    }
}

#[test]
fn a_full_tree_makes_room_and_goes_on() {
    let mut search =
        NetworkSearch::new(random_network(), NetworkOptions { max_memory: 1 << 20, ..options(2) });
    let game = game(9, 9, Rules::CHINESE);
    let report = search.search(&game, Color::Black, &visits(1500), None);
    assert_eq!(report.playouts, 1499);
    assert!(report.moves[0].visits > 20, "{:?}", report.moves[0]);
}

/// The two ends of a game: a pass wins it, or loses it.
#[test]
fn passes_end_the_game_as_it_is_counted() {
    let mut game = game(5, 4, Rules::TROMP_TAYLOR);
    let stones = "B1 B2 B3 B4 D1 D2 D3 D4".split(' ').enumerate().map(|(at, name)| {
        let color = if at < 4 { Color::Black } else { Color::White };
        (name.parse().unwrap(), Some(color))
    });
    game.set_up(stones.collect::<Vec<_>>()).unwrap();
    // Eight points each, and the middle column is nobody's.
    for (komi, wins) in [(-3.5, true), (9.5, false)] {
        let mut game = game.clone();
        game.set_komi(komi);
        game.play(Color::White, Move::Pass).unwrap();
        let mut search = NetworkSearch::new(random_network(), options(1));
        let report = search.search(&game, Color::Black, &visits(300), None);
        let pass = report.moves.iter().find(|m| m.mv == Move::Pass).unwrap();
        assert_eq!(pass.winrate, f32::from(u8::from(wins)), "komi {komi}");
        assert_eq!(pass.score, Some(-komi as f32));
        assert_eq!(
            report.moves[0].mv == Move::Pass,
            wins,
            "komi {komi}: {:?}",
            told(&report)[..3].to_vec()
        );
    }
}

#[test]
fn a_published_network_finds_what_it_should() {
    let Some(network) = published() else { return };
    let mut game = game(9, 9, Rules::CHINESE);
    // Black is in atari and takes the stone that gives it, or all is lost.
    for (number, name) in "D4 D5 E5 E4 F4 F5 C5 C4 D6".split(' ').enumerate() {
        game.play(Color::BOTH[number % 2], point(name)).unwrap();
    }
    let mut search = NetworkSearch::new(network.clone(), options(2));
    let report = search.search(&game, Color::White, &visits(200), None);
    assert!(report.winrate < 1.0 && report.moves[0].visits > 50);
    assert!(report.score.abs() < 81.0 && report.score_stdev > 0.0);
    // Far ahead, and knows it; owners too.
    game.clear();
    let stones = ["C5", "D5", "E5", "F5", "G5", "E7", "E3", "C3", "G3"]
        .map(|name| (name.parse().unwrap(), Some(Color::Black)));
    game.set_up(stones).unwrap();
    game.set_komi(7.0);
    let report = search.search(&game, Color::White, &visits(100), None);
    assert!(report.winrate < 0.05 && report.score > 30.0, "{} {}", report.winrate, report.score);
    assert!(report.ownership.iter().all(|&owner| owner > 0.3), "{:?}", report.ownership);
}

/// How search and network agree on drawn positions of so many games: of how many in all the best move is one of the three
/// that the policy expects most, and how far values differ in the mean.
fn agreement(network: &Arc<Network>, games: u64, n: u64) -> (u32, u32, f32) {
    let (mut first_three, mut off, mut all) = (0, 0.0, 0);
    let mut search = NetworkSearch::new(network.clone(), options(2));
    for seed in 0..games {
        let side = [9, 13, 19][seed as usize % 3];
        let mut game = game(side, side, Rules::CHINESE);
        let mut rng = Rng::new(seed);
        for turn in 0..5 * u32::from(side) {
            let color = game.to_play();
            let said = evaluate_game(network, &game, 0.0, Symmetry::NONE).unwrap();
            if turn % u32::from(side) == u32::from(side) - 1 {
                let report = search.search(&game, color, &visits(n), None);
                let best = report.moves[0].mv;
                first_three += u32::from(said.policy[..3].iter().any(|&(mv, _)| mv == best));
                off += (report.winrate - said.evaluation.win).abs();
                all += 1;
            }
            // Likely moves, so that games differ.
            let (mv, _) = said.policy[rng.below(3) as usize];
            game.play(color, mv).unwrap();
        }
    }
    (first_three, all, off / all as f32)
}

#[test]
fn the_search_trusts_its_network() {
    let Some(network) = published() else { return };
    let (first_three, all, off) = agreement(&network, 3, 60);
    assert!(4 * first_three >= 3 * all, "{first_three} of {all}");
    assert!(off < 0.12, "{off}");
}

#[test]
#[ignore = "a measurement"]
fn how_far_it_trusts_its_network() {
    let Some(network) = published() else { return };
    let (first_three, all, off) = agreement(&network, 40, 200);
    eprintln!("{first_three} of {all} among the first three, values {off:.3} apart");
    assert!(all == 200 && first_three >= 170 && off < 0.1);
}
