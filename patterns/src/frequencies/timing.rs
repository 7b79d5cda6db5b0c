//! When a pattern is looked at: before its move, or after it, when what the move captures is off the board.

use go_engine::{Board, Color, Site};

/// The position that the pattern about a move is taken from. The move's own stone is no part of a pattern, so that the
/// two differ only where the move captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timing {
    /// The position before the move: stones that it captures are part of the pattern.
    #[default]
    BeforeMove,
    /// The position after it, as in the paper, which plays first and then looks: the points of captured stones are
    /// empty.
    AfterMove,
}

impl Timing {
    /// Its number in files.
    pub(super) const fn index(self) -> u8 {
        match self {
            Timing::BeforeMove => 0,
            Timing::AfterMove => 1,
        }
    }

    /// What [`Timing::index`] gave.
    pub(super) fn from_index(index: u8) -> Option<Timing> {
        [Timing::BeforeMove, Timing::AfterMove].into_iter().find(|timing| timing.index() == index)
    }

    /// Whether the pattern about a move is not the one that lies on the board: the move captures, and it is looked at
    /// afterwards.
    #[inline(always)]
    pub(super) fn alters<const N: usize, const W: usize>(
        self,
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> bool {
        self == Timing::AfterMove
            && board.pattern3x3(site).ortho_stones(mover.other()) != 0
            && board.touches_atari(site, mover.other())
    }
}

/// Whether a move on `site` captures the stone on `stone`, if there is one.
#[inline]
pub(super) fn is_captured<const N: usize, const W: usize>(
    board: &Board<N, W>,
    stone: Site,
    site: Site,
    mover: Color,
) -> bool {
    board.is_in_atari(stone, mover.other()) && board.any_liberty(stone) == site
}
