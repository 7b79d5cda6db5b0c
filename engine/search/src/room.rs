//! The room in a tree: what found none, and how there comes to be some again. Visits are halved before their counters
//! overflow, and what was visited least is let go of, both by parts for which a search is not held long.

use crate::driver::Bounded;
use crate::prune::{Prunable, Pruner};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Nodes that are given back when the root moves. What there is beyond that is given back when room is wanted.
const MAX_COLLECTED: usize = 1 << 17;
/// Nodes whose visits are halved at once. They are whole blocks of an arena, so that children that lie side by side are
/// halved together.
const MAX_HALVED: u32 = 1 << 19;

/// Where the making of room in a tree stands.
#[derive(Debug, Default)]
pub struct Room {
    is_full: AtomicBool,
    /// The most places side by side that were asked for in vain.
    wanted: AtomicU32,
    pruner: Pruner,
    /// While the visits of all nodes are being halved: the first whose are still to be.
    halving: Option<u32>,
}

impl Room {
    /// Whether something found no place since there was last enough.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// Notes that so many places side by side were asked for in vain.
    pub fn refuse(&self, count: usize) {
        self.wanted.fetch_max(count as u32, Relaxed);
        self.is_full.store(true, Relaxed);
    }

    /// How many places side by side there must be for those to be of use that are given back.
    pub fn wanted(&mut self) -> usize {
        (*self.wanted.get_mut() as usize).max(1)
    }

    /// Notes that there is room again, if it is enough; gives back whether it is.
    pub fn reopen_if(&mut self, is_enough: bool) -> bool {
        if is_enough {
            *self.is_full.get_mut() = false;
            *self.wanted.get_mut() = 0;
        }
        is_enough
    }
}

/// A tree with such a room, which makes it [`Bounded`].
pub trait Roomy: Prunable + Sync {
    /// When the root, which has most visits of all nodes, has so many, those of the whole tree are halved.
    const MAX_VISITS: u32;

    /// Its room.
    fn room(&self) -> &Room;

    /// Its room, to be changed.
    fn room_mut(&mut self) -> &mut Room;

    /// The root's visits.
    fn root_visits(&self) -> u32;

    /// Multiplies the visits of a node, rounded down, and leaves the means of what was found as they are.
    fn scale_node(&self, node: u32, by: f64);

    /// Bytes that are free when there is room again.
    fn enough(&self) -> usize;

    /// The same for all nodes from an index on, up to another.
    fn scale_nodes(&mut self, from: u32, to: u32, by: f64) {
        let mut from = from;
        while let Some(node) = self.next_node(from).filter(|&node| node < to) {
            self.scale_node(node, by);
            from = node + 1;
        }
    }

    /// Gives back what was cut off as the root moved, as far as that is quickly done.
    fn collect_some(&mut self) {
        self.collect(MAX_COLLECTED);
        self.gather();
    }
}

impl<T: Roomy> Bounded for T {
    fn is_full(&self) -> bool {
        let room = self.room();
        room.is_full() || self.root_visits() >= T::MAX_VISITS || room.halving.is_some()
    }

    fn make_room(&mut self) -> bool {
        let is_counted_out = self.root_visits() >= T::MAX_VISITS;
        let halved_up_to = self.room().halving.or(is_counted_out.then_some(0));
        if let Some(from) = halved_up_to {
            let to = from.saturating_add(MAX_HALVED);
            self.scale_nodes(from, to, 0.5);
            self.room_mut().halving = Some(to).filter(|&to| to < self.end());
            return true;
        }
        let mut pruner = std::mem::take(&mut self.room_mut().pruner);
        let enough = self.enough();
        let goes_on = pruner.step(self, enough);
        self.room_mut().pruner = pruner;
        goes_on
    }
}
