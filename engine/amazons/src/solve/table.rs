//! A transposition table of proof numbers, of fixed size.

/// What is known of a state: how hard it is to show that the side to move wins, and that it loses; 0 is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub win: u32,
    pub loss: u32,
}

/// What is as good as impossible.
pub(super) const INFINITE: u32 = 1 << 30;

/// What stands in a place: the key, the numbers (to win in the upper half) and the nodes spent below; no nodes are an empty
/// place.
///
/// It is words and no struct, so that a table of empty places is made of memory that the system clears when it is first
/// touched: a gigabyte for a board that needs little of it costs nothing.
type Entry = [u64; 3];

fn numbers(entry: &Entry) -> Numbers {
    Numbers { win: (entry[1] >> 32) as u32, loss: entry[1] as u32 }
}

/// Entries that a key may stand in.
const BUCKET: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    is_empty: bool,
}

impl Table {
    pub fn new(memory_mib: usize) -> Table {
        let buckets = ((memory_mib.max(1) << 20) / (BUCKET * size_of::<Entry>())).max(1);
        Table { entries: vec![[0; 3]; buckets * BUCKET], is_empty: true }
    }

    pub fn clear(&mut self) {
        if !self.is_empty {
            let places = self.entries.len();
            // The old memory goes back first.
            self.entries = Vec::new();
            self.entries = vec![[0; 3]; places];
            self.is_empty = true;
        }
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let at = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        at..at + BUCKET
    }

    pub fn get(&self, key: u64) -> Option<Numbers> {
        self.entries[self.bucket(key)]
            .iter()
            .find(|entry| entry[0] == key && entry[2] > 0)
            .map(numbers)
    }

    /// Notes numbers; what took the least work makes room.
    pub fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        self.is_empty = false;
        let bucket = self.bucket(key);
        let places = &mut self.entries[bucket];
        let same = places.iter().position(|entry| entry[0] == key && entry[2] > 0);
        let min_work = || (0..BUCKET).min_by_key(|&i| places[i][2]).unwrap_or(0);
        let at = same.unwrap_or_else(min_work);
        let before = if same.is_some() { places[at][2] } else { 0 };
        let both = u64::from(numbers.win) << 32 | u64::from(numbers.loss);
        places[at] = [key, both, before + work.max(1)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_until_it_is_cleared() {
        let mut table = Table::new(1);
        let numbers = |n: u32| Numbers { win: n, loss: INFINITE - n };
        for n in 1..100u32 {
            table.put(u64::from(n) << 56, numbers(n), 1);
        }
        assert!((1..100).all(|n: u32| table.get(u64::from(n) << 56) == Some(numbers(n))));
        assert_eq!(table.get(0), None, "an empty place is nothing known of the key 0");
        table.clear();
        assert!((1..100u64).all(|n| table.get(n << 56).is_none()));
    }

    /// Takes less than reading a gigabyte does, let alone writing it.
    #[test]
    fn a_large_table_costs_nothing_until_it_is_used() {
        let begun = std::time::Instant::now();
        for _ in 0..20 {
            Table::new(1024).put(1 << 60, Numbers { win: 1, loss: 1 }, 1);
        }
        let spent = begun.elapsed();
        assert!(spent < std::time::Duration::from_secs(2), "{spent:?}");
    }
}
