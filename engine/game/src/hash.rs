//! The one hash and the one mix that the programs use where a value must be the same on every machine and in every
//! build: checksums of files, fingerprints of games, signatures of what an engine does, keys made of numbers.

/// FNV-1a of 64 bits, over bytes or whole words (Fowler, Noll and Vo; RFC 9923).
///
/// ```
/// let mut hash = game_core::Fnv1a::new();
/// hash.bytes(b"a");
/// assert_eq!(hash.get(), 0xaf63_dc4c_8601_ec8c);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv1a(u64);

impl Fnv1a {
    const PRIME: u64 = 0x100_0000_01b3;

    /// The hash of nothing.
    pub const fn new() -> Fnv1a {
        Fnv1a(0xcbf2_9ce4_8422_2325)
    }

    /// A hash that begins at another value than the published one.
    pub const fn starting_at(value: u64) -> Fnv1a {
        Fnv1a(value)
    }

    /// Adds one step: a byte, as the published hash has it, or a whole word at once, which mixes less and is quicker.
    #[inline]
    pub const fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(Fnv1a::PRIME);
    }

    /// Adds bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.step(u64::from(byte));
        }
    }

    /// Adds a number as its eight bytes, the lowest first.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// The hash of what was added.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for Fnv1a {
    fn default() -> Fnv1a {
        Fnv1a::new()
    }
}

/// SplitMix64's odd constant, 2^64 divided by the golden ratio: steps of it visit all states before one comes again.
pub const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads the bits of a number over all 64: SplitMix64's step from a state to its output, without adding the odd
/// constant first (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// ```
/// // The first output of SplitMix64 with the seed 0, and of states that follow one another.
/// assert_eq!(game_core::mix64(game_core::GOLDEN_GAMMA), 0xe220_a839_7b1d_cdaf);
/// ```
#[inline(always)]
pub const fn mix64(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number at a place in the stream of SplitMix64 that begins at 0: one that looks like chance for each place.
#[inline(always)]
pub const fn splitmix(place: u64) -> u64 {
    mix64(place.wrapping_mul(GOLDEN_GAMMA))
}
