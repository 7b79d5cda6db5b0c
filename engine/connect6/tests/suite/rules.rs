//! Rules of the family, undo, keys, and line state against a plain recount.

use crate::common::Plain;
use connect6_engine::{Board, Color, Game, Outcome, PlayError, Point, Rules};
use proptest::prelude::*;

fn at(col: usize, row: usize) -> Point {
    Point::new(col, row).unwrap()
}

#[test]
fn turns_are_those_of_connect6() {
    let mut game = Game::new(Rules::CONNECT6);
    let mut sides = Vec::new();
    for i in 0..7 {
        sides.push(game.to_move().color);
        game.play(game.to_move().color, at(i * 2, i)).unwrap();
    }
    use Color::{Black as B, White as W};
    assert_eq!(sides, [B, W, W, B, B, W, W]);
    assert_eq!(game.play(B, at(0, 0)), Err(PlayError::Occupied(at(0, 0))));
    assert_eq!(Game::new(Rules::GOMOKU).play(B, at(15, 0)), Err(PlayError::OffBoard(at(15, 0))));
}

#[test]
fn six_or_more_win_in_every_direction() {
    for (dx, dy) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
        for length in [6, 7] {
            let mut game = Game::new(Rules::CONNECT6);
            let point = |i: i32| at((5 + dx * i) as usize, (8 + dy * i) as usize);
            // The stone in the middle comes last, so that seven can stand.
            for i in (0..length).filter(|i| *i != 3) {
                game.play(Color::Black, point(i)).unwrap();
                assert_eq!(game.outcome(), Outcome::Open);
            }
            game.play(Color::Black, point(3)).unwrap();
            assert_eq!(game.outcome(), Outcome::Win(Color::Black));
            assert_eq!(game.board().winning_row(Color::Black).unwrap().len(), length as usize);
            assert_eq!(game.play(Color::White, at(0, 0)), Err(PlayError::Over));
            game.undo().unwrap();
            assert_eq!(game.outcome(), Outcome::Open);
        }
    }
}

#[test]
fn gomoku_falls_out() {
    let mut game = Game::new(Rules::GOMOKU);
    for i in 0..5 {
        assert_eq!(game.to_move().color, Color::Black);
        game.play(Color::Black, at(i, 0)).unwrap();
        if i < 4 {
            game.play(Color::White, at(i, 5)).unwrap();
        }
    }
    assert_eq!(game.outcome(), Outcome::Win(Color::Black));
}

#[test]
fn a_full_board_is_a_draw() {
    let rules = Rules::new(3, 3, 3, 1, 1).unwrap();
    let order = [(0, 0), (1, 0), (2, 0), (1, 1), (0, 1), (2, 1), (1, 2), (0, 2), (2, 2)];
    let game = Game::from_stones(rules, order.map(|(c, r)| at(c, r))).unwrap();
    assert_eq!(game.outcome(), Outcome::Draw);
}

#[test]
fn keys_do_not_depend_on_the_order_of_a_turn() {
    let [a, b, c] = [at(9, 9), at(10, 10), at(3, 4)];
    let one = Game::from_stones(Rules::CONNECT6, [a, b, c]).unwrap();
    let two = Game::from_stones(Rules::CONNECT6, [a, c, b]).unwrap();
    assert_eq!(one.key(), two.key());
    let half = Game::from_stones(Rules::CONNECT6, [a, b]).unwrap();
    assert_ne!(half.key(), one.key());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn line_state_is_that_of_a_recount(
        cells in prop::collection::vec((0usize..19, 0usize..19, any::<bool>()), 0..160),
        (k, p) in prop::sample::select(vec![(6, 2), (5, 1), (4, 2), (7, 3)]),
        take in 0usize..160,
    ) {
        let rules = Rules::new(19, 17, k, p, 1).unwrap();
        let mut board = Board::new(rules);
        let mut placed = Vec::new();
        for (col, row, black) in cells {
            let point = at(col, row);
            let color = if black { Color::Black } else { Color::White };
            if rules.contains(point) && board.is_empty(point) {
                board.place(color, point);
                placed.push((color, point));
            }
        }
        for (color, point) in placed.drain(placed.len().saturating_sub(take)..).rev().collect::<Vec<_>>() {
            board.remove(color, point);
        }
        let mut fresh = Board::new(rules);
        placed.iter().for_each(|&(color, point)| fresh.place(color, point));
        prop_assert_eq!(board.key(), fresh.key());
        prop_assert_eq!(board.count(), placed.len());
        for color in Color::BOTH {
            for line in 0..connect6_engine::geometry::LINES {
                prop_assert_eq!(board.levels(color, line), fresh.levels(color, line));
            }
            let plain = Plain::of(&board);
            prop_assert_eq!(board.winning_row(color).is_some(), plain.has_row(color));
        }
    }
}
