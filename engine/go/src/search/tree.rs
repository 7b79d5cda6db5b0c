//! The arena that the nodes of a search live in: grows in chunks, never beyond its limit, and is
//! cleared by copying what is worth keeping into a new one.

use super::node::Node;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const CHUNK_BITS: u32 = 15;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A tree. Node 0 is the root; the children of a node are neighbours in memory.
pub struct Tree {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    /// The first index that is not taken.
    next: AtomicU32,
}

impl Tree {
    /// The root's index.
    pub const ROOT: u32 = 0;

    /// A tree of at most `capacity` nodes (rounded to whole chunks, at least two), with a root.
    pub fn new(capacity: usize) -> Tree {
        let n = (capacity / CHUNK).clamp(2, u32::MAX as usize / CHUNK);
        let tree =
            Tree { chunks: (0..n).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(0) };
        tree.allocate(1);
        tree.root().set(crate::Site::PASS, 0.0, 0.5);
        tree
    }

    /// Bytes of memory that a tree of `nodes` nodes takes.
    pub const fn bytes(nodes: usize) -> usize {
        nodes * size_of::<Node>()
    }

    /// The number of nodes that it may grow to.
    pub fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// The number of nodes made so far (with what was left free at the ends of chunks).
    pub fn len(&self) -> usize {
        self.next.load(Relaxed) as usize
    }

    /// Whether there is no node: never, as there is always a root.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node at the root.
    pub fn root(&self) -> &Node {
        self.node(Self::ROOT)
    }

    /// A node by its index, which must be one that [`Tree::allocate`] gave.
    #[inline(always)]
    pub fn node(&self, index: u32) -> &Node {
        &self.chunk(index)[index as usize & (CHUNK - 1)]
    }

    /// Neighbouring nodes by the first index and their number.
    #[inline(always)]
    pub fn nodes(&self, (first, n): (u32, u16)) -> &[Node] {
        let at = first as usize & (CHUNK - 1);
        &self.chunk(first)[at..at + usize::from(n)]
    }

    /// The children of a node, none before they are made.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        node.children().map_or(&[], |range| self.nodes(range))
    }

    #[inline(always)]
    fn chunk(&self, index: u32) -> &[Node] {
        self.chunks[(index >> CHUNK_BITS) as usize]
            .get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    /// Takes `n` neighbouring nodes (at most one chunk), or none when the tree is full.
    pub fn allocate(&self, n: usize) -> Option<u32> {
        let taken = self.next.fetch_update(Relaxed, Relaxed, |next| {
            let start = fit(next, n);
            (start as usize + n <= self.capacity()).then(|| start + n as u32)
        });
        taken.ok().map(|before| fit(before, n))
    }

    /// A new tree of the same capacity that holds what lies below `root`, without the children of
    /// nodes that were visited less than `min_visits` times.
    pub fn copied(&self, root: u32, min_visits: u32) -> Tree {
        let copy = Tree::new(self.capacity());
        copy.root().copy_from(self.node(root));
        let mut open = vec![(root, Self::ROOT)];
        while let Some((from, to)) = open.pop() {
            let node = self.node(from);
            let Some((first, n)) = node.children() else { continue };
            if to != Self::ROOT && node.stats.visits() < min_visits {
                continue;
            }
            let Some(start) = copy.allocate(usize::from(n)) else { break };
            for k in 0..u32::from(n) {
                copy.node(start + k).copy_from(self.node(first + k));
                open.push((first + k, start + k));
            }
            copy.node(to).publish(start, n);
        }
        copy
    }

    /// A smaller tree with the same root: at most half the capacity is kept, the most visited.
    pub fn pruned(&self) -> Tree {
        let mut min_visits = 8;
        loop {
            let copy = self.copied(Self::ROOT, min_visits);
            if copy.len() * 2 <= self.capacity() || min_visits > u32::MAX / 4 {
                return copy;
            }
            min_visits *= 2;
        }
    }
}

/// Where `n` nodes can stand together, from `next` on: not across the end of a chunk.
fn fit(next: u32, n: usize) -> u32 {
    let left = CHUNK - (next as usize & (CHUNK - 1));
    if left < n { next + left as u32 } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;

    fn expand(tree: &Tree, index: u32, n: u16) -> u32 {
        let node = tree.node(index);
        assert!(node.try_expand());
        let first = tree.allocate(usize::from(n)).unwrap();
        for k in 0..n {
            tree.node(first + u32::from(k)).set(Site(k + 1), 1.0, 0.5);
        }
        node.publish(first, n);
        first
    }

    #[test]
    fn a_full_tree_refuses_and_a_pruned_one_has_room() {
        let tree = Tree::new(1);
        let mut at = Tree::ROOT;
        let mut expanded = 0;
        loop {
            tree.node(at).stats.add_virtual_loss(if expanded < 50 { 100 } else { 1 });
            let Some(first) = tree.allocate(300) else { break };
            for k in 0..300 {
                tree.node(first + k).set(Site(1), 1.0, 0.5);
            }
            assert!(tree.node(at).try_expand());
            tree.node(at).publish(first, 300);
            at = first;
            expanded += 1;
        }
        assert!(expanded > 200 && tree.len() <= tree.capacity());
        let pruned = tree.pruned();
        assert!(pruned.len() * 2 <= pruned.capacity());
        assert_eq!(pruned.root().stats.visits(), 100);
        assert!(pruned.allocate(300).is_some());
    }

    #[test]
    fn a_copy_keeps_the_moves_below_the_new_root() {
        let tree = Tree::new(1000);
        let first = expand(&tree, Tree::ROOT, 4);
        let second = expand(&tree, first + 2, 3);
        tree.node(first + 2).stats.add_virtual_loss(9);
        tree.node(second + 1).stats.add_virtual_loss(5);
        let copy = tree.copied(first + 2, 0);
        assert_eq!(copy.root().stats.visits(), 9);
        let children = copy.children(copy.root());
        assert_eq!(children.iter().map(|c| c.stats.visits()).collect::<Vec<_>>(), [0, 5, 0]);
        assert_eq!(children[1].site(), Site(2));
        assert!(copy.children(&children[1]).is_empty());
    }
}
