//! The search tree: positions that were visited, and the turns that lead from them.
//!
//! A position's turns lie side by side, twelve bytes each; the position after a turn is made when the turn
//! is first tried, since most never are. A tree that has outgrown its memory is made smaller between
//! visits: the positions visited least forget their turns.

use super::turns::Choice;
use crate::point::Turn;
use game_core::Proven;
use std::time::Duration;

/// The index of a position.
pub type NodeId = u32;
/// The root's index.
pub const ROOT: NodeId = 0;

/// A position; values are chances from 0 to 1 for the side to move here.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Sum of the values of the visits.
    pub sum: f64,
    /// Finished visits.
    pub visits: u32,
    /// Visits that have begun and not come back.
    pub pending: u32,
    /// The value of its own evaluation.
    pub value: f32,
    /// What is known of the end.
    pub fate: Proven,
    /// Whether the turns left out are known to lose.
    pub complete: bool,
    /// Whether it was widened because all its turns lose.
    pub widened: bool,
    first: u32,
    count: u32,
}

impl Node {
    const NEW: Node = Node {
        sum: 0.0,
        visits: 0,
        pending: 0,
        value: 0.5,
        fate: Proven::Unknown,
        complete: false,
        widened: false,
        first: 0,
        count: 0,
    };

    /// Mean value of the visits; its own evaluation before the first.
    pub fn mean(&self) -> f32 {
        match self.fate {
            Proven::Win => 1.0,
            Proven::Loss => 0.0,
            Proven::Unknown if self.visits == 0 => self.value,
            Proven::Unknown => (self.sum / f64::from(self.visits)) as f32,
        }
    }

    /// Whether its turns are in the tree.
    pub fn is_expanded(&self) -> bool {
        self.count > 0
    }

    /// Takes its turns away, and what was concluded from which they are.
    fn forget(&mut self) {
        (self.first, self.count) = (0, 0);
        (self.complete, self.widened) = (false, false);
    }
}

/// The index of a turn.
pub type EdgeId = u32;

/// A turn from a position.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    turn: u32,
    /// The turn's prior chance.
    pub prior: f32,
    child: NodeId,
}

impl Edge {
    /// In place of a child: not tried yet. The root is nobody's child.
    const UNTRIED: NodeId = 0;
    /// In place of a child: never tried, and known to lose.
    const LOSES: NodeId = NodeId::MAX;

    fn new(choice: &Choice) -> Edge {
        Edge { turn: choice.turn.pack(), prior: choice.prior, child: Edge::UNTRIED }
    }

    /// The turn.
    pub fn turn(&self) -> Option<Turn> {
        Turn::unpack(self.turn)
    }

    /// The position after it, when it was tried.
    pub fn child(&self) -> Option<NodeId> {
        (!matches!(self.child, Edge::UNTRIED | Edge::LOSES)).then_some(self.child)
    }
}

/// A tree of bounded memory.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    most_bytes: usize,
}

impl Tree {
    /// A tree of a root alone, that should take so many bytes at most.
    pub fn new(most_bytes: usize) -> Tree {
        // Indices have 32 bits.
        let most_bytes = most_bytes.min((u32::MAX as usize / 2).saturating_mul(size_of::<Edge>()));
        Tree { nodes: vec![Node::NEW], edges: Vec::new(), most_bytes }
    }

    /// A position.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// A position to change.
    pub fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// A turn.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id as usize]
    }

    /// How many turns lead from all positions, and one for that to the root.
    pub fn len(&self) -> usize {
        self.edges.len() + 1
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.edges[..])
    }

    /// Whether it has outgrown its memory; it still grows when told to.
    pub fn is_full(&self) -> bool {
        self.bytes() > self.most_bytes
    }

    /// The turns from a position.
    pub fn turns(&self, id: NodeId) -> std::ops::Range<EdgeId> {
        let node = self.get(id);
        node.first..node.first + node.count
    }

    /// What is known of the position after a turn, for the side to move there.
    pub fn fate(&self, edge: EdgeId) -> Proven {
        match self.edge(edge).child {
            Edge::UNTRIED => Proven::Unknown,
            Edge::LOSES => Proven::Win,
            child => self.get(child).fate,
        }
    }

    /// Notes the end of a turn that was not known: what it is for the side to move after it.
    pub fn decide(&mut self, edge: EdgeId, fate: Proven) {
        if self.fate(edge) == Proven::Unknown {
            if fate == Proven::Win && self.edge(edge).child == Edge::UNTRIED {
                self.edges[edge as usize].child = Edge::LOSES;
            } else {
                let child = self.follow(edge);
                self.get_mut(child).fate = fate;
            }
        }
    }

    /// The position after a turn, made when it is tried for the first time.
    pub fn follow(&mut self, edge: EdgeId) -> NodeId {
        if let Some(child) = self.edge(edge).child() {
            return child;
        }
        let fate = self.fate(edge);
        let child = self.nodes.len() as NodeId;
        self.nodes.push(Node { fate, ..Node::NEW });
        self.edges[edge as usize].child = child;
        child
    }

    /// Gives a position its turns; false when there is none that it does not have. Those that it has stay (a
    /// position is widened by turns that it does not have).
    pub fn expand(&mut self, id: NodeId, turns: &[Choice]) -> bool {
        let old = self.turns(id);
        let old = &self.edges[old.start as usize..old.end as usize];
        let new = turns.iter().filter(|t| old.iter().all(|e| e.turn != t.turn.pack()));
        let new: Vec<Edge> = new.map(Edge::new).collect();
        if new.is_empty() {
            return false;
        }
        let (first, old) = (self.edges.len() as u32, old.to_vec());
        self.edges.extend(old);
        self.edges.extend(new);
        let count = self.edges.len() as u32 - first;
        let node = self.get_mut(id);
        (node.first, node.count) = (first, count);
        true
    }

    /// Makes a position the root and lets go of all that is not below it.
    pub fn keep(&mut self, id: NodeId) {
        self.retain(id, 0);
    }

    /// The longest that pruning should take: twelve nanoseconds a byte. It took three with two other programs on
    /// two cores; more of them leave it less of a core, and a clock does not wait.
    pub fn pruning_time(&self) -> Duration {
        Duration::from_nanos(12 * self.bytes() as u64)
    }

    /// Lets the positions visited least forget their turns, so that at most half of the memory is taken.
    pub fn prune(&mut self) {
        // A position's turns with the positions after them.
        let cost = |id: NodeId| {
            let tried = self.turns(id).filter(|&e| self.edge(e).child().is_some()).count();
            self.turns(id).len() * size_of::<Edge>() + tried * size_of::<Node>()
        };
        let ids = 0..self.nodes.len() as NodeId;
        let mut costs: Vec<(u32, u32)> = ids
            .filter(|&id| self.get(id).is_expanded())
            .map(|id| (self.get(id).visits, cost(id) as u32))
            .collect();
        costs.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = size_of::<Node>(); // The root.
        let beyond = costs.iter().find(|(_, cost)| {
            bytes += *cost as usize;
            bytes > self.most_bytes / 2
        });
        if let Some((visits, _)) = beyond {
            self.retain(ROOT, visits + 1);
        }
    }

    /// Keeps what is below a position, which becomes the root; other positions with fewer visits than that
    /// forget their turns. All is moved in place, so that no second tree has to fit in memory.
    fn retain(&mut self, root: NodeId, least_visits: u32) {
        const GONE: NodeId = NodeId::MAX;
        // A position is made after the one that leads to it, so one pass finds all that stay.
        let mut moved = vec![GONE; self.nodes.len()];
        moved[root as usize] = ROOT;
        let mut staying = 0;
        let mut expanded = Vec::new();
        for id in root as usize..self.nodes.len() {
            if moved[id] == GONE {
                continue;
            }
            moved[id] = staying;
            let mut node = Node { pending: 0, ..self.nodes[id] };
            if staying != ROOT && node.visits < least_visits {
                node.forget();
            }
            for edge in &self.edges[node.first as usize..(node.first + node.count) as usize] {
                if let Some(child) = edge.child() {
                    moved[child as usize] = ROOT; // It stays; where, is known when it is reached.
                }
            }
            if node.is_expanded() {
                expanded.push(staying);
            }
            self.nodes[staying as usize] = node;
            staying += 1;
        }
        self.nodes.truncate(staying as usize);
        expanded.sort_unstable_by_key(|&id| self.get(id).first);
        let mut end = 0;
        for id in expanded {
            let old = self.turns(id);
            self.nodes[id as usize].first = end as u32;
            for edge in old {
                let mut edge = self.edges[edge as usize];
                if let Some(child) = edge.child() {
                    edge.child = moved[child as usize];
                }
                self.edges[end] = edge;
                end += 1;
            }
        }
        self.edges.truncate(end);
    }

    /// The turn to search next: mean value plus the prior's bonus (PUCT, Rosin 2011), visits that are
    /// under way counted as losses. None when every turn is lost for the side to move here.
    pub fn select(&self, id: NodeId, exploration: f32, unvisited: f32) -> Option<EdgeId> {
        let node = self.get(id);
        let total = (node.visits + node.pending) as f32;
        let bonus = exploration * total.max(1.0).sqrt();
        let fresh = (node.mean() - unvisited).max(0.0);
        let mut best = None;
        let mut best_score = f32::MIN;
        for e in self.turns(id) {
            if self.fate(e) == Proven::Win {
                continue; // The other side wins there.
            }
            let edge = self.edge(e);
            let child = edge.child().map(|c| self.get(c));
            let visits = child.map_or(0, |c| c.visits + c.pending) as f32;
            let value = match child {
                Some(child) if visits > 0.0 => (child.visits as f32 - child.sum as f32) / visits,
                _ => fresh,
            };
            let score = value + bonus * edge.prior / (1.0 + visits);
            if score > best_score {
                (best, best_score) = (Some(e), score);
            }
        }
        best
    }

    /// The best turn to play: a won one, else the most visited that is not lost.
    pub fn best(&self, id: NodeId) -> Option<EdgeId> {
        let rank = |&e: &EdgeId| {
            let edge = self.edge(e);
            let class = match self.fate(e) {
                Proven::Loss => 2,
                Proven::Unknown => 1,
                Proven::Win => 0,
            };
            let visits = edge.child().map_or(0, |c| self.get(c).visits);
            (class, visits, (edge.prior * 1e6) as u32, u32::MAX - edge.turn)
        };
        self.turns(id).max_by_key(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;

    fn choices(from: usize, count: usize) -> Vec<Choice> {
        let turn = |i| Point::from_index(i).map(Turn::single).expect("on the board");
        (0..count).map(|i| Choice { turn: turn(from + i), prior: 1.0 / (i + 2) as f32 }).collect()
    }

    /// One visit along the tree's own choice, with a value that depends on the path.
    fn visit(tree: &mut Tree) {
        let (mut path, mut hash) = (vec![ROOT], 1u32);
        let mut id = ROOT;
        while tree.get(id).is_expanded() {
            let Some(edge) = tree.select(id, 1.5, 0.1) else { break };
            hash = hash.wrapping_mul(0x9e37_79b1) ^ tree.edge(edge).turn;
            id = tree.follow(edge);
            path.push(id);
        }
        if tree.get(id).visits > 0 || id == ROOT {
            tree.expand(id, &choices(hash as usize % 50, 20));
        }
        let mut value = f64::from(hash >> 8) / f64::from(1 << 24);
        for id in path.into_iter().rev() {
            let node = tree.get_mut(id);
            node.visits += 1;
            node.sum += value;
            value = 1.0 - value;
        }
    }

    /// All of a position's turns and what is below them, whatever the indices.
    fn below(tree: &Tree, id: NodeId) -> Vec<(usize, u32, u32, u64, Proven)> {
        let mut rows = Vec::new();
        let mut open = vec![(0, id)];
        while let Some((depth, id)) = open.pop() {
            for e in tree.turns(id) {
                let edge = tree.edge(e);
                let child = edge.child().map(|c| *tree.get(c)).unwrap_or(Node::NEW);
                rows.push((depth, edge.turn, child.visits, child.sum.to_bits(), tree.fate(e)));
                open.extend(edge.child().map(|c| (depth + 1, c)));
            }
        }
        rows
    }

    #[test]
    fn keeps_what_is_below_the_new_root() {
        let mut tree = Tree::new(usize::MAX);
        (0..3000).for_each(|_| visit(&mut tree));
        // Turns of one position lie elsewhere than in the order of visits after it is widened.
        tree.expand(ROOT, &choices(80, 5));
        (0..1000).for_each(|_| visit(&mut tree));
        let edge = tree.best(ROOT).expect("a turn");
        let losing = tree.turns(ROOT).last().expect("a turn");
        tree.decide(losing, Proven::Win);
        let child = tree.follow(edge);
        let expected = below(&tree, child);
        assert!(expected.len() > 1000, "{}", expected.len());
        tree.keep(child);
        assert_eq!(below(&tree, ROOT), expected);
        assert_eq!(tree.len(), expected.len() + 1, "nothing else is left");
        let reached = expected.iter().filter(|row| row.2 > 0).count();
        assert_eq!(tree.nodes.len(), reached + 1);
        // It goes on as the tree before would have.
        (0..500).for_each(|_| visit(&mut tree));
        assert_eq!(tree.turns(ROOT).filter(|&e| tree.fate(e) != Proven::Unknown).count(), 0);
    }

    #[test]
    fn a_full_tree_forgets_what_was_visited_least() {
        let mut tree = Tree::new(1 << 20);
        let mut times = 0;
        for _ in 0..100_000 {
            visit(&mut tree);
            if tree.is_full() {
                let total = tree.get(ROOT).visits;
                let turns = tree.turns(ROOT).len();
                let most = |tree: &Tree| {
                    let edge = tree.best(ROOT).and_then(|e| tree.edge(e).child());
                    tree.get(edge.expect("visited")).visits
                };
                let best = most(&tree);
                tree.prune();
                assert!(tree.bytes() <= 1 << 19, "{} bytes", tree.bytes());
                assert!(tree.bytes() > 1 << 16, "{} bytes", tree.bytes());
                let kept = (tree.get(ROOT).visits, tree.turns(ROOT).len(), most(&tree));
                assert_eq!(kept, (total, turns, best), "the root loses nothing");
                times += 1;
            }
        }
        assert!(times > 3, "{times} times");
        assert_eq!(tree.get(ROOT).visits, 100_000);
    }

    #[test]
    fn notes_ends_of_turns_that_were_not_tried() {
        let mut tree = Tree::new(1 << 20);
        tree.expand(ROOT, &choices(0, 3));
        let turns: Vec<EdgeId> = tree.turns(ROOT).collect();
        tree.decide(turns[0], Proven::Win);
        assert_eq!((tree.fate(turns[0]), tree.edge(turns[0]).child()), (Proven::Win, None));
        assert_eq!(tree.select(ROOT, 1.0, 0.1), Some(turns[1]), "the first loses");
        tree.decide(turns[2], Proven::Loss);
        assert_eq!(tree.best(ROOT), Some(turns[2]), "the last wins");
        tree.decide(turns[2], Proven::Win);
        assert_eq!(tree.fate(turns[2]), Proven::Loss, "what is known stays");
        // A turn that loses and is followed all the same is still known to lose.
        let child = tree.follow(turns[0]);
        assert_eq!(tree.get(child).fate, Proven::Win);
    }
}
