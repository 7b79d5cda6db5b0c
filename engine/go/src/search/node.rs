//! A node of the search tree: a move, what is known of it, and where its answers are. Everything is
//! atomic, so that threads share the tree without a lock.

use crate::Site;
use game_core::Proven;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// A number of visits and the sum of their values, in one word, so that both change together: 27
/// bits of visits, 37 bits of values in units of 1/1024.
#[derive(Default)]
pub struct Stats(AtomicU64);

const SHIFT: u32 = 37;
const ONE: f32 = 1024.0;

/// Visits and mean value of a [`Stats`] at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// How many visits.
    pub visits: f32,
    /// The sum of their values, each from 0 (lost) to 1 (won).
    pub sum: f32,
}

impl Value {
    /// The mean value, `none` when there are no visits.
    #[inline(always)]
    pub fn mean_or(self, none: f32) -> f32 {
        if self.visits > 0.0 { self.sum / self.visits } else { none }
    }
}

impl Stats {
    /// When a node has so many visits, all counts of the tree are halved. More would fit, since every thread may be in the
    /// middle of a visit, and a search with no time left for it goes on for a moment.
    pub const MAX_VISITS: u32 = 100_000_000;

    /// Visits and values so far.
    #[inline(always)]
    pub fn get(&self) -> Value {
        let word = self.0.load(Relaxed);
        Value {
            visits: (word >> SHIFT) as u32 as f32,
            sum: (word & ((1 << SHIFT) - 1)) as i64 as f32 * (1.0 / ONE),
        }
    }

    /// The number of visits.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        (self.0.load(Relaxed) >> SHIFT) as u32
    }

    /// Adds `visits` without value: losses, until [`Stats::backup`] puts them right.
    #[inline(always)]
    pub fn add_virtual_loss(&self, visits: u32) {
        self.0.fetch_add(u64::from(visits) << SHIFT, Relaxed);
    }

    /// Makes one visit of `value` out of `virtual_loss` visits without value.
    #[inline(always)]
    pub fn backup(&self, virtual_loss: u32, value: f32) {
        let visits = (1u64.wrapping_sub(u64::from(virtual_loss))) << SHIFT;
        self.0.fetch_add(visits.wrapping_add((value * ONE) as u64), Relaxed);
    }

    /// Takes back `virtual_loss` visits without value, as if they had never been.
    pub fn undo_virtual_loss(&self, virtual_loss: u32) {
        self.0.fetch_sub(u64::from(virtual_loss) << SHIFT, Relaxed);
    }

    /// Adds one visit of `value`. Two threads that do so at once may lose one of them: the price of
    /// doing without a locked instruction where so many are added.
    #[inline(always)]
    pub fn add_loosely(&self, value: f32) {
        let word = self.0.load(Relaxed);
        self.0.store(word + (1 << SHIFT) + (value * ONE) as u64, Relaxed);
    }

    /// Adds so many visits with this sum of values, from 0 to one each.
    pub(super) fn add_all(&self, visits: u32, sum: f64) {
        let value = (sum * f64::from(ONE)) as u64;
        self.0.fetch_add((u64::from(visits) << SHIFT).wrapping_add(value), Relaxed);
    }

    /// Multiplies the visits, rounded down, and leaves their mean as it is.
    pub(super) fn scale(&self, by: f64) {
        let word = self.0.load(Relaxed);
        let (visits, sum) = (word >> SHIFT, word & ((1 << SHIFT) - 1));
        let scaled = (visits as f64 * by) as u64;
        let share = scaled as f64 / visits.max(1) as f64;
        self.0.store(scaled << SHIFT | (sum as f64 * share) as u64, Relaxed);
    }

    fn copy_from(&self, other: &Stats) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }

    fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

/// Set beside a loss: superko forbids the move, which is as good as a lost one to all but reports.
const FORBIDDEN: u8 = 4;

/// How far the children of a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Expansion {
    /// There are none.
    Leaf = 0,
    /// A thread makes them, or adds to them.
    Expanding = 1,
    /// They are there.
    Expanded = 2,
    /// They are there, and are all the moves that the rules allow.
    Complete = 3,
}

/// An [`Expansion`] that threads share.
#[derive(Default)]
struct SharedExpansion(AtomicU8);

impl SharedExpansion {
    #[inline(always)]
    fn is_at_least(&self, state: Expansion) -> bool {
        self.0.load(Ordering::Acquire) >= state as u8
    }

    /// Changes it from one state to another. Of several threads that try, one does.
    fn turn(&self, from: Expansion, to: Expansion) -> bool {
        self.0.compare_exchange(from as u8, to as u8, Relaxed, Relaxed).is_ok()
    }

    fn set(&self, state: Expansion, order: Ordering) {
        self.0.store(state as u8, order);
    }
}

/// Nodes side by side: the children of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRange {
    /// The index of the first.
    pub first: u32,
    /// How many.
    pub len: u16,
}

impl NodeRange {
    /// The indices of all.
    pub fn indices(self) -> Range<u32> {
        self.first..self.first + u32::from(self.len)
    }

    /// The index of the one at a place, counted from 0.
    #[inline(always)]
    pub fn index(self, place: usize) -> u32 {
        self.first + place as u32
    }
}

/// What a virtual visit counts in [`Node::prior_visits`].
const PRIOR_VISIT: f32 = 16.0;
/// What a value of 1 is in [`Node::prior_value`].
const PRIOR_ONE: f32 = 65535.0;

/// A node. All values are seen from the side that made the node's move.
#[derive(Default)]
pub struct Node {
    /// Visits of the move itself.
    pub stats: Stats,
    /// Visits in which the same side made the move at some later time: all moves as first.
    pub rave: Stats,
    /// Virtual visits, of [`PRIOR_VISIT`] each.
    prior_visits: AtomicU16,
    /// Their mean value, of [`PRIOR_ONE`].
    prior_value: AtomicU16,
    first_child: AtomicU32,
    n_children: AtomicU16,
    site: AtomicU16,
    expansion: SharedExpansion,
    proven: AtomicU8,
}

impl Node {
    /// Makes an unused node stand for a move, with virtual visits of this mean value.
    pub fn set(&self, site: Site, prior_visits: f32, prior_value: f32) {
        self.stats.clear();
        self.rave.clear();
        self.prior_visits.store((prior_visits * PRIOR_VISIT) as u16, Relaxed);
        self.prior_value.store((prior_value.clamp(0.0, 1.0) * PRIOR_ONE) as u16, Relaxed);
        self.site.store(site.0, Relaxed);
        self.n_children.store(0, Relaxed);
        self.expansion.set(Expansion::Leaf, Relaxed);
        self.proven.store(Proven::Unknown as u8, Relaxed);
    }

    /// The move.
    #[inline(always)]
    pub fn site(&self) -> Site {
        Site(self.site.load(Relaxed))
    }

    /// The virtual visits.
    #[inline(always)]
    pub fn prior(&self) -> Value {
        let visits = f32::from(self.prior_visits.load(Relaxed)) * (1.0 / PRIOR_VISIT);
        let value = f32::from(self.prior_value.load(Relaxed)) * (1.0 / PRIOR_ONE);
        Value { visits, sum: visits * value }
    }

    /// The children; none before they are made.
    #[inline(always)]
    pub fn children(&self) -> Option<NodeRange> {
        self.expansion.is_at_least(Expansion::Expanded).then(|| NodeRange {
            first: self.first_child.load(Relaxed),
            len: self.n_children.load(Relaxed),
        })
    }

    /// Claims the right to make the children. One thread gets it.
    pub fn try_expand(&self) -> bool {
        self.expansion.turn(Expansion::Leaf, Expansion::Expanding)
    }

    /// Gives the right back: there was no room.
    pub fn cancel(&self) {
        self.expansion.set(Expansion::Leaf, Relaxed);
    }

    /// Claims the right to add the moves that were left out when the children were made. One thread gets it. Until they
    /// are published again the node looks like a leaf.
    pub fn try_complete(&self) -> bool {
        self.expansion.turn(Expansion::Expanded, Expansion::Expanding)
    }

    /// Shows the children to all threads, which are now all the moves that there are.
    pub fn publish_complete(&self, children: NodeRange) {
        self.show(children, Expansion::Complete);
    }

    /// Whether the children are known to be all the moves that the rules allow.
    pub fn is_complete(&self) -> bool {
        self.expansion.is_at_least(Expansion::Complete)
    }

    /// The same of children that were read before: another thread may have added moves since.
    pub fn are_all(&self, children: NodeRange) -> bool {
        self.is_complete() && self.children() == Some(children)
    }

    /// Shows the children to all threads.
    pub fn publish(&self, children: NodeRange) {
        self.show(children, Expansion::Expanded);
    }

    fn show(&self, children: NodeRange, state: Expansion) {
        self.first_child.store(children.first, Relaxed);
        self.n_children.store(children.len, Relaxed);
        self.expansion.set(state, Ordering::Release);
    }

    /// What is proven of the move, for the side that makes it.
    #[inline(always)]
    pub fn proven(&self) -> Proven {
        Proven::from_byte(self.proven.load(Relaxed) & !FORBIDDEN)
    }

    /// Notes what is proven.
    pub fn set_proven(&self, proven: Proven) {
        self.proven.store(proven as u8, Relaxed);
    }

    /// Whether superko forbids the move, as far as that was found.
    pub fn is_forbidden(&self) -> bool {
        self.proven.load(Relaxed) & FORBIDDEN != 0
    }

    /// Notes that superko forbids the move.
    pub fn forbid(&self) {
        self.proven.store(Proven::Loss as u8 | FORBIDDEN, Relaxed);
    }

    /// Takes over everything of another node but its children.
    pub fn copy_from(&self, other: &Node) {
        self.stats.copy_from(&other.stats);
        self.rave.copy_from(&other.rave);
        self.prior_visits.store(other.prior_visits.load(Relaxed), Relaxed);
        self.prior_value.store(other.prior_value.load(Relaxed), Relaxed);
        self.site.store(other.site.load(Relaxed), Relaxed);
        self.proven.store(other.proven.load(Relaxed), Relaxed);
        self.n_children.store(0, Relaxed);
        self.expansion.set(Expansion::Leaf, Relaxed);
    }
}

const _: () = assert!(size_of::<Node>() == 32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_losses_count_until_they_are_backed_up() {
        let stats = Stats::default();
        stats.add_virtual_loss(3);
        assert_eq!(stats.get(), Value { visits: 3.0, sum: 0.0 });
        stats.backup(3, 1.0);
        assert_eq!(stats.get(), Value { visits: 1.0, sum: 1.0 });
        stats.add_loosely(0.5);
        assert_eq!(stats.get(), Value { visits: 2.0, sum: 1.5 });
        assert_eq!(stats.visits(), 2);
    }

    #[test]
    fn scaled_visits_keep_their_mean() {
        let stats = Stats::default();
        stats.add_loosely(1.0);
        stats.add_loosely(1.0);
        stats.add_loosely(0.25);
        stats.scale(0.5);
        assert_eq!(stats.get(), Value { visits: 1.0, sum: 0.75 });
        stats.scale(f64::from(Stats::MAX_VISITS));
        assert_eq!(stats.get().mean_or(0.0), 0.75);
        assert_eq!(stats.visits(), Stats::MAX_VISITS);
        stats.scale(1e-9);
        assert_eq!(stats.get(), Value { visits: 0.0, sum: 0.0 });
    }

    #[test]
    fn one_thread_makes_the_children() {
        let node = Node::default();
        node.set(Site(33), 20.0, 0.5);
        assert!(node.try_expand() && !node.try_expand());
        assert_eq!(node.children(), None);
        let children = NodeRange { first: 7, len: 2 };
        node.publish(children);
        assert_eq!(node.children(), Some(children));
        assert_eq!(node.site(), Site(33));
        assert!((node.prior().sum - 10.0).abs() < 0.01);
    }

    #[test]
    fn children_that_were_read_before_others_were_added_are_not_all() {
        let node = Node::default();
        node.set(Site(33), 20.0, 0.5);
        assert!(node.try_expand());
        let (few, all) = (NodeRange { first: 7, len: 2 }, NodeRange { first: 9, len: 3 });
        node.publish(few);
        assert!(!node.are_all(few) && node.try_complete());
        node.publish_complete(all);
        assert!(!node.are_all(few) && node.are_all(all) && !node.try_complete());
    }
}
