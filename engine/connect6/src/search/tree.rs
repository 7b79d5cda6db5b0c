//! The search tree: nodes in one vector, the children of a node side by side.

use super::turns::{Choice, Fate};
use crate::point::Turn;

/// The index of a node.
pub type NodeId = u32;
/// The root's index.
pub const ROOT: NodeId = 0;

/// A position after a turn; values are chances from 0 to 1 for the side to move here.
#[derive(Clone, Debug)]
pub struct Node {
    /// The turn that led here (the root's means nothing).
    pub turn: u32,
    /// The turn's prior chance.
    pub prior: f32,
    /// Finished visits.
    pub visits: u32,
    /// Visits that have begun and not come back.
    pub pending: u32,
    /// Sum of the values of the visits.
    pub sum: f64,
    /// What is known of the end.
    pub fate: Fate,
    /// Whether the turns left out are known to lose.
    pub complete: bool,
    /// Whether it was widened because all its turns lose.
    pub widened: bool,
    /// The value of its own evaluation.
    pub value: f32,
    first: NodeId,
    count: u32,
}

impl Node {
    fn new(turn: u32, prior: f32) -> Node {
        Node {
            turn,
            prior,
            visits: 0,
            pending: 0,
            sum: 0.0,
            fate: Fate::Open,
            complete: false,
            widened: false,
            value: 0.5,
            first: 0,
            count: 0,
        }
    }

    /// Mean value of the visits; its own evaluation before the first.
    pub fn mean(&self) -> f32 {
        match self.fate {
            Fate::Won => 1.0,
            Fate::Lost => 0.0,
            Fate::Open if self.visits == 0 => self.value,
            Fate::Open => (self.sum / f64::from(self.visits)) as f32,
        }
    }

    /// Whether its turns are in the tree.
    pub fn is_expanded(&self) -> bool {
        self.count > 0
    }

    /// The turn that led here.
    pub fn turn(&self) -> Option<Turn> {
        Turn::unpack(self.turn)
    }
}

/// A tree of a bounded number of nodes.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    most: usize,
}

impl Tree {
    /// A tree of a root alone.
    pub fn new(most: usize) -> Tree {
        Tree { nodes: vec![Node::new(0, 1.0)], most }
    }

    /// A node.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// A node to change.
    pub fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The children of a node.
    pub fn children(&self, id: NodeId) -> std::ops::Range<NodeId> {
        let node = self.get(id);
        node.first..node.first + node.count
    }

    /// Gives a node its children, unless the tree is full. Children it has already are kept (a node is
    /// widened by turns it does not have).
    pub fn expand(&mut self, id: NodeId, turns: &[Choice]) -> bool {
        let old: Vec<Node> =
            self.children(id).map(|c| Node { pending: 0, ..self.get(c).clone() }).collect();
        let new = turns.iter().filter(|t| old.iter().all(|n| n.turn != t.turn.pack()));
        let new: Vec<Node> = new.map(|t| Node::new(t.turn.pack(), t.prior)).collect();
        if new.is_empty() || self.nodes.len() + old.len() + new.len() > self.most {
            return false;
        }
        let first = self.nodes.len() as NodeId;
        let count = (old.len() + new.len()) as u32;
        self.nodes.extend(old);
        self.nodes.extend(new);
        let node = self.get_mut(id);
        (node.first, node.count) = (first, count);
        true
    }

    /// The part of the tree below a node, as a tree.
    pub fn subtree(&self, id: NodeId) -> Tree {
        let mut tree = Tree { nodes: vec![self.get(id).clone()], most: self.most };
        let mut next = 0;
        while next < tree.nodes.len() {
            let children = tree.nodes[next].first..tree.nodes[next].first + tree.nodes[next].count;
            let first = tree.nodes.len() as NodeId;
            tree.nodes.extend(children.map(|c| Node { pending: 0, ..self.get(c).clone() }));
            tree.nodes[next].first = first;
            next += 1;
        }
        tree
    }

    /// The child to search next: mean value plus the prior's bonus (PUCT, Rosin 2011), visits that are
    /// under way counted as losses. None when every child is lost for the side to move here.
    pub fn select(&self, id: NodeId, exploration: f32, unvisited: f32) -> Option<NodeId> {
        let node = self.get(id);
        let total = (node.visits + node.pending) as f32;
        let bonus = exploration * total.max(1.0).sqrt();
        let fresh = (node.mean() - unvisited).max(0.0);
        let mut best = None;
        let mut best_score = f32::MIN;
        for c in self.children(id) {
            let child = self.get(c);
            if child.fate == Fate::Won {
                continue; // The other side wins there.
            }
            let visits = (child.visits + child.pending) as f32;
            let value = if visits == 0.0 {
                fresh
            } else {
                (child.visits as f32 - child.sum as f32) / visits
            };
            let score = value + bonus * child.prior / (1.0 + visits);
            if score > best_score {
                (best, best_score) = (Some(c), score);
            }
        }
        best
    }

    /// The best child to play: a won one, else the most visited that is not lost.
    pub fn best(&self, id: NodeId) -> Option<NodeId> {
        let rank = |c: &NodeId| {
            let child = self.get(*c);
            let class = match child.fate {
                Fate::Lost => 2,
                Fate::Open => 1,
                Fate::Won => 0,
            };
            (class, child.visits, (child.prior * 1e6) as u32, u32::MAX - child.turn)
        };
        self.children(id).max_by_key(rank)
    }
}
