//! Whether a side can be sure of so many points: alpha-beta with one question, deeper and deeper.
//!
//! One side is to prove that it gets them. It never goes back to a position of its own line. Where the rules forbid the
//! other side to, such a move counts for nothing; what rests on that holds on this line alone, and is not kept. Where they
//! do not forbid it, it ends the proof. What is kept holds on every way to a position: its moves lead on to what was proven
//! before, so never back.

use super::board::{Bits, Position, Shape, bit, point, safe_area};
use crate::rules::Ko;
use crate::{Color, Game, Move, Point, Rules};
use game_core::{Symmetry, mix64};

/// Positions of at most so many stones are one in the table with their turned and mirrored images. With more the images
/// are seldom met.
const MAX_SYMMETRIC: u32 = 8;
/// Entries of the table, two to the power of this at most; no more than positions that are looked at.
const MAX_BITS: u32 = 22;
/// How often the caller is asked whether to stop, in positions.
const STOP_EVERY: u64 = 4096;
/// No line is looked at further than this.
const MAX_DEPTH: u32 = 100;

/// What is known of a position: that the side to prove it gets its points, or to what depth that was not found.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// The best move; 0 a pass, or none.
    mv: Bits,
    /// What was asked: the points, and whether of the side to move.
    goal: i8,
    mover_proves: bool,
    /// To what depth there was no proof; [`PROVEN`] with one.
    depth: u8,
    /// In which round that was: in a later one others may know more.
    round: u8,
}

const PROVEN: u8 = u8::MAX;

impl Entry {
    fn is_of(&self, key: u64, goal: Goal) -> bool {
        let question = (i32::from(self.goal), self.mover_proves);
        self.key == key && question == (goal.points, goal.mover_proves)
    }
}

/// What is to be proven of whom.
#[derive(Clone, Copy)]
struct Goal {
    /// Points that the side gets at least: its area less the other's.
    points: i32,
    /// Whether it is the side to move.
    mover_proves: bool,
}

impl Goal {
    /// The same seen by the other side.
    fn after_move(self) -> Goal {
        Goal { mover_proves: !self.mover_proves, ..self }
    }
}

/// What is known of positions.
#[derive(Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    bits: u32,
    /// Searches for a depth, so far.
    round: u8,
}

impl Table {
    /// An empty one, for so many positions.
    pub(super) fn clear(&mut self, positions: u64) {
        self.bits = positions.checked_ilog2().unwrap_or(0).clamp(1, MAX_BITS);
        self.entries.clear();
        self.entries.resize(1 << self.bits, Entry::default());
    }

    /// The two entries that a position may be kept in.
    fn slots(&self, key: u64, goal: Goal) -> [usize; 2] {
        let question = (goal.points as u64) << 1 | u64::from(goal.mover_proves);
        let slot = (mix64(key ^ mix64(question)) >> (64 - self.bits)) as usize;
        [slot, slot ^ 1]
    }

    fn get(&self, key: u64, goal: Goal) -> Option<Entry> {
        let entries = self.slots(key, goal).map(|slot| self.entries[slot]);
        entries.into_iter().find(|entry| entry.is_of(key, goal))
    }

    /// Keeps what was found of a position, in place of what is worth less: what is proven stays longest, then what this
    /// round has found, the deeper the longer.
    fn keep(&mut self, entry: Entry) {
        let goal = Goal { points: i32::from(entry.goal), mover_proves: entry.mover_proves };
        let worth = |slot: usize| {
            let old = &self.entries[slot];
            let is_present = old.depth == PROVEN || old.round == self.round;
            (!old.is_of(entry.key, goal), is_present, old.depth)
        };
        let [first, second] = self.slots(entry.key, goal);
        let slot = if worth(second) < worth(first) { second } else { first };
        self.entries[slot] = entry;
    }
}

/// The search's state.
pub(super) struct Search<'a> {
    shape: Shape,
    rules: Rules,
    /// Positions of the game, which the rules forbid to bring back: with superko a number for each.
    game: Vec<u64>,
    /// Positions of the line that is looked at.
    line: Vec<u64>,
    table: &'a mut Table,
    images: Images,
    history: [[u32; 32]; 2],
    /// The moves that decided last at each ply.
    killers: Vec<[Bits; 2]>,
    /// Whether the last proof rests on what superko forbids the opponent on this line.
    rests_on_line: bool,
    nodes: u64,
    /// Positions to be looked at for a question, and in all.
    max_nodes: u64,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    is_stopped: bool,
    /// Only proofs are taken from the table.
    forgets_failures: bool,
}

impl<'a> Search<'a> {
    /// For a position of a game, in which `color` is to move.
    pub(super) fn new(
        shape: Shape,
        game: &Game,
        color: Color,
        table: &'a mut Table,
        max_nodes: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        let mut search = Search {
            shape,
            rules: *game.rules(),
            game: Vec::new(),
            line: Vec::new(),
            table,
            images: Images::new((game.board().width(), game.board().height())),
            history: [[0; 32]; 2],
            killers: vec![[0; 2]; MAX_DEPTH as usize + 1],
            rests_on_line: false,
            nodes: 0,
            max_nodes,
            limit: max_nodes,
            stop,
            is_stopped: false,
            forgets_failures: false,
        };
        if game.rules().ko != Ko::Simple {
            search.game = search.positions(game, color);
        }
        search
    }

    /// Positions that were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The positions of a game before the present one.
    fn positions(&self, game: &Game, color: Color) -> Vec<u64> {
        let mut replayed = game.clone();
        replayed.undo_to(0);
        let mut turn = game.start().to_play;
        let mut keys = Vec::new();
        for played in game.moves() {
            keys.push(self.key(Position::of(replayed.board(), turn), turn == color));
            if replayed.replay(played.color, played.mv).is_err() {
                break;
            }
            turn = played.color.other();
        }
        keys
    }

    /// What a position is compared by; whether the side to move is the one to move at the root.
    fn key(&self, position: Position, is_root_side: bool) -> u64 {
        let Position { own, other, .. } = position;
        let (first, second) = if is_root_side { (own, other) } else { (other, own) };
        let side = u64::from(self.rules.ko == Ko::Situational && is_root_side);
        u64::from(first) << 33 | u64::from(second) << 1 | side
    }

    /// Whether the side to move gets at least `points`, and by which move; none when there is no
    /// answer within the limits.
    ///
    /// No more than `limit` positions are looked at.
    pub(super) fn reaches(
        &mut self,
        root: Position,
        points: i32,
        limit: u64,
    ) -> Option<(bool, Move)> {
        self.max_nodes = self.nodes.saturating_add(limit).min(self.limit);
        self.is_stopped = false;
        let win = Goal { points, mover_proves: true };
        let loss = Goal { points: 1 - points, mover_proves: false };
        self.forgets_failures = false;
        let mut last_round = 0;
        for depth in (1..MAX_DEPTH).step_by(2) {
            let begun = self.nodes;
            for goal in [win, loss] {
                self.table.round = self.table.round.wrapping_add(1);
                self.line.clear();
                let found = self.prove(root, goal, depth, 0);
                if self.is_stopped {
                    return None;
                }
                if let Some(mv) = found {
                    return Some((goal.mover_proves, move_of(mv)));
                }
            }
            // Nothing is left to be seen deeper. But what failed on one line, since it led back to it, may not on another.
            self.forgets_failures |= self.nodes - begun == last_round;
            last_round = self.nodes - begun;
        }
        None
    }

    /// The move that is known to get the side to move so many points.
    pub(super) fn known_move(&self, root: Position, points: i32) -> Option<Move> {
        let entry = self.entry(root, Goal { points, mover_proves: true })?;
        (entry.depth == PROVEN).then(|| move_of(entry.mv))
    }

    /// The board's points.
    pub(super) fn area(&self) -> i32 {
        self.shape.area
    }

    /// The move by which a goal is proven to be reached, 0 where none is needed or a pass does; none without a proof.
    fn prove(&mut self, position: Position, goal: Goal, depth: u32, ply: usize) -> Option<Bits> {
        self.nodes += 1;
        self.rests_on_line = false;
        if self.nodes >= self.max_nodes || (self.nodes.is_multiple_of(STOP_EVERY) && (self.stop)())
        {
            self.is_stopped = true;
            return None;
        }
        let shape = self.shape;
        let Position { own, other, .. } = position;
        // The one who moves can end the game by a second pass.
        if position.passed {
            let score = position.score(shape);
            if goal.mover_proves && score >= goal.points {
                return Some(0);
            }
            if !goal.mover_proves && -score < goal.points {
                return None;
            }
        }
        let (mine, theirs) = (safe_area(shape, own, other), safe_area(shape, other, own));
        let (sure, lost) = if goal.mover_proves { (mine, theirs) } else { (theirs, mine) };
        let count = |bits: Bits| bits.count_ones() as i32;
        if shape.area - 2 * count(lost) < goal.points {
            return None;
        }
        if 2 * count(sure) - shape.area >= goal.points && ply > 0 {
            return Some(0);
        }
        let entry = self.entry(position, goal);
        if let Some(entry) = entry {
            if entry.depth == PROVEN {
                return Some(entry.mv);
            }
            let is_new = entry.round == self.table.round && !self.forgets_failures;
            if is_new && u32::from(entry.depth) >= depth {
                return None;
            }
        }
        if depth == 0 {
            return None;
        }
        let hint = entry.map_or(0, |entry| entry.mv);
        self.line.push(self.key(position, ply.is_multiple_of(2)));
        // Nobody gains by a stone where everything is settled; but what is dead has to be taken off before a pass.
        let settled = if mine & other == 0 { mine | theirs } else { theirs };
        let found = self.try_moves(position, goal, depth, ply, (hint, settled));
        self.line.pop();
        if self.is_stopped {
            return None;
        }
        let (proof, mv) = found;
        let (key, image) = self.images.first(position);
        self.table.keep(Entry {
            key,
            mv: self.images.of(image, mv),
            goal: goal.points as i8,
            mover_proves: goal.mover_proves,
            depth: match proof {
                true if self.rests_on_line => 0,
                true => PROVEN,
                false => depth as u8,
            },
            round: self.table.round,
        });
        proof.then_some(mv)
    }

    /// What is known of a position; the move as it lies there.
    fn entry(&self, position: Position, goal: Goal) -> Option<Entry> {
        let (key, image) = self.images.first(position);
        let entry = self.table.get(key, goal)?;
        Some(Entry { mv: self.images.back(image, entry.mv), ..entry })
    }

    /// Tries the moves, the likeliest first: whether the goal is proven, and the move that decided it.
    fn try_moves(
        &mut self,
        position: Position,
        goal: Goal,
        depth: u32,
        ply: usize,
        (hint, settled): (Bits, Bits),
    ) -> (bool, Bits) {
        let (moves, count) = self.ordered(position, ply, hint, settled);
        let below = goal.after_move();
        let mut nexts = [None; 32];
        let mut rests_on_line = false;
        // A proof that is known of what follows one of the moves spares all searches (enhanced transposition cut-off).
        for (next, &at) in nexts.iter_mut().zip(&moves[..count]) {
            *next = Some(match at {
                0 if position.passed => Played::Illegal,
                0 => Played::On(position.after_pass()),
                at => self.played(position, at, ply),
            });
            if goal.mover_proves
                && let Some(Played::On(after)) = *next
                && self.entry(after, below).is_some_and(|entry| entry.depth == PROVEN)
            {
                return (true, at);
            }
            if !goal.mover_proves && matches!(*next, Some(Played::Back)) {
                if self.rules.ko == Ko::Simple {
                    return (false, at);
                }
                rests_on_line = true;
            }
        }
        let mut all_proven = true;
        for (next, &at) in nexts.into_iter().zip(&moves[..count]) {
            // A second pass ends the game, and was looked at; nothing is proven by a move back.
            let Some(Played::On(next)) = next else { continue };
            let proven = self.prove(next, below, depth - 1, ply + 1).is_some();
            if self.is_stopped {
                return (false, 0);
            }
            if proven == goal.mover_proves {
                if self.killers[ply][0] != at {
                    self.killers[ply] = [at, self.killers[ply][0]];
                }
                if at != 0 {
                    let worth = &mut self.history[ply % 2][at.trailing_zeros() as usize & 31];
                    *worth = (*worth + depth * depth).min(1 << 24);
                }
                return (proven, at);
            }
            all_proven &= proven;
            rests_on_line |= self.rests_on_line;
        }
        self.rests_on_line = rests_on_line;
        // Of a side that proves, no move did; of the other, none kept it from a proof.
        (!goal.mover_proves && all_proven, hint)
    }

    /// The position after a stone, if the rules allow it.
    fn played(&self, position: Position, at: Bits, ply: usize) -> Played {
        if at == position.ko {
            return Played::Illegal;
        }
        let next = position.after(self.shape, at);
        let is_suicide = next.other & at == 0;
        // That of a single stone changes nothing: where it is allowed, it is a pass that does not end the game.
        if is_suicide && (!self.rules.suicide || next.other == position.own) {
            return Played::Illegal;
        }
        let key = self.key(next, !ply.is_multiple_of(2));
        if self.game.contains(&key) {
            return Played::Illegal;
        }
        match self.line.contains(&key) {
            true => Played::Back,
            false => Played::On(next),
        }
    }

    /// The moves in the order in which they are tried, but for those on `settled` points.
    fn ordered(
        &self,
        position: Position,
        ply: usize,
        hint: Bits,
        settled: Bits,
    ) -> ([Bits; 32], usize) {
        let shape = self.shape;
        let empty = shape.all & !(position.own | position.other);
        let mut order = [(0u32, 0 as Bits); 32];
        let mut count = 0;
        let mut rest = empty & !settled;
        while rest != 0 {
            let at = rest & rest.wrapping_neg();
            rest &= !at;
            let beside = shape.grown(at) & !at;
            let mut worth = 1 + self.history[ply % 2][at.trailing_zeros() as usize & 31];
            worth +=
                64 * (beside & empty).count_ones() + 32 * (beside & position.other).count_ones();
            // Into an eye, most likely.
            if beside & !position.own == 0 {
                worth = 1;
            }
            if self.killers[ply].contains(&at) {
                worth += 1 << 25;
            }
            order[count] = (if at == hint { u32::MAX } else { worth }, at);
            count += 1;
        }
        order[count] = (if position.passed { u32::MAX - 1 } else { 2 }, 0);
        count += 1;
        order[..count].sort_unstable_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        (order.map(|(_, at)| at), count)
    }
}

fn move_of(bits: Bits) -> Move {
    if bits == 0 { Move::Pass } else { Move::Play(point(bits)) }
}

/// What became of a move.
#[derive(Clone, Copy)]
enum Played {
    Illegal,
    /// It brings back a position of the line.
    Back,
    On(Position),
}

/// All of a position in one number.
fn table_key(position: Position) -> u64 {
    let Position { own, other, ko, passed } = position;
    let ko = if ko == 0 { 31 } else { u64::from(ko.trailing_zeros()) };
    u64::from(own) | u64::from(other) << 29 | u64::from(passed) << 58 | ko << 59
}

/// Where the points of a board come to when it is turned or mirrored.
struct Images {
    /// For each symmetry of the board, the bit of every bit.
    of: Vec<[Bits; 32]>,
    /// The same back.
    back: Vec<[Bits; 32]>,
}

impl Images {
    fn new(size: (u8, u8)) -> Images {
        let table = |symmetry: Symmetry| {
            let mut table = [0; 32];
            for row in 0..size.1 {
                for col in 0..size.0 {
                    let (to_col, to_row) = symmetry.of((col, row), size);
                    let from = bit(Point::new(col, row)).trailing_zeros() as usize;
                    table[from] = bit(Point::new(to_col, to_row));
                }
            }
            table
        };
        let all = || Symmetry::of_board(size);
        Images { of: all().map(table).collect(), back: all().map(|s| table(s.inverse())).collect() }
    }

    fn of(&self, image: usize, bits: Bits) -> Bits {
        turned(&self.of[image], bits)
    }

    fn back(&self, image: usize, bits: Bits) -> Bits {
        turned(&self.back[image], bits)
    }

    /// The minimum number of a position's images, and the image that has it.
    fn first(&self, position: Position) -> (u64, usize) {
        let mut first = (table_key(position), 0);
        if (position.own | position.other).count_ones() > MAX_SYMMETRIC {
            return first;
        }
        for (image, table) in self.of.iter().enumerate().skip(1) {
            let Position { own, other, ko, passed } = position;
            let turn = |bits| turned(table, bits);
            let key =
                table_key(Position { own: turn(own), other: turn(other), ko: turn(ko), passed });
            if key < first.0 {
                first = (key, image);
            }
        }
        first
    }
}

#[inline]
fn turned(table: &[Bits; 32], mut bits: Bits) -> Bits {
    let mut image = 0;
    while bits != 0 {
        image |= table[bits.trailing_zeros() as usize & 31];
        bits &= bits - 1;
    }
    image
}
