//! A position in the tree: its visits and their values, what is proven of it, and where its edges are.

use game_core::Proven;
use std::sync::atomic::{AtomicU64, Ordering::*};

/// How far the edges of a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum NodeState {
    /// It has none.
    Fresh = 0,
    /// A thread is making them.
    Busy = 1,
    /// It has them, and a thread is adding to them.
    Widening = 2,
    /// It has them.
    Expanded = 3,
    /// It has them, and their estimates have been improved or are just being.
    Refined = 4,
}

impl NodeState {
    fn from_bits(bits: u64) -> NodeState {
        match bits & 7 {
            1 => NodeState::Busy,
            2 => NodeState::Widening,
            3 => NodeState::Expanded,
            4 => NodeState::Refined,
            _ => NodeState::Fresh,
        }
    }
}

/// The visits of a node at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// Finished visits.
    pub visits: u32,
    /// Visits that have begun and not come back: losses of the side that moved here, until they do.
    pub pending: u32,
    /// The sum of the finished visits' values, each from 0 to 1.
    pub sum: f32,
}

/// What a game keeps of a position beside visits and values.
pub trait NodeExtra: Default + std::fmt::Debug + Send + Sync {
    /// Becomes that of a position that was never visited.
    fn reset(&self);

    /// Multiplies what is added up over visits.
    fn scale(&self, by: f64);

    /// Becomes that of another position.
    fn copy_from(&self, other: &Self);

    /// Visits of other searches that are expected: they count for the choice of what to search, and have no value.
    fn expected_visits(&self) -> u32 {
        0
    }

    /// Writes what is added up over visits, for searches that share what they find: up to as many sums as there is room for.
    fn read_sums(&self, _: &mut [f64]) {}

    /// Adds such sums of so many visits, and makes them what was added.
    fn add_sums(&self, _visits: u32, _: &mut [f64]) {}
}

/// Nothing.
impl NodeExtra for () {
    fn reset(&self) {}

    fn scale(&self, _: f64) {}

    fn copy_from(&self, (): &()) {}
}

/// A position. Its values are those of the side to move.
#[derive(Debug, Default)]
pub struct Node<X = ()> {
    /// Finished visits, and above them the pending ones.
    visits: AtomicU64,
    /// The bits of a number of 64 bits.
    sum: AtomicU64,
    /// The first edge (32 bits), how many (16), the state (3), whether they are all that matter (1), what is proven (2),
    /// whether no more are found (1).
    edges: AtomicU64,
    /// What the game keeps of it.
    pub extra: X,
}

const ONE_PENDING: u64 = 1 << 32;
const STATE: u32 = 48;
const STATE_MASK: u64 = 7 << STATE;
const COMPLETE: u64 = 1 << 51;
const PROVEN: u32 = 52;
const PROVEN_MASK: u64 = 3 << PROVEN;
const EXHAUSTED: u64 = 1 << 54;

impl<X: NodeExtra> Node<X> {
    /// When the root has so many visits, those of the whole tree are halved.
    pub const MAX_VISITS: u32 = 1 << 31;

    /// Finished visits.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed) as u32
    }

    /// Finished and pending visits.
    #[inline(always)]
    pub fn total_visits(&self) -> u32 {
        let visits = self.visits.load(Relaxed);
        visits as u32 + (visits >> 32) as u32
    }

    /// The visits at this moment.
    #[inline(always)]
    pub fn stats(&self) -> Stats {
        let visits = self.visits.load(Relaxed);
        Stats { visits: visits as u32, pending: (visits >> 32) as u32, sum: self.sum() as f32 }
    }

    #[inline(always)]
    pub(super) fn sum(&self) -> f64 {
        f64::from_bits(self.sum.load(Relaxed))
    }

    /// The mean of the finished visits' values; none before the first.
    pub fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (self.sum() / f64::from(visits)) as f32)
    }

    /// What is proven, as 1 or 0, else the mean; an even chance before the first visit.
    pub fn value(&self) -> f32 {
        match self.proven() {
            Proven::Win => 1.0,
            Proven::Loss => 0.0,
            Proven::Unknown => self.mean().unwrap_or(0.5),
        }
    }

    /// Begins a visit, which is a loss for who chose to come here until it is backed up. Gives the finished and pending visits,
    /// this one counted.
    #[inline(always)]
    pub fn add_virtual_loss(&self) -> u32 {
        let visits = self.visits.fetch_add(ONE_PENDING, Relaxed) + ONE_PENDING;
        visits as u32 + (visits >> 32) as u32
    }

    /// Ends a visit with a value from 0 to 1.
    #[inline(always)]
    pub fn backup(&self, value: f64) {
        self.add(value);
        self.visits.fetch_add(1u64.wrapping_sub(ONE_PENDING), Relaxed);
    }

    /// Takes a visit back that came to nothing.
    pub fn undo_virtual_loss(&self) {
        self.visits.fetch_sub(ONE_PENDING, Relaxed);
    }

    /// Counts an opinion as so many visits, of which this is the sum of the values.
    pub fn add_prior_visits(&self, visits: u32, sum: f64) {
        self.add(sum);
        self.visits.fetch_add(u64::from(visits), Relaxed);
    }

    #[inline(always)]
    fn add(&self, value: f64) {
        let more = |bits| Some((f64::from_bits(bits) + value).to_bits());
        let _ = self.sum.fetch_update(Relaxed, Relaxed, more);
    }

    /// What is proven of it.
    #[inline(always)]
    pub fn proven(&self) -> Proven {
        Proven::from_byte((self.edges.load(Relaxed) >> PROVEN & 3) as u8)
    }

    /// Notes what is proven of it.
    pub fn set_proven(&self, proven: Proven) {
        self.change(PROVEN_MASK, u64::from(proven as u8) << PROVEN);
    }

    /// How far its edges are.
    pub fn state(&self) -> NodeState {
        NodeState::from_bits(self.edges.load(Acquire) >> STATE)
    }

    /// Whether its edges are in the tree.
    #[inline(always)]
    pub fn is_expanded(&self) -> bool {
        self.edges.load(Acquire) >> STATE & 7 >= NodeState::Widening as u64
    }

    /// Whether no other move than those of its edges can be better than a loss.
    pub fn is_complete(&self) -> bool {
        self.edges.load(Relaxed) & COMPLETE != 0
    }

    /// Notes that no other move than those of its edges can be better than a loss.
    pub fn set_complete(&self) {
        self.change(COMPLETE, COMPLETE);
    }

    /// Whether all of its moves lose, and no more were found although others might not.
    pub fn is_exhausted(&self) -> bool {
        self.edges.load(Relaxed) & EXHAUSTED != 0
    }

    /// Notes that all of its moves lose and that no more are found, until it gets another one.
    pub fn set_exhausted(&self) {
        self.change(EXHAUSTED, EXHAUSTED);
    }

    /// Changes its state from one to another; only one thread ever succeeds.
    fn turn(&self, from: NodeState, to: NodeState) -> bool {
        let turned = self.edges.fetch_update(AcqRel, Acquire, |bits| {
            let bits_to = bits & !STATE_MASK | (to as u64) << STATE;
            (NodeState::from_bits(bits >> STATE) == from).then_some(bits_to)
        });
        turned.is_ok()
    }

    /// Claims the right to make its edges. One thread gets it, and has to [`publish`](super::Tree::publish) them or to
    /// [`cancel`](Node::cancel).
    pub fn try_expand(&self) -> bool {
        self.turn(NodeState::Fresh, NodeState::Busy)
    }

    /// Gives that right back.
    pub fn cancel(&self) {
        self.turn(NodeState::Busy, NodeState::Fresh);
    }

    /// Claims the right to improve the estimates of its edges. One thread gets it, and again one once edges were added.
    pub fn try_refine(&self) -> bool {
        self.turn(NodeState::Expanded, NodeState::Refined)
    }

    /// Claims the right to add to its edges, once no other thread has it. What the state was is what it becomes again when none
    /// is added.
    pub(super) fn claim_widening(&self) -> NodeState {
        loop {
            match self.state() {
                NodeState::Fresh if self.try_expand() => return NodeState::Fresh,
                before @ (NodeState::Expanded | NodeState::Refined)
                    if self.turn(before, NodeState::Widening) =>
                {
                    return before;
                }
                _ => std::thread::yield_now(),
            }
        }
    }

    pub(super) fn set_state(&self, state: NodeState) {
        self.change(STATE_MASK, (state as u64) << STATE);
    }

    fn change(&self, mask: u64, to: u64) {
        let _ = self.edges.fetch_update(AcqRel, Relaxed, |bits| Some(bits & !mask | to));
    }

    /// The index of its first edge, and their number.
    #[inline(always)]
    pub(super) fn range(&self) -> (u32, usize) {
        let bits = self.edges.load(Acquire);
        (bits as u32, (bits >> 32) as usize & 0xffff)
    }

    pub(super) fn set_range(&self, first: u32, count: usize, complete: bool, state: NodeState) {
        let complete = if complete { COMPLETE } else { 0 };
        let to = u64::from(first) | (count as u64) << 32 | (state as u64) << STATE | complete;
        self.change(!PROVEN_MASK, to);
    }

    /// Becomes one that was never visited, of which this is proven.
    pub(super) fn reset(&self, proven: Proven) {
        self.visits.store(0, Relaxed);
        self.sum.store(0, Relaxed);
        self.edges.store(u64::from(proven as u8) << PROVEN, Relaxed);
        self.extra.reset();
    }

    /// Has its edges elsewhere.
    pub(super) fn move_range(&self, first: u32) {
        self.change(u64::from(u32::MAX), u64::from(first));
    }

    /// Has no edges any more; what is proven stays.
    pub(super) fn forget_edges(&self) {
        self.change(!PROVEN_MASK, 0);
    }

    /// Multiplies the finished visits, rounded down, and leaves the mean of their values as it is.
    pub(super) fn scale(&self, by: f64) {
        let visits = self.visits();
        let scaled = (f64::from(visits) * by) as u32;
        let exact = f64::from(scaled) / f64::from(visits.max(1));
        self.sum.store((self.sum() * exact).to_bits(), Relaxed);
        self.extra.scale(exact);
        self.visits.fetch_add(u64::from(scaled).wrapping_sub(u64::from(visits)), Relaxed);
    }

    /// Becomes another, without visits under way.
    pub(super) fn copy_from(&self, other: &Self) {
        self.visits.store(u64::from(other.visits()), Relaxed);
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.edges.store(other.edges.load(Relaxed), Relaxed);
        self.extra.copy_from(&other.extra);
    }
}
