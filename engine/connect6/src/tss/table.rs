//! The transposition table of the threat search: bounded memory, the least work replaced.

/// A proof number or a disproof number; [`INFINITE`] means "never".
pub type Number = u32;
/// Proved (as a disproof number) or disproved (as a proof number).
pub const INFINITE: Number = 1 << 30;

/// What the table knows of a position.
#[derive(Clone, Copy, Default, Debug)]
pub struct Entry {
    key: u64,
    /// Leaves still to prove for a proof.
    pub proof: Number,
    /// Leaves still to disprove for a disproof.
    pub disproof: Number,
    /// The packed attacking turn that proves the position, or 0.
    pub best: u32,
    work: u32,
}

const WAYS: usize = 4;

/// A table of a fixed number of entries.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<[Entry; WAYS]>,
    mask: usize,
}

impl Table {
    /// A table of at most so many MiB (at least one).
    pub fn new(memory_mib: usize) -> Table {
        let wanted = (memory_mib.max(1) << 20) / size_of::<[Entry; WAYS]>();
        let count = 1 << wanted.ilog2();
        Table { buckets: vec![[Entry::default(); WAYS]; count], mask: count - 1 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill([Entry::default(); WAYS]);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key >> 8) as usize & self.mask
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        self.buckets[self.slot(key)].iter().find(|e| e.key == key)
    }

    /// Stores what is known now; `work` (nodes spent) decides what is replaced, solved positions last.
    #[inline]
    pub fn put(&mut self, key: u64, proof: Number, disproof: Number, best: u32, work: u64) {
        let slot = self.slot(key);
        let bucket = &mut self.buckets[slot];
        let solved = proof == 0 || disproof == 0;
        let work = (work.min(1 << 28) as u32).saturating_mul(if solved { 4 } else { 1 }).max(1);
        let way = bucket
            .iter()
            .position(|e| e.key == key || e.work == 0)
            .unwrap_or_else(|| (0..WAYS).min_by_key(|&w| bucket[w].work).unwrap_or(0));
        // Older entries of the bucket fade, so that a big search of long ago does not stay for ever.
        for e in bucket.iter_mut() {
            e.work -= e.work / 16;
        }
        bucket[way] = Entry { key, proof, disproof, best, work };
    }
}
