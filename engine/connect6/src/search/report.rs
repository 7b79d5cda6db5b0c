//! What a search found, and whether it may end.

use crate::point::Turn;
use tree_search::puct::{Node, Tree};
use tree_search::report::{move_report, order};
use tree_search::{Proven, Report, SearchLimits, stop};

/// The longest line that is told.
const MAX_LINE: usize = 30;

/// Where a search of a tree stands that has spent so many nodes on threats.
pub(super) fn report(tree: &Tree<Turn>, threat_nodes: u64) -> Report<Turn> {
    let root = tree.root();
    let edges = tree.edges(root).iter();
    let found = edges.filter_map(|edge| {
        let child = tree.child(edge);
        let winrate = tree.value(edge).unwrap_or(root.value());
        let line = std::iter::once(edge.mv()).chain(tree.line(child)).take(MAX_LINE).collect();
        let visits = child.map_or(0, Node::visits);
        move_report(line, visits, winrate, edge.estimate(), edge.proven())
    });
    let mut moves: Vec<_> = found.collect();
    moves.sort_by_key(order);
    Report {
        moves,
        visits: u64::from(root.visits()),
        winrate: root.value(),
        proven: root.proven(),
        // One for the turn that led to the root.
        nodes: tree.edge_count() + 1,
        solver_nodes: threat_nodes,
        ..Report::default()
    }
}

/// Whether a timed search may end before its limits: only one turn is left, or the best stands out.
pub(super) fn is_enough(tree: &Tree<Turn>, limits: &SearchLimits) -> bool {
    let open = tree.edges(tree.root()).iter().filter(|edge| edge.proven() != Proven::Loss);
    let visited = open.clone().filter_map(|edge| tree.child(edge));
    limits.soft.is_some() && open.count() == 1
        || stop::is_enough(limits, visited.map(|child| (child.visits(), 1.0 - child.value())))
}
