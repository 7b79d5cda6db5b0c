//! The raw board: stones and free windows, kept line by line, with nothing of turns or history.

use crate::geometry::{Geometry, LINES, bits, lines};
use crate::point::{Colour, MAX_SIDE, Point};
use crate::rules::Rules;
use crate::windows::{LEVELS, count_lanes};
use std::sync::Arc;

/// The set of one line, by line.
static BIT: [u128; LINES] = {
    let mut table = [0; LINES];
    let mut line = 0;
    while line < LINES {
        table[line] = 1 << line;
        line += 1;
    }
    table
};

/// Stones on lines and the free windows of both colours. Placing and removing a stone costs the same.
#[derive(Clone, Debug)]
pub struct Board {
    geometry: Arc<Geometry>,
    stones: [[u32; LINES]; 2],
    levels: [[[u32; LEVELS]; LINES]; 2],
    /// The lines with a window on the level, for levels 0 to 2.
    with: [[u128; 3]; 2],
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
            stones: [[0; LINES]; 2],
            levels: [[[0; LEVELS]; LINES]; 2],
            with: [[0; 3]; 2],
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
    pub fn get(&self, point: Point) -> Option<Colour> {
        let (row, bit) = (point.row(), 1 << point.col());
        if self.stones[0][row] & bit != 0 {
            Some(Colour::Black)
        } else if self.stones[1][row] & bit != 0 {
            Some(Colour::White)
        } else {
            None
        }
    }

    /// Whether a point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        let row = point.row();
        (self.geometry.valid(row) & !self.stones[0][row] & !self.stones[1][row]) >> point.col() & 1
            == 1
    }

    /// The stones of a colour on a line.
    #[inline]
    pub fn stones(&self, colour: Colour, line: usize) -> u32 {
        self.stones[colour.index()][line]
    }

    /// The empty points of a line.
    #[inline]
    pub fn empty(&self, line: usize) -> u32 {
        self.geometry.valid(line) & !self.stones[0][line] & !self.stones[1][line]
    }

    /// The windows free for a colour on a line, by level (see [`crate::windows::Free`]).
    #[inline]
    pub fn levels(&self, colour: Colour, line: usize) -> &[u32; LEVELS] {
        &self.levels[colour.index()][line]
    }

    /// The lines on which a colour has a free window of a level from 0 to 2.
    #[inline]
    pub fn lines_with(&self, colour: Colour, level: usize) -> u128 {
        self.with[colour.index()][level]
    }

    /// Whether a colour could win in one turn: some window lacks p stones or fewer.
    #[inline]
    pub fn has_threat(&self, colour: Colour) -> bool {
        self.with[colour.index()][0] != 0
    }

    /// The empty points of the board.
    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.rules().height())
            .flat_map(move |row| bits(self.empty(row)).map(move |col| self.geometry.cell(row, col)))
    }

    /// Puts a stone on an empty point.
    #[inline(always)]
    pub fn place(&mut self, colour: Colour, point: Point) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        self.toggle(colour, point);
        self.count += 1;
    }

    /// Takes away the stone that a colour has on a point.
    #[inline(always)]
    pub fn remove(&mut self, colour: Colour, point: Point) {
        debug_assert_eq!(self.get(point), Some(colour));
        self.toggle(colour, point);
        self.count -= 1;
    }

    /// Takes a stone away when it stands and puts it down when it does not, and counts the windows of
    /// the four lines again: four lines by two colours at once.
    #[inline(never)]
    fn toggle(&mut self, colour: Colour, point: Point) {
        let c = colour.index();
        self.key ^= self.geometry.key(c, point);
        let places = *self.geometry.places(point);
        let (mut own, mut other, mut valid) = ([0; 8], [0; 8], [0; 8]);
        for (i, place) in places.iter().enumerate() {
            let line = place.line as usize;
            self.stones[c][line] ^= 1 << place.bit;
            let (black, white) = (self.stones[0][line], self.stones[1][line]);
            own[i] = black;
            own[i + 4] = white;
            other[i] = white;
            other[i + 4] = black;
            valid[i] = self.geometry.valid(line);
            valid[i + 4] = valid[i];
        }
        let rules = self.geometry.rules();
        let counted = count_lanes::<8>(rules.k(), rules.p(), &own, &other, &valid);
        let bit = [
            BIT[places[0].line as usize],
            BIT[places[1].line as usize],
            BIT[places[2].line as usize],
            BIT[places[3].line as usize],
        ];
        let untouched = !(bit[0] | bit[1] | bit[2] | bit[3]);
        for c in 0..2 {
            for (i, place) in places.iter().enumerate() {
                let lane = 4 * c + i;
                self.levels[c][place.line as usize] =
                    [counted[0][lane], counted[1][lane], counted[2][lane], counted[3][lane]];
            }
            for (level, set) in self.with[c].iter_mut().enumerate() {
                let mut new = *set & untouched;
                for i in 0..4 {
                    new |= if counted[level][4 * c + i] != 0 { bit[i] } else { 0 };
                }
                *set = new;
            }
        }
    }

    /// Whether a colour has k or more in a row through a point.
    pub fn wins_at(&self, colour: Colour, point: Point) -> bool {
        let k = self.rules().k();
        self.geometry
            .places(point)
            .iter()
            .any(|place| longest_run(self.stones(colour, place.line as usize)) >= k)
    }

    /// Whether a colour has k or more in a row anywhere, and where: the stones of the longest row.
    pub fn winning_row(&self, colour: Colour) -> Option<Vec<Point>> {
        let k = self.rules().k();
        lines(self.lines_with(colour, 0)).find_map(|line| {
            let stones = self.stones(colour, line);
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
    pub fn window_empties(&self, colour: Colour, line: usize, start: usize) -> u32 {
        let window = ((1u32 << self.rules().k()) - 1) << start;
        window & !self.stones[colour.index()][line]
    }
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
