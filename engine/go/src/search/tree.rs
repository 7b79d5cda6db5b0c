//! The tree: nodes in an arena that never grows beyond its limit, in which what is worth keeping moves together when room is
//! to be made.

use super::node::{Node, Stats};
use super::policy::Prior;
use super::score_stats::ScoreStats;
use crate::Site;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tree_search::{Arena, Bounded};

const CHUNK_BITS: u32 = 15;
const CHUNK: usize = 1 << CHUNK_BITS;

type Nodes = Arena<Node, CHUNK_BITS>;

/// A tree. Node 0 is the root; the children of a node are neighbours in memory.
pub struct Tree {
    nodes: Nodes,
    /// The scores below each node, apart from the nodes, which the way down reads in hundreds.
    scores: Arena<ScoreStats, CHUNK_BITS>,
    full: AtomicBool,
}

impl Tree {
    /// The root's index.
    pub const ROOT: u32 = 0;

    /// A tree of at most `capacity` nodes (rounded to whole chunks, at least two), with a root.
    pub fn new(capacity: usize) -> Tree {
        let capacity = (capacity / CHUNK).max(2) * CHUNK;
        let (nodes, scores) = (Nodes::new(capacity), Arena::new(capacity));
        let mut tree = Tree { nodes, scores, full: AtomicBool::new(false) };
        tree.clear();
        tree
    }

    /// Bytes of memory that a tree of `nodes` nodes takes.
    pub const fn bytes(nodes: usize) -> usize {
        nodes * (size_of::<Node>() + size_of::<ScoreStats>())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.truncate(Self::ROOT, 0);
        self.nodes.take(1);
        self.set(Self::ROOT, Site::PASS, 0.0, 0.5);
        *self.full.get_mut() = false;
    }

    /// The number of nodes that it may grow to.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// The number of nodes made so far (with what was left free at the ends of chunks).
    pub fn len(&self) -> usize {
        self.nodes.end() as usize
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
        self.nodes.get(index)
    }

    /// The scores below a node.
    #[inline(always)]
    pub fn scores(&self, index: u32) -> &ScoreStats {
        self.scores.get(index)
    }

    /// Makes an unused node stand for a move, with virtual visits of this mean value.
    pub fn set(&self, index: u32, site: Site, prior_visits: f32, prior_value: f32) {
        self.node(index).set(site, prior_visits, prior_value);
        self.scores(index).clear();
    }

    /// Gives a node everything that another has, but no children.
    fn copy(&self, from: u32, to: u32) {
        self.node(to).copy_from(self.node(from));
        self.scores(to).copy_from(self.scores(from));
    }

    /// Neighbouring nodes by the first index and their number.
    #[inline(always)]
    pub fn nodes(&self, (first, n): (u32, u16)) -> &[Node] {
        self.nodes.slice(first, usize::from(n))
    }

    /// The children of a node, none before they are made.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        node.children().map_or(&[], |range| self.nodes(range))
    }

    /// Takes `n` neighbouring nodes (at most one chunk), or none when the tree is full.
    pub fn allocate(&self, n: usize) -> Option<u32> {
        let first = self.nodes.take(n);
        if first.is_none() {
            self.full.store(true, Relaxed);
        }
        first
    }

    /// Gives the children of a node, which [`Node::try_complete`] claimed, to new children in their order, with what was found
    /// of the moves themselves, and adds to them; false, and the node as it was, when the tree is full.
    pub fn complete(&self, node: &Node, (first, n): (u32, u16), new: &[Prior]) -> bool {
        let count = usize::from(n) + new.len();
        let Some(to) = self.allocate(count) else {
            node.publish(first, n);
            return false;
        };
        (0..u32::from(n)).for_each(|k| self.copy(first + k, to + k));
        self.set_all(to + u32::from(n), new);
        node.publish_complete(to, count as u16);
        true
    }

    /// Makes unused nodes, from this one on, stand for moves.
    pub fn set_all(&self, first: u32, moves: &[Prior]) {
        for (index, prior) in (first..).zip(moves) {
            let value = if prior.visits > 0.0 { prior.wins / prior.visits } else { 0.5 };
            self.set(index, prior.site, prior.visits, value);
        }
    }

    /// Makes a node the root, and keeps what lies below it, without the children of nodes that were visited less than
    /// `min_visits` times. All is moved in place.
    pub fn keep(&mut self, root: u32, min_visits: u32) {
        // Ranges of children with their parent's new place, the first in memory first. Children are made after their parent, so
        // that no range moves over one that is still to be moved. A node whose children are made a second time has
        // forgotten what was below the first ones.
        let mut open = BinaryHeap::new();
        let range = |node: &Node, parent: u32| {
            let (first, n) = node.children()?;
            Some(Reverse((first, n, parent, node.is_complete())))
        };
        open.extend(range(self.node(root), Self::ROOT));
        self.copy(root, Self::ROOT);
        let (mut end, mut len) = (1, 1);
        while let Some(Reverse((first, n, parent, is_complete))) = open.pop() {
            let start = Nodes::fit(end, usize::from(n));
            for k in 0..u32::from(n) {
                let from = self.node(first + k);
                let is_kept = from.stats.visits() >= min_visits;
                open.extend(range(from, start + k).filter(|_| is_kept));
                self.copy(first + k, start + k);
            }
            match is_complete {
                true => self.node(parent).publish_complete(start, n),
                false => self.node(parent).publish(start, n),
            }
            (end, len) = (start + u32::from(n), len + usize::from(n));
        }
        self.nodes.truncate(end, len);
        *self.full.get_mut() = false;
    }
}

impl Tree {
    /// Multiplies the visits of all nodes.
    pub(super) fn scale(&mut self, by: f64) {
        for index in Self::ROOT..self.nodes.end() {
            let node = self.node(index);
            node.stats.scale(by);
            node.rave.scale(by);
        }
    }

    /// Whether a counter might soon overflow: the root has most visits of all, and no move more of all moves as first.
    fn is_counted_out(&self) -> bool {
        self.root().stats.visits() >= Stats::MAX_VISITS
    }
}

impl Bounded for Tree {
    fn is_full(&self) -> bool {
        self.full.load(Relaxed) || self.is_counted_out()
    }

    fn bytes(&self) -> usize {
        Self::bytes(self.len())
    }

    /// Keeps the most visited, at most half the capacity. Where visits come near what can be counted, all are halved.
    fn make_room(&mut self) {
        if self.is_counted_out() {
            self.scale(0.5);
        }
        if !*self.full.get_mut() {
            return;
        }
        let kept = |min_visits: u32| -> usize {
            let nodes = (Self::ROOT..self.nodes.end()).map(|index| self.node(index));
            let nodes = nodes.filter(|node| node.stats.visits() >= min_visits);
            nodes.filter_map(|node| node.children()).map(|(_, n)| usize::from(n)).sum()
        };
        let mut min_visits = 8;
        while kept(min_visits) * 2 > self.capacity() && min_visits <= u32::MAX / 4 {
            min_visits *= 2;
        }
        self.keep(Self::ROOT, min_visits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(tree: &Tree, index: u32, n: u16) -> u32 {
        let node = tree.node(index);
        assert!(node.try_expand());
        let first = tree.allocate(usize::from(n)).unwrap();
        for k in 0..n {
            tree.set(first + u32::from(k), Site(k + 1), 1.0, 0.5);
        }
        node.publish(first, n);
        first
    }

    #[test]
    fn a_full_tree_refuses_and_a_pruned_one_has_room() {
        let mut tree = Tree::new(1);
        let mut at = Tree::ROOT;
        let mut expanded = 0;
        loop {
            tree.node(at).stats.add_virtual_loss(if expanded < 50 { 100 } else { 1 });
            let Some(first) = tree.allocate(300) else { break };
            for k in 0..300 {
                tree.set(first + k, Site(1), 1.0, 0.5);
            }
            assert!(tree.node(at).try_expand());
            tree.node(at).publish(first, 300);
            at = first;
            expanded += 1;
        }
        assert!(expanded > 200 && tree.len() <= tree.capacity());
        tree.make_room();
        let pruned = tree;
        assert!(pruned.len() * 2 <= pruned.capacity());
        assert_eq!(pruned.root().stats.visits(), 100);
        assert!(pruned.allocate(300).is_some());
    }

    #[test]
    fn a_copy_keeps_the_moves_below_the_new_root() {
        let mut tree = Tree::new(1000);
        let first = expand(&tree, Tree::ROOT, 4);
        let second = expand(&tree, first + 2, 3);
        tree.node(first + 2).stats.add_virtual_loss(9);
        tree.node(second + 1).stats.add_virtual_loss(5);
        tree.keep(first + 2, 0);
        let copy = tree;
        assert_eq!(copy.root().stats.visits(), 9);
        let children = copy.children(copy.root());
        assert_eq!(children.iter().map(|c| c.stats.visits()).collect::<Vec<_>>(), [0, 5, 0]);
        assert_eq!(children[1].site(), Site(2));
        assert!(copy.children(&children[1]).is_empty());
    }

    #[test]
    fn visits_are_halved_before_they_overflow() {
        use crate::search::{Limits, Options, Search};
        let game = crate::Game::new(5, 5).unwrap();
        let mut search = Search::handcrafted(Options { threads: 2, ..Options::default() });
        let limits = Limits { stop_early: false, ..Limits::playouts(3000) };
        let before = search.search(&game, crate::Color::Black, &limits, None);
        // As after hours of an analysis: a thousand more would be more than the counter holds.
        let visits = search.tree.root().stats.visits();
        search.tree.scale(f64::from((1 << 27) - 500) / f64::from(visits));
        let after = search.search(&game, crate::Color::Black, &limits, None);
        assert_eq!(after.playouts, 3000);
        assert!((1 << 25..1 << 27).contains(&after.visits), "{}", after.visits);
        assert_eq!(after.best().map(|best| best.mv), before.best().map(|best| best.mv));
        assert!((after.winrate - before.winrate).abs() < 0.02, "{after:?}");
        let all: u64 = after.moves.iter().map(|found| u64::from(found.visits)).sum();
        assert!(all <= u64::from(after.visits) && all > 1 << 25, "{all}");
    }
}
