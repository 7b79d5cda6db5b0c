//! Patterns: the five points on each side of a point on one line, as one number.
//!
//! Each of the ten points is empty, a colour's own, or closed to it (the other colour's or off the board).
//! A line through a point has two patterns, one as each colour sees it; together they tell stones from the
//! edge.

use crate::Color;
use crate::board::Board;
use crate::geometry::{DIRECTIONS, Place};
use crate::point::Point;
use std::sync::OnceLock;

/// How many patterns there are: three states of ten points.
pub const PATTERNS: usize = 59_049;
/// How far a pattern reaches to each side.
pub const REACH: usize = 5;
const SIDE: u32 = (1 << REACH) - 1;
const BOTH: u32 = (1 << (2 * REACH)) - 1;

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

/// The patterns of one line through a point: as the mover sees it, and as the other side does.
pub type LinePatterns = [u16; 2];

/// The patterns of the four lines through a point. The point itself is left out, so it may be empty or not.
#[inline(always)]
pub fn patterns(board: &Board, mover: Color, point: Point) -> [LinePatterns; DIRECTIONS] {
    // Not `map`: it would not be inlined into functions compiled for wider vectors.
    let mut patterns = [[0; 2]; DIRECTIONS];
    for (patterns, place) in patterns.iter_mut().zip(board.geometry().places(point)) {
        *patterns = line_patterns(board, mover, *place);
    }
    patterns
}

/// The patterns of one line through a point.
#[inline(always)]
pub fn line_patterns(board: &Board, mover: Color, place: Place) -> LinePatterns {
    let line = place.line as usize;
    let own = around(board.stones(mover, line), place.bit);
    let other = around(board.stones(!mover, line), place.bit);
    let outside = BOTH & !around(board.geometry().valid(line), place.bit);
    let number =
        |own: u32, closed: u32| TERNARY[own as usize] + 2 * TERNARY[(closed & BOTH) as usize];
    [number(own, other | outside), number(other, own | outside)]
}

/// The patterns of a line without the mover's stone that stands `bit` away, given those with it.
///
/// `at` is the bit of the patterns' own point, `stone` the bit of the stone, at most [`REACH`] from it.
#[inline(always)]
pub fn without(with: LinePatterns, at: usize, stone: usize) -> LinePatterns {
    // Digits 0..5 are the points below, 5..10 those above.
    let digit = if stone < at { stone + REACH - at } else { stone - at + REACH - 1 };
    let worth = TERNARY[1 << digit];
    [with[0] - worth, with[1] - 2 * worth]
}

/// The five bits below and above a bit.
#[inline(always)]
fn around(mask: u32, bit: u8) -> u32 {
    let mask = mask << REACH;
    mask >> bit & SIDE | (mask >> (bit as usize + REACH + 1) & SIDE) << REACH
}

/// The pattern seen from the other end.
pub fn mirrored(pattern: u16) -> u16 {
    static MIRRORED: OnceLock<Vec<u16>> = OnceLock::new();
    MIRRORED.get_or_init(|| {
        (0..PATTERNS as u16).map(|pattern| reversed(pattern, 2 * REACH as u32)).collect()
    })[pattern as usize % PATTERNS]
}

/// A number of so many digits to the base three, read from the other end.
pub fn reversed(number: u16, digits: u32) -> u16 {
    let mut rest = number;
    (0..digits).fold(0, |reversed, _| {
        let digit = rest % 3;
        rest /= 3;
        reversed * 3 + digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Rules};

    #[test]
    fn a_stone_is_taken_out_of_the_patterns_around_it() {
        let at = |col, row| Point::new(col, row).unwrap();
        let mut board = Board::new(Rules::CONNECT6);
        for (i, (col, row)) in
            [(9, 9), (10, 9), (9, 10), (0, 0), (3, 1), (12, 11), (18, 18)].into_iter().enumerate()
        {
            board.place([Color::Black, Color::White][i % 2], at(col, row));
        }
        for stone in [at(9, 11), at(1, 1), at(18, 9)] {
            let before = board.clone();
            board.place(Color::Black, stone);
            for (direction, &line) in board.geometry().places(stone).iter().enumerate() {
                for distance in 1..=REACH as u8 {
                    for bit in [line.bit.checked_sub(distance), Some(line.bit + distance)] {
                        let Some(bit) = bit.filter(|&b| {
                            u32::from(b) < 19
                                && board.geometry().valid(line.line as usize) >> b & 1 == 1
                        }) else {
                            continue;
                        };
                        let place = Place { line: line.line, bit };
                        let with = line_patterns(&board, Color::Black, place);
                        let before = line_patterns(&before, Color::Black, place);
                        let stone = line.bit as usize;
                        assert_eq!(without(with, bit as usize, stone), before, "{direction}");
                    }
                }
            }
            board.remove(Color::Black, stone);
        }
    }

    #[test]
    fn a_mirrored_pattern_mirrored_is_itself() {
        for pattern in 0..PATTERNS as u16 {
            assert_eq!(mirrored(mirrored(pattern)), pattern);
        }
        // The mover's stone next below the point, and next above it.
        assert_eq!(mirrored(81), 243);
    }
}
