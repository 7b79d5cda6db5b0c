//! The raw board: stones and free windows, kept line by line, with nothing of turns or history.

use crate::Color;
use crate::geometry::{DIRECTIONS, Geometry, LINES, LineSet, bits};
use crate::point::{MAX_SIDE, Point};
use crate::rules::Rules;
use crate::windows::{LEVELS, Pair, count_pairs};
use std::sync::Arc;

/// Stones on lines and the free windows of both colours. Placing and removing a stone costs the same.
#[derive(Clone, Debug)]
pub struct Board {
    geometry: Arc<Geometry>,
    stones: [Pair; LINES],
    levels: [[Pair; LEVELS]; LINES],
    /// The lines with a window on the level, for levels 0 to 2.
    with: [[LineSet; 3]; 2],
    key: u64,
    count: u16,
}

impl Board {
    /// An empty board.
    pub fn new(rules: Rules) -> Board {
        Board::with_geometry(Geometry::new(rules))
    }

    /// An empty board that shares a geometry.
    pub fn with_geometry(geometry: Arc<Geometry>) -> Board {
        Board {
            geometry,
            stones: [0; LINES],
            levels: [[0; LEVELS]; LINES],
            with: [[LineSet::default(); 3]; 2],
            key: 0,
            count: 0,
        }
    }

    /// The lines of this board.
    #[inline]
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// The rules this board is for.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.geometry.rules()
    }

    /// How many stones stand on the board.
    #[inline]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// A hash of the stones, whatever the order in which they came.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The stone on a point.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        let here = self.stones[point.row()] >> point.col();
        if here & 1 != 0 {
            Some(Color::Black)
        } else if here >> 32 & 1 != 0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Whether a point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.empty(point.row()) >> point.col() & 1 == 1
    }

    /// The stones of a colour on a line.
    #[inline]
    pub fn stones(&self, color: Color, line: usize) -> u32 {
        of(self.stones[line], color)
    }

    /// The empty points of a line.
    #[inline]
    pub fn empty(&self, line: usize) -> u32 {
        let stones = self.stones[line];
        self.geometry.valid(line) & !(stones as u32) & !((stones >> 32) as u32)
    }

    /// The windows free for a colour on a line, by level (see [`crate::windows::Free`]).
    #[inline]
    pub fn levels(&self, color: Color, line: usize) -> [u32; LEVELS] {
        let levels = &self.levels[line];
        let of = |level: usize| of(levels[level], color);
        [of(0), of(1), of(2), of(3)]
    }

    /// The lines on which a colour has a free window of a level from 0 to 2.
    #[inline]
    pub fn lines_with(&self, color: Color, level: usize) -> &LineSet {
        &self.with[color.index()][level]
    }

    /// Whether a colour could win in one turn: some window lacks p stones or fewer.
    #[inline]
    pub fn has_threat(&self, color: Color) -> bool {
        !self.with[color.index()][0].is_empty()
    }

    /// The empty points of the board.
    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.rules().height())
            .flat_map(move |row| bits(self.empty(row)).map(move |col| self.geometry.cell(row, col)))
    }

    /// Puts a stone on an empty point.
    #[inline(always)]
    pub fn place(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        self.toggle(color, point);
        self.count += 1;
    }

    /// Takes away the stone that a colour has on a point.
    #[inline(always)]
    pub fn remove(&mut self, color: Color, point: Point) {
        debug_assert_eq!(self.get(point), Some(color));
        self.toggle(color, point);
        self.count -= 1;
    }

    /// Takes a stone away when it stands and puts it down when it does not, and counts the windows of
    /// the four lines again, all of them and both colours at once.
    #[inline(never)]
    fn toggle(&mut self, color: Color, point: Point) {
        let c = color.index();
        self.key ^= self.geometry.key(c, point);
        let places = *self.geometry.places(point);
        let (mut stones, mut valid) = ([0; DIRECTIONS], [0; DIRECTIONS]);
        for (i, place) in places.iter().enumerate() {
            let line = place.line as usize;
            stones[i] = self.stones[line] ^ 1 << (place.bit as usize + 32 * c);
            valid[i] = self.geometry.valid_pair(line);
        }
        let rules = self.geometry.rules();
        let counted = count_pairs::<DIRECTIONS>(rules.k(), rules.p(), &stones, &valid);
        for (i, place) in places.iter().enumerate() {
            let line = place.line as usize;
            self.stones[line] = stones[i];
            self.levels[line] = [counted[0][i], counted[1][i], counted[2][i], counted[3][i]];
        }
        for (level, counted) in counted.iter().enumerate().take(3) {
            self.with[0][level].set(&places, counted, 0);
            self.with[1][level].set(&places, counted, 32);
        }
    }

    /// Whether a colour has k or more in a row through a point.
    pub fn wins_at(&self, color: Color, point: Point) -> bool {
        let k = self.rules().k();
        self.geometry
            .places(point)
            .iter()
            .any(|place| longest_run(self.stones(color, place.line as usize)) >= k)
    }

    /// Whether a colour has k or more in a row anywhere, and where: the stones of the longest row.
    pub fn winning_row(&self, color: Color) -> Option<Vec<Point>> {
        let k = self.rules().k();
        self.lines_with(color, 0).lines().find_map(|line| {
            let stones = self.stones(color, line);
            let (mut run, mut best) = (Vec::new(), Vec::new());
            for bit in 0..=MAX_SIDE {
                if stones >> bit & 1 == 1 {
                    run.push(self.geometry.cell(line, bit));
                } else {
                    if run.len() > best.len() {
                        best = run.clone();
                    }
                    run.clear();
                }
            }
            (best.len() >= k).then_some(best)
        })
    }

    /// The empty points of one window of a line.
    #[inline]
    pub fn window_empties(&self, color: Color, line: usize, start: usize) -> u32 {
        let window = ((1u32 << self.rules().k()) - 1) << start;
        window & !self.stones(color, line)
    }
}

/// One colour's half.
#[inline(always)]
fn of(pair: Pair, color: Color) -> u32 {
    (pair >> (32 * color.index())) as u32
}

/// The longest run of set bits.
fn longest_run(mut mask: u32) -> usize {
    let mut n = 0;
    while mask != 0 {
        mask &= mask >> 1;
        n += 1;
    }
    n
}
