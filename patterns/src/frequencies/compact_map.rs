//! A map from 36-bit keys to a byte in four bytes an entry, for tables that a playout asks all the
//! time and that ought to stay in a processor's cache.
//!
//! The key is scattered one to one; its upper bits are the place, and only the lower ones and how far
//! the entry was pushed from its place need to be kept (quotienting, Knuth 6.4 exercise 13).

use ahash::AHashSet;

/// Bits of a key.
const KEY_BITS: u32 = 36;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
/// How far an entry may be from its place, counted from 1, so that no entry is 0.
const MAX_DISTANCE: u32 = 15;
/// The minimum table: what is left of a key then fits 20 bits.
const MIN_BITS: u32 = 16;

/// The map.
pub(super) struct CompactMap {
    /// What is left of the key in the upper 20 bits, how far off it is in four, the value in eight;
    /// 0 for a free slot.
    slots: Box<[u32]>,
    bits: u32,
}

/// What was found at the place of a key.
#[derive(Clone, Copy, Default)]
pub(super) struct Probe {
    place: u32,
    rest: u32,
    slot: u32,
}

/// One to one on keys: both steps of multiplying by an odd number and the one between can be undone.
#[inline(always)]
fn scatter(key: u64) -> u64 {
    let key = key.wrapping_mul(0x9_e377_9b97) & KEY_MASK;
    let key = key ^ key >> (KEY_BITS / 2);
    key.wrapping_mul(0xd_1b54_a32d) & KEY_MASK
}

impl CompactMap {
    /// The map with these entries; of equal keys the first counts.
    pub(super) fn new(entries: &[(u64, u8)]) -> CompactMap {
        let mut seen = AHashSet::new();
        let mut entries: Vec<(u64, u8)> =
            entries.iter().copied().filter(|&(key, _)| seen.insert(key)).collect();
        // In the order of their places none is pushed farther than it must be.
        entries.sort_by_key(|&(key, _)| scatter(key));
        let mut bits = (entries.len() * 2).next_power_of_two().trailing_zeros().max(MIN_BITS);
        loop {
            let slots = vec![0; (1usize << bits) + MAX_DISTANCE as usize].into_boxed_slice();
            let mut map = CompactMap { slots, bits };
            if map.fill(&entries) {
                return map;
            }
            bits += 1;
        }
    }

    /// Puts entries in that come in the order of their places; tells whether there was room.
    fn fill(&mut self, entries: &[(u64, u8)]) -> bool {
        let mut free = 0;
        for &(key, value) in entries {
            let (place, rest) = self.split(key);
            let at = place.max(free);
            let off = (at - place) as u32 + 1;
            if off > MAX_DISTANCE {
                return false;
            }
            self.slots[at] = (rest << 4 | off) << 8 | u32::from(value);
            free = at + 1;
        }
        true
    }

    #[inline(always)]
    fn split(&self, key: u64) -> (usize, u32) {
        let scattered = scatter(key);
        let rest_bits = KEY_BITS - self.bits;
        ((scattered >> rest_bits) as usize, (scattered & ((1 << rest_bits) - 1)) as u32)
    }

    /// Looks at the place of a key, for [`CompactMap::resolve`]: several keys' memory may be waited for
    /// at once.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Probe {
        let (place, rest) = self.split(key);
        Probe { place: place as u32, rest, slot: self.slots[place] }
    }

    /// The slot and the value of a key that was looked at. The slot is its own: no other key has it.
    #[inline(always)]
    pub(super) fn resolve(&self, probe: Probe) -> Option<(usize, u8)> {
        let Probe { place, rest, mut slot } = probe;
        for off in 1..=MAX_DISTANCE {
            let at = place as usize + off as usize - 1;
            if off > 1 {
                slot = self.slots[at];
            }
            if slot >> 8 == (rest << 4 | off) {
                return Some((at, slot as u8));
            }
            if slot == 0 {
                break;
            }
        }
        None
    }

    /// Both together.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<(usize, u8)> {
        self.resolve(self.probe(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let key = |n: u64| game_core::splitmix(n) & KEY_MASK;
        let entries: Vec<(u64, u8)> = (0..50_000).map(|n| (key(n), n as u8)).collect();
        let map = CompactMap::new(&entries);
        let truth: HashMap<u64, u8> = entries.iter().rev().copied().collect();
        for (&key, &value) in &truth {
            assert_eq!(map.find(key).map(|found| found.1), Some(value));
        }
        for n in 50_000..200_000 {
            let found = map.find(key(n)).map(|found| found.1);
            assert_eq!(found, truth.get(&key(n)).copied());
        }
    }
}
