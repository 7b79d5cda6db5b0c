//! Turns that a search leaves out, down to some depth of its tree.

use game_core::Color;
use std::fmt;

/// Says of a side's turn, so many turns below the root, whether it may be considered.
type Accepts<'a, M> = &'a (dyn Fn(Color, M, usize) -> bool + Sync);

/// Which turns a search may consider. What it proves must not rest on turns that were only left out.
pub struct TurnFilter<'a, M> {
    depth: usize,
    accepts: Option<Accepts<'a, M>>,
}

impl<M> Clone for TurnFilter<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for TurnFilter<'_, M> {}

impl<M> fmt::Debug for TurnFilter<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnFilter").field("depth", &self.depth).finish_non_exhaustive()
    }
}

impl<'a, M> TurnFilter<'a, M> {
    /// The one that leaves nothing out.
    pub const fn all() -> TurnFilter<'a, M> {
        TurnFilter { depth: 0, accepts: None }
    }

    /// One that is asked in so many turns from the root on, both players' counted: 1 is the root's alone.
    pub fn new(depth: usize, accepts: Accepts<'a, M>) -> TurnFilter<'a, M> {
        TurnFilter { depth, accepts: Some(accepts) }
    }

    /// Whether it leaves anything out at all. What is found then is of no use to any other search.
    #[inline(always)]
    pub fn is_set(&self) -> bool {
        self.depth > 0
    }

    /// Whether anything may be left out so many turns below the root.
    #[inline(always)]
    pub fn concerns(&self, depth: usize) -> bool {
        depth < self.depth
    }

    /// Whether a turn may be considered so many turns below the root.
    pub fn accepts(&self, color: Color, mv: M, depth: usize) -> bool {
        !self.concerns(depth) || self.accepts.is_none_or(|accepts| accepts(color, mv, depth))
    }
}
