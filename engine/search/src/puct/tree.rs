//! The tree: the way down, what is proven on the way back, and the line that is expected.

use super::edge::{Choice, Edge, Estimate, TreeMove};
use super::node::{Node, NodeExtra as _, NodeState, Stats};
use crate::arena::Arena;
use crate::report::rank;
use crate::room::Room;
use game_core::Proven;
use std::sync::{Mutex, PoisonError};

/// Nodes, and edges, in a block: two to the power of this.
const BLOCK_BITS: u32 = 12;

/// A tree of bounded memory. Nothing in it is moved: what is let go of is given back and taken again.
#[derive(Debug)]
pub struct Tree<M: TreeMove> {
    pub(super) nodes: Arena<Node<M::Extra>, BLOCK_BITS>,
    pub(super) edges: Arena<Edge<M>, BLOCK_BITS>,
    pub(super) max_bytes: usize,
    pub(super) lost: Mutex<Lost>,
    /// Edges that nothing leads to any more, with all that is below them: the first and their number.
    pub(super) garbage: Vec<(u32, usize)>,
    pub(super) room: Room,
}

/// What threads put aside while they search, since others may still look at it.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Nodes that were made for an edge which got another one, or moved elsewhere.
    pub nodes: Vec<u32>,
    /// Edges that stand elsewhere now, by the first and their number. What is below them is not lost.
    pub edges: Vec<(u32, usize)>,
}

/// One node of a visit's way down.
#[derive(Debug)]
pub struct Step<'t, M: TreeMove> {
    /// The node.
    pub node: &'t Node<M::Extra>,
    /// The edge that led to it; none at the root.
    pub edge: Option<&'t Edge<M>>,
    /// Whether the side to move at the root is to move here.
    pub own: bool,
}

pub(super) const ROOT: u32 = 0;
/// More than any two scores of moves differ by.
const FAR: f32 = 1e6;

impl<M: TreeMove> Tree<M> {
    /// A tree of a root alone, that takes at most so many bytes (and a block or two of its arenas).
    pub fn new(max_bytes: usize) -> Tree<M> {
        let tree = Tree {
            nodes: Arena::new(max_bytes / size_of::<Node<M::Extra>>() + 1),
            edges: Arena::new(max_bytes / size_of::<Edge<M>>() + (1 << BLOCK_BITS)),
            max_bytes,
            lost: Mutex::default(),
            garbage: Vec::new(),
            room: Room::default(),
        };
        tree.nodes.take(1);
        tree
    }

    /// The root.
    pub fn root(&self) -> &Node<M::Extra> {
        self.nodes.get(ROOT)
    }

    /// The node of this index.
    pub fn node(&self, index: u32) -> &Node<M::Extra> {
        self.nodes.get(index)
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many edges were made.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Whether so many bytes more fit, and no room is to be made before.
    fn has_room(&self, bytes: usize) -> bool {
        let taken = self.nodes.bytes() + self.edges.bytes();
        !self.room.is_full() && taken + bytes <= self.max_bytes
    }

    /// Whether another block may be made. There is one of each kind, however little memory there is.
    fn may_grow(&self) -> bool {
        let one_of_each = (size_of::<Node<M::Extra>>() + size_of::<Edge<M>>()) << BLOCK_BITS;
        self.nodes.made_bytes() + self.edges.made_bytes() <= self.max_bytes.max(one_of_each)
    }

    fn take_node(&self) -> Option<u32> {
        let taken = match (self.has_room(size_of::<Node<M::Extra>>()), self.may_grow()) {
            (false, _) => None,
            (true, true) => self.nodes.take(1),
            (true, false) => self.nodes.take_made(1),
        };
        self.noted(taken, 1)
    }

    fn take_edges(&self, count: usize) -> Option<u32> {
        let taken = match (self.has_room(count * size_of::<Edge<M>>()), self.may_grow()) {
            (false, _) => None,
            (true, true) => self.edges.take(count),
            (true, false) => self.edges.take_made(count),
        };
        self.noted(taken, count)
    }

    /// What was taken of an arena, having noted when so many places were not there.
    fn noted(&self, taken: Option<u32>, count: usize) -> Option<u32> {
        if taken.is_none() {
            self.room.refuse(count);
        }
        taken
    }

    fn put_aside(&self, put: impl FnOnce(&mut Lost)) {
        put(&mut self.lost.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The edges of a node; none before it is expanded.
    #[inline(always)]
    pub fn edges(&self, node: &Node<M::Extra>) -> &[Edge<M>] {
        match node.range() {
            (_, 0) => &[],
            (first, count) => self.edges.slice(first, count),
        }
    }

    /// The node behind an edge, if it has been visited.
    #[inline(always)]
    pub fn child(&self, edge: &Edge<M>) -> Option<&Node<M::Extra>> {
        edge.child().map(|child| self.nodes.get(child))
    }

    /// The node behind an edge, made now if need be. None when the tree is full, or when the edge has just moved elsewhere as its
    /// node was widened.
    pub fn child_or_new(&self, edge: &Edge<M>) -> Option<&Node<M::Extra>> {
        if let Some(child) = self.child(edge) {
            return Some(child);
        }
        let new = self.take_node()?;
        self.nodes.get(new).reset(for_next(edge.mv(), edge.proven()));
        let child = edge.set_child(new);
        if child != Some(new) {
            // Another thread was quicker.
            self.put_aside(|lost| lost.nodes.push(new));
        }
        child.map(|child| self.nodes.get(child))
    }

    /// Gives a node that [`Node::try_expand`] claimed its edges, which are `complete` when every other move loses. False, and the
    /// node as it was before, when the tree is full.
    pub fn publish(&self, node: &Node<M::Extra>, choices: &[Choice<M>], complete: bool) -> bool {
        let Some(first) = self.take_edges(choices.len()) else {
            node.cancel();
            return false;
        };
        for (edge, choice) in self.edges.slice(first, choices.len()).iter().zip(choices) {
            edge.set(choice);
        }
        node.set_range(first, choices.len(), complete, NodeState::Expanded);
        true
    }

    /// Adds edges to a node, for those of the moves that it has none for; false when there are none. It does so in a full tree
    /// too, since a win must not be lost.
    pub fn widen(&self, node: &Node<M::Extra>, choices: &[Choice<M>]) -> bool {
        let before = node.claim_widening();
        let old = self.edges(node);
        let is_new = |choice: &&Choice<M>| old.iter().all(|edge| edge.mv() != choice.mv);
        let new: Vec<&Choice<M>> = choices.iter().filter(is_new).collect();
        let count = old.len() + new.len();
        let Some(first) = (!new.is_empty()).then(|| self.edges.take(count)).flatten() else {
            node.set_state(before);
            return false;
        };
        let edges = self.edges.slice(first, count);
        edges.iter().zip(old).for_each(|(edge, old)| edge.take_over(old));
        edges[old.len()..].iter().zip(new).for_each(|(edge, new)| edge.set(new));
        let aside = (node.range().0, old.len());
        node.set_range(first, count, node.is_complete(), NodeState::Expanded);
        self.put_aside(|lost| lost.edges.push(aside));
        true
    }

    /// The edge to search next: its value plus the prior's bonus (PUCT, Rosin 2011), visits that are under way counted as
    /// losses. What is known of the node behind it, for the side that makes the move, goes to `value` with the estimate.
    /// None when every edge loses.
    #[inline(always)]
    pub fn select(
        &self,
        node: &Node<M::Extra>,
        exploration: f32,
        value: impl Fn(M::Estimate, Option<Stats>) -> f32,
    ) -> Option<&Edge<M>> {
        let all = node.total_visits() + node.extra.expected_visits();
        let bonus = exploration * (all.max(1) as f32).sqrt();
        let mut best = None;
        let mut best_score = f32::MIN;
        for edge in self.edges(node) {
            if edge.proven() == Proven::Loss {
                continue;
            }
            let estimate = edge.estimate();
            let child = self.child(edge);
            let stats = child.map(|child| for_mover(edge.mv(), child.stats()));
            let expected = child.map_or(0, |child| child.extra.expected_visits());
            let visits =
                stats.map_or(0.0, |stats| (stats.visits + stats.pending + expected) as f32);
            let mut score = value(estimate, stats) + bonus * estimate.prior() / (1.0 + visits);
            if expected > 0 && child.is_some_and(|child| !child.is_expanded()) {
                // Another search is looking there: this one would find out the same.
                score -= FAR;
            }
            if score > best_score {
                (best, best_score) = (Some(edge), score);
            }
        }
        best
    }

    /// Notes what is proven of a move, for the side that makes it.
    pub fn prove(&self, edge: &Edge<M>, proven: Proven) {
        edge.set_proven(proven);
        if let Some(child) = self.child(edge) {
            child.set_proven(for_next(edge.mv(), proven));
        }
    }

    /// Ends a visit along this way, with its value for the side whose turn it is at the root (true) or the other one; and draws
    /// conclusions from what is proven at its end.
    pub fn backup(&self, path: &[Step<'_, M>], value: impl Fn(bool) -> f64) {
        let mut concludes = true;
        for (depth, step) in path.iter().enumerate().rev() {
            step.node.backup(value(step.own));
            if !concludes {
                continue;
            }
            if depth + 1 < path.len() {
                self.conclude(step.node);
            }
            let proven = step.node.proven();
            concludes = proven != Proven::Unknown;
            if let Some(edge) = step.edge.filter(|_| concludes) {
                edge.set_proven(for_next(edge.mv(), proven));
            }
        }
    }

    /// Notes on a node what its edges prove.
    fn conclude(&self, node: &Node<M::Extra>) {
        if node.proven() == Proven::Unknown {
            // In this order: while these edges are looked at another thread may add some and say that they are all.
            let is_complete = node.is_complete();
            let edges = self.edges(node);
            if edges.iter().any(|edge| edge.proven() == Proven::Win) {
                node.set_proven(Proven::Win);
            } else if is_complete && all_lose(edges) {
                node.set_proven(Proven::Loss);
            }
        }
    }

    /// Whether every edge of a node is proven to lose.
    pub fn is_lost(&self, node: &Node<M::Extra>) -> bool {
        all_lose(self.edges(node))
    }

    /// The best edge of a node to play: a won one, else the most visited that is not lost. The first of those that are alike.
    pub fn best(&self, node: &Node<M::Extra>) -> Option<&Edge<M>> {
        let visits = |edge| self.child(edge).map_or(0, Node::visits);
        let edges = self.edges(node).iter().rev();
        edges.max_by_key(|edge| rank(edge.proven(), visits(edge), edge.estimate().prior()))
    }

    /// The chance of who makes a move, proven or by its visits; none before the first.
    pub fn value(&self, edge: &Edge<M>) -> Option<f32> {
        match edge.proven() {
            Proven::Win => Some(1.0),
            Proven::Loss => Some(0.0),
            Proven::Unknown => {
                let mean = self.child(edge)?.mean()?;
                Some(if edge.mv().ends_turn() { 1.0 - mean } else { mean })
            }
        }
    }

    /// The moves expected from a node on, as far as they were visited or decide the game.
    pub fn line<'t>(&'t self, node: Option<&'t Node<M::Extra>>) -> impl Iterator<Item = M> {
        let mut node = node;
        std::iter::from_fn(move || {
            let edge = self.best(node?)?;
            node = self.child(edge);
            let visited = node.is_some_and(|node| node.visits() > 0);
            (visited || edge.proven().is_known()).then(|| edge.mv())
        })
    }
}

fn all_lose<M: TreeMove>(edges: &[Edge<M>]) -> bool {
    edges.iter().all(|edge| edge.proven() == Proven::Loss)
}

/// What is proven of a move, for the side to move behind it, and the other way round.
fn for_next<M: TreeMove>(mv: M, proven: Proven) -> Proven {
    if mv.ends_turn() { proven.other() } else { proven }
}

/// The visits of the node behind a move, for the side that makes the move.
#[inline(always)]
fn for_mover<M: TreeMove>(mv: M, stats: Stats) -> Stats {
    let sum = if mv.ends_turn() { stats.visits as f32 - stats.sum } else { stats.sum };
    Stats { sum, ..stats }
}
