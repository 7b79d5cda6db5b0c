//! What a search found, in the words of the game.

use super::node::Node;
use super::shared::Totals;
use super::tree::Tree;
use crate::board::{Board, Site};
use crate::{Color, Move};
use game_core::Proven;
use std::cmp::Reverse;
use std::time::Duration;
use tree_search::report::rank;

/// What was found about a move.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u32,
    /// Chance of winning for the side that makes it, 0 to 1.
    pub winrate: f32,
    /// A bound that the chance of winning hardly lies below (two standard errors).
    pub lower_bound: f32,
    /// Its share of the priors of all moves, 0 to 1.
    pub prior: f32,
    /// What is proven of it.
    pub proven: Proven,
    /// The move and the best answers, as far as they were looked at.
    pub variation: Vec<Move>,
    /// Visits of each move of the variation.
    pub variation_visits: Vec<u32>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who is to move.
    pub to_move: Color,
    /// All playouts that the tree has seen from this position on.
    pub visits: u32,
    /// Playouts of this search.
    pub playouts: u64,
    /// Chance of winning for the side to move, 0 to 1.
    pub winrate: f32,
    /// Black's expected margin, komi counted.
    pub score: f32,
    /// The moves, the best first.
    pub moves: Vec<MoveReport>,
    /// For each point, row by row from A1: how surely it ends as Black's (1) or White's (-1).
    pub ownership: Vec<f32>,
    /// Playouts over which `score` and `ownership` were counted: fewer than the visits when the tree is kept from an
    /// earlier position, and none at the very start.
    pub counted: u64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Longest way down the tree.
    pub max_depth: usize,
    /// Time taken.
    pub elapsed: Duration,
}

/// A node of the tree, for drawing it.
#[derive(Clone, Debug)]
pub struct TreeNodeInfo {
    /// 1 for a move at the root, 2 for its answer.
    pub depth: usize,
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u32,
    /// Mean value for the side that makes it.
    pub value: f32,
}

impl Report {
    /// The best move; none when there was nothing to choose from.
    pub fn best(&self) -> Option<&MoveReport> {
        self.moves.first()
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn read<const N: usize, const W: usize>(
        tree: &Tree,
        board: &Board<N, W>,
        to_move: Color,
        komi: f32,
        score_weight: f32,
        totals: &Totals,
        playouts: u64,
        elapsed: Duration,
    ) -> Report {
        let root = tree.root();
        let children = tree.children(root);
        let winrate =
            |value: f32| ((value - score_weight / 2.0) / (1.0 - score_weight)).clamp(0.0, 1.0);
        let priors: f32 = children.iter().map(prior_weight).sum();
        let mut order: Vec<&Node> = children.iter().filter(|child| !child.is_forbidden()).collect();
        // A sure win first, a sure loss last, between them the most visited.
        order.sort_by_key(|child| Reverse(rank(child.proven(), child.stats.visits(), 0.0)));
        let moves = order.into_iter().map(|child| {
            let seen = child.stats.get();
            let value = match child.proven() {
                Proven::Win => 1.0,
                Proven::Loss => 0.0,
                Proven::Unknown => winrate(seen.mean_or(child.prior().mean_or(0.5))),
            };
            let error = (value * (1.0 - value) / seen.visits.max(1.0)).sqrt();
            let (variation, variation_visits) = variation(tree, board, child);
            MoveReport {
                mv: move_of(board, child.site()),
                visits: child.stats.visits(),
                winrate: value,
                lower_bound: (value - 2.0 * error).max(0.0),
                prior: if priors > 0.0 { prior_weight(child) / priors } else { 0.0 },
                proven: child.proven(),
                variation,
                variation_visits,
            }
        });
        let moves: Vec<MoveReport> = moves.collect();
        let played = totals.playouts.max(1) as f64;
        let ownership = board.sites().map(|s| match totals.ownership.get(usize::from(s.0)) {
            Some(sum) => (sum / played) as f32,
            None => 0.0,
        });
        // The root's value is that of the side that moved last.
        let seen = root.stats.get();
        let mean = 1.0 - winrate(seen.mean_or(0.5));
        Report {
            to_move,
            visits: root.stats.visits(),
            playouts,
            winrate: match moves.first() {
                Some(best) if best.proven.is_known() => best.winrate,
                Some(best) => {
                    let visits = best.visits as f32;
                    (visits * best.winrate + MEAN_WEIGHT * mean) / (visits + MEAN_WEIGHT)
                }
                None => mean,
            },
            score: (totals.score_sum / played) as f32 - komi,
            ownership: ownership.collect(),
            counted: totals.playouts,
            moves,
            nodes: tree.len(),
            max_depth: totals.max_depth,
            elapsed,
        }
    }
}

/// How many visits of the best move the mean of all moves weighs, when the chance of winning is told: a move that was
/// tried once has won or lost, which says nothing yet.
const MEAN_WEIGHT: f32 = 10.0;

/// What a prior weighs beside others: its wins.
fn prior_weight(node: &Node) -> f32 {
    node.prior().sum
}

fn move_of<const N: usize, const W: usize>(board: &Board<N, W>, s: Site) -> Move {
    if s.is_pass() { Move::Pass } else { Move::Play(board.point(s)) }
}

/// A move and the most visited answers below it.
fn variation<const N: usize, const W: usize>(
    tree: &Tree,
    board: &Board<N, W>,
    from: &Node,
) -> (Vec<Move>, Vec<u32>) {
    const MAX_LENGTH: usize = 40;
    let mut moves = vec![move_of(board, from.site())];
    let mut visits = vec![from.stats.visits()];
    let mut node = from;
    while moves.len() < MAX_LENGTH {
        let children = tree.children(node).iter().filter(|child| child.stats.visits() > 0);
        let Some(next) = children.max_by_key(|child| child.stats.visits()) else { break };
        moves.push(move_of(board, next.site()));
        visits.push(next.stats.visits());
        node = next;
    }
    (moves, visits)
}

/// The nodes below the root, depth first, the most visited first.
pub(super) fn node_infos<const N: usize, const W: usize>(
    tree: &Tree,
    board: &Board<N, W>,
    min_visits: u32,
) -> Vec<TreeNodeInfo> {
    let mut out = Vec::new();
    let sorted = |node: &Node| {
        let mut children: Vec<u32> = match node.children() {
            Some((first, n)) => (first..first + u32::from(n)).collect(),
            None => Vec::new(),
        };
        children.retain(|&child| tree.node(child).stats.visits() >= min_visits.max(1));
        children.sort_by_key(|&child| tree.node(child).stats.visits());
        children
    };
    let mut open: Vec<(usize, u32)> = sorted(tree.root()).into_iter().map(|c| (1, c)).collect();
    while let Some((depth, index)) = open.pop() {
        let node = tree.node(index);
        out.push(TreeNodeInfo {
            depth,
            mv: move_of(board, node.site()),
            visits: node.stats.visits(),
            value: node.stats.get().mean_or(0.5),
        });
        open.extend(sorted(node).into_iter().map(|c| (depth + 1, c)));
    }
    out
}
