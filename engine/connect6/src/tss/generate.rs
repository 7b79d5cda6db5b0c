//! The attacker's turns that make threats.
//!
//! One more stone in a window that is one stone short of a threat makes a threat, and so do two stones in
//! a window that is two short. Every turn of two threats is made of these: two of the first kind, one pair
//! of the second, or one stone that makes two threats alone, with any other stone. In the middle of a turn the
//! threats of its first stone stand already.

use super::Turns;
pub use super::line::Force;
use super::line::{OnLine, on_line, with_both};
use super::threats_of_stone::{Stone, common_line, promise, windows_with};
use crate::Color;
use crate::board::Board;
use crate::defences::{Defence, Threats, defence, threats};
use crate::geometry::bits;
use crate::point::{MAX_POINTS, Point, Turn};
use crate::point_set::PointSet;

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
    attacker: Color,
    turns: Turns,
    defender_stones: usize,
    out: &'a mut Vec<Attack>,
    nodes: u64,
    max_nodes: u64,
    singles: usize,
}

/// Adds to `out` the attacker's turns (of `stones` stones) that make enough threats, and returns the nodes
/// that it took (see [`super::Options::nodes`]). When a turn wins outright it is the only one added. After
/// `max_nodes` nodes it gives up, and the list is not complete.
pub fn attacks(
    board: &mut Board,
    attacker: Color,
    stones: usize,
    turns: Turns,
    max_nodes: u64,
    out: &mut Vec<Attack>,
) -> u64 {
    let base = out.len();
    if let Some(turn) = completing(board, attacker, stones) {
        out.push(Attack { turn, force: Force::Completes, promise: u16::MAX, key: 0 });
        return 1;
    }
    let defender_stones = board.rules().p();
    let mut g =
        Generator { board, attacker, turns, defender_stones, out, nodes: 0, max_nodes, singles: 0 };
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
pub fn completing(board: &Board, attacker: Color, stones: usize) -> Option<Turn> {
    let threats = threats(board, attacker);
    let window = threats.iter().find(|w| w.points().len() <= stones)?;
    let first = *window.points().first()?;
    match window.points().get(1) {
        Some(&second) => Some(Turn::pair(first, second)),
        // The row wins with its last stone: a second one is not needed.
        None => Some(Turn::single(first)),
    }
}

/// Says that a point is not one where a stone forces.
const NONE: u8 = u8::MAX;

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
        let (forcing, index) = self.forcing();
        self.nodes += forcing.len() as u64;
        if stones == 1 {
            return self.last_stones(&forcing, &index, &cover);
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
        for (i, a) in forcing.iter().enumerate() {
            for b in &forcing[i + 1..] {
                if allowed(a.point, b.point) {
                    self.pair(a, b);
                    if self.done() {
                        return;
                    }
                }
            }
            if a.forces_alone() || self.turns == Turns::Singles {
                match blocks {
                    Some(singles) if !singles.contains(&a.point) => {
                        self.build_on(a, singles, &index);
                    }
                    _ => {
                        let free = builders.get_or_insert_with(|| self.builders(&index));
                        self.build_on(a, free, &index);
                    }
                }
                if self.done() {
                    return;
                }
            }
        }
        self.line_pairs(&forcing, &index, &allowed);
    }

    /// The last stone of a turn: one that makes a threat, and where its first stones made some, one that adds to these
    /// or any.
    fn last_stones(&mut self, forcing: &[Stone], index: &[u8; MAX_POINTS], cover: &Defence) {
        let made = threats(self.board, self.attacker);
        let mut points: Vec<Point> = forcing.iter().map(|stone| stone.point).collect();
        if !made.is_empty() {
            points.extend(made.iter().flat_map(|window| window.points()));
            match cover {
                Defence::One(singles, _) => points.extend(singles),
                _ => points.extend(self.builders(index).into_iter().take(BUILDERS)),
            }
        }
        let mut tried = PointSet::default();
        for point in points {
            if tried.insert(point) {
                self.try_single(point);
                if self.done() {
                    return;
                }
            }
        }
    }

    /// Whether a turn wins, or enough were tried.
    fn done(&self) -> bool {
        self.nodes >= self.max_nodes
            || self.out.last().is_some_and(|a| a.force == Force::Unstoppable)
    }

    /// The stones that make a threat alone, those with most to gain first, and which of them each point is.
    fn forcing(&self) -> (Vec<Stone>, [u8; MAX_POINTS]) {
        let (mut list, mut index) = (Vec::with_capacity(48), [NONE; MAX_POINTS]);
        let k = self.board.rules().k();
        for line in self.board.lines_with(self.attacker, 1).lines() {
            let starts = self.board.levels(self.attacker, line)[1];
            let points = (0..k).fold(0, |m, i| m | starts << i) & self.board.empty(line);
            for bit in bits(points) {
                let point = self.board.geometry().cell(line, bit);
                if list.len() < usize::from(NONE) && index[point.index()] == NONE {
                    index[point.index()] = 0;
                    list.push(Stone::at(self.board, self.attacker, point));
                }
            }
        }
        list.sort_unstable_by_key(|s| (!s.forces_alone(), std::cmp::Reverse(s.promise), s.point));
        for (i, stone) in list.iter().enumerate() {
            index[stone.point.index()] = i as u8;
        }
        (list, index)
    }

    /// The points in most windows two stones short of a threat, best first: what to do with a spare stone.
    fn builders(&self, index: &[u8; MAX_POINTS]) -> Vec<Point> {
        let mut score = [0u8; MAX_POINTS];
        let mut points = Vec::with_capacity(64);
        let k = self.board.rules().k();
        for line in self.board.lines_with(self.attacker, 2).lines() {
            let starts = self.board.levels(self.attacker, line)[2];
            for start in bits(starts) {
                for bit in bits(self.board.empty(line) & ((1 << k) - 1) << start) {
                    let point = self.board.geometry().cell(line, bit);
                    let s = &mut score[point.index()];
                    if *s == 0 && index[point.index()] == NONE {
                        points.push(point);
                    }
                    *s += 1;
                }
            }
        }
        points.sort_by_key(|p| std::cmp::Reverse(score[p.index()]));
        if points.is_empty() {
            points.extend(self.board.empties().filter(|p| index[p.index()] == NONE).take(1));
        }
        points
    }

    /// Two stones that each make a threat.
    fn pair(&mut self, a: &Stone, b: &Stone) {
        if a.forces_alone() || b.forces_alone() {
            return self.try_turn(a.point, b.point);
        }
        let made = match common_line(self.board, a.point, b.point) {
            None => OnLine::Nothing,
            Some(line) => {
                let made = with_both(self.board, self.attacker, line, [a.point, b.point]);
                match (usize::from(a.line) == line, usize::from(b.line) == line) {
                    (true, true) => return self.line_pair((a.point, b.point), line, None, made),
                    (true, false) => {
                        return self.line_pair((a.point, b.point), line, Some(b), made);
                    }
                    (false, true) => {
                        return self.line_pair((a.point, b.point), line, Some(a), made);
                    }
                    (false, false) => made,
                }
            }
        };
        // Lines through different points have one point in common at most: it stops the threats of both or is
        // no help.
        let shared = a.stops.iter().any(|p| b.stops.contains(p));
        let force = match (shared, made) {
            (true, OnLine::Nothing) if self.turns == Turns::Doubles => return,
            (true, OnLine::Nothing) => Force::Single,
            (false, OnLine::Nothing) => Force::Double((a.stops.len() * b.stops.len()) as u8),
            // The line's threats need a stone of their own.
            (true, _) => return self.try_turn(a.point, b.point),
            (false, _) => Force::Unstoppable,
        };
        self.add(a.point, b.point, force, a.promise + b.promise);
    }

    /// A stone that makes a threat with one that makes none.
    fn build_on(&mut self, a: &Stone, builders: &[Point], index: &[u8; MAX_POINTS]) {
        let max_builders = if a.forces_alone() { BUILDERS } else { BUILDERS_SINGLE };
        self.board.place(self.attacker, a.point);
        let alone = defence(&threats(self.board, self.attacker), self.defender_stones);
        let force = self.force(&alone);
        for &b in builders.iter().take(max_builders) {
            if b == a.point || index[b.index()] != NONE {
                continue;
            }
            match force {
                Some(force) if common_line(self.board, a.point, b).is_none() => {
                    let promise = a.promise + self.promise(b);
                    self.add(a.point, b, force, promise);
                }
                _ => self.second(a.point, b, a.promise + self.promise(b)),
            }
            if self.done() {
                break;
            }
        }
        self.board.remove(self.attacker, a.point);
    }

    /// Pairs on one line, in a window two stones short of a threat.
    fn line_pairs(
        &mut self,
        forcing: &[Stone],
        index: &[u8; MAX_POINTS],
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
            let on_line = |pair: u32| on_line(k, p, own | pair, other, valid);
            for i in bits(points) {
                let with_i = starts & windows_with(i, k);
                let reach = (0..k).fold(0, |m, s| m | with_i << s) & empty & (!0u32 << i << 1);
                for j in bits(reach) {
                    let (a, b) =
                        (self.board.geometry().cell(line, i), self.board.geometry().cell(line, j));
                    let (fa, fb) = (index[a.index()], index[b.index()]);
                    if fa != NONE && fb != NONE || !allowed(a, b) {
                        continue; // Tried already, or leaves the other side a win.
                    }
                    let alone = forcing.get(usize::from(fa.min(fb)));
                    let elsewhere = alone.filter(|s| usize::from(s.line) != line);
                    if alone.is_some_and(Stone::forces_alone) {
                        self.try_turn(a, b);
                    } else {
                        let windows = with_i & windows_with(j, k);
                        if self.turns == Turns::Doubles
                            && alone.is_none()
                            && windows & (windows - 1) == 0
                        {
                            continue; // A single threat.
                        }
                        self.line_pair((a, b), line, elsewhere, on_line(1 << i | 1 << j));
                    }
                    if self.done() {
                        return;
                    }
                }
            }
        }
    }

    /// Two stones of one line, and what all threats on the line force then; `alone` is the one of them that makes
    /// threats on another line, if any.
    fn line_pair(
        &mut self,
        pair: (Point, Point),
        line: usize,
        alone: Option<&Stone>,
        made: OnLine,
    ) {
        self.nodes += 1;
        // The threats on the two lines have nothing in common but the stone.
        let force = match (alone, made) {
            (None, OnLine::Forces(force)) => force,
            (None, OnLine::Nothing | OnLine::Stopped(_)) if self.turns == Turns::Doubles => return,
            (None, OnLine::Stopped(_)) => Force::Single,
            (None, OnLine::Nothing) => return,
            (Some(stone), OnLine::Stopped(stops)) => {
                Force::Double(stone.stops.len() as u8 * stops.count_ones() as u8)
            }
            (Some(_), OnLine::Forces(_)) => Force::Unstoppable,
            (Some(_), OnLine::Nothing) if self.turns == Turns::Doubles => return,
            (Some(_), OnLine::Nothing) => Force::Single,
        };
        let promise = self.promise_off(pair.0, line) + self.promise_off(pair.1, line);
        self.add(pair.0, pair.1, force, promise);
    }

    /// What a stone promises on the lines other than one.
    fn promise_off(&self, point: Point, line: usize) -> u16 {
        let places = self.board.geometry().places(point);
        let closed = places.map(|place| usize::from(place.line) == line);
        promise(self.board, self.attacker, point, closed)
    }

    fn promise(&self, point: Point) -> u16 {
        promise(self.board, self.attacker, point, [false; 4])
    }

    /// Places a turn and finds what it forces.
    fn try_turn(&mut self, a: Point, b: Point) {
        let promise = self.promise(a) + self.promise(b);
        self.board.place(self.attacker, a);
        self.second(a, b, promise);
        self.board.remove(self.attacker, a);
    }

    fn try_single(&mut self, a: Point) {
        let promise = self.promise(a);
        self.board.place(self.attacker, a);
        self.evaluate(Turn::single(a), promise);
        self.board.remove(self.attacker, a);
    }

    /// Tries the second stone while the first stands.
    fn second(&mut self, a: Point, b: Point, promise: u16) {
        self.board.place(self.attacker, b);
        self.evaluate(Turn::pair(a, b), promise);
        self.board.remove(self.attacker, b);
    }

    /// Looks at the turn that stands on the board, and keeps it if it is one that is tried.
    fn evaluate(&mut self, turn: Turn, promise: u16) {
        self.nodes += 1;
        if self.board.has_threat(!self.attacker) {
            return;
        }
        let made: Threats = threats(self.board, self.attacker);
        let Some(force) = self.force(&defence(&made, self.defender_stones)) else { return };
        self.push(Attack { turn, force, promise, key: self.board.key() });
    }

    /// What a turn forces whose threats are met so; nothing when it is not one that is tried.
    fn force(&self, defence: &Defence) -> Option<Force> {
        match defence {
            Defence::Free => None,
            Defence::None => Some(Force::Unstoppable),
            Defence::Two(pairs) => Some(Force::Double(pairs.len() as u8)),
            Defence::One(singles, _) if self.defender_stones == 1 => {
                Some(Force::Double(singles.len() as u8))
            }
            Defence::One(..) => (self.turns == Turns::Singles).then_some(Force::Single),
        }
    }

    /// Adds a turn that was not placed.
    fn add(&mut self, a: Point, b: Point, force: Force, promise: u16) {
        let geometry = self.board.geometry();
        let c = self.attacker.index();
        let mut key = self.board.key() ^ geometry.key(c, b);
        if self.board.is_empty(a) {
            key ^= geometry.key(c, a);
        }
        self.push(Attack { turn: Turn::pair(a, b), force, promise, key });
    }

    fn push(&mut self, attack: Attack) {
        if attack.force == Force::Single {
            if self.singles == MAX_SINGLES {
                return;
            }
            self.singles += 1;
        }
        self.out.push(attack);
    }
}
