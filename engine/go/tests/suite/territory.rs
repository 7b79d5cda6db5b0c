//! Territory scoring in the search: positions where the right move differs from the one under area scoring.

use go_engine::rng::Rng;
use go_engine::score::Statuses;
use go_engine::search::{Limits, Options, Report, Search};
use go_engine::{Color, Game, Move, Point, Rules};

/// A game set up from rows, the top one first: `X` Black, `O` White; Black is to play.
fn game(rows: &[&str], rules: Rules, komi: f64) -> Game {
    let mut game = Game::new(rows[0].len() as u8, rows.len() as u8).unwrap();
    game.set_rules(rules);
    game.set_komi(komi);
    let mut stones = Vec::new();
    for (row, line) in rows.iter().rev().enumerate() {
        for (col, letter) in line.chars().enumerate() {
            let color = match letter {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            stones.push((Point::new(col as u8, row as u8), Some(color)));
        }
    }
    game.set_up(stones).unwrap();
    game
}

fn search(game: &Game, color: Color) -> Report {
    let limits = Limits { stop_early: false, ..Limits::playouts(3000) };
    Search::handcrafted(Options::default()).search(game, color, &limits, None)
}

fn best(game: &Game, color: Color) -> String {
    search(game, color).best().unwrap().mv.to_string()
}

/// Two groups with three eyes of two points each, and a column of neutral points between them.
const NEUTRAL: [&str; 5] = ["..XX.OO..", "XXXX.OOOO", "..XX.OO..", "XXXX.OOOO", "..XX.OO.."];
/// The same with one neutral point left.
const LAST: [&str; 5] = ["..XXXOO..", "XXXXOOOOO", "..XX.OO..", "XXXXOOOOO", "..XXXOO.."];
/// The same with none left: Black has had the last.
const FULL: [&str; 5] = ["..XXXOO..", "XXXXOOOOO", "..XXXOO..", "XXXXOOOOO", "..XXXOO.."];

#[test]
fn neutral_points_count_under_area_scoring_alone() {
    let found = |rules, komi| search(&game(&NEUTRAL, rules, komi), Color::Black);
    // Who moves first has three of the five.
    assert!(found(Rules::CHINESE, 0.5).winrate > 0.9);
    assert!(found(Rules::JAPANESE, 0.5).winrate < 0.1);
    let level = found(Rules::JAPANESE, -0.5);
    assert!(level.winrate > 0.9);
    assert!((level.score - 0.5).abs() < 0.3, "{}", level.score);
}

#[test]
fn the_last_neutral_point_is_worth_a_point_or_nothing() {
    assert_eq!(best(&game(&LAST, Rules::CHINESE, 0.5), Color::Black), "E3");
    let report = search(&game(&LAST, Rules::JAPANESE, -0.5), Color::Black);
    // A pass would win too; filling a point of one's own loses.
    assert!(report.winrate > 0.8, "{}", report.winrate);
    assert!(["E3", "pass"].contains(&report.best().unwrap().mv.to_string().as_str()));
    let after = |name: &str| {
        let mut game = game(&LAST, Rules::JAPANESE, -0.5);
        game.play(Color::Black, name.parse().map_or(Move::Pass, Move::Play)).unwrap();
        search(&game, Color::White).winrate
    };
    assert!(after("pass") < 0.2 && after("E3") < 0.2, "{} {}", after("pass"), after("E3"));
    assert!(after("A5") > 0.8, "{}", after("A5"));
}

#[test]
fn filling_ones_own_territory_costs_a_point() {
    let won_by_half = |rules: Rules, komi| {
        let mut game = game(&FULL, rules, komi);
        game.play(Color::White, Move::Pass).unwrap();
        let mv = best(&game, Color::Black);
        game.play(Color::Black, Move::Play("A3".parse().unwrap())).unwrap();
        (mv, search(&game, Color::White).winrate)
    };
    let (mv, lost) = won_by_half(Rules::JAPANESE, -0.5);
    assert_eq!(mv, "pass");
    assert!(lost > 0.8, "{lost}");
    for rules in [Rules::CHINESE, Rules::AGA, Rules::NEW_ZEALAND, Rules::TROMP_TAYLOR] {
        let (_, lost) = won_by_half(rules, 0.5);
        assert!(lost < 0.1, "{rules}: {lost}");
    }
}

#[test]
fn a_point_is_given_up_where_a_group_dies_without_it() {
    // Black's only eye space is three in a row: without B3 White plays there.
    let rows = ["XXXXXOO..", "XXXXOOOOO", "...XXOO..", "XXXXOOOOO", "XXXXXOO.."];
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        let mut game = game(&rows, rules, 0.0);
        game.play(Color::White, Move::Pass).unwrap();
        let mut lives = game.clone();
        lives.play(Color::Black, Move::Play("B3".parse().unwrap())).unwrap();
        // Black wins by half a point with that move, and with no other.
        game.set_komi(lives.score(&Statuses::all_alive()) - 0.5);
        assert_eq!(best(&game, Color::Black), "B3", "{rules}");
        // Once it is there, a pass wins, and another move inside loses the group.
        game.play(Color::Black, Move::Play("B3".parse().unwrap())).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        assert_eq!(best(&game, Color::Black), "pass", "{rules}");
    }
}

#[test]
fn a_dead_stone_need_not_be_taken_off() {
    // White's stone at A3 is dead; taking it costs the point by which Black has won.
    let rows = ["..XXXOO..", "XXXXOOOOO", "O.XXXOO..", "XXXXOOOOO", "..XXXOO.."];
    let mut game = game(&rows, Rules::JAPANESE, 0.5);
    game.play(Color::White, Move::Pass).unwrap();
    let statuses = Statuses { dead: vec!["A3".parse().unwrap()], seki: Vec::new() };
    assert_eq!(game.score(&statuses), 0.5);
    let report = search(&game, Color::Black);
    assert_eq!(report.best().unwrap().mv, Move::Pass);
    assert!(report.winrate > 0.8, "{}", report.winrate);
    // Under area scoring it can be taken for nothing, and where nobody agrees about the dead it has to be.
    game.set_rules(Rules::TROMP_TAYLOR);
    assert_eq!(best(&game, Color::Black), "B3");
}

#[test]
fn handicap_stones_count_as_area_and_not_as_territory() {
    // Black has three stones more on the board than in `FULL`, inside.
    let rows = [".XXXXOO..", "XXXXOOOOO", ".XXXXOO..", "XXXXOOOOO", ".XXXXOO.."];
    let lead = |rules| search(&game(&rows, rules, 0.5), Color::White).score;
    let (area, territory) = (lead(Rules::CHINESE), lead(Rules::JAPANESE));
    assert!((area - 0.5).abs() < 0.3, "{area}");
    assert!((territory + 3.5).abs() < 0.3, "{territory}");
}

#[test]
fn both_counts_differ_by_the_stones_that_were_played() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut game = Game::new(7, 6).unwrap();
        game.set_rules(Rules::JAPANESE);
        // Random moves, until hardly any is left; eyes are left alone.
        for _ in 0..120 {
            let color = game.to_play();
            let eye =
                |p: Point| game.board().neighbours(p).all(|q| game.board().stone(q) == Some(color));
            let points: Vec<Point> = game.legal_points(color).filter(|&p| !eye(p)).collect();
            let mv = match points.len() {
                0 => Move::Pass,
                n => Move::Play(points[rng.below(n as u32) as usize]),
            };
            game.play(color, mv).unwrap();
        }
        let territory = game.score(&Statuses::all_alive());
        let extra = game.extra_stones();
        game.set_rules(Rules::CHINESE);
        assert_eq!(game.score(&Statuses::all_alive()) - territory, f64::from(extra), "seed {seed}");
    }
}
