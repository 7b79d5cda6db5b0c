//! Where a search stands whose turns take one edge each.

use super::edge::{Estimate, TreeMove};
use super::node::Node;
use super::tree::Tree;
use crate::report::{move_report, order};
use crate::stop;
use game_core::{Proven, Report, SearchLimits};

/// The longest line that is told.
const MAX_LINE: usize = 30;

impl<M: TreeMove> Tree<M> {
    /// What was found so far, the turn to play first, after solvers looked at so many positions beside the tree.
    pub fn report(&self, solver_nodes: u64) -> Report<M> {
        let root = self.root();
        let edges = self.edges(root).iter();
        let found = edges.filter_map(|edge| {
            let child = self.child(edge);
            let winrate = self.value(edge).unwrap_or(root.value());
            let line = std::iter::once(edge.mv()).chain(self.line(child)).take(MAX_LINE).collect();
            let visits = child.map_or(0, Node::visits);
            move_report(line, visits, winrate, edge.estimate().prior(), edge.proven())
        });
        let mut moves: Vec<_> = found.collect();
        moves.sort_by_key(order);
        Report {
            moves,
            visits: u64::from(root.visits()),
            winrate: root.value(),
            proven: root.proven(),
            // One for the turn that led to the root.
            nodes: self.edge_count() + 1,
            solver_nodes,
            ..Report::default()
        }
    }

    /// Whether a timed search may end before its limits: only one turn is left, or the best stands out.
    pub fn is_enough(&self, limits: &SearchLimits) -> bool {
        let open = self.edges(self.root()).iter().filter(|edge| edge.proven() != Proven::Loss);
        let visited = open.clone().filter_map(|edge| self.child(edge));
        limits.soft.is_some() && open.count() == 1
            || stop::is_enough(limits, visited.map(|child| (child.visits(), 1.0 - child.value())))
    }
}
