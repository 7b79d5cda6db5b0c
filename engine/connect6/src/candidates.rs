//! Where moves are looked for.

use crate::Color;
use crate::board::Board;
use crate::geometry::bits;
use crate::point::MAX_SIDE;
use crate::point_set::PointSet;

/// The empty points near stones: within three steps of a stone in any direction, or the middle of an empty
/// board.
pub fn candidates(board: &Board) -> PointSet {
    let rules = board.rules();
    let (width, height) = (rules.width(), rules.height());
    let mut rows = [0u32; MAX_SIDE];
    for row in 0..height {
        let stones = board.stones(Color::Black, row) | board.stones(Color::White, row);
        if stones != 0 {
            let spread = stones
                | stones << 1
                | stones << 2
                | stones << 3
                | stones >> 1
                | stones >> 2
                | stones >> 3;
            for near in &mut rows[row.saturating_sub(3)..(row + 4).min(height)] {
                *near |= spread;
            }
        }
    }
    if board.count() == 0 {
        rows[height / 2] = 1 << (width / 2);
    }
    let mut set = PointSet::default();
    for (row, near) in rows.iter().enumerate().take(height) {
        for col in bits(near & board.empty(row)) {
            set.insert(board.geometry().cell(row, col));
        }
    }
    if set.is_empty() { board.empties().collect() } else { set }
}
