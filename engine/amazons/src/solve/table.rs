//! A transposition table of proof numbers, of fixed size.

/// What is known of a state: how hard it is to show that the side to move wins, and that it loses; 0 is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub win: u32,
    pub loss: u32,
}

/// What is as good as impossible.
pub(super) const INFINITE: u32 = 1 << 30;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Nodes spent below; 0 is an empty place.
    work: u64,
}

/// Entries that a key may stand in.
const BUCKET: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    pub fn new(memory_mib: usize) -> Table {
        let buckets = ((memory_mib.max(1) << 20) / (BUCKET * size_of::<Entry>())).max(1);
        Table { entries: vec![Entry::default(); buckets * BUCKET] }
    }

    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let at = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        at..at + BUCKET
    }

    pub fn get(&self, key: u64) -> Option<Numbers> {
        self.entries[self.bucket(key)]
            .iter()
            .find(|e| e.key == key && e.work > 0)
            .map(|e| e.numbers)
    }

    /// Notes numbers; what took the least work makes room.
    pub fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        let bucket = self.bucket(key);
        let places = &mut self.entries[bucket];
        let same = places.iter().position(|e| e.key == key && e.work > 0);
        let least_work = || (0..BUCKET).min_by_key(|&i| places[i].work).unwrap_or(0);
        let at = same.unwrap_or_else(least_work);
        let before = if same.is_some() { places[at].work } else { 0 };
        places[at] = Entry { key, numbers, work: before + work.max(1) };
    }
}
