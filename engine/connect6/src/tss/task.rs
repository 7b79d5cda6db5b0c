//! One kind of search: who attacks, with which turns, against which defence.

use super::Turns;
use crate::Color;

/// How the defender is taken to reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Style {
    /// All blocking stones at once.
    Conservative,
    /// Each defence in turn.
    Exact,
}

/// One kind of search of a position: positions of different kinds do not share entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Task {
    pub attacker: Color,
    pub turns: Turns,
    pub style: Style,
}

impl Task {
    fn salt(self) -> u64 {
        let n = self.attacker.index() as u64 + 2 * (self.turns as u64) + 4 * (self.style as u64);
        (n + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// The table's key of a position with the attacker to move.
    pub fn attack_key(self, board_key: u64, stones: usize) -> u64 {
        board_key ^ self.salt() ^ (stones as u64).wrapping_mul(0xa076_1d64_78bd_642f)
    }

    /// The table's key of a position with the defender to reply.
    pub fn reply_key(self, board_key: u64) -> u64 {
        board_key ^ self.salt() ^ 0x8ebc_6af0_9c88_c6e3
    }
}
