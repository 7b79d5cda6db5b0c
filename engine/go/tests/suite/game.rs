//! Rules of a game with its history: repetition, suicide, setup and undo.

use go_engine::rng::Rng;
use go_engine::rules::Rules;
use go_engine::{Color, Game, Move, Point};

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

fn play(game: &mut Game, color: Color, name: &str) -> bool {
    let mv = if name == "pass" { Move::Pass } else { Move::Play(point(name)) };
    game.play(color, mv).is_ok()
}

fn with_rules(width: u8, height: u8, rules: Rules, black: &str, white: &str) -> Game {
    let mut game = Game::new(width, height).unwrap();
    game.set_rules(rules);
    let stones = |names: &str, color| -> Vec<_> {
        names.split_whitespace().map(|name| (point(name), Some(color))).collect()
    };
    let all = [stones(black, Color::Black), stones(white, Color::White)].concat();
    game.set_up(all).unwrap();
    game
}

#[test]
fn a_simple_ko_lasts_one_move() {
    for rules in [Rules::JAPANESE, Rules::CHINESE, Rules::AGA, Rules::TROMP_TAYLOR] {
        let mut game = with_rules(5, 5, rules, "B2 A3 C3 B4", "C2 D3 C4");
        assert!(play(&mut game, Color::White, "B3"), "{rules}");
        assert_eq!(game.board().stone(point("C3")), None);
        assert!(!play(&mut game, Color::Black, "C3"), "{rules}");
        assert!(play(&mut game, Color::Black, "E1") && play(&mut game, Color::White, "E5"));
        assert!(play(&mut game, Color::Black, "C3"), "{rules}");
        assert!(!play(&mut game, Color::White, "B3"), "{rules}");
    }
}

#[test]
fn a_player_who_moves_twice_may_fill_the_ko() {
    for rules in [Rules::JAPANESE, Rules::CHINESE, Rules::AGA] {
        let mut game = with_rules(5, 5, rules, "B2 A3 C3 B4", "C2 D3 C4");
        assert!(play(&mut game, Color::White, "B3"));
        assert!(play(&mut game, Color::White, "C3"), "{rules}");
    }
}

#[test]
fn suicide_is_for_the_rules_to_allow() {
    // A1 and B1 are Black's last points inside White's wall.
    for (rules, allowed) in [
        (Rules::JAPANESE, false),
        (Rules::CHINESE, false),
        (Rules::AGA, false),
        (Rules::TROMP_TAYLOR, true),
        (Rules::NEW_ZEALAND, true),
    ] {
        let mut game = with_rules(5, 5, rules, "A1", "A2 B2 C1");
        assert_eq!(play(&mut game, Color::Black, "B1"), allowed, "{rules}");
        assert_eq!(game.board().stone(point("A1")).is_none(), allowed);
        assert_eq!(game.captured(Color::Black), if allowed { 2 } else { 0 });
    }
}

#[test]
fn a_stone_that_takes_itself_off_is_a_pass_only_for_situational_superko() {
    for (rules, allowed) in [(Rules::TROMP_TAYLOR, false), (Rules::NEW_ZEALAND, true)] {
        let mut game = with_rules(5, 5, rules, "", "A2 B1");
        assert_eq!(play(&mut game, Color::Black, "A1"), allowed, "{rules}");
        assert_eq!(game.captured(Color::Black), u32::from(allowed));
    }
}

#[test]
fn random_games_under_all_rules_undo_to_the_start() {
    let mut rng = Rng::new(7);
    for name in Rules::names() {
        for (width, height) in [(2, 2), (3, 2), (5, 5), (9, 9), (13, 4)] {
            let mut game = Game::new(width, height).unwrap();
            game.set_rules(name.parse().unwrap());
            game.set_up([(Point::new(0, 0), Some(Color::White))]).unwrap();
            let mut snapshots = Vec::new();
            let mut color = Color::Black;
            for _ in 0..2 * game.board().area() {
                snapshots.push((game.board().key(), game.captured(Color::Black), game.to_play()));
                let legal: Vec<Point> = game.legal_points(color).collect();
                let mv = match legal.get(rng.below(legal.len().max(1) as u32) as usize) {
                    Some(&point) => Move::Play(point),
                    None => Move::Pass,
                };
                game.play(color, mv).unwrap();
                game.board().check_invariants().unwrap();
                // Now and then a player moves twice.
                color = if rng.below(8) == 0 { color } else { color.other() };
                assert_eq!(game.keys().len(), game.moves().len() + 1);
            }
            while let Some((key, captured, _)) = snapshots.pop() {
                let mover = game.undo().unwrap().color;
                assert_eq!((game.board().key(), game.captured(Color::Black)), (key, captured));
                assert_eq!(game.to_play(), mover);
            }
            assert!(game.undo().is_err());
            assert_eq!(game.board().stones().count(), 1, "set-up stones are no moves");
        }
    }
}

#[test]
fn impossible_setups_change_nothing() {
    let mut game = Game::new(3, 3).unwrap();
    assert!(play(&mut game, Color::Black, "A1"));
    let surrounded = [("B1", Color::White), ("A2", Color::White)];
    let stones = surrounded.map(|(name, color)| (point(name), Some(color)));
    assert!(game.set_up(stones).is_err());
    assert!(game.set_up([(point("D4"), Some(Color::Black))]).is_err());
    assert_eq!((game.moves().len(), game.board().stones().count()), (1, 1));
    assert!(game.place_handicap(&[point("B2"), point("C3")]).is_err());
    game.clear();
    for bad in [&["B2"][..], &["B2", "B2"], &["B2", "D1"]] {
        let points: Vec<Point> = bad.iter().map(|name| point(name)).collect();
        assert!(game.place_handicap(&points).is_err());
        assert_eq!(game.board().stones().count(), 0);
    }
    let nine: Vec<Point> = game.board().points().collect();
    assert!(game.place_handicap(&nine).is_err());
    game.place_handicap(&nine[..8]).unwrap();
}
