//! Published counts: legal positions (Tromp and Farneback, "Combinatorics of Go", 2007/2016,
//! table 1) and complete games of the smallest boards (same, section 7).

use std::collections::HashSet;

use go_engine::board::Board9;
use go_engine::game::AnyBoard;
use go_engine::{Color, Game, Move, Point, Rules, Site};

/// Counts the ways to fill the points from `at` on so that no chain is without a liberty. A chain
/// that has none while stones are put down one by one gets none later, so it shows as a capture.
fn colourings(board: &Board9, points: &[Site]) -> u64 {
    let Some((&at, rest)) = points.split_first() else { return 1 };
    let mut count = colourings(board, rest);
    for color in Color::BOTH {
        let mut next = board.clone();
        if !board.is_suicide(at, color) && next.play(at, color) == 0 {
            count += colourings(&next, rest);
        }
    }
    count
}

fn legal_positions(width: u8, height: u8) -> u64 {
    let board = Board9::new(width, height).unwrap();
    let points: Vec<Site> = board.sites().collect();
    // The colours may be swapped: half of the positions that are not empty begin with Black.
    let mut black_first = 0;
    std::thread::scope(|scope| {
        let counts: Vec<_> = (0..points.len())
            .map(|first| {
                let (mut board, rest) = (board.clone(), &points[first + 1..]);
                board.play(points[first], Color::Black);
                scope.spawn(move || colourings(&board, rest))
            })
            .collect();
        for count in counts {
            black_first += count.join().unwrap();
        }
    });
    2 * black_first + 1
}

#[test]
fn positions_without_dead_chains() {
    assert_eq!(legal_positions(1, 2), 5);
    assert_eq!(legal_positions(2, 2), 57);
    assert_eq!(legal_positions(3, 3), 12_675);
    assert_eq!(legal_positions(4, 4), 24_318_165);
}

/// Positions that can be reached by moves of either colour in any order.
fn reachable_positions(width: u8, height: u8) -> usize {
    let empty = AnyBoard::new(width, height).unwrap();
    let mut seen = HashSet::from([empty.key()]);
    let mut open = vec![empty];
    while let Some(board) = open.pop() {
        for point in board.points().filter(|&point| board.is_empty(point)) {
            for color in Color::BOTH {
                if seen.insert(board.key_after(point, color)) {
                    let mut next = board.clone();
                    next.play(point, color);
                    open.push(next);
                }
            }
        }
    }
    seen.len()
}

#[test]
fn positions_reached_by_play() {
    assert_eq!(reachable_positions(2, 2), 57);
    assert_eq!(reachable_positions(2, 3), 489);
    assert_eq!(reachable_positions(3, 3), 12_675);
}

/// Games in which no position comes back, the game without a move too. Passes make no new
/// position, so that either colour may move at any time.
fn games(game: &mut Game) -> u64 {
    let mut count = 1;
    let points: Vec<Point> = game.board().points().collect();
    for color in Color::BOTH {
        for &point in &points {
            if game.play(color, Move::Play(point)).is_ok() {
                count += games(game);
                game.undo().unwrap();
            }
        }
    }
    count
}

#[test]
fn all_complete_games_of_tiny_boards_are_counted() {
    for (width, height, expected) in [(1, 1, 1), (1, 2, 9), (2, 1, 9), (1, 3, 907), (3, 1, 907)] {
        let mut game = Game::new(width, height).unwrap();
        game.set_rules(Rules::TROMP_TAYLOR);
        assert_eq!(games(&mut game), expected, "{width}x{height}");
    }
}
