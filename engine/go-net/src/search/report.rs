//! What a search with a network found, in the form of all searches of Go.

use super::choice::{Candidate, candidates};
use super::params::NetworkParams;
use super::stats::NodeStats;
use super::utility::Value;
use super::worker::{GoNode, GoTree};
use go_engine::board::{Board, Site};
use go_engine::search::{MoveReport, Owned, Report, Totals, TreeNodeInfo};
use go_engine::{Color, Move};
use std::time::Duration;
use tree_search::Proven;
use tree_search::puct::Node;

/// The longest line that is told.
const MAX_LINE: usize = 40;

/// What a report is read from.
pub(super) struct Source<'a> {
    pub tree: &'a GoTree,
    pub params: &'a NetworkParams,
    pub to_move: Color,
    pub totals: &'a Totals,
    pub visits: u64,
    pub elapsed: Duration,
}

impl Source<'_> {
    /// What the tree says of the position on this board.
    pub fn read<const N: usize, const W: usize>(&self, board: &Board<N, W>) -> Report {
        let root = self.tree.root();
        let of = means(root).unwrap_or(Value { win: 0.5, ..Value::default() });
        let candidates = candidates(self.tree, self.params, self.to_move);
        let owned = self.totals.all();
        Report {
            to_move: self.to_move,
            visits: root.visits(),
            playouts: self.visits,
            winrate: self.for_mover(of.win),
            score: of.lead,
            score_stdev: of.spread,
            final_score: of.score,
            scored: u64::from(root.visits()),
            moves: candidates.iter().map(|one| self.move_report(board, one, of.win)).collect(),
            ownership: board.sites().map(|s| owned.of(s)).collect(),
            ownership_stdev: board.sites().map(|s| owned.stdev(s)).collect(),
            unowned: board.sites().map(|s| owned.unowned(s)).collect(),
            counted: owned.playouts,
            nodes: self.tree.node_count(),
            max_depth: self.totals.max_depth,
            elapsed: self.elapsed,
        }
    }

    fn for_mover(&self, black: f32) -> f32 {
        if self.to_move == Color::Black { black } else { 1.0 - black }
    }

    fn move_report<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        one: &Candidate<'_>,
        root_win: f32,
    ) -> MoveReport {
        let found = one.node.and_then(means);
        let winrate = self.for_mover(found.map_or(root_win, |found| found.win));
        let (variation, variation_visits) = self.line(board, one);
        MoveReport {
            mv: move_of(board, one.edge.mv().0),
            visits: one.visits,
            winrate,
            // The radius is of utilities. As in KataGo, of which clients know this number, the chance of winning has its share of it:
            // on a scale from 0 to 1 that is as much.
            lower_bound: (winrate - one.radius).clamp(0.0, 1.0),
            prior: one.edge.estimate(),
            score: found.map(|found| found.lead),
            score_stdev: found.map(|found| found.spread),
            final_score: found.map(|found| found.score),
            ownership: self.of_move(board, one, Owned::of),
            ownership_stdev: self.of_move(board, one, Owned::stdev),
            proven: Proven::Unknown,
            variation,
            variation_visits,
        }
    }

    /// Something of each point after a move; nothing where that was not evaluated.
    fn of_move<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        one: &Candidate<'_>,
        read: impl Fn(&Owned, Site) -> f32,
    ) -> Vec<f32> {
        let owned = self.totals.of_move(one.place);
        owned.map_or_else(Vec::new, |owned| board.sites().map(|s| read(owned, s)).collect())
    }

    /// A move and the most visited answers below it.
    fn line<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        one: &Candidate<'_>,
    ) -> (Vec<Move>, Vec<u32>) {
        let mut line = vec![(move_of(board, one.edge.mv().0), one.visits)];
        let mut node = one.node;
        while let Some(next) = node.and_then(|node| self.tree.best(node)) {
            let child = self.tree.child(next).filter(|child| child.visits() > 0);
            if child.is_none() || line.len() == MAX_LINE {
                break;
            }
            line.push((move_of(board, next.mv().0), child.map_or(0, Node::visits)));
            node = child;
        }
        line.into_iter().unzip()
    }
}

/// The means of what was found below a node.
fn means(node: &GoNode) -> Option<Value> {
    NodeStats::means(&node.extra, node.visits())
}

fn move_of<const N: usize, const W: usize>(board: &Board<N, W>, s: Site) -> Move {
    if s.is_pass() { Move::Pass } else { Move::Play(board.point(s)) }
}

/// The nodes below the root, depth first, the most visited first.
pub(super) fn node_infos<const N: usize, const W: usize>(
    tree: &GoTree,
    board: &Board<N, W>,
    min_visits: u32,
) -> Vec<TreeNodeInfo> {
    let below = |node: &GoNode, depth: usize| {
        let visited = tree.edges(node).iter().filter_map(|edge| Some((edge, tree.child(edge)?)));
        let mut visited: Vec<_> =
            visited.filter(|(_, child)| child.visits() >= min_visits.max(1)).collect();
        // The last one is taken first.
        visited.sort_by_key(|(_, child)| child.visits());
        visited.into_iter().map(move |(edge, child)| (depth, edge, child))
    };
    let mut infos = Vec::new();
    let mut open: Vec<_> = below(tree.root(), 1).collect();
    while let Some((depth, edge, node)) = open.pop() {
        infos.push(TreeNodeInfo {
            depth,
            mv: move_of(board, edge.mv().0),
            visits: node.visits(),
            value: node.mean().map_or(0.5, |mean| 1.0 - mean),
        });
        open.extend(below(node, depth + 1));
    }
    infos
}
