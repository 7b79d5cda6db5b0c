//! A small table of numbers worked out before, shared by all threads without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// Remembers a 16-bit number for a key; newer keys push older ones out.
pub(super) struct Memo {
    slots: Vec<AtomicU64>,
}

impl Memo {
    /// Room for `1 << bits` numbers.
    pub(super) fn new(bits: u32) -> Memo {
        Memo { slots: (0..1usize << bits).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The number of a key, a well mixed one: remembered, or worked out now. Key and number share
    /// one word, so that threads never see a part of each other's.
    #[inline(always)]
    pub(super) fn get(&self, key: u64, work_out: impl FnOnce() -> u16) -> u16 {
        let slot = &self.slots[key as usize & (self.slots.len() - 1)];
        let tag = key >> 16 << 16;
        let found = slot.load(Ordering::Relaxed);
        // A key without a tag looks like an empty slot, and is worked out each time.
        if found >> 16 << 16 == tag && tag != 0 {
            return found as u16;
        }
        let number = work_out();
        slot.store(tag | u64::from(number), Ordering::Relaxed);
        number
    }
}
