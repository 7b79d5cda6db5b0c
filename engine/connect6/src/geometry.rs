//! The lines of a board: which line and which bit of it a point is, in each of four directions.

use crate::point::{MAX_POINTS, MAX_SIDE, Point};
use crate::rules::Rules;
use crate::windows::{Pair, both};
use game_core::{GOLDEN_GAMMA, mix64};
use std::sync::Arc;

/// How many lines there are on the largest board: rows, columns and both kinds of diagonals.
pub const LINES: usize = 2 * MAX_SIDE + 2 * (2 * MAX_SIDE - 1);
/// Horizontal, vertical, rising and falling.
pub const DIRECTIONS: usize = 4;

const FIRST_COLUMN: usize = MAX_SIDE;
const FIRST_RISING: usize = 2 * MAX_SIDE;
const FIRST_FALLING: usize = FIRST_RISING + 2 * MAX_SIDE - 1;
const FIRST: [usize; DIRECTIONS] = [0, FIRST_COLUMN, FIRST_RISING, FIRST_FALLING];

/// A line and a bit on it. The bit is the column, or the row on vertical lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, below [`LINES`].
    pub line: u8,
    /// The bit of the line's masks, below [`MAX_SIDE`].
    pub bit: u8,
}

/// Everything about lines that depends on the rules alone.
#[derive(Debug)]
pub struct Geometry {
    rules: Rules,
    places: [[Place; DIRECTIONS]; MAX_POINTS],
    valid: [u32; LINES],
    valid_pairs: [Pair; LINES],
    cells: Box<[[u16; MAX_SIDE]; LINES]>,
    keys: [[u64; MAX_POINTS]; 2],
}

impl Geometry {
    /// The geometry of a board.
    pub fn new(rules: Rules) -> Arc<Geometry> {
        let mut g = Geometry {
            rules,
            places: [[Place { line: 0, bit: 0 }; DIRECTIONS]; MAX_POINTS],
            valid: [0; LINES],
            valid_pairs: [0; LINES],
            cells: Box::new([[0; MAX_SIDE]; LINES]),
            keys: [[0; MAX_POINTS]; 2],
        };
        for point in Rules::CONNECT6.points() {
            let (col, row) = (point.col(), point.row());
            let places = [
                (row, col),
                (FIRST_COLUMN + col, row),
                (FIRST_RISING + col + MAX_SIDE - 1 - row, col),
                (FIRST_FALLING + col + row, col),
            ];
            for (direction, (line, bit)) in places.into_iter().enumerate() {
                g.places[point.index()][direction] = Place { line: line as u8, bit: bit as u8 };
                g.cells[line][bit] = point.index() as u16;
                if rules.contains(point) {
                    g.valid[line] |= 1 << bit;
                }
            }
        }
        g.valid_pairs = g.valid.map(both);
        // Keys that are the same in every run: a fixed stream of SplitMix64.
        let mut state = 0x5c6e_9a3d_1b27_f04cu64;
        for keys in &mut g.keys {
            keys.fill_with(|| {
                state = state.wrapping_add(GOLDEN_GAMMA);
                mix64(state)
            });
        }
        Arc::new(g)
    }

    /// The rules this geometry is of.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The four lines through a point.
    #[inline]
    pub fn places(&self, point: Point) -> &[Place; DIRECTIONS] {
        &self.places[point.index()]
    }

    /// The bits of a line that are on the board.
    #[inline]
    pub fn valid(&self, line: usize) -> u32 {
        self.valid[line]
    }

    /// The same for both colours.
    #[inline]
    pub(crate) fn valid_pair(&self, line: usize) -> Pair {
        self.valid_pairs[line]
    }

    /// The point of a bit of a line.
    #[inline]
    pub fn cell(&self, line: usize, bit: usize) -> Point {
        Point::at(self.cells[line][bit])
    }

    /// The hash key of a stone.
    #[inline]
    pub fn key(&self, color: usize, point: Point) -> u64 {
        self.keys[color][point.index()]
    }
}

/// The bits set in a mask, lowest first.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}

/// A set of lines: a word for each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineSet([u64; DIRECTIONS]);

impl LineSet {
    /// Whether there is no line in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// How many lines are in it.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Its lines, lowest first.
    #[inline]
    pub fn lines(self) -> impl Iterator<Item = usize> {
        let (mut words, mut direction) = (self.0, 0);
        std::iter::from_fn(move || {
            while words[direction] == 0 {
                direction += 1;
                if direction == DIRECTIONS {
                    direction = DIRECTIONS - 1;
                    return None;
                }
            }
            let word = &mut words[direction];
            let line = FIRST[direction] + word.trailing_zeros() as usize;
            *word &= *word - 1;
            Some(line)
        })
    }

    /// Puts the lines through a point in or out, by whether they have windows in the half of the pair
    /// that begins at a bit.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        places: &[Place; DIRECTIONS],
        windows: &[Pair; DIRECTIONS],
        half: u32,
    ) {
        for i in 0..DIRECTIONS {
            let bit = places[i].line as usize - FIRST[i];
            let has = u64::from((windows[i] >> half) as u32 != 0);
            self.0[i] = self.0[i] & !(1 << bit) | has << bit;
        }
    }
}
