//! A smaller tree: what lies below a new root, or what was visited most. All is moved in place, so that no second tree has to
//! fit in memory.

use super::edge::{Edge, TreeMove};
use super::node::{Node, NodeState};
use super::tree::{BLOCK_BITS, ROOT, Tree};
use crate::arena::Arena;
use crate::driver::Bounded;
use game_core::Proven;
use std::sync::atomic::Ordering::Relaxed;

impl<M: TreeMove + Sync> Bounded for Tree<M> {
    fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes()
    }

    /// Lets the nodes visited least forget their edges, so that at most half of the memory is taken.
    fn make_room(&mut self) {
        // A node's edges, with the nodes behind them.
        let cost = |edges: &[Edge<M>]| {
            let visited = edges.iter().filter(|edge| edge.child().is_some()).count();
            size_of_val(edges) + visited * size_of::<Node>()
        };
        let nodes = (ROOT..self.nodes.end()).map(|id| self.nodes.get(id));
        let mut costs: Vec<(u32, u32)> = nodes
            .filter(|node| node.is_expanded())
            .map(|node| (node.visits(), cost(self.edges(node)) as u32))
            .collect();
        costs.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = size_of::<Node>(); // The root.
        let beyond = costs.iter().find(|(_, cost)| {
            bytes += *cost as usize;
            bytes > self.max_bytes / 2
        });
        let min_visits = beyond.map_or(0, |(visits, _)| visits + 1);
        self.retain(ROOT, min_visits);
        *self.full.get_mut() = false;
    }
}

impl<M: TreeMove + Sync> Tree<M> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.truncate(ROOT + 1, 1);
        self.edges.truncate(0, 0);
        self.root().reset(Proven::Unknown);
        *self.full.get_mut() = false;
    }

    /// Makes the node behind these moves the root, and lets go of all that is not below it. False, and the tree as it was, when
    /// that node has no edges.
    pub fn keep(&mut self, moves: impl IntoIterator<Item = M>) -> bool {
        let mut root = Some(ROOT);
        for mv in moves {
            root = root.and_then(|id| {
                let edges = self.edges(self.nodes.get(id));
                edges.iter().find(|edge| edge.mv() == mv)?.child()
            });
        }
        let root = root.filter(|&id| self.nodes.get(id).is_expanded());
        if let Some(root) = root {
            self.retain(root, 0);
            *self.full.get_mut() = false;
        }
        root.is_some()
    }

    /// Keeps what is below a node, which becomes the root; other nodes with fewer visits than that forget their edges.
    fn retain(&mut self, root: u32, min_visits: u32) {
        const GONE: u32 = u32::MAX;
        // A node is made after the one that leads to it, so one pass finds all that stay.
        let mut moved = vec![GONE; self.nodes.end() as usize];
        moved[root as usize] = ROOT;
        let mut staying = 0;
        let mut expanded = Vec::new();
        for id in root..self.nodes.end() {
            if moved[id as usize] == GONE {
                continue;
            }
            moved[id as usize] = staying;
            let node = self.nodes.get(staying);
            let old = self.nodes.get(id);
            node.copy_from(old, staying == ROOT || old.visits() >= min_visits);
            for edge in self.edges(node) {
                if let Some(child) = edge.child() {
                    moved[child as usize] = ROOT; // It stays; where, is known when it is reached.
                }
            }
            if node.is_expanded() {
                expanded.push(staying);
            }
            staying += 1;
        }
        self.nodes.truncate(staying, staying as usize);
        expanded.sort_unstable_by_key(|&id| self.nodes.get(id).range().0);
        let (mut end, mut len) = (0, 0);
        for id in expanded {
            let node = self.nodes.get(id);
            let (old, count) = node.range();
            // Never behind where they were, since no range is before its old place or out of the old order.
            let first = Arena::<Edge<M>, BLOCK_BITS>::fit(end, count);
            for k in 0..count as u32 {
                let edge = self.edges.get(old + k);
                let child = edge.child().map_or(Edge::<M>::UNVISITED, |id| moved[id as usize]);
                self.edges.get(first + k).copy_from(edge, child);
            }
            let refined = node.state() == NodeState::Refined;
            let state = if refined { NodeState::Refined } else { NodeState::Expanded };
            node.set_range(first, count, node.is_complete(), state);
            end = first + count as u32;
            len += count;
        }
        self.edges.truncate(end, len);
    }
}
