//! The light playout's own board against the exact one: the same game, move by move.

use go_engine::board::Board;
use go_engine::playout::{light::LightBoard, owner, random_move, terminal_score};
use go_engine::{Color, Site, rng::Rng};

/// Plays as the light playout does, on the exact board, and notes the moves.
fn play_exactly<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    mut color: Color,
    max_moves: usize,
    rng: &mut Rng,
) -> Vec<Site> {
    let mut moves: Vec<Site> = Vec::new();
    while moves.len() < max_moves && !moves.ends_with(&[Site::PASS; 2]) {
        let s = random_move(board, color, rng, |_, _| true);
        if s.is_pass() {
            board.pass();
        } else {
            board.play(s, color);
        }
        moves.push(s);
        color = color.other();
    }
    moves
}

/// A game from an empty board and one from a position in its middle are the same on both boards.
fn same_games<const N: usize, const W: usize>(width: u8, height: u8, seed: u64) {
    let empty = Board::<N, W>::new(width, height).unwrap();
    let longest = 3 * empty.area();
    for (start, first) in [(0, Color::Black), (empty.area() / 2, Color::White)] {
        let mut board = empty.clone();
        play_exactly(&mut board, Color::Black, start, &mut Rng::new(seed + 99));
        let mut light = LightBoard::new(&board);
        let mut moves = Vec::new();
        let margin = light.play_out(first, &mut Rng::new(seed), |s| moves.push(s));
        let expected = play_exactly(&mut board, first, longest, &mut Rng::new(seed));
        assert_eq!(moves, expected, "{width}x{height}, seed {seed}, from move {start}");
        assert_eq!(margin, terminal_score(&board));
        for s in board.sites() {
            assert_eq!(light.owner(s), owner(&board, s));
        }
    }
}

#[test]
fn light_playouts_are_the_same_on_both_boards() {
    for seed in 0..60 {
        for side in 1..=9 {
            same_games::<128, 2>(side, 10 - side, seed);
        }
        same_games::<128, 2>(9, 9, seed);
        same_games::<256, 3>(13, 13, seed);
        same_games::<512, 6>(19, 19, seed);
    }
    for seed in 0..5 {
        same_games::<1024, 11>(25, 25, seed);
    }
}
