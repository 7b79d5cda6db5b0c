//! Where a search stands.

use super::tree::{Edge, Node, Step, Tree};
use super::worker::{allows, is_arrow};
use crate::game::Stage;
use crate::moves::Move;
use game_core::Proven;

/// One move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct RootChoice {
    /// The move.
    pub mv: Move,
    /// Visits.
    pub visits: u32,
    /// Chance from 0 to 1 that the side to move wins with it.
    pub chance: f32,
    /// Prior chance.
    pub prior: f32,
    /// What is known of it, for the side to move.
    pub fate: Proven,
    /// The moves expected, this one first.
    pub line: Vec<Move>,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The moves of the root that were visited or decided, the one to play first.
    pub choices: Vec<RootChoice>,
    /// Visits of the root.
    pub visits: u64,
    /// Chance from 0 to 1 that the side to move wins.
    pub chance: f32,
    /// What is known of the end, for the side to move.
    pub fate: Proven,
    /// Nodes of the tree.
    pub tree_nodes: usize,
    /// States expanded by the solver.
    pub solver_nodes: u64,
}

/// The longest line that is told.
const LONGEST_LINE: usize = 20;

/// How good a choice is: decided ones by what they are, the others by visits, then by prior.
fn rank(tree: &Tree, edge: &Edge) -> (u8, u32, u32) {
    let class = match edge.fate() {
        Proven::Win => 2,
        Proven::Unknown => 1,
        Proven::Loss => 0,
    };
    (class, tree.child(edge).map_or(0, Node::visits), (edge.prior() * 1e6) as u32)
}

/// The best edge of a node.
fn best<'t>(tree: &'t Tree, node: &Node, stage: Stage) -> Option<&'t Edge> {
    // The first of those that are alike.
    let edges = tree.edges(node).iter().rev().filter(|edge| allows(stage, edge.step()));
    edges.max_by_key(|edge| rank(tree, edge))
}

/// The moves expected from a node on.
fn line<'t>(tree: &'t Tree, mut node: &'t Node, out: &mut Vec<Move>) {
    while out.len() < LONGEST_LINE {
        let step = |node, stage| {
            let edge = best(tree, node, stage)?;
            let child = tree.child(edge)?;
            Some((edge.step(), child))
        };
        let Some((Step { from, to }, middle)) = step(node, Stage::From) else { return };
        let Some((arrow, next)) = step(middle, Stage::From) else { return };
        out.push(Move { from, to, arrow: arrow.to });
        node = next;
    }
}

/// What a search has found so far.
pub(super) fn progress(tree: &Tree, stage: Stage, solver_nodes: u64) -> Progress {
    let root = tree.root();
    let mut choices = Vec::new();
    let mut ranks = Vec::new();
    let mut first: Option<Move> = None;
    if let Some(edge) = best(tree, root, stage)
        && let Some(arrow) = tree.child(edge).and_then(|node| best(tree, node, Stage::From))
    {
        first = Some(Move { from: edge.step().from, to: edge.step().to, arrow: arrow.step().to });
    }
    for edge in tree.edges(root).iter().filter(|edge| allows(stage, edge.step())) {
        let Some(middle) = tree.child(edge) else { continue };
        for arrow in tree.edges(middle) {
            let child = tree.child(arrow);
            let fate = arrow.fate();
            let Step { from, to } = edge.step();
            let mv = Move { from, to, arrow: arrow.step().to };
            if child.is_none() && fate == Proven::Unknown && first != Some(mv) {
                continue;
            }
            debug_assert!(is_arrow(arrow));
            let chance = match (fate, child.and_then(Node::mean)) {
                (Proven::Win, _) => 1.0,
                (Proven::Loss, _) => 0.0,
                (Proven::Unknown, Some(mean)) => 1.0 - mean,
                (Proven::Unknown, None) => arrow.value(),
            };
            let mut moves = vec![mv];
            if let Some(child) = child {
                line(tree, child, &mut moves);
            }
            let visits = child.map_or(0, Node::visits);
            let prior = edge.prior() * arrow.prior();
            ranks.push((first == Some(mv), rank(tree, arrow)));
            choices.push(RootChoice { mv, visits, chance, prior, fate, line: moves });
        }
    }
    let mut order: Vec<usize> = (0..choices.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(ranks[i]), i));
    let choices: Vec<RootChoice> = order.into_iter().map(|i| choices[i].clone()).collect();
    let fate = root.fate();
    let chance = match fate {
        Proven::Win => 1.0,
        Proven::Loss => 0.0,
        Proven::Unknown => root.mean().unwrap_or(0.5),
    };
    Progress {
        choices,
        visits: u64::from(root.visits()),
        chance,
        fate,
        tree_nodes: tree.len(),
        solver_nodes,
    }
}
