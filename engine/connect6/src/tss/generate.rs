//! The attacker's turns that make threats.
//!
//! One more stone in a window that is one stone short of a threat makes a threat, and so do two stones in
//! a window that is two short. Every turn of two threats is made of these: two of the first kind, one pair
//! of the second, or one stone that makes two threats alone, with any other stone.

use super::Turns;
use crate::board::Board;
use crate::cover::{Defence, Threats, defence, threats};
use crate::geometry::bits;
use crate::point::{Colour, MAX_POINTS, Point, Turn};
use crate::windows::free_windows;

/// What the generator found out about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Force {
    /// The turn makes k in a row.
    Completes,
    /// No reply stops all of the turn's threats.
    Unstoppable,
    /// As many threats as the defender has stones: so many replies stop them.
    Double(u8),
    /// One threat that leaves the defender a free stone.
    Single,
}

/// An attacking turn and what it forces.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// The stones.
    pub turn: Turn,
    /// What it forces.
    pub force: Force,
    /// How much the attacker has left to work with afterwards: larger is better.
    pub promise: u16,
    /// The key of the board after the turn.
    pub key: u64,
}

/// The stones that are tried beside one that forces alone.
const BUILDERS: usize = 20;
/// The same beside a single threat, where there are many more turns.
const BUILDERS_SINGLE: usize = 10;
/// No more single-threat turns than this at one position.
const MAX_SINGLES: usize = 240;

struct Generator<'a> {
    board: &'a mut Board,
    attacker: Colour,
    turns: Turns,
    defender_stones: usize,
    out: &'a mut Vec<Attack>,
    nodes: u64,
    most: u64,
    singles: usize,
}

/// Adds to `out` the attacker's turns (of `stones` stones) that make enough threats, and returns how many
/// turns were tried. When a turn wins outright it is the only one added. After `most` turns it gives up,
/// and the list is not complete.
pub fn attacks(
    board: &mut Board,
    attacker: Colour,
    stones: usize,
    turns: Turns,
    most: u64,
    out: &mut Vec<Attack>,
) -> u64 {
    let base = out.len();
    if let Some(turn) = completing(board, attacker, stones) {
        out.push(Attack { turn, force: Force::Completes, promise: u16::MAX, key: 0 });
        return 1;
    }
    let defender_stones = board.rules().p();
    let mut g =
        Generator { board, attacker, turns, defender_stones, out, nodes: 0, most, singles: 0 };
    g.run(stones);
    let nodes = g.nodes;
    if let Some(won) = out[base..].iter().position(|a| a.force == Force::Unstoppable) {
        let win = out[base + won];
        out.truncate(base);
        out.push(win);
    }
    nodes
}

/// A turn that makes k in a row at once: the missing stones of a threat (a second stone is added nearby
/// when only one is missing, since a turn has a fixed number of stones).
pub fn completing(board: &Board, attacker: Colour, stones: usize) -> Option<Turn> {
    let threats = threats(board, attacker);
    let window = threats.iter().find(|w| w.points().len() <= stones)?;
    let first = *window.points().first()?;
    match window.points().get(1) {
        Some(&second) => Some(Turn::pair(first, second)),
        // The row wins with its last stone: a second one is not needed.
        None => Some(Turn::single(first)),
    }
}

/// Whether one stone stops every threat on a line.
#[inline]
fn one_stops_all(k: usize, p: usize, own: u32, other: u32, valid: u32) -> bool {
    let mut made = free_windows(k, p, own, other, valid).levels[0];
    let mut common = !own;
    while made != 0 {
        common &= ((1 << k) - 1) << made.trailing_zeros();
        made &= made - 1;
    }
    common != 0
}

impl Generator<'_> {
    fn run(&mut self, stones: usize) {
        let must = threats(self.board, !self.attacker);
        let cover = defence(&must, stones);
        match &cover {
            Defence::None => return,
            // Both stones are needed for defence: those turns alone.
            Defence::Two(pairs) => {
                for &(a, b) in pairs {
                    self.try_turn(a, b);
                }
                return;
            }
            Defence::Free | Defence::One(..) => {}
        }
        let (forcing, is_forcing) = self.forcing_points();
        if stones == 1 {
            for &a in &forcing {
                self.try_single(a);
            }
            return;
        }
        let blocks: Option<&[Point]> = match &cover {
            Defence::One(singles, pairs) => {
                for &(a, b) in pairs {
                    self.try_turn(a, b);
                }
                Some(singles)
            }
            _ => None,
        };
        let allowed = |a: Point, b: Point| blocks.is_none_or(|s| s.contains(&a) || s.contains(&b));
        // The builders are only gathered when a stone needs one.
        let mut builders: Option<Vec<Point>> = None;
        for (i, &a) in forcing.iter().enumerate() {
            self.board.place(self.attacker, a);
            let alone = defence(&threats(self.board, self.attacker), self.defender_stones);
            let forces_alone = matches!(alone, Defence::Two(_) | Defence::None);
            for &b in &forcing[i + 1..] {
                if allowed(a, b) && self.second(a, b) {
                    break;
                }
            }
            if !self.done() && (forces_alone || self.turns == Turns::Singles) {
                let cap = if forces_alone { BUILDERS } else { BUILDERS_SINGLE };
                let builders = builders.get_or_insert_with(|| match blocks {
                    Some(singles) => singles.to_vec(),
                    None => self.builders(&is_forcing),
                });
                for &b in builders.iter().take(cap) {
                    if b != a && !is_forcing[b.index()] && self.second(a, b) {
                        break;
                    }
                }
            }
            self.board.remove(self.attacker, a);
            if self.done() {
                return;
            }
        }
        self.line_pairs(&is_forcing, &allowed);
    }

    /// Whether a turn wins, or enough were tried.
    fn done(&self) -> bool {
        self.nodes >= self.most || self.out.last().is_some_and(|a| a.force == Force::Unstoppable)
    }

    /// The points that make a threat alone, those with most to gain first.
    fn forcing_points(&self) -> (Vec<Point>, [bool; MAX_POINTS]) {
        let (mut list, mut is) = (Vec::with_capacity(64), [false; MAX_POINTS]);
        let k = self.board.rules().k();
        for line in self.board.lines_with(self.attacker, 1).lines() {
            let starts = self.board.levels(self.attacker, line)[1];
            let points = (0..k).fold(0, |m, i| m | starts << i) & self.board.empty(line);
            for bit in bits(points) {
                let point = self.board.geometry().cell(line, bit);
                if !std::mem::replace(&mut is[point.index()], true) {
                    list.push((self.gain(point), point));
                }
            }
        }
        list.sort_unstable_by_key(|&(gain, point)| (std::cmp::Reverse(gain), point));
        (list.into_iter().map(|(_, point)| point).collect(), is)
    }

    /// How many of the attacker's windows one or two stones short of a threat go through a point, those
    /// nearer to a threat counted more.
    fn gain(&self, point: Point) -> u32 {
        let k = self.board.rules().k();
        let places = self.board.geometry().places(point);
        let on_line = |place: &crate::geometry::Place| {
            let levels = self.board.levels(self.attacker, place.line as usize);
            let bit = place.bit as usize;
            let through = ((2u32 << bit) - 1) & (!0u32 << (bit + 1).saturating_sub(k));
            4 * (levels[1] & through).count_ones()
                + 2 * (levels[2] & through).count_ones()
                + (levels[3] & through).count_ones()
        };
        places.iter().map(on_line).sum()
    }

    /// The points in most windows two stones short of a threat, best first: what to do with a spare stone.
    fn builders(&self, is_forcing: &[bool; MAX_POINTS]) -> Vec<Point> {
        let mut score = [0u8; MAX_POINTS];
        let mut points = Vec::with_capacity(64);
        let k = self.board.rules().k();
        for line in self.board.lines_with(self.attacker, 2).lines() {
            let starts = self.board.levels(self.attacker, line)[2];
            for start in bits(starts) {
                for bit in bits(self.board.empty(line) & ((1 << k) - 1) << start) {
                    let point = self.board.geometry().cell(line, bit);
                    let s = &mut score[point.index()];
                    if *s == 0 && !is_forcing[point.index()] {
                        points.push(point);
                    }
                    *s += 1;
                }
            }
        }
        points.sort_by_key(|p| std::cmp::Reverse(score[p.index()]));
        if points.is_empty() {
            points.extend(self.board.empties().filter(|p| !is_forcing[p.index()]).take(1));
        }
        points
    }

    /// Pairs on one line, in a window two stones short of a threat.
    fn line_pairs(
        &mut self,
        is_forcing: &[bool; MAX_POINTS],
        allowed: &dyn Fn(Point, Point) -> bool,
    ) {
        let rules = self.board.rules();
        let (k, p) = (rules.k(), rules.p());
        for line in self.board.lines_with(self.attacker, 2).lines() {
            let starts = self.board.levels(self.attacker, line)[2];
            let empty = self.board.empty(line);
            let points = (0..k).fold(0, |m, i| m | starts << i) & empty;
            let own = self.board.stones(self.attacker, line);
            let other = self.board.stones(!self.attacker, line);
            let valid = self.board.geometry().valid(line);
            for i in bits(points) {
                // Windows that hold bit i begin between i - k + 1 and i.
                let with_i = starts & ((2u32 << i) - 1) & (!0u32 << (i + 1).saturating_sub(k));
                let reach = (0..k).fold(0, |m, s| m | with_i << s) & empty & (!0u32 << i << 1);
                for j in bits(reach) {
                    let (a, b) =
                        (self.board.geometry().cell(line, i), self.board.geometry().cell(line, j));
                    let (fa, fb) = (is_forcing[a.index()], is_forcing[b.index()]);
                    if fa && fb || !allowed(a, b) {
                        continue; // Tried already, or leaves the other side a win.
                    }
                    if self.turns == Turns::Doubles && !fa && !fb {
                        let pair = 1 << i | 1 << j;
                        if one_stops_all(k, p, own | pair, other, valid) {
                            continue; // One stone stops everything on the line, and the line is all there is.
                        }
                    }
                    self.try_turn(a, b);
                    if self.done() {
                        return;
                    }
                }
            }
        }
    }

    fn try_turn(&mut self, a: Point, b: Point) {
        self.board.place(self.attacker, a);
        self.second(a, b);
        self.board.remove(self.attacker, a);
    }

    fn try_single(&mut self, a: Point) {
        self.board.place(self.attacker, a);
        self.judge(Turn::single(a));
        self.board.remove(self.attacker, a);
    }

    /// Tries the second stone while the first stands; says whether that is enough.
    fn second(&mut self, a: Point, b: Point) -> bool {
        self.board.place(self.attacker, b);
        self.judge(Turn::pair(a, b));
        self.board.remove(self.attacker, b);
        self.done()
    }

    /// Judges the turn that stands on the board.
    fn judge(&mut self, turn: Turn) {
        self.nodes += 1;
        if self.board.has_threat(!self.attacker) {
            return;
        }
        let made: Threats = threats(self.board, self.attacker);
        let force = match defence(&made, self.defender_stones) {
            Defence::Free => return,
            Defence::None => Force::Unstoppable,
            Defence::Two(pairs) => Force::Double(pairs.len() as u8),
            Defence::One(singles, _) if self.defender_stones == 1 => {
                Force::Double(singles.len() as u8)
            }
            Defence::One(..) if self.turns == Turns::Singles && self.singles < MAX_SINGLES => {
                self.singles += 1;
                Force::Single
            }
            Defence::One(..) => return,
        };
        let near = self.board.lines_with(self.attacker, 1).len();
        let far = self.board.lines_with(self.attacker, 2).len();
        let against = self.board.lines_with(!self.attacker, 1).len();
        let promise = (4 * near + far + 100).saturating_sub(2 * against) as u16;
        self.out.push(Attack { turn, force, promise, key: self.board.key() });
    }
}
