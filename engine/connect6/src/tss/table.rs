//! The transposition table of the threat search: bounded memory, the least work replaced.

/// A proof number or a disproof number; [`INFINITE`] means "never".
pub type Number = u32;
/// Proved (as a disproof number) or disproved (as a proof number).
pub const INFINITE: Number = 1 << 30;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Leaves still to prove for a proof.
    pub proof: Number,
    /// Leaves still to disprove for a disproof.
    pub disproof: Number,
    /// The packed attacking turn that proves the position, or 0.
    pub best: u32,
}

/// What stands in a place: the key; proof number (upper half) and disproof number; best turn (upper half) and the work it
/// took, 0 in an empty place.
///
/// It is words and no struct, so that a table of empty places is made of memory that the system clears when it is first
/// touched: a program starts at once, and its first turn pays only for what it uses.
type Words = [u64; 3];

fn entry(words: &Words) -> Entry {
    let [_, numbers, best] = *words;
    Entry { proof: (numbers >> 32) as u32, disproof: numbers as u32, best: (best >> 32) as u32 }
}

fn work(words: &Words) -> u32 {
    words[2] as u32
}

const WAYS: usize = 4;

/// A table of a fixed number of entries.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<[Words; WAYS]>,
    mask: usize,
    is_empty: bool,
}

impl Table {
    /// A table of at most so many bytes, but of some entries in any case.
    pub fn new(bytes: usize) -> Table {
        let wanted = (bytes / size_of::<[Words; WAYS]>()).max(1);
        let count = 1 << wanted.ilog2();
        Table { buckets: vec![[[0; 3]; WAYS]; count], mask: count - 1, is_empty: true }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if !self.is_empty {
            // The old memory goes back first.
            self.buckets = Vec::new();
            self.buckets = vec![[[0; 3]; WAYS]; self.mask + 1];
            self.is_empty = true;
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key >> 8) as usize & self.mask
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.buckets[self.slot(key)].iter().find(|words| words[0] == key).map(entry)
    }

    /// Stores what is known now; `work` (nodes spent) decides what is replaced, solved positions last.
    #[inline]
    pub fn put(&mut self, key: u64, proof: Number, disproof: Number, best: u32, spent: u64) {
        self.is_empty = false;
        let slot = self.slot(key);
        let bucket = &mut self.buckets[slot];
        let solved = proof == 0 || disproof == 0;
        let spent = (spent.min(1 << 28) as u32).saturating_mul(if solved { 4 } else { 1 }).max(1);
        let way = bucket
            .iter()
            .position(|words| words[0] == key || work(words) == 0)
            .unwrap_or_else(|| (0..WAYS).min_by_key(|&way| work(&bucket[way])).unwrap_or(0));
        // Older entries of the bucket fade, so that a big search of long ago does not stay for ever.
        for words in bucket.iter_mut() {
            words[2] -= u64::from(work(words) / 16);
        }
        let halves = |upper: u32, lower: u32| u64::from(upper) << 32 | u64::from(lower);
        bucket[way] = [key, halves(proof, disproof), halves(best, spent)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_until_it_is_cleared() {
        let mut table = Table::new(1 << 20);
        let known = |n: u32| Entry { proof: n, disproof: INFINITE - n, best: n << 20 };
        for n in 1..200 {
            let Entry { proof, disproof, best } = known(n);
            table.put(u64::from(n) << 8, proof, disproof, best, 7);
        }
        assert!((1..200).all(|n| table.get(u64::from(n) << 8) == Some(known(n))));
        table.clear();
        assert!((1..200u64).all(|n| table.get(n << 8).is_none()));
    }

    #[test]
    fn a_table_keeps_within_its_bytes() {
        let bucket = size_of::<[Words; WAYS]>();
        for bytes in [0, 1, 100, 5_000, 100_000, 1 << 20] {
            let mut table = Table::new(bytes);
            assert!(table.buckets.len() * bucket <= bytes.max(bucket), "{bytes}");
            table.put(u64::MAX, 1, 2, 3, 4);
            assert!(table.get(u64::MAX).is_some());
        }
    }

    #[test]
    fn the_entry_of_min_work_is_replaced() {
        let mut table = Table::new(1 << 20);
        let key = |n: u64| 1 << 60 | n;
        for (n, work) in [(1, 1000), (2, 10), (3, 1000), (4, 1000), (5, 500)] {
            table.put(key(n), 1, 1, 0, work);
        }
        let left = (1..=5).filter(|&n| table.get(key(n)).is_some());
        assert_eq!(left.collect::<Vec<_>>(), [1, 3, 4, 5]);
    }
}
