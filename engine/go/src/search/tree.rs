//! The tree: nodes in an arena that never grows beyond its limit. Nothing in it is moved: what the game has passed by, and
//! where room is made what was visited least, is given back and taken again.

use super::node::{Node, NodeRange, Stats};
use super::policy::Prior;
use super::score_stats::ScoreStats;
use crate::Site;
use std::sync::{Mutex, PoisonError};
use tree_search::{Arena, Prunable, Room, Roomy};

const CHUNK_BITS: u32 = 15;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A tree. Node 0 is the root; the children of a node are neighbours in memory.
pub struct Tree {
    nodes: Arena<Node, CHUNK_BITS>,
    /// The scores below each node, apart from the nodes, which the way down reads in hundreds.
    scores: Arena<ScoreStats, CHUNK_BITS>,
    /// Children that were made a second time, as long as a thread may still be below the first ones.
    lost: Mutex<Vec<NodeRange>>,
    /// Children that nothing leads to any more, with all that is below them.
    garbage: Vec<NodeRange>,
    room: Room,
}

/// The part of the nodes that is free when there is room again, and how many are enough in any case.
const FREE_SHARE: usize = 8;
const MAX_FREE: usize = 1 << 20;

impl Tree {
    /// The root's index.
    pub const ROOT: u32 = 0;

    /// A tree of at most `capacity` nodes (rounded to whole chunks, at least two), with a root.
    pub fn new(capacity: usize) -> Tree {
        let capacity = (capacity / CHUNK).max(2) * CHUNK;
        let mut tree = Tree {
            nodes: Arena::new(capacity),
            scores: Arena::new(capacity),
            lost: Mutex::default(),
            garbage: Vec::new(),
            room: Room::default(),
        };
        tree.clear();
        tree
    }

    /// Bytes of memory that a tree of `nodes` nodes takes.
    pub const fn bytes(nodes: usize) -> usize {
        nodes * (size_of::<Node>() + size_of::<ScoreStats>())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.take(1);
        self.set(Self::ROOT, Site::PASS, 0.0, 0.5);
        self.lost = Mutex::default();
        self.garbage.clear();
        self.room = Room::default();
    }

    /// The number of nodes that it may grow to.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// The number of nodes, with those that the game has passed by and that have not been given back yet.
    pub fn len(&self) -> usize {
        self.nodes.len()
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

    /// The nodes of a range.
    #[inline(always)]
    pub fn nodes(&self, range: NodeRange) -> &[Node] {
        self.nodes.slice(range.first, usize::from(range.len))
    }

    /// The children of a node, none before they are made.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        node.children().map_or(&[], |range| self.nodes(range))
    }

    /// Takes `n` neighbouring nodes (at most one chunk), or none when the tree is full.
    pub fn allocate(&self, n: usize) -> Option<NodeRange> {
        // A tree that was full once is so until room is made, and says so quickly.
        let first = if self.room.is_full() { None } else { self.nodes.take(n) };
        if first.is_none() {
            self.room.refuse(n);
        }
        first.map(|first| NodeRange { first, len: n as u16 })
    }

    /// Gives the children of a node, which [`Node::try_complete`] claimed, to new children in their order, with what was found
    /// of the moves themselves, and adds to them; false, and the node as it was, when the tree is full.
    pub fn complete(&self, node: &Node, old: NodeRange, new: &[Prior]) -> bool {
        let Some(all) = self.allocate(usize::from(old.len) + new.len()) else {
            node.publish(old);
            return false;
        };
        old.indices().zip(all.indices()).for_each(|(from, to)| self.copy(from, to));
        self.set_all(all.index(old.len.into()), new);
        node.publish_complete(all);
        // Other threads may still be below the old ones.
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).push(old);
        true
    }

    /// Makes unused nodes, from this one on, stand for moves.
    pub fn set_all(&self, first: u32, moves: &[Prior]) {
        for (index, prior) in (first..).zip(moves) {
            let value = if prior.visits > 0.0 { prior.wins / prior.visits } else { 0.5 };
            self.set(index, prior.site, prior.visits, value);
        }
    }

    /// Makes a node the root, and keeps what lies below it: nothing, when it has no children yet.
    pub fn keep(&mut self, root: u32) {
        if root == Self::ROOT {
            return;
        }
        let Some(children) = self.node(root).children() else { return self.clear() };
        self.garbage.extend(self.root().children());
        self.copy(root, Self::ROOT);
        match self.node(root).is_complete() {
            true => self.root().publish_complete(children),
            false => self.root().publish(children),
        }
        // Its old place goes with its brothers, and takes none of its children along.
        self.node(root).cancel();
        self.collect_some();
    }

    /// Nodes that are free when there is room.
    fn enough_nodes(&self) -> usize {
        (self.capacity() / FREE_SHARE).min(MAX_FREE)
    }
}

impl Roomy for Tree {
    const MAX_VISITS: u32 = Stats::MAX_VISITS;

    fn room(&self) -> &Room {
        &self.room
    }

    fn room_mut(&mut self) -> &mut Room {
        &mut self.room
    }

    fn root_visits(&self) -> u32 {
        self.root().stats.visits()
    }

    /// No move has more visits of all moves as first than the root has visits, so that these do not overflow either.
    fn scale_node(&self, node: u32, by: f64) {
        let node = self.node(node);
        node.stats.scale(by);
        node.rave.scale(by);
    }

    fn enough(&self) -> usize {
        Self::bytes(self.enough_nodes())
    }
}

impl Prunable for Tree {
    fn is_node(&self, index: u32) -> bool {
        self.nodes.is_taken(index)
    }

    fn next_node(&self, from: u32) -> Option<u32> {
        self.nodes.next_taken(from)
    }

    fn end(&self) -> u32 {
        self.nodes.capacity() as u32
    }

    fn below(&self, node: u32) -> Option<(u32, usize)> {
        let node = self.node(Some(node).filter(|&node| node != Self::ROOT)?);
        node.children().map(|range| (node.stats.visits(), Tree::bytes(usize::from(range.len))))
    }

    fn bytes(&self) -> usize {
        Self::bytes(self.len())
    }

    fn cut(&mut self, node: u32) {
        let node = self.node(node);
        let children = node.children();
        node.cancel();
        self.garbage.extend(children);
    }

    fn collect(&mut self, nodes: usize) -> bool {
        let lost = self.lost.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.garbage.append(lost);
        let mut collected = 0;
        while collected < nodes
            && let Some(range) = self.garbage.pop()
        {
            for index in range.indices() {
                let children = self.node(index).children();
                self.garbage.extend(children);
            }
            self.nodes.give_back(range.first, usize::from(range.len));
            collected += usize::from(range.len);
        }
        self.garbage.is_empty()
    }

    fn gather(&mut self) -> bool {
        let wanted = self.room.wanted();
        let gathered = self.nodes.gather(wanted) + self.nodes.capacity() - self.nodes.made();
        let is_enough = gathered >= self.enough_nodes();
        self.room.reopen_if(is_enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tree_search::Bounded as _;

    fn expand(tree: &Tree, index: u32, n: u16) -> u32 {
        let node = tree.node(index);
        assert!(node.try_expand());
        let children = tree.allocate(usize::from(n)).unwrap();
        for (index, site) in children.indices().zip(1..) {
            tree.set(index, Site(site), 1.0, 0.5);
        }
        node.publish(children);
        children.first
    }

    #[test]
    fn a_full_tree_refuses_and_a_pruned_one_has_room() {
        let mut tree = Tree::new(1);
        let mut at = Tree::ROOT;
        let mut expanded = 0;
        loop {
            tree.node(at).stats.add_virtual_loss(if expanded < 50 { 100 } else { 1 });
            let Some(children) = tree.allocate(300) else { break };
            children.indices().for_each(|index| tree.set(index, Site(1), 1.0, 0.5));
            assert!(tree.node(at).try_expand());
            tree.node(at).publish(children);
            at = children.first;
            expanded += 1;
        }
        assert!(expanded > 200 && tree.len() <= tree.capacity());
        let before = tree.len();
        while tree.is_full() {
            assert!(tree.make_room());
        }
        assert!(tree.len() < before, "{}", tree.len());
        assert_eq!(tree.root().stats.visits(), 100);
        // What was visited most is still there, and what was visited least is not.
        let depth = std::iter::successors(Some(tree.root()), |node| tree.children(node).first());
        let depth = depth.count() - 1;
        assert!((50..expanded).contains(&depth), "{depth}");
        assert!(tree.allocate(300).is_some());
    }

    #[test]
    fn a_new_root_keeps_the_moves_below_it() {
        let mut tree = Tree::new(1000);
        let first = expand(&tree, Tree::ROOT, 4);
        let second = expand(&tree, first + 2, 3);
        tree.node(first + 2).stats.add_virtual_loss(9);
        tree.node(second + 1).stats.add_virtual_loss(5);
        tree.keep(first + 2);
        assert_eq!((tree.root().stats.visits(), tree.len()), (9, 4));
        let children = tree.children(tree.root());
        assert_eq!(children.iter().map(|c| c.stats.visits()).collect::<Vec<_>>(), [0, 5, 0]);
        assert_eq!(children[1].site(), Site(2));
        assert!(tree.children(&children[1]).is_empty());
        // A node without children is as good as a new tree.
        tree.keep(second + 1);
        assert_eq!((tree.root().stats.visits(), tree.len()), (0, 1));
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
        let all = search.tree.capacity() as u32;
        search.tree.scale_nodes(Tree::ROOT, all, f64::from((1 << 27) - 500) / f64::from(visits));
        let after = search.search(&game, crate::Color::Black, &limits, None);
        assert_eq!(after.playouts, 3000);
        assert!((1 << 25..1 << 27).contains(&after.visits), "{}", after.visits);
        assert_eq!(after.best().map(|best| best.mv), before.best().map(|best| best.mv));
        assert!((after.winrate - before.winrate).abs() < 0.02, "{after:?}");
        let all: u64 = after.moves.iter().map(|found| u64::from(found.visits)).sum();
        assert!(all <= u64::from(after.visits) && all > 1 << 25, "{all}");
    }

    /// What a tree is, wherever its nodes lie: moves, visits and number of children, depth first.
    fn shape(tree: &Tree) -> Vec<(usize, Site, u32, usize)> {
        let mut rows = Vec::new();
        let mut open = vec![(0, tree.root())];
        while let Some((depth, node)) = open.pop() {
            let children = tree.children(node);
            rows.push((depth, node.site(), node.stats.visits(), children.len()));
            open.extend(children.iter().map(|child| (depth + 1, child)));
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn a_tree_is_what_is_said_of_it(
            steps in prop::collection::vec((2u16..400, any::<u32>(), 0u32..40), 300..900),
        ) {
            let mut tree = Tree::new(1);
            for (number, (n, pick, visits)) in steps.into_iter().enumerate() {
                // Down to a leaf, as a search would go.
                let (mut at, mut index, mut parent) = (tree.root(), Tree::ROOT, None);
                at.stats.add_virtual_loss(visits);
                while let Some(range) = at.children() {
                    parent = Some((at, range));
                    index = range.index((pick >> 4) as usize % usize::from(range.len).min(3));
                    at = tree.node(index);
                    at.stats.add_virtual_loss(visits);
                }
                if let Some(children) = tree.allocate(usize::from(n)) {
                    for (index, site) in children.indices().zip(1..) {
                        tree.set(index, Site(site), 1.0, 0.5);
                    }
                    at.try_expand();
                    at.publish(children);
                }
                if let Some((parent, range)) = parent.filter(|_| pick % 20 == 1)
                    && parent.try_complete()
                {
                    tree.complete(parent, range, &[Prior::even(Site(999), 1.0); 3]);
                }
                let moves_on = pick % 200 == 0 && index != Tree::ROOT;
                if !moves_on && !tree.is_full() && number % 100 > 0 {
                    continue;
                }
                let before = shape(&tree);
                if moves_on {
                    let children = tree.root().children().expect("there is a child");
                    tree.keep(children.index(pick as usize % usize::from(children.len).min(3)));
                } else {
                    let was_full = tree.is_full();
                    while tree.is_full() {
                        prop_assert!(tree.make_room());
                    }
                    let after = shape(&tree);
                    prop_assert_eq!(before[0], after[0], "the root has all it had");
                    prop_assert!(was_full && after.len() < before.len() || before == after);
                }
                // Every node is reached, or waits to be given back.
                while !tree.collect(usize::MAX) {}
                prop_assert_eq!(shape(&tree).len(), tree.len());
            }
        }
    }
}
