//! The models of influence against the figures of their sources, and what must hold of them all.

use go_engine::rng::Rng;
use go_engine::{Color, Game, Move, Point};
use go_influence::{Bouzy, Chen, Model, Ryder, Stones, Thesis, Tuned, Zobrist};
use go_influence::{Influence, tuned::NUMBERS};
use std::sync::Arc;

/// A 19x19 board with these stones: upper case letters of points after `b:` or `w:`.
fn stones(black: &str, white: &str) -> Stones {
    let mut game = Game::new(19, 19).unwrap();
    for (names, color) in [(black, Color::Black), (white, Color::White)] {
        let placed = names.split_whitespace().map(|name| (name.parse().unwrap(), Some(color)));
        game.set_up(placed.collect::<Vec<_>>()).unwrap();
    }
    Stones::of_game(game.board())
}

fn values(influence: &Influence, points: &str) -> Vec<i32> {
    points.split_whitespace().map(|name| influence.at(name.parse().unwrap())).collect()
}

#[test]
fn zobrist_spreads_a_lone_stone_as_in_the_source() {
    let influence = Zobrist::default().spread(&stones("K10", ""));
    assert_eq!(
        values(&influence, "F10 G10 H10 J10 K10 L10 M10 N10 O10"),
        [1, 2, 6, 10, 62, 10, 6, 2, 1]
    );
    assert_eq!(values(&influence, "G11 H11 J11 K11 L11 M11 N11"), [2, 4, 8, 10, 8, 4, 2]);
    assert_eq!(values(&influence, "H12 J12 K12 L12 M12"), [2, 4, 6, 4, 2]);
    assert_eq!(values(&influence, "J13 K13 L13"), [2, 2, 2]);
    assert_eq!(values(&influence, "J14 K14 L14"), [0, 1, 0]);
    assert_eq!(values(&influence, "K6 K7 K8 K9"), [1, 2, 6, 10]);
}

#[test]
fn ryder_falls_from_60_by_way_of_13_to_1() {
    let influence = Ryder::default().spread(&stones("K10", ""));
    assert_eq!(values(&influence, "G10 H10 J10 K10 L10 M10 N10"), [1, 3, 13, 60, 13, 3, 1][..]);
    assert_eq!(values(&influence, "K11 K12 K13 K14 L11 O10"), [13, 3, 1, 0, 6, 0]);
    // Of several stones the sum counts.
    let influence = Ryder::default().spread(&stones("K10 M10", "L11"));
    assert_eq!(values(&influence, "L10 K11"), [13, 13 + 2 - 13]);
    // Constants that reach further take the long way round in the code.
    let wide = Ryder { neighbour: 30, ..Ryder::default() };
    let influence = wide.spread(&stones("K10", ""));
    assert_eq!(values(&influence, "K10 L10 L11 K14 G10"), [60, 30, 30, 4, 8]);
}

#[test]
fn chen_halves_with_each_step_of_the_way_round() {
    let influence = Chen::default().spread(&stones("K10", ""));
    let row = "L10 M10 N10 O10 P10 Q10 R10 S10";
    // Lines 1 to 3 count for half as much again.
    assert_eq!(values(&influence, row), [64, 32, 16, 8, 4, 2, 1, 0]);
    assert_eq!(values(&influence, "L11 M11 L12"), [32, 16, 16]);
    assert_eq!(values(&Chen::default().spread(&stones("D4", "")), "D3 C3 D1"), [96, 48, 24]);
    // The source's figure: from Black's stone, past White's, 2 and 3 and 5 steps, so 32, 16 and 4.
    let blocked = Chen::default().spread(&stones("K10", "M10"));
    let white = Chen::default().spread(&stones("", "M10"));
    let black = |name: &str| {
        let point: Point = name.parse().unwrap();
        blocked.at(point) - white.at(point)
    };
    assert_eq!((black("K12"), black("L12"), black("N10")), (32, 16, 4));
    // 198 and more is certain, in between in proportion.
    assert_eq!(influence.normalised("L10".parse().unwrap()), 64 * 64 / 198);
    assert_eq!(influence.normalised("K10".parse().unwrap()), 64);
    let wall = Chen::default().spread(&stones("K10 L11 M10 L9", ""));
    assert_eq!(wall.normalised("L10".parse().unwrap()), 64);
    assert_eq!(wall.controller("L10".parse().unwrap()), Some(Color::Black));
    let far = Chen::default().spread(&stones("K10", ""));
    assert_eq!(far.controller("M10".parse().unwrap()), None, "32 of 198 is less than a quarter");
}

#[test]
fn thesis_weakens_behind_stones_and_strengthens_at_the_edge() {
    let influence = Thesis::default().spread(&stones("K10", ""));
    let row = "K10 L10 M10 N10 O10 P10 Q10 R10";
    assert_eq!(values(&influence, row), [64, 32, 16, 8, 4, 2, 1, 0]);
    assert_eq!(values(&influence, "L11 J9 M11 L12 K16 K4"), [16, 16, 8, 8, 1, 1]);
    // Decay: behind White's stone Black's force has gone two steps more than one.
    let behind = Thesis::default().spread(&stones("K10", "M10"));
    assert_eq!(values(&behind, "L10 M10 N10"), [32 - 32, 16 - 64, 4 - 32]);
    // Reflection: rows passed on the way to the edge do not count there, nor columns.
    let edge = Thesis::default().spread(&stones("D5", ""));
    assert_eq!(values(&edge, "D2 D1 C1 E1 A1 A5 A6"), [8, 64, 32, 32, 64, 64, 32]);
    let none = Thesis { reflect: 0, ..Thesis::default() };
    assert_eq!(values(&none.spread(&stones("D5", "")), "D2 D1 A1"), [8, 4, 0]);
    // Territory begins above 20.
    let (l10, m10) = ("L10".parse().unwrap(), "M10".parse().unwrap());
    assert_eq!((influence.controller(l10), influence.controller(m10)), (Some(Color::Black), None));
}

#[test]
fn bouzy_leaves_a_lone_stone_its_own_point_only() {
    // 21 = 5 * 4 + 1 erosions take back what 5 dilations of a lone stone gave.
    let influence = Bouzy::default().spread(&stones("K10", ""));
    let owned = influence.points().filter(|&point| influence.at(point) != 0);
    assert_eq!(owned.collect::<Vec<_>>(), ["K10".parse().unwrap()]);
    let grown = Bouzy { erosions: 0, ..Bouzy::default() }.spread(&stones("K10", ""));
    assert_eq!(values(&grown, "K10 L10 O10 P10 Q10"), [80, 14, 2, 1, 0][..]);
    // A corner closed in by stones two lines apart is territory.
    let corner = Bouzy::default().spread(&stones("A4 C4 D3 D1", ""));
    assert_eq!(corner.controller("B2".parse().unwrap()), Some(Color::Black));
}

/// A position by chance.
fn position(width: u8, height: u8, seed: u64) -> Game {
    let mut game = Game::new(width, height).unwrap();
    let mut rng = Rng::new(seed);
    let mut color = Color::Black;
    for _ in 0..usize::from(width) * usize::from(height) * 2 / 3 {
        let (col, row) = (rng.below(width.into()) as u8, rng.below(height.into()) as u8);
        if game.play(color, Move::Play(Point::new(col, row))).is_ok() {
            color = color.other();
        }
    }
    game
}

fn models() -> Vec<Model> {
    let mut rng = Rng::new(9);
    let numbers: Vec<f32> =
        (0..NUMBERS).map(|_| (rng.below(2001) as f32 - 1000.0) / 6000.0).collect();
    let mut models = Model::all().to_vec();
    models.extend(Model::fitted());
    models.push(Model::Tuned(Arc::new(Tuned::new(&numbers).unwrap())));
    models
}

/// The game with every point moved and every stone's colour changed.
fn changed(
    game: &Game,
    size: (u8, u8),
    point: impl Fn(Point) -> Point,
    color: impl Fn(Color) -> Color,
) -> Game {
    let mut other = Game::new(size.0, size.1).unwrap();
    let stones = game.board().stones().map(|(at, stone)| (point(at), Some(color(stone))));
    other.set_up(stones.collect::<Vec<_>>()).unwrap();
    other
}

#[test]
fn every_model_treats_colours_and_directions_alike_on_every_size() {
    let sizes = (2..=25).map(|side| (side, side)).chain([(2, 25), (25, 2), (7, 12), (19, 13)]);
    for (width, height) in sizes {
        let game = position(width, height, u64::from(width) * 31 + u64::from(height));
        let stones = Stones::of_game(game.board());
        let mirror = |p: Point| Point::new(width - 1 - p.col(), p.row());
        let turn = |p: Point| Point::new(height - 1 - p.row(), p.col());
        let same = |color: Color| color;
        let mirrored = changed(&game, (width, height), mirror, same);
        let turned = changed(&game, (height, width), turn, same);
        let swapped = changed(&game, (width, height), |p| p, Color::other);
        let [mirrored, turned, swapped] =
            [mirrored, turned, swapped].map(|game| Stones::of_game(game.board()));
        for model in models() {
            let name = model.name();
            let here = model.spread(&stones, Color::Black);
            let [mirrored, turned] =
                [&mirrored, &turned].map(|stones| model.spread(stones, Color::Black));
            let swapped = model.spread(&swapped, Color::White);
            for point in here.points() {
                let value = here.at(point);
                // Floating-point sums depend on their order in the last place.
                let near = |other: i32| (value - other).abs() <= i32::from(name == "tuned");
                let place = format!("{name} on {width}x{height} at {point}");
                assert!(near(mirrored.at(mirror(point))), "{place} mirrored");
                assert!(near(turned.at(turn(point))), "{place} turned");
                assert_eq!(value, -swapped.at(point), "{place} in other colours");
                assert!(here.ownership(point).abs() <= 1.0, "{place}");
            }
        }
    }
}

#[test]
fn constants_have_names_defaults_and_ranges() {
    for model in Model::all() {
        let table = model.constants().unwrap().table();
        for (place, constant) in table.iter().enumerate() {
            let mut model = model.clone();
            let name = model.name();
            let constants = model.constants_mut().unwrap();
            assert_eq!(constants.value(place), constant.default, "{name} {}", constant.name);
            assert!((constant.min..=constant.max).contains(&constant.default));
            for value in [constant.min, constant.max] {
                constants.set(constant.name, value).unwrap();
                assert_eq!(constants.value(place), value);
            }
            assert!(constants.set(constant.name, constant.max + 1).is_err());
            assert!(constants.set("nosuch", 1).unwrap_err().to_string().contains(constant.name));
            // No value in range may upset a model, not even on a full and tiny board.
            for value in [constant.min, constant.default, constant.max] {
                let mut extreme = Model::all().into_iter().find(|m| m.name() == name).unwrap();
                extreme.constants_mut().unwrap().set(constant.name, value).unwrap();
                for game in [position(25, 25, 3), position(2, 2, 4)] {
                    extreme.spread(&Stones::of_game(game.board()), Color::Black).area_lead();
                }
            }
        }
    }
}

#[test]
fn a_board_full_of_one_colour_s_stones_is_that_colour_s_whatever_the_constants() {
    let mut game = Game::new(25, 25).unwrap();
    let empty: Point = "A1".parse().unwrap();
    let stones = game.board().points().filter(|&point| point != empty);
    let stones: Vec<_> = stones.map(|point| (point, Some(Color::Black))).collect();
    game.set_up(stones).unwrap();
    let stones = Stones::of_game(game.board());
    // What most comes together on a point.
    let widest = Model::Ryder(Ryder { stone: 128, neighbour: 100, territory: 1 });
    let mut models = vec![widest];
    for mut model in Model::all() {
        let constants = model.constants_mut().unwrap();
        for place in 0..constants.table().len() {
            constants.put(place, i32::MAX);
        }
        models.push(model);
    }
    for model in models {
        let influence = model.spread(&stones, Color::White);
        for point in influence.points() {
            assert!(influence.at(point) >= 0, "{} at {point}", model.name());
        }
    }
}
