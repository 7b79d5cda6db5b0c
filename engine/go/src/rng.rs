//! The random numbers of playouts: xoshiro256++, a stated stream, so that a seed repeats a game on
//! every machine and in every build.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A random stream, wholly given by its seed.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`, for `n` of at least 1. The bias of the multiplication
    /// (at most `n` in 2^32) is far below what a playout can notice.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// True with probability `share / 256`.
    #[inline(always)]
    pub fn chance(&mut self, share: u32) -> bool {
        ((self.bits() >> 56) as u32) < share
    }
}
