//! A transposition table of proof numbers, which takes memory as it needs it, up to a limit.

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
type Entry = [u64; 3];

fn numbers(entry: &Entry) -> Numbers {
    Numbers { win: (entry[1] >> 32) as u32, loss: entry[1] as u32 }
}

/// Entries that a key may stand in.
const BUCKET: usize = 4;

/// The most parts that a table has. The more there are, the fuller each is before it grows, and the less there is to move
/// when it does.
const PARTS: usize = 1024;

/// Buckets in parts, in the order of the keys that belong there. Since keys lie anywhere, a table that had its whole size
/// from the start would touch a page of memory for nearly every entry. So a part begins small, with neighbouring buckets
/// in one, and doubles when one of these is full, until each is by itself. Nothing is crowded out before that: what is known
/// does not depend on how a table grew.
#[derive(Clone, Debug)]
pub(super) struct Table {
    parts: Vec<Vec<Entry>>,
    /// Buckets of the whole table at its largest.
    buckets: usize,
    /// Those of a part, which are two to the power of this.
    part_bits: u32,
}

impl Table {
    pub fn new(memory_mib: usize) -> Table {
        let buckets = ((memory_mib.max(1) << 20) / (BUCKET * size_of::<Entry>())).max(1);
        let part_bits = buckets.div_ceil(PARTS).next_power_of_two().ilog2();
        let parts = vec![Vec::new(); buckets.div_ceil(1 << part_bits)];
        Table { parts, buckets, part_bits }
    }

    pub fn clear(&mut self) {
        self.parts.fill(Vec::new());
    }

    /// The part where a key belongs, and its bucket there when the part has its largest size.
    fn home(&self, key: u64) -> (usize, usize) {
        let at = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        (at >> self.part_bits, at & ((1 << self.part_bits) - 1))
    }

    /// Where that bucket begins in a part of so many places.
    fn place(&self, bucket: usize, places: usize) -> usize {
        ((bucket * (places / BUCKET)) >> self.part_bits) * BUCKET
    }

    pub fn get(&self, key: u64) -> Option<Numbers> {
        let (part, bucket) = self.home(key);
        let part = &self.parts[part];
        let at = self.place(bucket, part.len());
        // A part that nothing was put into has no places at all.
        let places = part.get(at..at + BUCKET)?;
        places.iter().find(|entry| entry[0] == key && entry[2] > 0).map(numbers)
    }

    /// Notes numbers; what took the least work makes room.
    pub fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        let (part, bucket) = self.home(key);
        let both = u64::from(numbers.win) << 32 | u64::from(numbers.loss);
        loop {
            let size = self.parts[part].len();
            let at = self.place(bucket, size);
            let places = self.parts[part].get_mut(at..at + BUCKET).unwrap_or_default();
            if let Some(same) = places.iter_mut().find(|entry| entry[0] == key && entry[2] > 0) {
                *same = [key, both, same[2] + work.max(1)];
                return;
            }
            let cheapest = places.iter_mut().min_by_key(|entry| entry[2]);
            match cheapest {
                Some(cheapest) if cheapest[2] == 0 || size == BUCKET << self.part_bits => {
                    *cheapest = [key, both, work.max(1)];
                    return;
                }
                _ => self.grow(part),
            }
        }
    }

    /// Doubles a part. What stood in a bucket goes to the two that it becomes, in the same order.
    fn grow(&mut self, part: usize) {
        let size = (2 * self.parts[part].len()).max(BUCKET);
        let old = std::mem::replace(&mut self.parts[part], vec![[0; 3]; size]);
        for entry in old.into_iter().filter(|entry| entry[2] > 0) {
            let at = self.place(self.home(entry[0]).1, size);
            let places = &mut self.parts[part][at..at + BUCKET];
            if let Some(free) = places.iter_mut().find(|place| place[2] == 0) {
                *free = entry;
            }
        }
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

    /// However large it may become, it takes what its entries need.
    #[test]
    fn a_table_takes_memory_as_it_fills() {
        let places = |table: &Table| table.parts.iter().map(Vec::len).sum::<usize>();
        let mut table = Table::new(1024);
        let key = |n: u64| game_core::mix64(n);
        for n in 0..100_000 {
            table.put(key(n), Numbers { win: n as u32, loss: 1 }, 1);
        }
        let all =
            (0..100_000).all(|n| table.get(key(n)).is_some_and(|found| found.win == n as u32));
        assert!(all, "nothing is crowded out while there is room");
        assert!(places(&table) < 1_600_000, "{}", places(&table));
        let mut small = Table::new(1);
        (0..100_000).for_each(|n| small.put(key(n), Numbers { win: 1, loss: 1 }, 1));
        let limit = (1 << 20) / size_of::<Entry>() + BUCKET * (1 << small.part_bits);
        assert!(places(&small) <= limit, "{}", places(&small));
        assert!(small.get(key(99_999)).is_some(), "the newest takes the place of an older one");
    }
}
