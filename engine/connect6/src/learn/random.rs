//! The random numbers of learning: seeds of xorshift64 stand in the recipe of the network that is shipped, so the
//! stream stays what it was.

use game_core::GOLDEN_GAMMA;

/// A stream of xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
pub(super) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn of(seed: u64) -> Random {
        Random(seed.wrapping_mul(GOLDEN_GAMMA) | 1)
    }

    /// The stream from a state; 0, which would yield nothing else, stands for 1.
    pub fn at(state: u64) -> Random {
        Random(state.max(1))
    }

    /// From 0 up to 1, without it.
    pub fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}
