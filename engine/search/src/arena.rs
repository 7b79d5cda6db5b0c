//! Bounded memory for a tree: blocks that are made when they are first needed and never moved, shared without a lock, whose
//! places are given back and taken again.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Things in blocks of two to the power `BITS` (6 at least), told by an index of 32 bits.
///
/// Threads take places at once. Giving them back needs the arena alone, as does [`Arena::gather`], after which what was given
/// back is there to be taken. What is taken holds what was there before, a default at first: who takes it puts it in order.
#[derive(Debug)]
pub struct Arena<T, const BITS: u32> {
    blocks: Box<[OnceLock<Block<T>>]>,
    /// How many blocks were made.
    made: AtomicU32,
    /// How many places are taken.
    len: AtomicU32,
    /// Free places side by side, none across the end of a block, in the order in which they are given out.
    free: Vec<Range<u32>>,
    /// Which of these is next (upper half) and where in it (lower half).
    next: AtomicU64,
}

/// Some of an arena's blocks, by their numbers.
#[derive(Debug)]
pub struct BlockSet(Vec<u64>);

impl BlockSet {
    /// Whether a block is among them.
    pub fn contains(&self, block: usize) -> bool {
        self.0[block / 64] >> (block % 64) & 1 == 1
    }
}

#[derive(Debug)]
struct Block<T> {
    things: Box<[T]>,
    /// A bit for each, set while it is taken.
    taken: Box<[AtomicU64]>,
}

impl<T: Default> Block<T> {
    fn new(len: usize) -> Block<T> {
        Block {
            things: (0..len).map(|_| T::default()).collect(),
            taken: (0..len / 64).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

impl<T: Default, const BITS: u32> Arena<T, BITS> {
    const BLOCK: usize = 1 << BITS;

    /// Room for at most `max` things, rounded up to whole blocks.
    pub fn new(max: usize) -> Self {
        const { assert!(BITS >= 6) };
        let blocks = max.div_ceil(Self::BLOCK).clamp(1, u32::MAX as usize >> BITS);
        let mut arena = Arena {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            made: AtomicU32::new(0),
            len: AtomicU32::new(0),
            free: Vec::new(),
            next: AtomicU64::new(0),
        };
        arena.gather(1);
        arena
    }

    /// How many things are taken.
    pub fn len(&self) -> usize {
        self.len.load(Relaxed) as usize
    }

    /// Whether nothing is taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many there is room for.
    pub fn capacity(&self) -> usize {
        self.blocks.len() << BITS
    }

    /// How many there is room for in the blocks that were made.
    pub fn made(&self) -> usize {
        (self.made.load(Relaxed) as usize) << BITS
    }

    /// Bytes of the things that are taken.
    pub fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    /// Bytes of the blocks that were made.
    pub fn made_bytes(&self) -> usize {
        self.made() * size_of::<T>()
    }

    /// The thing of an index that was taken.
    #[inline(always)]
    pub fn get(&self, index: u32) -> &T {
        &self.block(index).things[index as usize & (Self::BLOCK - 1)]
    }

    /// Things side by side that were taken together.
    #[inline(always)]
    pub fn slice(&self, first: u32, count: usize) -> &[T] {
        let at = first as usize & (Self::BLOCK - 1);
        &self.block(first).things[at..at + count]
    }

    #[inline(always)]
    fn block(&self, index: u32) -> &Block<T> {
        self.blocks[(index >> BITS) as usize].get_or_init(|| {
            self.made.fetch_add(1, Relaxed);
            Block::new(Self::BLOCK)
        })
    }

    /// Takes so many things side by side, at most a block; none when there is no room left.
    pub fn take(&self, count: usize) -> Option<u32> {
        self.take_from(count, true)
    }

    /// The same from the blocks that were made, without making one.
    pub fn take_made(&self, count: usize) -> Option<u32> {
        self.take_from(count, false)
    }

    fn take_from(&self, count: usize, makes: bool) -> Option<u32> {
        let mut state = self.next.load(Relaxed);
        loop {
            let (mut at, mut first) = ((state >> 32) as usize, state as u32);
            loop {
                let range = self.free.get(at)?;
                let block = (range.start >> BITS) as usize;
                let is_made = makes || self.blocks[block].get().is_some();
                if is_made && count <= (range.end - first) as usize {
                    break;
                }
                at += 1;
                first = self.free.get(at)?.start;
            }
            let end = first + count as u32;
            let next = (at as u64) << 32 | u64::from(end);
            match self.next.compare_exchange_weak(state, next, Relaxed, Relaxed) {
                Ok(_) => {
                    self.len.fetch_add(count as u32, Relaxed);
                    for (word, bits) in words::<BITS>(first, count) {
                        self.block(first).taken[word].fetch_or(bits, Relaxed);
                    }
                    return Some(first);
                }
                Err(now) => state = now,
            }
        }
    }

    /// Gives back things side by side, in one block, that were taken.
    pub fn give_back(&mut self, first: u32, count: usize) {
        *self.len.get_mut() -= count as u32;
        if let Some(block) = self.blocks[(first >> BITS) as usize].get_mut() {
            for (word, bits) in words::<BITS>(first, count) {
                let taken = block.taken[word].get_mut();
                debug_assert_eq!(*taken & bits, bits, "given back twice");
                *taken &= !bits;
            }
        }
    }

    /// Gives back everything.
    pub fn clear(&mut self) {
        for block in self.blocks.iter_mut().filter_map(OnceLock::get_mut) {
            block.taken.iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        *self.len.get_mut() = 0;
        self.gather(1);
    }

    /// Lets what was given back be taken again, where so many places or more are side by side. How many places that are,
    /// those of blocks that are still to be made left out.
    pub fn gather(&mut self, min: usize) -> usize {
        self.gather_from(min, |_| true)
    }

    /// Lets what was given back be taken again, but nothing of these blocks.
    pub fn gather_except(&mut self, except: &BlockSet) {
        self.gather_from(1, |block| !except.contains(block));
    }

    fn gather_from(&mut self, min: usize, wants: impl Fn(usize) -> bool) -> usize {
        self.free.clear();
        let mut gathered = 0;
        for (number, block) in self.blocks.iter_mut().enumerate().filter(|(n, _)| wants(*n)) {
            let base = (number as u32) << BITS;
            let Some(block) = block.get_mut() else {
                self.free.push(base..base + Self::BLOCK as u32);
                continue;
            };
            for_free(&mut block.taken, |range| {
                if range.len() >= min {
                    gathered += range.len();
                    self.free.push(base + range.start..base + range.end);
                }
            });
        }
        *self.next.get_mut() = self.free.first().map_or(0, |range| u64::from(range.start));
        gathered
    }

    /// The block in which an index is.
    pub fn block_of(&self, index: u32) -> usize {
        (index >> BITS) as usize
    }

    /// Blocks in which the fewest places are taken: as many as have so many places, and no more than fit into the others.
    pub fn sparse_blocks(&mut self, places: usize) -> BlockSet {
        let mut blocks: Vec<(u32, usize)> = Vec::new();
        for (number, block) in self.blocks.iter_mut().enumerate() {
            if let Some(block) = block.get_mut() {
                let taken = block.taken.iter_mut().map(|word| word.get_mut().count_ones()).sum();
                blocks.push((taken, number));
            }
        }
        blocks.sort_unstable();
        // Half of what is free in the others, since not everything fits everywhere.
        let mut free = self.made() - self.len();
        let mut set = BlockSet(vec![0; self.blocks.len().div_ceil(64)]);
        let mut moved = 0;
        for (taken, number) in blocks.into_iter().take(places.div_ceil(Self::BLOCK)) {
            free -= Self::BLOCK - taken as usize;
            moved += taken as usize;
            if moved * 2 > free {
                break;
            }
            set.0[number / 64] |= 1 << (number % 64);
        }
        set
    }

    /// Gives blocks in which nothing is taken back to the system. [`Arena::gather`] has to follow.
    pub fn release(&mut self) {
        for block in &mut self.blocks {
            let is_free = |block: &mut Block<T>| block.taken.iter_mut().all(|w| *w.get_mut() == 0);
            if block.get_mut().is_some_and(is_free) {
                block.take();
                *self.made.get_mut() -= 1;
            }
        }
    }

    /// Whether the place of an index is taken.
    pub fn is_taken(&self, index: u32) -> bool {
        let at = index as usize & (Self::BLOCK - 1);
        let block = self.blocks[(index >> BITS) as usize].get();
        block.is_some_and(|block| block.taken[at / 64].load(Relaxed) >> (at % 64) & 1 == 1)
    }

    /// The first index from this one on that is taken.
    pub fn next_taken(&self, from: u32) -> Option<u32> {
        let mut index = from;
        while let Some(block) = self.blocks.get((index >> BITS) as usize) {
            let at = index as usize & (Self::BLOCK - 1);
            let base = index - at as u32;
            let found = block.get().and_then(|block| {
                let masked = |word: usize| match word == at / 64 {
                    true => block.taken[word].load(Relaxed) & u64::MAX << (at % 64),
                    false => block.taken[word].load(Relaxed),
                };
                let word = (at / 64..Self::BLOCK / 64).find(|&word| masked(word) != 0)?;
                Some(base + word as u32 * 64 + masked(word).trailing_zeros())
            });
            if found.is_some() {
                return found;
            }
            index = base.checked_add(Self::BLOCK as u32)?;
        }
        None
    }
}

/// The words of a block's bits that stand for places side by side, each with the bits that do.
fn words<const BITS: u32>(first: u32, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let mut at = first as usize & ((1 << BITS) - 1);
    let end = at + count;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let (word, low) = (at / 64, at % 64);
            let high = (end - word * 64).min(64);
            at = word * 64 + high;
            (word, u64::MAX << low & u64::MAX >> (64 - high))
        })
    })
}

/// Calls for each row of bits that are not set, with their places.
fn for_free(words: &mut [AtomicU64], mut call: impl FnMut(Range<u32>)) {
    let mut start = None;
    for (number, word) in words.iter_mut().enumerate() {
        let (mut word, base) = (*word.get_mut(), number as u32 * 64);
        if word == 0 {
            start = start.or(Some(base));
            continue;
        }
        let mut at = 0;
        while at < 64 {
            // Set bits first, then those that are not.
            let set = word.trailing_ones();
            if set > 0 {
                if let Some(start) = start.take() {
                    call(start..base + at);
                }
                at += set;
                word = word.checked_shr(set).unwrap_or(0);
            }
            if at < 64 {
                start = start.or(Some(base + at));
                let free = word.trailing_zeros();
                at += free.min(64 - at);
                word = word.checked_shr(free).unwrap_or(0);
            }
        }
    }
    if let Some(start) = start {
        call(start..words.len() as u32 * 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Mutex;

    #[test]
    fn what_is_taken_lies_side_by_side_and_within_bounds() {
        let arena: Arena<AtomicU32, 6> = Arena::new(140);
        assert_eq!(arena.capacity(), 192);
        assert_eq!((arena.take(40), arena.take(40), arena.take(4)), (Some(0), Some(64), Some(104)));
        assert_eq!((arena.len(), arena.made()), (84, 128));
        assert_eq!(arena.take_made(30), None);
        assert_eq!((arena.take(64), arena.take(1)), (Some(128), None));
        assert_eq!(arena.slice(64, 40).len(), 40);
    }

    #[test]
    fn threads_never_get_the_same() {
        let mut arena: Arena<AtomicU32, 6> = Arena::new(1 << 14);
        let take_all = |arena: &Arena<AtomicU32, 6>| {
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
            firsts.into_inner().expect("no panic")
        };
        let firsts = take_all(&arena);
        assert_eq!(firsts.len(), (1 << 14) / 64 * 9);
        let count = |first: u32, n| arena.slice(first, 7).iter().all(|t| t.load(Relaxed) == n);
        assert!(firsts.iter().all(|&first| count(first, 1)));
        assert_eq!(arena.len(), firsts.len() * 7);
        // What is given back is taken again, and only that.
        let (kept, given): (Vec<u32>, Vec<u32>) = firsts.iter().partition(|&&f| f % 3 == 0);
        given.iter().for_each(|&first| arena.give_back(first, 7));
        assert!(arena.gather(7) >= given.len() * 7);
        take_all(&arena);
        let count = |first: u32, n| arena.slice(first, 7).iter().all(|t| t.load(Relaxed) == n);
        assert!(kept.iter().all(|&first| count(first, 1)));
        assert_eq!(arena.len(), firsts.len() * 7);
    }

    proptest! {
        #[test]
        fn the_books_are_kept(steps in prop::collection::vec((any::<bool>(), 1usize..80), 1..200)) {
            let mut arena: Arena<AtomicU32, 7> = Arena::new(1000);
            let mut held: Vec<(u32, usize)> = Vec::new();
            for (takes, count) in steps {
                if takes && let Some(first) = arena.take(count) {
                    prop_assert!(first as usize % 128 + count <= 128);
                    let apart = |&(f, n): &(u32, usize)| f + n as u32 <= first || first + count as u32 <= f;
                    prop_assert!(held.iter().all(apart), "{first} {count} {held:?}");
                    held.push((first, count));
                } else if !held.is_empty() {
                    let (first, count) = held.swap_remove(count % held.len());
                    arena.give_back(first, count);
                    if count % 3 == 0 {
                        arena.release();
                        arena.gather(1 + count % 5);
                    }
                }
                prop_assert_eq!(arena.len(), held.iter().map(|h| h.1).sum::<usize>());
            }
            let mut indices = Vec::new();
            let mut from = 0;
            while let Some(index) = arena.next_taken(from) {
                indices.push(index);
                from = index + 1;
            }
            held.sort();
            let expected: Vec<u32> = held.iter().flat_map(|&(f, n)| f..f + n as u32).collect();
            prop_assert_eq!(indices, expected);
            let free = arena.made() - arena.len();
            prop_assert_eq!(arena.gather(1), free);
            arena.clear();
            prop_assert_eq!(arena.next_taken(0), None);
            prop_assert_eq!(arena.take(128), Some(0));
        }
    }
}
