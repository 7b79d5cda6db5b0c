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
    key: u64,
    /// The mover's stones, and the other side's, that stand through all of a proof.
    pub(super) standing: (Bits, Bits),
    /// The best move's bit, counted from the lowest; [`NO_MOVE`] a pass, or none.
    mv: u8,
    /// What was asked.
    goal: Goal,
    /// To what depth there was no proof; [`PROVEN`] with one.
    pub(super) depth: u8,
    /// In which round that was: in a later one others may know more.
    pub(super) round: u8,
}

/// The depth of what is proven.
pub(super) const PROVEN: u8 = u8::MAX;

const NO_MOVE: u8 = u8::MAX;

impl Entry {
    /// What was found of a question in some round.
    pub(super) fn new(goal: Goal, round: u8, depth: u8, mv: Bits, standing: (Bits, Bits)) -> Entry {
        let mv = if mv == 0 { NO_MOVE } else { mv.trailing_zeros() as u8 };
        Entry { key: 0, standing, mv, goal, depth, round }
    }

    /// The best move; 0 a pass, or none.
    pub(super) fn mv(&self) -> Bits {
        if self.mv == NO_MOVE { 0 } else { 1 << self.mv }
    }

    /// The same with all its points elsewhere.
    fn turned(self, key: u64, to: &[Bits; 32]) -> Entry {
        let mv = turned(to, self.mv());
        let standing = (turned(to, self.standing.0), turned(to, self.standing.1));
        Entry { key, ..Entry::new(self.goal, self.round, self.depth, mv, standing) }
    }
}

/// What is to be proven of whom.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Goal {
    /// Points that the side gets at least: its area less the other's.
    pub(super) points: i8,
    /// Whether it is the side to move.
    pub(super) mover_proves: bool,
    /// Whether it is the side that moves at the root: what the game forbids one side it may not forbid the other.
    pub(super) root_proves: bool,
}

impl Goal {
    /// The same seen by the other side.
    pub(super) fn after_move(self) -> Goal {
        Goal { mover_proves: !self.mover_proves, ..self }
    }

    fn number(self) -> u64 {
        (self.points as u64) << 2 | u64::from(self.mover_proves) << 1 | u64::from(self.root_proves)
    }
}

/// What is known of positions.
pub(super) struct Table {
    entries: Vec<Entry>,
    bits: u32,
    /// The most that there may be of them.
    max_bits: u32,
    /// Searches for a depth, so far.
    pub(super) round: u8,
    images: Images,
}

impl Table {
    /// One that takes at most so many bytes, but for a few entries.
    pub(super) fn new(max_bytes: usize) -> Table {
        let entries = max_bytes / size_of::<Entry>();
        let max_bits = entries.checked_ilog2().unwrap_or(0).clamp(1, MAX_BITS);
        Table { entries: Vec::new(), bits: 0, max_bits, round: 0, images: Images::default() }
    }

    /// The bytes that it takes at most.
    pub(super) fn max_bytes(&self) -> usize {
        size_of::<Entry>() << self.max_bits
    }

    /// Gives back what it takes.
    pub(super) fn free(&mut self) {
        *self = Table::new(self.max_bytes());
    }

    /// An empty one, for so many positions, of which these images are one.
    pub(super) fn clear(&mut self, positions: u64, images: Images) {
        self.images = images;
        self.bits = positions.checked_ilog2().unwrap_or(0).clamp(1, self.max_bits);
        self.entries.clear();
        self.entries.resize(1 << self.bits, Entry::default());
    }

    /// The two entries that a position may be kept in.
    fn slots(&self, key: u64, goal: Goal) -> [usize; 2] {
        let slot = (mix64(key ^ mix64(goal.number())) >> (64 - self.bits)) as usize;
        [slot, slot ^ 1]
    }

    /// What is known of a position, with its points as they lie there.
    pub(super) fn get(&self, position: Position, goal: Goal) -> Option<Entry> {
        let (key, image) = self.images.first(position);
        let entries = self.slots(key, goal).map(|slot| self.entries[slot]);
        let entry = entries.into_iter().find(|entry| (entry.key, entry.goal) == (key, goal))?;
        Some(entry.turned(key, &self.images.back[image]))
    }

    /// Keeps what was found of a position, in place of what is worth less: what is proven stays longest, then what this
    /// round has found, the deeper the longer.
    pub(super) fn keep(&mut self, position: Position, entry: Entry) {
        let (key, image) = self.images.first(position);
        let entry = entry.turned(key, &self.images.of[image]);
        let worth = |slot: usize| {
            let old = &self.entries[slot];
            let is_present = old.depth == PROVEN || old.round == self.round;
            ((old.key, old.goal) != (key, entry.goal), is_present, old.depth)
        };
        let [first, second] = self.slots(key, entry.goal);
        let slot = if worth(second) < worth(first) { second } else { first };
        let old = &self.entries[slot];
        // What is proven stays so, though this line did not allow it.
        if (old.key, old.goal, old.depth) != (key, entry.goal, PROVEN) || entry.depth == PROVEN {
            self.entries[slot] = entry;
        }
    }
}

/// Two sets of stones in one number, with a bit to spare.
pub(super) fn key_of(first: Bits, second: Bits) -> u64 {
    u64::from(first) << 33 | u64::from(second) << 1
}

/// All of a position in one number.
fn table_key(position: Position) -> u64 {
    let Position { own, other, ko, passed } = position;
    let ko = if ko == 0 { 31 } else { u64::from(ko.trailing_zeros()) };
    u64::from(own) | u64::from(other) << 29 | u64::from(passed) << 58 | ko << 59
}

/// Where the points of a board come to when it is turned or mirrored.
#[derive(Default)]
pub(super) struct Images {
    /// For each symmetry of the board, the bit of every bit.
    of: Vec<[Bits; 32]>,
    /// The same back.
    back: Vec<[Bits; 32]>,
}

impl Images {
    /// Those that leave a game's positions what they are: any other turns a move that is legal into one that brings back
    /// a position. A position is given by its key: two sets of stones, and who is to move where that matters.
    pub(super) fn new(size: (u8, u8), game: &[u64]) -> Images {
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
        let keeps = |symmetry: &Symmetry| {
            let of = table(*symmetry);
            let image = |key: u64| {
                let [a, b] =
                    [(key >> 33) as Bits, (key as Bits) >> 1].map(|stones| turned(&of, stones));
                key_of(a, b) | key & 1
            };
            game.iter().all(|&key| game.contains(&image(key)))
        };
        let kept: Vec<Symmetry> = Symmetry::of_board(size).filter(keeps).collect();
        Images {
            of: kept.iter().map(|&s| table(s)).collect(),
            back: kept.iter().map(|&s| table(s.inverse())).collect(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_within_its_bytes() {
        for max_bytes in [100, 4 << 20, 1 << 30] {
            let mut table = Table::new(max_bytes);
            table.clear(u64::MAX, Images::default());
            let bytes = table.entries.capacity() * size_of::<Entry>();
            assert!(bytes <= max_bytes && bytes == table.max_bytes(), "{bytes} of {max_bytes}");
        }
    }

    #[test]
    fn a_game_is_symmetric_only_with_who_was_to_move() {
        let [a1, b1, a2, b2] = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(c, r)| bit(Point::new(c, r)));
        let corners = [a1, b1, a2, b2].map(|stone| key_of(stone, 0));
        let count = |game: &[u64]| Images::new((2, 2), game).of.len();
        assert_eq!((count(&[]), count(&corners), count(&corners[..3])), (8, 8, 2));
        let [first, others @ ..] = corners;
        assert_eq!(count(&[[first | 1].as_slice(), &others].concat()), 2);
    }
}
