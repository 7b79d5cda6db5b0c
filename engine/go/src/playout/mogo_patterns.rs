//! The 3x3 shapes worth answering with, as a table over the 3x3 code: the hand-made set of MoGo
//! (Gelly, Wang, Munos, Teytaud 2006, "Modification of UCT with Patterns in Monte-Carlo Go").

use crate::Color;
use crate::board::{Cell, Pattern3x3};
use std::sync::LazyLock;

/// Rows from above, the move in the middle. `X` and `O` the two colours, `.` empty, `#` border, `?`
/// anything, `x` empty or O, `o` empty or X (neither allows border).
const SHAPES: [[&str; 3]; 13] = [
    // Hane: enclosing, not cutting, turning, and the shoulder.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "o.?"],
    [".O.", "X..", "..."],
    // Cuts.
    ["XO?", "O.x", "?x?"],
    ["XO?", "O.X", "???"],
    ["?X?", "O.O", "xxx"],
    ["OX?", "x.O", "???"],
    // At the edge: chase, block a cut, block a connection, descend, cut.
    ["X.?", "O.?", "###"],
    ["OX?", "X.O", "###"],
    ["?X?", "o.O", "###"],
    ["?XO", "o.o", "###"],
    ["?OX", "X.O", "###"],
];

/// For each colour to move and each 3x3 code, whether the shape is one of the set.
pub struct MogoPatterns {
    bits: Box<[[u64; 1024]; 2]>,
}

/// The set of MoGo, made once.
pub static MOGO: LazyLock<MogoPatterns> = LazyLock::new(|| MogoPatterns::from_shapes(&SHAPES));

impl MogoPatterns {
    /// Whether a stone of `color` makes one of the shapes.
    #[inline(always)]
    pub fn contains(&self, pattern: Pattern3x3, color: Color) -> bool {
        let code = usize::from(pattern.0);
        self.bits[color.index()][code >> 6] >> (code & 63) & 1 != 0
    }

    /// The table of these shapes in all eight positions and both colourings.
    fn from_shapes(shapes: &[[&str; 3]]) -> MogoPatterns {
        let mut bits = Box::new([[0u64; 1024]; 2]);
        for grid in shapes.iter().flat_map(|shape| all_forms(parse(shape))) {
            // The shapes' X may be either side: a cut is a point for both.
            for code in codes(&grid, false).into_iter().chain(codes(&grid, true)) {
                for table in bits.iter_mut() {
                    table[usize::from(code >> 6)] |= 1 << (code & 63);
                }
            }
        }
        MogoPatterns { bits }
    }
}

fn parse(rows: &[&str; 3]) -> [[u8; 3]; 3] {
    let mut grid = [[0; 3]; 3];
    for (row, text) in grid.iter_mut().zip(rows) {
        row.copy_from_slice(text.as_bytes());
    }
    grid
}

/// The eight positions of a grid.
fn all_forms(grid: [[u8; 3]; 3]) -> Vec<[[u8; 3]; 3]> {
    let turn = |g: [[u8; 3]; 3]| std::array::from_fn(|r| std::array::from_fn(|c| g[2 - c][r]));
    let flip = |g: [[u8; 3]; 3]| g.map(|row| [row[2], row[1], row[0]]);
    let mut out = vec![grid];
    for _ in 0..3 {
        out.push(turn(out[out.len() - 1]));
    }
    let flipped: Vec<_> = out.iter().map(|&g| flip(g)).collect();
    out.extend(flipped);
    out
}

/// Where the places of a code lie in a grid's rows: first the four beside the move, then those at
/// its corners, each clockwise from above.
const PLACES: [(usize, usize); 8] =
    [(0, 1), (1, 2), (2, 1), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0)];

/// All codes that a grid stands for, built up place by place.
fn codes(grid: &[[u8; 3]; 3], swap: bool) -> Vec<u16> {
    let mut codes = vec![0];
    for (place, &(row, col)) in PLACES.iter().enumerate() {
        let fitting = Cell::ALL.into_iter().filter(|&cell| fits(grid[row][col], cell, swap));
        codes = fitting
            .flat_map(|cell| codes.iter().map(move |code| code | (cell as u16) << (2 * place)))
            .collect();
    }
    codes
}

/// Whether a sign of a grid stands for this cell.
fn fits(sign: u8, cell: Cell, swap: bool) -> bool {
    let (x, o) = if swap { (Cell::White, Cell::Black) } else { (Cell::Black, Cell::White) };
    match sign {
        b'X' => cell == x,
        b'O' => cell == o,
        b'.' => cell == Cell::Empty,
        b'#' => cell == Cell::Border,
        b'x' => cell != x && cell != Cell::Border,
        b'o' => cell != o && cell != Cell::Border,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::board::Board9;

    fn has(stones: &[(u8, u8, Color)], at: (u8, u8), color: Color) -> bool {
        let mut board = Board9::new(9, 9).unwrap();
        for &(col, row, color) in stones {
            let s = board.site(Point::new(col, row)).unwrap();
            board.play(s, color);
        }
        MOGO.contains(board.pattern3x3(board.site(Point::new(at.0, at.1)).unwrap()), color)
    }

    #[test]
    fn knows_a_hane_and_a_cut_in_either_colour_and_not_an_empty_board() {
        use Color::{Black as B, White as W};
        for mover in Color::BOTH {
            // A white stone between two black ones above an empty row.
            assert!(has(&[(3, 5, B), (4, 5, W), (5, 5, B)], (4, 4), mover));
            // A crosscut's cutting point.
            assert!(has(&[(3, 5, B), (4, 5, W), (3, 4, W)], (4, 4), mover));
            assert!(!has(&[], (4, 4), mover));
            assert!(!has(&[(4, 5, B)], (4, 4), mover));
        }
    }
}
