//! Whose the points of a position become in playouts, without a search.

use super::heavy::Heavy;
use super::owner;
use crate::board::Site;
use crate::game::AnyBoard;
use crate::params::Params;
use crate::{Color, rng::Rng, with_board};

/// For each point, row by row from A1, 1 when all of so many heavy playouts end with it as Black's, -1 as White's. Either
/// player moves first in half of them.
pub fn ownership(start: &AnyBoard, playouts: u32, rng: &mut Rng) -> Vec<f32> {
    let heavy = Heavy::new(&Params::default());
    with_board!(start, start => {
        let mut sums = vec![0i32; start.area()];
        let (mut board, mut moves) = (start.clone(), Vec::new());
        for playout in 0..playouts {
            board.clone_from(start);
            board.lift_ko();
            moves.clear();
            let first = if playout % 2 == 0 { Color::Black } else { Color::White };
            heavy.play_out(&mut board, first, [Site::PASS; 2], rng, &mut moves);
            for (site, sum) in board.sites().zip(&mut sums) {
                *sum += match owner(&board, site) {
                    Some(Color::Black) => 1,
                    Some(Color::White) => -1,
                    None => 0,
                };
            }
        }
        sums.iter().map(|&sum| sum as f32 / playouts as f32).collect()
    })
}
