//! Bounded memory for a tree: blocks that are made when they are first needed and never moved, shared without a lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Things in blocks of two to the power `BITS`, told by an index of 32 bits.
///
/// What is taken holds what was there before, a default at first: who takes it puts it in order.
#[derive(Debug)]
pub struct Arena<T, const BITS: u32> {
    blocks: Box<[OnceLock<Box<[T]>>]>,
    /// The first index that is not taken.
    end: AtomicU32,
    /// How many were taken; less than the end where the rest of a block was left free.
    len: AtomicU32,
}

impl<T: Default, const BITS: u32> Arena<T, BITS> {
    const BLOCK: usize = 1 << BITS;

    /// Room for at most `max` things, rounded up to whole blocks.
    pub fn new(max: usize) -> Self {
        let blocks = max.div_ceil(Self::BLOCK).clamp(1, u32::MAX as usize >> BITS);
        Arena {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            end: AtomicU32::new(0),
            len: AtomicU32::new(0),
        }
    }

    /// How many things were taken.
    pub fn len(&self) -> usize {
        self.len.load(Relaxed) as usize
    }

    /// Whether nothing was taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many there is room for.
    pub fn capacity(&self) -> usize {
        self.blocks.len() << BITS
    }

    /// The first index that is not taken.
    pub fn end(&self) -> u32 {
        self.end.load(Relaxed)
    }

    /// Bytes up to the first index that is not taken.
    pub fn bytes(&self) -> usize {
        self.end() as usize * size_of::<T>()
    }

    /// The thing of an index that was taken.
    #[inline(always)]
    pub fn get(&self, index: u32) -> &T {
        &self.block(index)[index as usize & (Self::BLOCK - 1)]
    }

    /// Things side by side that were taken together.
    #[inline(always)]
    pub fn slice(&self, first: u32, count: usize) -> &[T] {
        let at = first as usize & (Self::BLOCK - 1);
        &self.block(first)[at..at + count]
    }

    #[inline(always)]
    fn block(&self, index: u32) -> &[T] {
        self.blocks[(index >> BITS) as usize]
            .get_or_init(|| (0..Self::BLOCK).map(|_| T::default()).collect())
    }

    /// Takes so many things side by side, at most a block; none when there is no room left.
    pub fn take(&self, count: usize) -> Option<u32> {
        let room = self.capacity();
        let taken = self.end.fetch_update(Relaxed, Relaxed, |end| {
            let first = Self::fit(end, count);
            (first as usize + count <= room).then(|| first + count as u32)
        });
        self.len.fetch_add(taken.map_or(0, |_| count as u32), Relaxed);
        taken.ok().map(|end| Self::fit(end, count))
    }

    /// Gives back everything from an index on; `len` things stay.
    pub fn truncate(&mut self, end: u32, len: usize) {
        (*self.end.get_mut(), *self.len.get_mut()) = (end, len as u32);
    }

    /// Where so many things fit side by side from an index on: not across the end of a block.
    pub fn fit(from: u32, count: usize) -> u32 {
        let left = Self::BLOCK - (from as usize & (Self::BLOCK - 1));
        if left < count { from + left as u32 } else { from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn what_is_taken_lies_side_by_side_and_within_bounds() {
        let arena: Arena<AtomicU32, 4> = Arena::new(40);
        assert_eq!(arena.capacity(), 48);
        assert_eq!((arena.take(10), arena.take(10), arena.take(4)), (Some(0), Some(16), Some(26)));
        assert_eq!((arena.len(), arena.end()), (24, 30));
        assert_eq!((arena.take(16), arena.take(1)), (Some(32), None));
        assert_eq!(arena.slice(16, 10).len(), 10);
    }

    #[test]
    fn threads_never_get_the_same() {
        let arena: Arena<AtomicU32, 6> = Arena::new(1 << 14);
        let firsts = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(first) = arena.take(7) {
                        for thing in arena.slice(first, 7) {
                            thing.fetch_add(1, Relaxed);
                        }
                        firsts.lock().expect("no panic").push(first);
                    }
                });
            }
        });
        let firsts = firsts.into_inner().expect("no panic");
        assert_eq!(firsts.len(), (1 << 14) / 64 * 9);
        let once = |&first: &u32| arena.slice(first, 7).iter().all(|t| t.load(Relaxed) == 1);
        assert!(firsts.iter().all(once));
        assert_eq!(arena.len(), firsts.len() * 7);
    }
}
