//! A set of sites as bits: exact liberties, unions in a few instructions.

/// A set of up to `64 * W` sites, by their bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteSet<const W: usize>([u64; W]);

impl<const W: usize> SiteSet<W> {
    /// No site.
    pub const EMPTY: Self = SiteSet([0; W]);

    /// Whether bit `bit` is in the set.
    #[inline(always)]
    pub fn contains(&self, bit: usize) -> bool {
        self.0[bit >> 6] >> (bit & 63) & 1 != 0
    }

    /// Adds a bit and tells whether it was new.
    #[inline(always)]
    pub fn insert(&mut self, bit: usize) -> bool {
        let word = &mut self.0[bit >> 6];
        let mask = 1u64 << (bit & 63);
        let new = *word & mask == 0;
        *word |= mask;
        new
    }

    /// Adds a bit when `wanted`, without a branch on that. A bit that no site has is left out.
    #[inline(always)]
    pub fn insert_if(&mut self, bit: usize, wanted: bool) {
        if let Some(word) = self.0.get_mut(bit >> 6) {
            *word |= u64::from(wanted) << (bit & 63);
        }
    }

    /// Takes a bit out and tells whether it was in.
    #[inline(always)]
    pub fn remove(&mut self, bit: usize) -> bool {
        let word = &mut self.0[bit >> 6];
        let was = *word >> (bit & 63) & 1 != 0;
        *word &= !(1u64 << (bit & 63));
        was
    }

    /// The words that hold the bits, the lowest first.
    #[inline(always)]
    pub fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// The set of these words; bits that no site has must be 0.
    #[inline(always)]
    pub const fn from_words(words: [u64; W]) -> Self {
        SiteSet(words)
    }

    /// Adds all of another set.
    #[inline(always)]
    pub fn union_with(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// What this set has and the other has not.
    #[inline(always)]
    pub fn difference(&self, other: &Self) -> Self {
        let mut out = *self;
        for (a, b) in out.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        out
    }

    /// How many sites.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The lowest bit, if any.
    #[inline(always)]
    pub fn first(&self) -> Option<usize> {
        for (i, &w) in self.0.iter().enumerate() {
            if w != 0 {
                return Some(i * 64 + w.trailing_zeros() as usize);
            }
        }
        None
    }

    /// All bits, from the lowest.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<W> {
        let words = self.0;
        (0..W).flat_map(move |i| {
            let mut w = words[i];
            std::iter::from_fn(move || {
                if w == 0 {
                    return None;
                }
                let bit = w.trailing_zeros() as usize;
                w &= w - 1;
                Some(i * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_removes_and_counts() {
        let mut set = SiteSet::<6>::EMPTY;
        assert!(set.insert(0) && set.insert(64) && set.insert(383) && !set.insert(64));
        assert_eq!(set.len(), 3);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 383]);
        assert!(set.remove(0) && !set.remove(0));
        assert_eq!(set.first(), Some(64));
        let mut other = SiteSet::<6>::EMPTY;
        other.insert(64);
        assert_eq!(set.difference(&other).first(), Some(383));
        assert!(!set.is_empty() && SiteSet::<6>::EMPTY.is_empty());
    }
}
