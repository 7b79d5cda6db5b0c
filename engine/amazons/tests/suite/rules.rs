//! Move generation against a plain walk over the board, on random positions of every size.

use amazons_engine::{Color, Game, Position, Size, Square, Squares};
use proptest::prelude::*;

/// The free squares that a queen reaches, found step by step.
fn walk(from: Square, free: Squares, size: Size) -> Squares {
    let mut reached = Squares::EMPTY;
    for (x, y) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut column, mut row) = (i32::from(from.column()) + x, i32::from(from.row()) + y);
        while let (Ok(c), Ok(r)) = (u8::try_from(column), u8::try_from(row)) {
            let Some(square) = Square::new(c, r).filter(|&s| size.contains(s) && free.contains(s))
            else {
                break;
            };
            reached = reached | square.into();
            column += x;
            row += y;
        }
    }
    reached
}

/// A position with this much on it, drawn from numbers.
fn position(columns: u8, rows: u8, things: &[(u8, u8, u8)]) -> Position {
    let mut position = Position::empty(Size::new(columns, rows).expect("a size"));
    for &(column, row, thing) in things {
        let Some(square) = Square::new(column % columns, row % rows) else { continue };
        match thing {
            0 => position.put_queen(Color::White, square),
            1 => position.put_queen(Color::Black, square),
            _ => position.put_arrow(square),
        };
    }
    position
}

proptest! {
    #[test]
    fn queens_go_where_a_walk_goes(
        columns in 3u8..=10,
        rows in 3u8..=10,
        things in prop::collection::vec((0u8..10, 0u8..10, 0u8..5), 1..60),
    ) {
        let position = position(columns, rows, &things);
        let mut count = 0;
        for from in position.queens(position.to_move()) {
            let destinations = walk(from, position.free(), position.size());
            prop_assert_eq!(position.destinations(from), destinations);
            for to in destinations {
                let free = (position.free() | from.into()) - to.into();
                prop_assert_eq!(position.arrows(from, to), walk(to, free, position.size()));
                prop_assert!(position.arrows(from, to).contains(from));
                count += u64::from(position.arrows(from, to).len());
            }
        }
        prop_assert_eq!(position.count_moves(), count);
        prop_assert_eq!(position.moves().len() as u64, count);
        prop_assert_eq!(position.can_move(), count > 0);
    }

    #[test]
    fn random_games_keep_the_board_whole_and_end(
        columns in 3u8..=10,
        rows in 3u8..=10,
        things in prop::collection::vec((0u8..10, 0u8..10, 0u8..2), 2..9),
        choices in prop::collection::vec(any::<u32>(), 100),
    ) {
        let start = position(columns, rows, &things);
        let mut game = Game::new(start);
        let squares = Squares::all(start.size());
        for choice in choices {
            let moves = game.position().moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[choice as usize % moves.len()]).expect("a generated move is legal");
            let now = game.position();
            let parts = [now.queens(Color::White), now.queens(Color::Black), now.arrows_shot(), now.free()];
            prop_assert_eq!(parts.iter().map(|part| part.len()).sum::<u32>(), squares.len());
            prop_assert_eq!(parts.into_iter().fold(Squares::EMPTY, |all, part| all | part), squares);
            prop_assert_eq!(now.arrows_shot().len() as usize, game.moves().len());
        }
        // An arrow a turn: no game is longer than the board has squares.
        prop_assert!(game.winner().is_some() && game.moves().len() < usize::from(columns) * usize::from(rows));
        while game.undo() {}
        prop_assert_eq!(game.position(), &start);
    }
}
