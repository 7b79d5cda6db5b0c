//! Which points look like moves: weights of the four line patterns through a point.
//!
//! A pattern is the five points on each side of a point on one line, each empty, the mover's, or not the
//! mover's (the opponent's or off the board). A point's weight is the sum over the four lines, and the
//! chance of a move is the softmax over the candidate points.

use crate::board::Board;
use crate::geometry::{Place, bits};
use crate::point::{Colour, MAX_POINTS, MAX_SIDE, Point};
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
    for (found, &place) in patterns.iter_mut().zip(board.geometry().places(point)) {
        *found = pattern(board, mover, place);
    }
    patterns
}

/// The pattern of a point on one line for a mover.
#[inline]
fn pattern(board: &Board, mover: Colour, place: Place) -> u16 {
    let line = place.line as usize;
    let own = around(board.stones(mover, line) << REACH, place.bit);
    let free = board.geometry().valid(line) & !board.stones(!mover, line);
    let closed = 1023 & !around(free << REACH, place.bit);
    TERNARY[own as usize] + 2 * TERNARY[closed as usize]
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
        let points = from.iter().map(|p| (p, self.weight(board, mover, p, stone))).collect();
        best(points, most)
    }
}

/// Weights of second stones, kept for all the first stones that a turn may begin with: a first stone changes
/// only those near it on its lines.
pub struct SecondStones<'a> {
    policy: &'a Policy,
    mover: Colour,
    /// The points whose weights are known.
    known: PointSet,
    weights: [f32; MAX_POINTS],
}

impl<'a> SecondStones<'a> {
    /// The weights before the first stone stands.
    pub fn new(policy: &'a Policy, board: &Board, mover: Colour) -> SecondStones<'a> {
        let known = candidates(board);
        let mut weights = [0.0; MAX_POINTS];
        for point in known.iter() {
            weights[point.index()] = policy.weight(board, mover, point, 1);
        }
        SecondStones { policy, mover, known, weights }
    }

    /// What [`Policy::best`] would tell of the candidates on a board with one stone more, the first.
    pub fn best(&self, board: &Board, first: Point, most: usize) -> Vec<(Point, f32)> {
        let from = candidates(board);
        let mut weights = self.weights;
        for &place in board.geometry().places(first) {
            let line = place.line as usize;
            let bit = place.bit as usize;
            let near = ((1u32 << (bit + REACH + 1)) - 1) & (!0 << bit.saturating_sub(REACH));
            for other in bits(near & board.empty(line)) {
                let point = board.geometry().cell(line, other);
                let with = pattern(board, self.mover, Place { line: place.line, bit: other as u8 });
                // Digits 0..5 are the points below, 5..10 those above.
                let digit = if bit < other { bit + REACH - other } else { bit - other + REACH - 1 };
                let without = with - TERNARY[1 << digit];
                let table = &self.policy.weights[1];
                weights[point.index()] +=
                    table[with as usize % PATTERNS] - table[without as usize % PATTERNS];
            }
        }
        let weight = |point: Point| {
            if self.known.contains(point) {
                weights[point.index()]
            } else {
                self.policy.weight(board, self.mover, point, 1)
            }
        };
        best(from.iter().map(|point| (point, weight(point))).collect(), most)
    }
}

/// The `most` points with the highest weights and their chances among all, best first.
fn best(mut points: Vec<(Point, f32)>, most: usize) -> Vec<(Point, f32)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Rules};

    #[test]
    fn second_stones_have_the_weights_of_the_board_that_they_stand_on() {
        let mut policy = Policy::default();
        for (i, weight) in policy.weights[1].iter_mut().enumerate() {
            *weight = ((i * 7919) % 1009) as f32 / 256.0;
        }
        let mut board = Board::new(Rules::CONNECT6);
        let at = |col, row| Point::new(col, row).unwrap();
        for (i, (col, row)) in
            [(9, 9), (10, 9), (9, 10), (0, 0), (3, 1), (11, 12), (18, 18)].into_iter().enumerate()
        {
            board.place([Colour::Black, Colour::White][i % 2], at(col, row));
        }
        for mover in Colour::BOTH {
            let seconds = SecondStones::new(&policy, &board, mover);
            for first in [at(10, 10), at(1, 1), at(17, 18), at(7, 9), at(13, 5)] {
                let mut board = board.clone();
                board.place(mover, first);
                let kept = seconds.best(&board, first, 400);
                let anew = policy.best(&board, mover, 1, &candidates(&board), 400);
                assert_eq!(kept.len(), anew.len());
                for (point, chance) in kept {
                    let found = anew.iter().find(|(p, _)| *p == point).unwrap().1;
                    assert!((chance - found).abs() < 1e-5, "{point:?} after {first:?}");
                }
            }
        }
    }
}
