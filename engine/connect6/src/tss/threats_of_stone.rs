//! What one more stone of the attacker forces, read off the windows through its point without placing it.
//!
//! A window one stone short of a threat becomes a threat with a stone in it. All threats that a stone makes
//! go through its point, so those on different lines have nothing else in common: the defender stops them
//! with one stone only when they all lie on one line and share an empty point. Two stones together make the
//! threats they make alone and those of the windows that hold both, so what a turn forces follows from its stones
//! and one line.

use crate::Color;
use crate::board::Board;
use crate::geometry::{Place, bits};
use crate::point::Point;
use smallvec::SmallVec;

/// A point where a stone makes a threat, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Stone {
    /// Where it goes.
    pub point: Point,
    /// The points that stop all its threats; none when one stone does not stop them.
    pub stops: SmallVec<[Point; 2]>,
    /// The line of its threats, one of them when they lie on several.
    pub line: u8,
    /// What it leaves to work with once its threats are met.
    pub promise: u16,
}

impl Stone {
    /// Looks at a point of a window that is one stone short of a threat.
    pub fn at(board: &Board, attacker: Color, point: Point) -> Stone {
        let mut stone = Stone { point, stops: SmallVec::new(), line: 0, promise: 0 };
        let (k, mut lines, mut closed) = (board.rules().k(), 0, [false; 4]);
        for (direction, place) in board.geometry().places(point).iter().enumerate() {
            let line = place.line as usize;
            let starts = board.levels(attacker, line)[1] & windows_with(place.bit as usize, k);
            if starts == 0 {
                continue;
            }
            stone.stops.clear();
            if lines == 0 {
                let left = |start| board.window_empties(attacker, line, start);
                let all = bits(starts).fold(!(1 << place.bit), |all, start| all & left(start));
                stone.stops.extend(bits(all).map(|bit| board.geometry().cell(line, bit)));
            }
            stone.line = place.line;
            lines += 1;
            closed[direction] = true;
        }
        stone.promise = promise(board, attacker, point, closed);
        stone
    }

    /// Whether the defender needs his whole turn for the threats of this stone.
    pub fn forces_alone(&self) -> bool {
        self.stops.is_empty()
    }
}

/// The line on which two points lie, if any: only there their stones can do more than each alone.
pub(super) fn common_line(board: &Board, a: Point, b: Point) -> Option<usize> {
    let columns = a.col().abs_diff(b.col());
    let rows = a.row().abs_diff(b.row());
    if columns != 0 && rows != 0 && columns != rows {
        return None;
    }
    let (here, there) = (board.geometry().places(a), board.geometry().places(b));
    here.iter().zip(there).find(|(a, b)| a.line == b.line).map(|(a, _)| usize::from(a.line))
}

/// What a stone adds for later turns: windows that come one stone short of a threat, and those that come
/// two short, on lines where its own threats do not call for replies (`closed`).
pub(super) fn promise(board: &Board, attacker: Color, point: Point, closed: [bool; 4]) -> u16 {
    let k = board.rules().k();
    let on_line = |(place, closed): (&Place, bool)| {
        if closed {
            return 0;
        }
        let levels = board.levels(attacker, place.line as usize);
        let through = windows_with(place.bit as usize, k);
        2 * (levels[2] & through).count_ones() + (levels[3] & through).count_ones()
    };
    board.geometry().places(point).iter().zip(closed).map(on_line).sum::<u32>() as u16
}

/// The windows of k points that hold a bit of a line, by where they begin.
#[inline]
pub(super) fn windows_with(bit: usize, k: usize) -> u32 {
    ((2u32 << bit) - 1) & (!0u32 << (bit + 1).saturating_sub(k))
}
