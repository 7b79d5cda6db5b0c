//! What several tests need.

use go_engine::{Board, Color, Point};
use go_network::{Kernels, Network, Numbers, sample};
use std::path::PathBuf;
use std::sync::Arc;

/// The folder of networks in the shared data, or none, which is said.
pub fn networks() -> Option<PathBuf> {
    test_support::shared("data/networks")
}

/// A small network of random weights.
pub fn random_network() -> Arc<Network> {
    let kernels = Kernels { level: simd::level(), numbers: Numbers::Float };
    Arc::new(Network::new(&sample::network(15, 3), kernels))
}

/// A board from a drawing: X Black, O White, rows from the top.
pub fn drawn<const N: usize, const W: usize>(rows: &[String]) -> Board<N, W> {
    let (width, height) = (rows[0].len() as u8, rows.len() as u8);
    let mut board = Board::<N, W>::new(width, height).unwrap();
    for (row, text) in (0..height).rev().zip(rows) {
        for (col, sign) in (0..width).zip(text.chars()) {
            let color = match sign {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            board.play(board.site(Point::new(col, row)).unwrap(), color);
        }
    }
    board.lift_ko();
    board
}

/// A board with a drawing in its lower left corner.
pub fn draw<const N: usize, const W: usize>(
    side: usize,
    corner: &[&str],
    then: impl FnOnce(&mut Board<N, W>),
) -> Board<N, W> {
    let mut rows = vec![".".repeat(side); side - corner.len()];
    rows.extend(corner.iter().map(|row| format!("{row}{}", ".".repeat(side - row.len()))));
    let mut board = drawn(&rows);
    then(&mut board);
    board
}
