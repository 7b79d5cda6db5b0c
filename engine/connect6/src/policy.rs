//! Which points look like moves: weights of the four line patterns through a point.
//!
//! A pattern is the five points on each side of a point on one line, each empty, the mover's, or not the
//! mover's (the opponent's or off the board). A point's weight is the sum over the four lines, and the
//! chance of a move is the softmax over the candidate points.

use crate::board::Board;
use crate::geometry::bits;
use crate::point::{Colour, MAX_SIDE, Point};
use crate::point_set::PointSet;
use std::sync::OnceLock;

/// How many patterns there are: three states of ten points.
pub const PATTERNS: usize = 59_049;
const REACH: usize = 5;
const SIDE: u32 = (1 << REACH) - 1;

/// Weights of patterns, for the first stone of a turn and for the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Natural logarithms of odds, by stone and pattern.
    pub weights: [Vec<f32>; 2],
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { weights: [vec![0.0; PATTERNS], vec![0.0; PATTERNS]] }
    }
}

/// Base-three numbers of ten bits, each bit a digit of 0 or 1.
static TERNARY: [u16; 1024] = {
    let mut table = [0; 1024];
    let mut n = 0;
    while n < 1024 {
        let (mut bit, mut value, mut power) = (0, 0, 1);
        while bit < 10 {
            if n >> bit & 1 == 1 {
                value += power;
            }
            power *= 3;
            bit += 1;
        }
        table[n] = value;
        n += 1;
    }
    table
};

/// The four patterns of a point for a mover. The point itself is left out, so it may be empty or not.
#[inline]
pub fn patterns(board: &Board, mover: Colour, point: Point) -> [u16; 4] {
    let mut patterns = [0; 4];
    for (pattern, place) in patterns.iter_mut().zip(board.geometry().places(point)) {
        let line = place.line as usize;
        let own = around(board.stones(mover, line) << REACH, place.bit);
        let free = board.geometry().valid(line) & !board.stones(!mover, line);
        let closed = 1023 & !around(free << REACH, place.bit);
        *pattern = TERNARY[own as usize] + 2 * TERNARY[closed as usize];
    }
    patterns
}

/// The five bits below and above a bit, of a mask moved up by five.
#[inline]
fn around(mask: u32, bit: u8) -> u32 {
    mask >> bit & SIDE | (mask >> (bit as usize + REACH + 1) & SIDE) << REACH
}

/// The pattern seen from the other end.
pub fn mirrored(pattern: u16) -> u16 {
    static MIRRORED: OnceLock<Vec<u16>> = OnceLock::new();
    MIRRORED.get_or_init(|| (0..PATTERNS as u16).map(mirror).collect())[pattern as usize % PATTERNS]
}

fn mirror(pattern: u16) -> u16 {
    let mut digits = [0u16; 10];
    let mut rest = pattern;
    for digit in &mut digits {
        *digit = rest % 3;
        rest /= 3;
    }
    // Digits 0..5 are below the point from far to near, 5..10 above it from near to far.
    digits.iter().fold(0, |n, d| n * 3 + d)
}

/// The empty points near stones, where moves are looked for: within three steps of a stone in any
/// direction, or the middle of an empty board.
pub fn candidates(board: &Board) -> PointSet {
    let rules = board.rules();
    let (width, height) = (rules.width(), rules.height());
    let mut rows = [0u32; MAX_SIDE];
    for row in 0..height {
        let stones = board.stones(Colour::Black, row) | board.stones(Colour::White, row);
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

impl Policy {
    /// The weight of a point as the first (0) or second (1) stone of a turn.
    #[inline]
    pub fn weight(&self, board: &Board, mover: Colour, point: Point, stone: usize) -> f32 {
        let weights = &self.weights[stone.min(1)];
        patterns(board, mover, point).iter().map(|&p| weights[p as usize % PATTERNS]).sum()
    }

    /// The `most` points with the highest weights and their chances, best first, out of a set.
    pub fn best(
        &self,
        board: &Board,
        mover: Colour,
        stone: usize,
        from: &PointSet,
        most: usize,
    ) -> Vec<(Point, f32)> {
        let mut points: Vec<(Point, f32)> =
            from.iter().map(|p| (p, self.weight(board, mover, p, stone))).collect();
        let top = points.iter().map(|p| p.1).fold(f32::MIN, f32::max);
        let mut total = 0.0;
        for (_, w) in &mut points {
            *w = (*w - top).exp();
            total += *w;
        }
        points.iter_mut().for_each(|p| p.1 /= total);
        if points.len() > most {
            points.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1));
            points.truncate(most);
        }
        points.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        points
    }
}
