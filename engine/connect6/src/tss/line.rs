//! What the threats of one line force together, from the bits of the line.

use crate::Color;
use crate::board::Board;
use crate::geometry::bits;
use crate::point::Point;
use crate::windows::free_windows;
use smallvec::SmallVec;

/// What the generator found out about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Force {
    /// The turn makes k in a row.
    Completes,
    /// No reply stops all of the turn's threats.
    Unstoppable,
    /// As many threats as the defender has stones: so many replies stop them. Of a turn that was not placed it may be
    /// fewer than there are, by those that meet one stone's threats with two stones.
    Double(u8),
    /// One threat that leaves the defender a free stone.
    Single,
}

/// What threats that all lie on one line force.
#[derive(Clone, Copy)]
pub(super) enum OnLine {
    /// There are none.
    Nothing,
    /// One stone stops them: the points that do.
    Stopped(u32),
    /// Two stones are needed, or no turn stops them.
    Forces(Force),
}

/// What the threats on a line force, given the stones on it.
pub(super) fn on_line(k: usize, p: usize, own: u32, other: u32, valid: u32) -> OnLine {
    let mut made = free_windows(k, p, own, other, valid).levels[0];
    if made == 0 {
        return OnLine::Nothing;
    }
    let mut empties: SmallVec<[u32; 12]> = SmallVec::new();
    while made != 0 {
        empties.push(((1 << k) - 1) << made.trailing_zeros() & !own);
        made &= made - 1;
    }
    let common = empties.iter().fold(u32::MAX, |all, e| all & e);
    if common != 0 {
        return OnLine::Stopped(common);
    }
    // As in `cover`: a point of the first window, and one of a window that it leaves.
    let mut pairs: SmallVec<[u32; 4]> = SmallVec::new();
    for a in bits(empties[0]) {
        let Some(left) = empties.iter().find(|&e| e >> a & 1 == 0) else { continue };
        for b in bits(*left) {
            let pair = 1 << a | 1 << b;
            if !pairs.contains(&pair) && empties.iter().all(|e| e & pair != 0) {
                pairs.push(pair);
            }
        }
    }
    let force =
        if pairs.is_empty() { Force::Unstoppable } else { Force::Double(pairs.len() as u8) };
    OnLine::Forces(force)
}

/// What the threats on a line force once two points of it hold stones.
pub(super) fn with_both(board: &Board, attacker: Color, line: usize, pair: [Point; 2]) -> OnLine {
    let bit = |point: Point| {
        let places = board.geometry().places(point);
        places.iter().find(|place| usize::from(place.line) == line).map_or(0, |p| 1 << p.bit)
    };
    let own = board.stones(attacker, line) | bit(pair[0]) | bit(pair[1]);
    let other = board.stones(!attacker, line);
    let rules = board.rules();
    on_line(rules.k(), rules.p(), own, other, board.geometry().valid(line))
}
