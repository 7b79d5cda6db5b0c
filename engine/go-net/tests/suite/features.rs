//! Features of drawn positions and of short games, plane by plane.

use crate::common::draw;
use go_engine::{Board, Color, Game, Move, Point, Rules, Site};
use go_network::rules::{Bonus, Ko, NetworkRules, Scoring, Tax};
use go_network::{FeatureWriter, Features, FromGame, Position};

type Small = Position<128, 2>;

fn rules(ko: Ko, scoring: Scoring, tax: Tax) -> NetworkRules {
    NetworkRules {
        ko,
        scoring,
        tax,
        suicide: false,
        button: false,
        bonus: Bonus::None,
        friendly_pass_ok: false,
    }
}

const AREA: NetworkRules = NetworkRules {
    ko: Ko::Simple,
    scoring: Scoring::Area,
    tax: Tax::None,
    suicide: false,
    button: false,
    bonus: Bonus::None,
    friendly_pass_ok: false,
};

fn site(position: &Small, name: &str) -> Site {
    match name {
        "pass" => Site::PASS,
        _ => position.board().site(name.parse::<Point>().unwrap()).unwrap(),
    }
}

/// An empty board of 9x9, or a drawing in its lower left corner.
fn set_up(corner: &[&str], to_play: Color, rules: NetworkRules) -> Small {
    Position::new(draw(9, corner, |_| ()), to_play, rules, 7.0, [0; 2])
}

/// Plays moves in turn from whoever is to play.
fn play(position: &mut Small, moves: &str) {
    for name in moves.split_whitespace() {
        let color = position.to_play();
        position.play(color, site(position, name));
    }
}

fn features(position: &Small) -> Features {
    FeatureWriter::new(false).write(position)
}

/// The names of the points where a plane is 1, in order.
fn points(features: &Features, plane: usize) -> String {
    let mut names: Vec<String> = (0..features.size.area())
        .filter(|&index| features.get(plane, index))
        .map(|index| {
            let (row, col) = (index / features.size.width, index % features.size.width);
            Point::new(col as u8, (features.size.height - 1 - row) as u8).to_string()
        })
        .collect();
    names.sort();
    names.join(" ")
}

#[test]
fn stones_and_liberties_are_seen_by_the_player_to_move() {
    let mut position = set_up(&["XO.", "XOX", ".X."], Color::White, AREA);
    let f = features(&position);
    assert_eq!(points(&f, 1), "B2 B3");
    assert_eq!(points(&f, 2), "A2 A3 B1 C2");
    // B2-B3 has C3 and B4; A2-A3 has A1 and A4; B1 has A1 and C1; C2 has C1, C3 and D2.
    assert_eq!(points(&f, 3), "");
    assert_eq!(points(&f, 4), "A2 A3 B1 B2 B3");
    assert_eq!(points(&f, 5), "C2");
    play(&mut position, "C3");
    let f = features(&position);
    assert_eq!(points(&f, 2), "B2 B3 C3");
    assert_eq!(points(&f, 1), "A2 A3 B1 C2");
    assert_eq!(points(&f, 9), "C3");
}

#[test]
fn the_last_five_moves_are_shown_and_passes_are_told_beside() {
    let mut position = set_up(&[], Color::Black, AREA);
    play(&mut position, "E5 C3 G7 pass C7 G3 D4");
    let f = features(&position);
    let shown: Vec<String> = (9..14).map(|plane| points(&f, plane)).collect();
    assert_eq!(shown, ["D4", "G3", "C7", "", "G7"]);
    assert_eq!(f.globals[..5], [0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(f.globals[14], 0.0);
    play(&mut position, "pass");
    assert_eq!((features(&position).globals[0], features(&position).globals[14]), (1.0, 1.0));
    // Who moves twice starts a new history.
    let again = position.to_play().other();
    position.play(again, site(&position, "E7"));
    assert_eq!(points(&features(&position), 9), "E7");
    assert_eq!(points(&features(&position), 10), "");
}

#[test]
fn a_friendly_pass_is_hidden_under_area_scoring_only() {
    for (scoring, hidden) in [(Scoring::Area, true), (Scoring::Territory, false)] {
        let friendly =
            NetworkRules { friendly_pass_ok: true, ..rules(Ko::Positional, scoring, Tax::None) };
        let mut position = set_up(&[], Color::Black, friendly);
        play(&mut position, "E5 C3 pass");
        let f = features(&position);
        assert_eq!(
            f.globals[0] == 0.0 && f.globals[14] == 0.0 && points(&f, 10).is_empty(),
            hidden
        );
    }
}

#[test]
fn a_ko_is_forbidden_and_superko_only_where_it_is_a_rule() {
    let corner = [".XO.", "XO.O", ".XO."];
    for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
        let mut position = set_up(&corner, Color::Black, rules(ko, Scoring::Area, Tax::None));
        play(&mut position, "C2");
        assert_eq!(points(&features(&position), 6), "B2", "{ko:?}");
        assert!(!position.is_legal(site(&position, "B2")));
        // After an exchange elsewhere nothing is repeated.
        play(&mut position, "G7 G3");
        assert_eq!(points(&features(&position), 6), "", "{ko:?}");
    }
    // With passes between, the whole board comes again, and with the same player to move.
    for (ko, banned) in [(Ko::Simple, ""), (Ko::Positional, "B2"), (Ko::Situational, "B2")] {
        let mut position = set_up(&corner, Color::Black, rules(ko, Scoring::Area, Tax::None));
        play(&mut position, "C2 pass pass");
        assert_eq!(points(&features(&position), 6), banned, "{ko:?}");
        assert_eq!(position.is_legal(site(&position, "B2")), banned.is_empty());
        // Who moves twice starts a new history, in which nothing has been yet.
        play(&mut position, "pass");
        position.set_to_play(Color::White);
        assert_eq!(points(&features(&position), 6), "", "{ko:?}");
    }
}

#[test]
fn ladders_are_shown_for_three_boards() {
    let corner = ["..X..", "..XO.", "...XX"];
    let mut position = set_up(&corner, Color::Black, AREA);
    let f = features(&position);
    assert_eq!((points(&f, 14), points(&f, 17)), ("D2".to_owned(), "D3 E2".to_owned()));
    assert_eq!((points(&f, 15), points(&f, 16)), ("D2".to_owned(), "D2".to_owned()));
    // White breaks it; a move and two moves ago it worked.
    play(&mut position, "B8 G5");
    let f = features(&position);
    assert_eq!([14, 15, 16, 17].map(|plane| points(&f, plane)), ["", "D2", "D2", ""]);
    play(&mut position, "B5");
    let f = features(&position);
    assert_eq!([14, 15, 16].map(|plane| points(&f, plane)), ["", "", "D2"]);
    // The chain is White's own now: no move against it is told.
    let f = features(&set_up(&corner, Color::White, AREA));
    assert_eq!((points(&f, 14), points(&f, 17)), ("D2".to_owned(), String::new()));
}

#[test]
fn territory_is_what_is_alive_or_touches_one_colour() {
    // Black lives in the corner with two eyes; White's stone in it is dead, and White's wall holds the rest.
    let corner = ["XXXXXO", ".X.OXO", "XXXXXO"];
    let f = features(&set_up(&corner, Color::Black, AREA));
    let black = "A1 A2 A3 B1 B2 B3 C1 C2 C3 D1 D2 D3 E1 E2 E3";
    assert_eq!(points(&f, 18), black);
    // White's stones outside, and what touches neither side alone, is nobody's: the upper side touches both.
    assert_eq!(points(&f, 19), "F1 F2 F3");
    let none =
        features(&set_up(&corner, Color::Black, rules(Ko::Simple, Scoring::Territory, Tax::Seki)));
    assert_eq!((points(&none, 18), points(&none, 19)), (String::new(), String::new()));
    // With White to move the planes change places.
    let f = features(&set_up(&corner, Color::White, AREA));
    assert_eq!(points(&f, 19), black);
}

#[test]
fn with_suicide_every_point_of_an_eye_has_to_touch_the_chain() {
    // Three points with a white stone that does not touch Black's chain.
    let corner = ["XXXX", "..OX", ".XXX"];
    let with = NetworkRules { suicide: true, ..AREA };
    let board: Board<128, 2> = draw(9, &["XXX.", "O.X.", ".XX."], |_| ());
    for rules in [AREA, with] {
        let position = Position::new(board.clone(), Color::Black, rules, 7.0, [0; 2]);
        assert!(points(&features(&position), 18).contains("A3"));
    }
    let one = features(&set_up(&corner, Color::Black, AREA));
    let other = features(&set_up(&corner, Color::Black, with));
    assert_eq!(points(&one, 1), points(&other, 1));
    assert_eq!((one.globals[8], other.globals[8]), (0.0, 1.0));
}

#[test]
fn seki_is_taxed_where_the_rules_say_so() {
    // Two chains share two liberties, and neither may fill one.
    let corner = ["OOOOO.", "XXXXO.", "O.OXO.", "OOOXO.", "XXXXO."];
    let taxed = rules(Ko::Simple, Scoring::Area, Tax::Seki);
    for rules in [AREA, taxed, rules(Ko::Simple, Scoring::Area, Tax::All)] {
        let f = features(&set_up(&corner, Color::Black, rules));
        // Everything that stands stays in both.
        for name in ["A1", "D2"] {
            assert!(points(&f, 18).split(' ').any(|point| point == name), "{rules:?} {name}");
        }
        let tax = (f.globals[10], f.globals[11]);
        assert_eq!(
            tax,
            match rules.tax {
                Tax::None => (0.0, 0.0),
                Tax::Seki => (1.0, 0.0),
                Tax::All => (1.0, 1.0),
            }
        );
    }
}

#[test]
fn komi_counts_what_the_rules_add() {
    let komi = |position: &Small| 20.0 * features(position).globals[5];
    let mut position = set_up(&[], Color::Black, AREA);
    assert_eq!(komi(&position), -7.0);
    play(&mut position, "E5");
    assert_eq!(komi(&position), 7.0);
    // Territory: a point for each of Black's stones more than White's, however they came there.
    let territory = rules(Ko::Simple, Scoring::Territory, Tax::Seki);
    let mut position = set_up(&["XX."], Color::White, territory);
    assert_eq!(komi(&position), 9.0);
    play(&mut position, "E5");
    assert_eq!(komi(&position), -8.0);
    play(&mut position, "pass");
    assert_eq!(komi(&position), 8.0);
    // Handicap: a point for each stone, or each but the first; stones in a row before White's first move.
    for (bonus, expected) in [(Bonus::None, 7.0), (Bonus::Stones, 9.0), (Bonus::StonesLessOne, 8.0)]
    {
        let mut position = set_up(&["XX."], Color::White, NetworkRules { bonus, ..AREA });
        assert_eq!(komi(&position), expected);
        position.play(Color::Black, site(&position, "G7"));
        let one_more = if bonus == Bonus::None { 0.0 } else { 1.0 };
        assert_eq!(komi(&position), expected + one_more);
        play(&mut position, "G3");
        position.play(Color::Black, site(&position, "C7"));
        assert_eq!(komi(&position), expected + one_more);
    }
    // The first pass takes the button.
    let mut position = set_up(&[], Color::Black, NetworkRules { button: true, ..AREA });
    assert_eq!(features(&position).globals[17], 1.0);
    play(&mut position, "pass");
    assert_eq!((komi(&position), features(&position).globals[17]), (6.5, 0.0));
    assert_eq!(features(&position).globals[14], 0.0);
    // No komi is larger than the board and twenty points.
    let position: Small = Position::new(draw(9, &[], |_| ()), Color::White, AREA, 500.0, [0; 2]);
    assert_eq!(komi(&position), 101.0);
}

#[test]
fn the_parity_wave_has_a_period_of_two_points() {
    // On a board of odd area games can be drawn at odd komi.
    for (komi, wave) in [(7.0, 0.0), (7.25, 0.25), (7.5, 0.5), (8.0, 0.0), (8.5, -0.5), (9.0, 0.0)]
    {
        let position: Small = Position::new(draw(9, &[], |_| ()), Color::White, AREA, komi, [0; 2]);
        assert_eq!(features(&position).globals[18], wave, "{komi}");
    }
}

#[test]
fn games_give_their_positions() {
    let mut game = Game::new(9, 9).unwrap();
    game.set_rules(Rules::JAPANESE);
    game.set_komi(6.5);
    for (color, name) in [(Color::Black, "E5"), (Color::White, "C3"), (Color::Black, "G7")] {
        game.play(color, Move::Play(name.parse().unwrap())).unwrap();
    }
    let position = Small::from_game(&game, game.to_play(), (*game.rules()).into()).unwrap();
    let f = features(&position);
    assert_eq!((points(&f, 9), points(&f, 1)), ("G7".to_owned(), "C3".to_owned()));
    assert_eq!((f.globals[9], f.globals[10], 20.0 * f.globals[5]), (1.0, 1.0, 7.5));
    assert!(Position::<512, 6>::from_game(&game, game.to_play(), (*game.rules()).into()).is_none());
}
