//! What is known of positions: kept by their keys, one for all that are the same but turned or mirrored.

use super::board::{Bits, Position, bit};
use crate::Point;
use game_core::{Symmetry, mix64};

/// Positions of at most so many stones are one in the table with their turned and mirrored images. With more the images
/// are seldom met.
const MAX_SYMMETRIC: u32 = 8;
/// Entries of the table, two to the power of this at most; no more than positions that are looked at.
const MAX_BITS: u32 = 22;

/// What is known of a position: that the side to prove it gets its points, or to what depth that was not found.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) key: u64,
    /// The best move; 0 a pass, or none.
    pub(super) mv: Bits,
    /// What was asked: the points, and whether of the side to move.
    pub(super) goal: i8,
    pub(super) mover_proves: bool,
    /// To what depth there was no proof; [`PROVEN`] with one.
    pub(super) depth: u8,
    /// In which round that was: in a later one others may know more.
    pub(super) round: u8,
}

/// The depth of what is proven.
pub(super) const PROVEN: u8 = u8::MAX;

impl Entry {
    fn is_of(&self, key: u64, goal: Goal) -> bool {
        let question = (i32::from(self.goal), self.mover_proves);
        self.key == key && question == (goal.points, goal.mover_proves)
    }
}

/// What is to be proven of whom.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    /// Points that the side gets at least: its area less the other's.
    pub(super) points: i32,
    /// Whether it is the side to move.
    pub(super) mover_proves: bool,
}

impl Goal {
    /// The same seen by the other side.
    pub(super) fn after_move(self) -> Goal {
        Goal { mover_proves: !self.mover_proves, ..self }
    }
}

/// What is known of positions.
#[derive(Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    bits: u32,
    /// Searches for a depth, so far.
    pub(super) round: u8,
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

    pub(super) fn get(&self, key: u64, goal: Goal) -> Option<Entry> {
        let entries = self.slots(key, goal).map(|slot| self.entries[slot]);
        entries.into_iter().find(|entry| entry.is_of(key, goal))
    }

    /// Keeps what was found of a position, in place of what is worth less: what is proven stays longest, then what this
    /// round has found, the deeper the longer.
    pub(super) fn keep(&mut self, entry: Entry) {
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

/// All of a position in one number.
fn table_key(position: Position) -> u64 {
    let Position { own, other, ko, passed } = position;
    let ko = if ko == 0 { 31 } else { u64::from(ko.trailing_zeros()) };
    u64::from(own) | u64::from(other) << 29 | u64::from(passed) << 58 | ko << 59
}

/// Where the points of a board come to when it is turned or mirrored.
pub(super) struct Images {
    /// For each symmetry of the board, the bit of every bit.
    of: Vec<[Bits; 32]>,
    /// The same back.
    back: Vec<[Bits; 32]>,
}

impl Images {
    pub(super) fn new(size: (u8, u8)) -> Images {
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

    pub(super) fn of(&self, image: usize, bits: Bits) -> Bits {
        turned(&self.of[image], bits)
    }

    pub(super) fn back(&self, image: usize, bits: Bits) -> Bits {
        turned(&self.back[image], bits)
    }

    /// The minimum number of a position's images, and the image that has it.
    pub(super) fn first(&self, position: Position) -> (u64, usize) {
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
