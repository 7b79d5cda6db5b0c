//! The upper part of a best-first tree, to be shared with other searches.

use super::edge::TreeMove;
use super::node::{Node, NodeExtra};
use super::tree::{ROOT, Tree};
use crate::upper::{Sums, UPPER_SUMS, UpperTree};

impl<X: NodeExtra> Node<X> {
    /// Visits and sums: of the values, then what the game adds up.
    fn found(&self) -> Sums {
        let mut sums = [0.0; UPPER_SUMS];
        let stats = self.stats();
        sums[0] = self.sum();
        self.extra.read_sums(&mut sums[1..]);
        Sums { visits: stats.visits, sums }
    }
}

impl<M: TreeMove> UpperTree for Tree<M> {
    fn root(&self) -> u32 {
        ROOT
    }

    fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32)) {
        for edge in self.edges(self.node(node)) {
            if let Some(child) = edge.child() {
                call(edge.mv().pack(), child);
            }
        }
    }

    fn child(&self, node: u32, mv: u32) -> Option<u32> {
        let edge = self.edges(self.node(node)).iter().find(|edge| edge.mv().pack() == mv)?;
        self.child_or_new(edge)?;
        edge.child()
    }

    fn found(&self, node: u32) -> Sums {
        self.node(node).found()
    }

    /// A node of which something is proven takes nothing: its value does not come from its visits.
    fn add(&self, node: u32, more: &Sums) -> Sums {
        let node = self.node(node);
        let has_room = node.visits().saturating_add(more.visits) < Node::<M::Extra>::MAX_VISITS;
        if more.visits == 0 || !has_room || node.proven().is_known() {
            return Sums::default();
        }
        let mut added = *more;
        added.sums[0] = added.sums[0].clamp(0.0, f64::from(more.visits));
        node.extra.add_sums(more.visits, &mut added.sums[1..]);
        node.add_prior_visits(more.visits, added.sums[0]);
        added
    }
}
