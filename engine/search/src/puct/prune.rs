//! A smaller tree: what lies below a new root, or what was visited most. Nothing is moved: places are given back, a part at a
//! time.

use super::edge::{Edge, TreeMove};
use super::node::Node;
use super::tree::{ROOT, Tree};
use crate::prune::Prunable;
use crate::room::{Room, Roomy};
use game_core::Proven;
use std::sync::PoisonError;

/// There is room again when one of so many bytes of the memory is free, or so many bytes in any case.
const FREE_SHARE: usize = 8;
const MAX_FREE: usize = 32 << 20;
/// Edges are compacted once one of so many places for them is free.
const SPARSE_SHARE: usize = 4;

impl<M: TreeMove + Sync> Tree<M> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.nodes.take(1);
        self.root().reset(Proven::Unknown);
        self.garbage.clear();
        self.lost = Default::default();
        self.room = Room::default();
    }

    /// Makes the node behind these moves the root, and lets go of all that is not below it. False, and the tree as it was, when
    /// that node has no edges.
    pub fn keep(&mut self, moves: impl IntoIterator<Item = M>) -> bool {
        let (mut root, mut last) = (ROOT, None);
        for mv in moves {
            let (first, count) = self.nodes.get(root).range();
            let mut edges = first..first + count as u32;
            last = edges.find(|&edge| self.edges.get(edge).mv() == mv);
            match last.and_then(|edge| self.edges.get(edge).child()) {
                Some(child) => root = child,
                None => return false,
            }
        }
        if !self.nodes.get(root).is_expanded() {
            return false;
        }
        if let Some(last) = last {
            self.garbage.push(self.root().range());
            self.root().copy_from(self.nodes.get(root));
            // Its old place goes, and takes nothing along.
            self.edges.get(last).forget_child();
            self.nodes.give_back(root, 1);
            self.collect_some();
        }
        true
    }
}

impl<M: TreeMove + Sync> Roomy for Tree<M> {
    const MAX_VISITS: u32 = Node::<M::Extra>::MAX_VISITS;

    fn room(&self) -> &Room {
        &self.room
    }

    fn room_mut(&mut self) -> &mut Room {
        &mut self.room
    }

    fn root_visits(&self) -> u32 {
        self.root().visits()
    }

    fn scale_node(&self, node: u32, by: f64) {
        self.nodes.get(node).scale(by);
    }

    fn enough(&self) -> usize {
        (self.max_bytes / FREE_SHARE).min(MAX_FREE)
    }
}

impl<M: TreeMove + Sync> Prunable for Tree<M> {
    fn is_node(&self, index: u32) -> bool {
        self.nodes.is_taken(index)
    }

    fn next_node(&self, from: u32) -> Option<u32> {
        self.nodes.next_taken(from)
    }

    fn end(&self) -> u32 {
        self.nodes.capacity() as u32
    }

    /// The nodes behind the edges are left out: they take little beside them, and time to count.
    fn below(&self, node: u32) -> Option<(u32, usize)> {
        let node = self.nodes.get(Some(node).filter(|&node| node != ROOT)?);
        let bytes = node.range().1 * size_of::<Edge<M>>();
        node.is_expanded().then(|| (node.visits(), bytes))
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes()
    }

    fn cut(&mut self, node: u32) {
        let node = self.nodes.get(node);
        let edges = node.range();
        node.forget_edges();
        self.garbage.push(edges);
    }

    fn collect(&mut self, nodes: usize) -> bool {
        let lost = std::mem::take(self.lost.get_mut().unwrap_or_else(PoisonError::into_inner));
        lost.nodes.into_iter().for_each(|node| self.nodes.give_back(node, 1));
        lost.edges.into_iter().for_each(|(first, count)| self.edges.give_back(first, count));
        let mut collected = 0;
        while collected < nodes
            && let Some((first, count)) = self.garbage.pop()
        {
            for edge in first..first + count as u32 {
                if let Some(child) = self.edges.get(edge).child() {
                    let node = self.nodes.get(child);
                    if node.is_expanded() {
                        self.garbage.push(node.range());
                    }
                    self.nodes.give_back(child, 1);
                }
            }
            self.edges.give_back(first, count);
            collected += count.max(1);
        }
        self.garbage.is_empty()
    }

    fn gather(&mut self) -> bool {
        let wanted = self.room.wanted();
        let (mut nodes, mut edges) = (self.nodes.gather(1), self.edges.gather(wanted));
        if self.to_grow() < self.enough() {
            // What is one kind's may have to become the other's.
            if !is_share(nodes, self.nodes.made(), FREE_SHARE) {
                self.move_edges_together();
            }
            self.nodes.release();
            self.edges.release();
            (nodes, edges) = (self.nodes.gather(1), self.edges.gather(wanted));
        }
        let is_enough = self.max_bytes.saturating_sub(self.bytes()) >= self.enough()
            && (self.to_grow() >= self.enough()
                || is_share(nodes, self.nodes.made(), FREE_SHARE)
                    && is_share(edges, self.edges.made(), FREE_SHARE));
        self.room.reopen_if(is_enough)
    }
}

/// Whether so many are a part of all, or more.
fn is_share(free: usize, all: usize, share: usize) -> bool {
    free * share >= all
}

impl<M: TreeMove + Sync> Tree<M> {
    /// Bytes of blocks that may still be made.
    fn to_grow(&self) -> usize {
        let made = self.nodes.made_bytes() + self.edges.made_bytes();
        self.max_bytes.saturating_sub(made)
    }

    /// Empties some blocks of edges when there are few in many of them.
    fn move_edges_together(&mut self) {
        let free = self.edges.made() - self.edges.len();
        if !is_share(free, self.edges.made(), SPARSE_SHARE) {
            return;
        }
        let emptied = self.edges.sparse_blocks(self.enough() / size_of::<Edge<M>>());
        self.edges.gather_except(&emptied);
        let mut from = ROOT;
        while let Some(index) = self.nodes.next_taken(from) {
            from = index + 1;
            let node = self.nodes.get(index);
            let (old, count) = node.range();
            if count == 0 || !emptied.contains(self.edges.block_of(old)) {
                continue;
            }
            let Some(new) = self.edges.take_made(count) else { return };
            for k in 0..count as u32 {
                self.edges.get(new + k).copy_from(self.edges.get(old + k));
            }
            node.move_range(new);
            self.edges.give_back(old, count);
        }
    }
}
