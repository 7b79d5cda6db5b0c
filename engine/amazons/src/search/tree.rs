//! The search tree, shared by threads without a lock: nodes and edges in blocks that are made when needed and never moved.
//!
//! A turn takes two nodes, one where a queen moves and one where it shoots. Every edge knows what its move was evaluated
//! at, and gets a node when it is first visited.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

use crate::square::Square;
use game_core::Proven;

/// Whether a node has its edges.
pub const FRESH: u8 = 0;
/// A thread is making them.
pub const BUSY: u8 = 1;
/// It has them.
pub const EXPANDED: u8 = 2;
/// It has them, and the network has been asked about them or is just being asked.
pub const JUDGED: u8 = 3;

/// Values are sums of 24-bit fractions.
const UNIT: f64 = (1 << 24) as f64;

/// A position in which a queen is to move or to shoot.
#[derive(Debug, Default)]
pub struct Node {
    visits: AtomicU32,
    /// Visits that have begun and not come back.
    pending: AtomicU32,
    /// The values of the visits for the side to move.
    sum: AtomicU64,
    first: AtomicU32,
    count: AtomicU16,
    /// [`FRESH`], [`BUSY`], [`EXPANDED`] or [`JUDGED`].
    pub state: AtomicU8,
    fate: AtomicU8,
}

impl Node {
    /// Finished visits.
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits that have begun and not come back.
    pub fn pending(&self) -> u32 {
        self.pending.load(Relaxed)
    }

    /// The mean of the visits' values for the side to move; none before the first.
    pub fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (self.sum.load(Relaxed) as f64 / UNIT / f64::from(visits)) as f32)
    }

    /// The sum of the visits' values.
    pub fn sum(&self) -> f32 {
        (self.sum.load(Relaxed) as f64 / UNIT) as f32
    }

    /// Begins a visit.
    pub fn enter(&self) {
        self.pending.fetch_add(1, Relaxed);
    }

    /// Takes an opinion for so many visits with a value from 0 to 1.
    pub fn lean_to(&self, value: f32, visits: u32) {
        self.sum.fetch_add((f64::from(value) * f64::from(visits) * UNIT) as u64, Relaxed);
        self.visits.fetch_add(visits, Relaxed);
    }

    /// Ends a visit with a value from 0 to 1.
    pub fn leave(&self, value: f32) {
        self.sum.fetch_add((f64::from(value) * UNIT) as u64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
        self.pending.fetch_sub(1, Relaxed);
    }

    /// What is known of the end.
    pub fn fate(&self) -> Proven {
        Proven::from_byte(self.fate.load(Relaxed))
    }

    /// Notes what is known of the end.
    pub fn set_fate(&self, fate: Proven) {
        self.fate.store(fate as u8, Relaxed);
    }
}

/// A queen's move or an arrow.
#[derive(Debug, Default)]
pub struct Edge {
    node: AtomicU32,
    step: AtomicU16,
    prior: AtomicU16,
    value: AtomicU16,
    fate: AtomicU8,
}

/// A queen's move (from, to), or an arrow (its square twice).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the queen comes from; the arrow's square.
    pub from: Square,
    /// Where it goes; the arrow's square.
    pub to: Square,
}

impl Step {
    /// An arrow.
    pub fn arrow(square: Square) -> Step {
        Step { from: square, to: square }
    }

    fn pack(self) -> u16 {
        (self.from.bit() << 7 | self.to.bit()) as u16
    }

    fn unpack(packed: u16) -> Step {
        Step {
            from: Square::from_bit(u32::from(packed >> 7)),
            to: Square::from_bit(u32::from(packed & 127)),
        }
    }
}

/// What an edge is made of.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub step: Step,
    /// Its share of the prior, 0 to 1.
    pub prior: f32,
    /// The chance that the side to move wins with it, by the evaluation.
    pub value: f32,
}

const FRACTION: f32 = u16::MAX as f32;

impl Edge {
    fn set(&self, choice: &Choice) {
        self.step.store(choice.step.pack(), Relaxed);
        self.prior.store((choice.prior * FRACTION).round() as u16, Relaxed);
        self.value.store((choice.value * FRACTION).round() as u16, Relaxed);
        self.fate.store(Proven::Unknown as u8, Relaxed);
        self.node.store(0, Relaxed);
    }

    /// The move.
    pub fn step(&self) -> Step {
        Step::unpack(self.step.load(Relaxed))
    }

    /// Its share of the prior.
    pub fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) / FRACTION
    }

    /// Puts another share of the prior in the place of this one.
    pub fn set_prior(&self, prior: f32) {
        self.prior.store((prior * FRACTION).round() as u16, Relaxed);
    }

    /// The chance that the side to move wins with it, by the evaluation.
    pub fn value(&self) -> f32 {
        f32::from(self.value.load(Relaxed)) / FRACTION
    }

    /// What is known of its end, for the side that makes the move.
    pub fn fate(&self) -> Proven {
        Proven::from_byte(self.fate.load(Relaxed))
    }

    /// Notes what is known of its end.
    pub fn set_fate(&self, fate: Proven) {
        self.fate.store(fate as u8, Relaxed);
    }
}

/// Things in blocks that are made when they are first needed.
#[derive(Debug)]
struct Blocks<T> {
    blocks: Vec<OnceLock<Box<[T]>>>,
    used: AtomicU32,
}

/// Things in a block, as a power of two.
const BLOCK: u32 = 12;

impl<T: Default> Blocks<T> {
    fn new(most: usize) -> Blocks<T> {
        let blocks = (most >> BLOCK).clamp(1, 1 << (31 - BLOCK));
        // Number 0 stands for none.
        Blocks { blocks: (0..blocks).map(|_| OnceLock::new()).collect(), used: AtomicU32::new(1) }
    }

    /// So many things side by side; none when there is no room left.
    fn take(&self, count: u32) -> Option<u32> {
        loop {
            let first = self.used.load(Relaxed);
            let end = first + count;
            // Things side by side lie in one block.
            let first = if (end - 1) >> BLOCK == first >> BLOCK {
                first
            } else {
                (end - 1) >> BLOCK << BLOCK
            };
            let (block, end) = ((first >> BLOCK) as usize, first + count);
            let place = self.blocks.get(block)?;
            let before = self.used.load(Relaxed);
            if before <= first && self.used.compare_exchange(before, end, Relaxed, Relaxed).is_ok()
            {
                place.get_or_init(|| (0..1 << BLOCK).map(|_| T::default()).collect());
                return Some(first);
            }
        }
    }

    fn slice(&self, first: u32, count: usize) -> &[T] {
        let at = (first & ((1 << BLOCK) - 1)) as usize;
        match self.blocks.get((first >> BLOCK) as usize).and_then(OnceLock::get) {
            Some(block) => &block[at..at + count],
            None => &[],
        }
    }
}

/// A tree of bounded size.
#[derive(Debug)]
pub struct Tree {
    nodes: Blocks<Node>,
    edges: Blocks<Edge>,
    root: u32,
    mebibytes: usize,
    /// Nodes that a copy may have, so that it and the old tree keep within bounds together.
    most_copied: usize,
}

/// Edges for each node that there is room for: late in a game a queen's move leaves about ten arrows, early forty.
const EDGES_FOR_A_NODE: usize = 40;

impl Tree {
    /// A tree of a root alone, to grow up to so much memory.
    pub fn new(mebibytes: usize) -> Tree {
        let unit = size_of::<Node>() + EDGES_FOR_A_NODE * size_of::<Edge>();
        let most = (mebibytes << 20) / unit;
        let nodes = Blocks::new(most + (1 << BLOCK));
        let root = nodes.take(1).unwrap_or(0);
        let edges = Blocks::new(most * EDGES_FOR_A_NODE);
        Tree { nodes, edges, root, mebibytes, most_copied: most / 5 * 3 }
    }

    /// The root.
    pub fn root(&self) -> &Node {
        self.node(self.root)
    }

    fn node(&self, number: u32) -> &Node {
        &self.nodes.slice(number, 1)[0]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.used.load(Relaxed) as usize - 1
    }

    /// The edges of a node; none before it is expanded.
    pub fn edges(&self, node: &Node) -> &[Edge] {
        if node.state.load(Acquire) < EXPANDED {
            return &[];
        }
        self.edges.slice(node.first.load(Relaxed), usize::from(node.count.load(Relaxed)))
    }

    /// The node behind an edge, if it has been visited.
    pub fn child(&self, edge: &Edge) -> Option<&Node> {
        match edge.node.load(Acquire) {
            0 => None,
            number => Some(self.node(number)),
        }
    }

    /// The node behind an edge, made now if need be; none when the tree is full.
    pub fn child_or_new(&self, edge: &Edge) -> Option<&Node> {
        if let Some(child) = self.child(edge) {
            return Some(child);
        }
        let number = self.nodes.take(1)?;
        // Another thread may have been quicker; then the new node stays unused.
        match edge.node.compare_exchange(0, number, AcqRel, Acquire) {
            Ok(_) => Some(self.node(number)),
            Err(other) => Some(self.node(other)),
        }
    }

    /// Gives a busy node its edges; false, and the node fresh again, when the tree is full.
    pub fn expand(&self, node: &Node, options: &[Choice]) -> bool {
        let first = match options.len() {
            0 => Some(0),
            count => self.edges.take(count as u32),
        };
        let Some(first) = first else {
            node.state.store(FRESH, Release);
            return false;
        };
        for (edge, option) in self.edges.slice(first, options.len()).iter().zip(options) {
            edge.set(option);
        }
        node.first.store(first, Relaxed);
        node.count.store(options.len() as u16, Relaxed);
        node.state.store(EXPANDED, Release);
        true
    }

    /// The part of the tree behind these steps, as a tree; none when it was not searched.
    pub fn below(&self, steps: &[Step]) -> Option<Tree> {
        let mut node = self.root();
        for step in steps {
            let edge = self.edges(node).iter().find(|edge| edge.step() == *step)?;
            node = self.child(edge)?;
        }
        let tree = Tree::new(self.mebibytes);
        self.copy(node, &tree, tree.root());
        Some(tree)
    }

    fn copy(&self, from: &Node, tree: &Tree, to: &Node) {
        to.visits.store(from.visits(), Relaxed);
        to.sum.store(from.sum.load(Relaxed), Relaxed);
        to.fate.store(from.fate.load(Relaxed), Relaxed);
        let old = self.edges(from);
        if old.is_empty() || tree.len() > self.most_copied {
            return;
        }
        let options: Vec<Choice> = old
            .iter()
            .map(|e| Choice { step: e.step(), prior: e.prior(), value: e.value() })
            .collect();
        if !tree.expand(to, &options) {
            return;
        }
        // Its priors are the network's already.
        if from.state.load(Acquire) == JUDGED {
            to.state.store(JUDGED, Release);
        }
        for (old, new) in old.iter().zip(tree.edges(to)) {
            new.set_fate(old.fate());
            if let Some(child) = self.child(old)
                && let Some(copy) = tree.child_or_new(new)
            {
                self.copy(child, tree, copy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(from: u8, to: u8) -> Choice {
        let square = |n| Square::new(n, 0).expect("a square");
        Choice { step: Step { from: square(from), to: square(to) }, prior: 0.25, value: 0.75 }
    }

    #[test]
    fn edges_keep_what_they_are_given() {
        let tree = Tree::new(16);
        assert!(tree.expand(tree.root(), &[option(1, 2), option(3, 9)]));
        let edges = tree.edges(tree.root());
        assert_eq!(edges.len(), 2);
        assert_eq!(edges[1].step(), option(3, 9).step);
        assert!((edges[1].value() - 0.75).abs() < 1e-4 && (edges[0].prior() - 0.25).abs() < 1e-4);
        let child = tree.child_or_new(&edges[1]).expect("room");
        child.enter();
        child.leave(0.5);
        assert_eq!(tree.child(&edges[1]).and_then(Node::mean), Some(0.5));
        let below = tree.below(&[option(3, 9).step]).expect("it was visited");
        assert_eq!(below.root().visits(), 1);
        assert!(tree.below(&[option(1, 2).step]).is_none());
    }

    #[test]
    fn a_full_tree_refuses_and_stays_whole() {
        let tree = Tree::new(1);
        let options = vec![option(1, 2); 80];
        let mut node = tree.root();
        let mut grown = 0;
        while tree.expand(node, &options) {
            grown += 1;
            match tree.child_or_new(&tree.edges(node)[0]) {
                Some(child) => node = child,
                None => break,
            }
        }
        assert!(grown > 100, "{grown}");
        assert!(tree.edges(node).is_empty());
    }
}
