//! The light playout: uniformly random moves that fill no eye.

use super::{draw, settled_score};
use crate::board::{Board, Site};
use crate::{Color, rng::Rng};

/// Plays `board` to its end, `to_move` first, and returns Black's area minus White's.
///
/// ```
/// use go_engine::{board::Board9, playout::light, rng::Rng, Color};
/// let mut board = Board9::new(9, 9).unwrap();
/// let score = light::play_out(&mut board, Color::Black, &mut Rng::new(1));
/// assert!((-81..=81).contains(&score));
/// ```
pub fn play_out<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    to_move: Color,
    rng: &mut Rng,
) -> i32 {
    let mut color = to_move;
    let mut passes = 0;
    // Superko is not watched: a rare long cycle is cut off.
    let longest = 3 * board.area();
    for _ in 0..longest {
        // Spelled out for each colour: the compiler then knows it, which is worth a few percent.
        let s = match color {
            Color::Black => draw_and_play::<N, W>(board, Color::Black, rng),
            Color::White => draw_and_play::<N, W>(board, Color::White, rng),
        };
        if s.is_pass() {
            passes += 1;
            if passes == 2 {
                break;
            }
        } else {
            passes = 0;
        }
        color = color.other();
    }
    settled_score(board)
}

#[inline(always)]
fn draw_and_play<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    color: Color,
    rng: &mut Rng,
) -> Site {
    let s = draw(board, color, rng, |_, _| true);
    if s.is_pass() {
        board.pass();
    } else {
        board.play(s, color);
    }
    s
}
