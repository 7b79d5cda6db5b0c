//! A move from a position, in twelve bytes.

use super::node::NodeExtra;
use game_core::Proven;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering::*};

/// A move, or a part of one, as it stands on an edge.
pub trait TreeMove: Copy + PartialEq {
    /// What is expected of it before it is searched.
    type Estimate: Estimate;
    /// What is kept of a position beside visits and values.
    type Extra: NodeExtra;

    /// The move in 30 bits.
    fn pack(self) -> u32;

    /// The move that [`TreeMove::pack`] made.
    fn unpack(bits: u32) -> Self;

    /// Whether the other side is to move behind it.
    fn ends_turn(self) -> bool;
}

/// A move that is a number, and a turn of its own.
impl TreeMove for u32 {
    type Estimate = f32;
    type Extra = ();

    fn pack(self) -> u32 {
        self
    }

    fn unpack(bits: u32) -> u32 {
        bits
    }

    fn ends_turn(self) -> bool {
        true
    }
}

/// What is expected of a move before it is searched.
pub trait Estimate: Copy {
    /// Its share of the prior, 0 to 1.
    fn prior(self) -> f32;

    /// The estimate in 32 bits.
    fn pack(self) -> u32;

    /// The estimate that [`Estimate::pack`] made.
    fn unpack(bits: u32) -> Self;
}

/// A prior alone.
impl Estimate for f32 {
    fn prior(self) -> f32 {
        self
    }

    fn pack(self) -> u32 {
        self.to_bits()
    }

    fn unpack(bits: u32) -> f32 {
        f32::from_bits(bits)
    }
}

/// What an edge is made of.
#[derive(Clone, Copy, Debug)]
pub struct Choice<M: TreeMove> {
    /// The move.
    pub mv: M,
    /// What is expected of it.
    pub estimate: M::Estimate,
}

/// A move from a position.
#[derive(Debug)]
pub struct Edge<M> {
    child: AtomicU32,
    /// The move, and in the upper two bits what is proven of it.
    mv: AtomicU32,
    estimate: AtomicU32,
    kind: PhantomData<fn() -> M>,
}

const MOVE_BITS: u32 = 30;
const MOVE: u32 = (1 << MOVE_BITS) - 1;

impl<M> Default for Edge<M> {
    fn default() -> Self {
        let [child, mv, estimate] = Default::default();
        Edge { child, mv, estimate, kind: PhantomData }
    }
}

impl<M: TreeMove> Edge<M> {
    /// In place of a child: not visited yet. The root is nobody's child.
    const UNVISITED: u32 = 0;
    /// In place of a child: not visited, and never to be, since the edge stands elsewhere now.
    const MOVED: u32 = u32::MAX;

    /// The move.
    #[inline(always)]
    pub fn mv(&self) -> M {
        M::unpack(self.mv.load(Relaxed) & MOVE)
    }

    /// What is expected of it.
    #[inline(always)]
    pub fn estimate(&self) -> M::Estimate {
        M::Estimate::unpack(self.estimate.load(Relaxed))
    }

    /// Puts another estimate in the place of this one.
    pub fn set_estimate(&self, estimate: M::Estimate) {
        self.estimate.store(estimate.pack(), Relaxed);
    }

    /// What is proven of it, for the side that makes the move.
    #[inline(always)]
    pub fn proven(&self) -> Proven {
        Proven::from_byte((self.mv.load(Relaxed) >> MOVE_BITS) as u8)
    }

    pub(super) fn set_proven(&self, proven: Proven) {
        let mv = self.mv.load(Relaxed) & MOVE;
        self.mv.store(mv | u32::from(proven as u8) << MOVE_BITS, Relaxed);
    }

    pub(super) fn set(&self, choice: &Choice<M>) {
        debug_assert!(choice.mv.pack() <= MOVE);
        self.mv.store(choice.mv.pack(), Relaxed);
        self.set_estimate(choice.estimate);
        self.child.store(Self::UNVISITED, Relaxed);
    }

    /// The index of the node behind it.
    #[inline(always)]
    pub(super) fn child(&self) -> Option<u32> {
        match self.child.load(Acquire) {
            Self::UNVISITED | Self::MOVED => None,
            child => Some(child),
        }
    }

    /// Gives an edge that was not visited its node; the one that it has when another thread was quicker.
    pub(super) fn set_child(&self, child: u32) -> Option<u32> {
        match self.child.compare_exchange(Self::UNVISITED, child, AcqRel, Acquire) {
            Ok(_) => Some(child),
            Err(Self::MOVED) => None,
            Err(other) => Some(other),
        }
    }

    /// Is as if it had never been visited.
    pub(super) fn forget_child(&self) {
        self.child.store(Self::UNVISITED, Relaxed);
    }

    /// Becomes another edge, whose child only this one has from here on.
    pub(super) fn copy_from(&self, other: &Edge<M>) {
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.estimate.store(other.estimate.load(Relaxed), Relaxed);
        self.child.store(other.child.load(Relaxed), Relaxed);
    }

    /// Becomes another edge with its child. The other gets no child any more if it has none.
    pub(super) fn take_over(&self, other: &Edge<M>) {
        let child = other.set_child(Self::MOVED);
        let child = child.filter(|&child| child != Self::MOVED).unwrap_or(Self::UNVISITED);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.estimate.store(other.estimate.load(Relaxed), Relaxed);
        self.child.store(child, Relaxed);
    }
}
