//! Random games on every layout keep the board's invariants.

use go_engine::board::{Board, Board9, Board13, Board19, Board25};
use go_engine::rng::Rng;
use go_engine::{Color, Site};

fn random_game<const N: usize, const W: usize>(width: u8, height: u8, seed: u64) {
    let mut board = Board::<N, W>::new(width, height).unwrap();
    let mut rng = Rng::new(seed);
    let mut color = Color::Black;
    for turn in 0..3 * board.area() {
        let n = board.n_empties();
        if n == 0 {
            break;
        }
        let s: Site = board.empty_at(rng.below(n as u32) as usize);
        if s != board.ko() {
            // Suicide now and then too: a game may allow it.
            if board.is_legal(s, color) || turn % 5 == 0 {
                let expected = board.key_after(s, color);
                board.play(s, color);
                assert_eq!(board.key(), expected, "key_after foretells the key");
            }
        }
        board.check_invariants().unwrap_or_else(|e| panic!("{e}\n{board}"));
        color = color.other();
    }
}

#[test]
fn random_games_keep_the_invariants() {
    for seed in 0..8 {
        for side in 1..=9 {
            random_game::<128, 2>(side, 10 - side, seed);
        }
        random_game::<256, 3>(13, 13, seed);
    }
    for seed in 0..2 {
        random_game::<512, 6>(19, 19, seed);
        random_game::<1024, 11>(25, 25, seed);
        random_game::<512, 6>(5, 19, seed);
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    assert!(Board9::new(10, 9).is_none() && Board9::new(0, 9).is_none());
    assert!(Board13::new(13, 14).is_none());
    assert!(Board19::new(20, 19).is_none());
    assert!(Board25::new(26, 25).is_none());
}
