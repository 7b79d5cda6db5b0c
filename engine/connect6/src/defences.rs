//! The minimum number of stones that stop every threat on the board, and which.
//!
//! A threat is a free window that lacks at most p stones. Each stone of the defender kills the windows
//! it stands in, so a defence is a set of points that hits the empty points of every threat. With p = 2
//! a threat has one or two empty points and a defence is a vertex cover of a tiny graph: a cover of two
//! takes one of the first window's points and then one of a window the first left over, so there are
//! never more than four.

use crate::Color;
use crate::board::Board;
use crate::geometry::bits;
use crate::point::Point;
use smallvec::SmallVec;

/// The empty points of each threat window (at most p of them each).
pub type Threats = SmallVec<[Window; 16]>;

/// The empty points of one threat window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    points: [Point; 2],
    len: u8,
}

impl Window {
    /// The empty points.
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.len as usize]
    }

    /// Whether a point is one of the empty points.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        // With one point the second is the same again.
        self.points[0] == point || self.points[1] == point
    }
}

/// The replies that stop all of a side's threats, for games of one or two stones a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defence {
    /// There is no threat.
    Free,
    /// One stone is enough: the points that do it alone, and the pairs that only do it together.
    One(SmallVec<[Point; 2]>, SmallVec<[(Point, Point); 4]>),
    /// Two stones are needed: all the pairs that do it.
    Two(SmallVec<[(Point, Point); 4]>),
    /// No turn stops them all.
    None,
}

/// The threat windows of a colour, each set of empty points once. Meant for p of 1 or 2: a window of more
/// than two empty points keeps the first two.
pub fn threats(board: &Board, color: Color) -> Threats {
    let mut out = Threats::new();
    for line in board.lines_with(color, 0).lines() {
        let mut last = 0;
        for start in bits(board.levels(color, line)[0]) {
            let empties = board.window_empties(color, line, start);
            if empties == last {
                continue;
            }
            last = empties;
            let mut points = bits(empties).map(|bit| board.geometry().cell(line, bit));
            let Some(first) = points.next() else { continue };
            let second = points.next();
            let window = Window {
                points: [first, second.unwrap_or(first)],
                len: 1 + u8::from(second.is_some()),
            };
            out.push(window);
        }
    }
    out
}

/// The defences against a set of threats when the defender has `stones` (1 or 2) in a turn.
pub fn defence(threats: &[Window], stones: usize) -> Defence {
    let Some(first) = threats.first() else { return Defence::Free };
    let mut singles: SmallVec<[Point; 2]> = SmallVec::new();
    let mut pairs: SmallVec<[(Point, Point); 4]> = SmallVec::new();
    for &a in first.points() {
        match threats.iter().find(|w| !w.contains(a)) {
            None => singles.push(a),
            Some(left) if stones >= 2 => {
                for &b in left.points() {
                    let covers = threats.iter().all(|w| w.contains(a) || w.contains(b));
                    if covers && !pairs.contains(&(b, a)) {
                        pairs.push((a, b));
                    }
                }
            }
            Some(_) => {}
        }
    }
    if !singles.is_empty() {
        pairs.retain(|(a, b)| !singles.contains(a) && !singles.contains(b));
        Defence::One(singles, pairs)
    } else if !pairs.is_empty() {
        Defence::Two(pairs)
    } else {
        Defence::None
    }
}
