//! How often each pattern was played and could have been: the table that learning fills.

use super::square5::Square5;
use super::template::{Name, TEMPLATES, Template};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of counts: how many patterns of a template were played 1, 2, ... times.
pub const FREQUENCIES: usize = 32;

/// What is known of one pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The pattern.
    pub name: Name,
    /// How often it was played, C_A.
    pub played: u32,
    /// How often it could have been, C_N.
    pub chances: u64,
    /// The pattern of the next smaller template about the same point.
    pub parent: Option<Name>,
    /// What it looks like, up to the 5x5, in a way of lying that is the same for all.
    pub square: Option<Square5>,
}

/// A hash table by name, filled by one pass with what was played and by a second, from many threads
/// at once, with the chances. Sums do not depend on the order, so the result does not either.
pub(super) struct CountTable {
    names: Vec<u64>,
    played: Vec<u32>,
    parents: Vec<AtomicU64>,
    chances: Vec<AtomicU64>,
    shift: u32,
    len: usize,
}

/// No slot: a pattern that was never played.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Bytes that a pattern costs while it is learned, spare room included; see [`CountTable`] and the
/// maps of the first pass.
pub(super) const BYTES_PER_PATTERN: usize = 96;

impl CountTable {
    pub(super) fn with_capacity(patterns: usize) -> CountTable {
        let bits = (patterns * 5 / 3 + 16).next_power_of_two().trailing_zeros();
        let size = 1usize << bits;
        CountTable {
            names: vec![0; size],
            played: vec![0; size],
            parents: (0..size).map(|_| AtomicU64::new(0)).collect(),
            chances: (0..size).map(|_| AtomicU64::new(0)).collect(),
            shift: 64 - bits,
            len: 0,
        }
    }

    /// The slot of a name, or where it would go.
    #[inline(always)]
    fn probe(&self, name: Name) -> usize {
        let mask = self.names.len() - 1;
        let mut at = (name.0 >> self.shift) as usize & mask;
        while self.names[at] != name.0 && self.names[at] != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    pub(super) fn insert(&mut self, name: Name, played: u32) {
        let at = self.probe(name);
        self.len += usize::from(self.names[at] == 0);
        self.names[at] = name.0;
        self.played[at] += played;
    }

    /// The slot of a pattern that was played, else [`NOWHERE`].
    #[inline(always)]
    pub(super) fn find(&self, name: Name) -> u32 {
        let at = self.probe(name);
        if self.names[at] == name.0 { at as u32 } else { NOWHERE }
    }

    #[inline(always)]
    pub(super) fn add_chances(&self, slot: u32, chances: u32) {
        self.chances[slot as usize].fetch_add(u64::from(chances), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn set_parent(&self, slot: u32, parent: Name) {
        self.parents[slot as usize].store(parent.0, Ordering::Relaxed);
    }

    /// Takes everything out, in no order.
    pub(super) fn into_counts(self) -> Vec<Count> {
        (0..self.names.len())
            .filter(|&slot| self.names[slot] != 0)
            .map(|slot| Count {
                name: Name(self.names[slot]),
                played: self.played[slot],
                chances: self.chances[slot].load(Ordering::Relaxed),
                parent: Some(self.parents[slot].load(Ordering::Relaxed))
                    .filter(|&parent| parent != 0)
                    .map(Name),
                square: None,
            })
            .collect()
    }
}

/// What one template amounts to in the games learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Distinct patterns that were played.
    pub distinct_played: u64,
    /// Distinct patterns that could have been played: estimated to about 0.4%; 0 where it was not
    /// asked for.
    pub distinct_playable: u64,
    /// Moves counted, the sum of all C_A.
    pub moves: u64,
    /// Chances counted, the sum of all C_N of played patterns.
    pub chances: u64,
    /// How many patterns were played 1, 2, ... times: for Good and Turing's estimate.
    pub frequencies: [u64; FREQUENCIES],
}

/// Totals by template.
pub type AllTotals = [Totals; TEMPLATES];

pub(super) fn add_to_totals(totals: &mut AllTotals, count: &Count) {
    let totals = &mut totals[count.name.template().index()];
    totals.distinct_played += 1;
    totals.moves += u64::from(count.played);
    totals.chances += count.chances;
    if let Some(frequency) = totals.frequencies.get_mut(count.played as usize - 1) {
        *frequency += 1;
    }
}

/// Counts distinct things in a few kilobytes: HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007)
/// with 2^16 registers, a standard error of 0.4%; exact counting would need a hundred gigabytes.
pub(super) struct Distinct {
    registers: Vec<u8>,
}

impl Distinct {
    const BITS: u32 = 16;

    pub(super) fn new() -> Distinct {
        Distinct { registers: vec![0; 1 << Self::BITS] }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, name: Name) {
        let hash = game_core::splitmix(name.0);
        let register = &mut self.registers[(hash >> (64 - Self::BITS)) as usize];
        let rank = (hash << Self::BITS | 1 << (Self::BITS - 1)).leading_zeros() as u8 + 1;
        *register = rank.max(*register);
    }

    pub(super) fn merge(&mut self, other: &Distinct) {
        for (a, b) in self.registers.iter_mut().zip(&other.registers) {
            *a = (*a).max(*b);
        }
    }

    pub(super) fn estimate(&self) -> u64 {
        let m = self.registers.len() as f64;
        let sum: f64 = self.registers.iter().map(|&rank| (-f64::from(rank)).exp2()).sum();
        let raw = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
        let zeros = self.registers.iter().filter(|&&rank| rank == 0).count() as f64;
        // Few things: count the empty registers instead.
        let estimate = if raw <= 2.5 * m && zeros > 0.0 { m * (m / zeros).ln() } else { raw };
        estimate.round() as u64
    }
}

/// The templates whose patterns all fall to the first round when learning is split into rounds.
pub(super) const SPLIT: Template = Template::SPLITTING;

/// Which patterns a round is about: all of one template's larger ones fall together, so that a chain
/// of templates is never cut in two.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// From 0.
    pub round: u64,
    /// All of them.
    pub rounds: u64,
}

impl Part {
    /// Whether the patterns from the splitting template on, about a point where that one has this
    /// name, belong to the round; smaller ones belong to the first.
    #[inline(always)]
    pub fn has(self, split: Name) -> bool {
        (split.0 >> 20) % self.rounds == self.round
    }

    /// Whether the smaller ones do.
    #[inline(always)]
    pub fn has_small(self) -> bool {
        self.round == 0
    }

    /// The names of a point that belong to the round, with the templates' numbers.
    #[inline]
    pub fn names(self, names: impl Iterator<Item = Name>) -> impl Iterator<Item = Name> {
        let mut inside = self.has_small();
        names.filter(move |&name| {
            if name.template() == SPLIT {
                inside = self.has(name);
            }
            inside
        })
    }
}
