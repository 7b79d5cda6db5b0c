//! Worms, cavities, links, dragons and their safety on small diagrams.

use go_engine::rng::Rng;
use go_engine::{Color, Game, Move, Point};
use go_influence::{
    Bond, Chen, Dragons, Model, SAFE, ScoreEstimate, Worms, is_in_danger, links, urgent,
};

/// A game set up from rows, the top one first: `X` Black, `O` White.
fn game(rows: &[&str]) -> Game {
    let (width, height) = (rows[0].len() as u8, rows.len() as u8);
    let mut game = Game::new(width, height).unwrap();
    let mut stones = Vec::new();
    for (row, line) in (0..height).rev().zip(rows) {
        for (col, letter) in (0..width).zip(line.chars()) {
            let stone = match letter {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            stones.push((Point::new(col, row), Some(stone)));
        }
    }
    game.set_up(stones).unwrap();
    game
}

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

fn chen() -> Model {
    Model::Chen(Chen::default())
}

#[test]
fn worms_have_size_origin_and_liberties_and_cavities_their_borders() {
    let game = game(&[".X.O.", "XX.OO", ".X.O.", "XX.OO", ".X.O."]);
    let found = Worms::of(game.board());
    assert_eq!(found.worms.len(), 2);
    let black = &found.worms[found.worm(point("B1")).unwrap()];
    assert_eq!((black.color, black.size(), black.origin()), (Color::Black, 7, point("B1")));
    assert_eq!(black.liberties.len(), 3 + 5);
    assert_eq!(found.cavities.len(), 7);
    let middle = found.cavities.iter().find(|cavity| cavity.points.len() == 5).unwrap();
    assert_eq!((middle.points[0], &middle.beside), (point("C1"), &vec![0, 1]));
    assert_eq!(found.worm(point("C3")), None);
}

fn bonds(rows: &[&str]) -> Vec<Bond> {
    let game = game(rows);
    links(game.board(), &Worms::of(game.board())).iter().map(|link| link.bond).collect()
}

#[test]
fn links_that_cannot_be_cut_are_found_and_those_that_can_are_not() {
    // A diagonal with both points open; with one taken it can be cut.
    assert_eq!(bonds(&[".....", "..X..", ".X...", ".....", "....."]), [Bond::TwoWays]);
    assert_eq!(bonds(&[".....", "..X..", ".XO..", ".....", "....."]), []);
    // A bamboo joint.
    assert_eq!(bonds(&[".....", ".XX..", ".....", ".XX..", "....."]), [Bond::TwoWays]);
    // A one-point jump can be cut; on the first line White would be taken.
    assert_eq!(bonds(&[".....", ".X.X.", ".....", ".....", "....."]), []);
    assert_eq!(bonds(&[".....", ".....", ".....", "..X..", ".X.X."]).len(), 3);
    assert_eq!(bonds(&[".....", ".....", "..O..", ".....", ".X.X."]), [Bond::Guarded]);
    // The cutting stone is in atari and cannot run.
    let caught = bonds(&["..XO.", ".XOX.", ".X.XO", ".XXO.", "....."]);
    assert!(!caught.is_empty(), "{caught:?}");
    let caught = bonds(&["X.O..", "XOXXX", "O.O..", ".....", "....."]);
    assert!(!caught.contains(&Bond::Capture), "{caught:?}");
}

#[test]
fn two_eyes_are_alive_and_a_caught_stone_is_dead() {
    let game = game(&[
        ".X.XO....",
        "XXXXO....",
        "OOOOO....",
        ".........",
        ".........",
        "......XXX",
        "......XO.",
        "......XXX",
        ".........",
    ]);
    let dragons = Dragons::estimate(game.board(), &chen(), Color::Black);
    assert_eq!(dragons.at(point("A8")).unwrap().safety, SAFE);
    // A white stone with one liberty, surrounded by strong stones.
    let caught = dragons.at(point("H3")).unwrap();
    assert_eq!((caught.stones.len(), caught.safety), (1, 0), "{caught:?}");
    let estimate = ScoreEstimate::of(&game, &chen());
    assert_eq!(estimate.owner(point("H3")), Some(Color::Black), "the dead are the opponent's");
    assert!(estimate.holdings(&game, Color::Black).dead >= 1);
}

#[test]
fn stones_that_influence_joins_are_one_dragon() {
    let game = game(&[
        ".........",
        ".........",
        "..X...X..",
        ".........",
        ".........",
        ".........",
        "..O...O..",
        ".........",
        ".........",
    ]);
    let dragons = Dragons::estimate(game.board(), &chen(), Color::Black);
    assert_eq!(dragons.dragons.len(), 2, "{:?}", dragons.dragons);
    let both = dragons.at(point("C7")).unwrap();
    assert_eq!(both.stones, [point("C7"), point("G7")]);
    assert!(!both.territory.is_empty() && both.safety > 20);
}

#[test]
fn a_dragon_in_danger_has_moves_for_and_against_it() {
    // Black's three stones on the left have a few points and a way out.
    let game = game(&[
        ".........",
        ".........",
        "OOO......",
        "XXXO.....",
        "...O.....",
        "X.XO.....",
        "OOOO.....",
        ".........",
        ".........",
    ]);
    let board = game.board();
    let mut tried = 0;
    for model in Model::all() {
        let dragons = Dragons::estimate(board, &model, Color::Black);
        for dragon in dragons.dragons.iter().filter(|dragon| is_in_danger(dragon)) {
            for color in Color::BOTH {
                for urgent in urgent(board, &model, dragon, color) {
                    assert!(board.is_empty(urgent.point) && urgent.safety <= SAFE);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 0, "no model sees any danger here");
}

#[test]
fn any_position_on_any_board_can_be_estimated() {
    let mut rng = Rng::new(11);
    for side in [2u8, 3, 5, 9, 13, 19, 25] {
        let mut game = Game::new(side, side).unwrap();
        let mut color = Color::Black;
        for _ in 0..(usize::from(side) * usize::from(side) / 2).min(120) {
            let (col, row) = (rng.below(side.into()) as u8, rng.below(side.into()) as u8);
            if game.play(color, Move::Play(Point::new(col, row))).is_ok() {
                color = color.other();
            }
        }
        let model = chen();
        let estimate = ScoreEstimate::of(&game, &model);
        let stones: usize = estimate.dragons.dragons.iter().map(|d| d.stones.len()).sum();
        assert_eq!(stones, game.board().stones().count(), "each stone is in one dragon");
        for (dragon, moves) in estimate.groups() {
            assert!(dragon.safety <= SAFE);
            for urgent in moves.iter().flatten() {
                assert!(game.board().is_empty(urgent.point));
            }
        }
        assert!(estimate.lead().is_finite());
        let [black, white] = Color::BOTH.map(|color| estimate.holdings(&game, color).area());
        assert!(black + white <= game.board().area());
    }
}
