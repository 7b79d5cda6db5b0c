//! What a search found, in the words of the game.

use super::choice;
use super::node::{Node, NodeRange};
use super::totals::{Owned, Totals};
use super::tree::Tree;
use super::value::Scoring;
use crate::board::{Board, Site};
use crate::params::Params;
use crate::{Color, Move};
use game_core::Proven;
use std::time::Duration;

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
    /// Black's expected lead after it, komi counted; none before the first playout.
    pub score: Option<f32>,
    /// The spread of one playout's score after it.
    pub score_stdev: Option<f32>,
    /// Black's expected score at the end, komi counted: of playouts the same as the lead.
    pub final_score: Option<f32>,
    /// For each point, row by row from A1, how surely it ends as Black's (1) or White's (-1) after it; empty when no
    /// playout was counted since the position was first searched.
    pub ownership: Vec<f32>,
    /// How far playouts differ about that, as standard deviations; as long as `ownership`.
    pub ownership_stdev: Vec<f32>,
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
    /// Black's expected lead, komi counted.
    pub score: f32,
    /// The spread of one playout's score.
    pub score_stdev: f32,
    /// Black's expected score at the end, komi counted.
    pub final_score: f32,
    /// Playouts over which the score was counted.
    pub scored: u64,
    /// The moves, the best first.
    pub moves: Vec<MoveReport>,
    /// For each point, row by row from A1: how surely it ends as Black's (1) or White's (-1).
    pub ownership: Vec<f32>,
    /// For each point in the same order: how far playouts or evaluations differ about that, a standard deviation.
    pub ownership_stdev: Vec<f32>,
    /// For each point in the same order: in what share of the playouts it ended as nobody's, as only points in a seki do.
    pub unowned: Vec<f32>,
    /// Playouts over which `ownership` was counted: fewer than the visits when the tree is kept from an earlier
    /// position, and none at the very start.
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
}

/// What a report is read from.
pub(super) struct Source<'a> {
    pub tree: &'a Tree,
    pub to_move: Color,
    pub params: &'a Params,
    pub scoring: &'a Scoring,
    pub totals: &'a Totals,
    /// Playouts of this search.
    pub playouts: u64,
    pub elapsed: Duration,
}

impl Source<'_> {
    /// What the tree says of the position on this board.
    pub fn read<const N: usize, const W: usize>(&self, board: &Board<N, W>) -> Report {
        let Source { tree, params, scoring, totals, .. } = *self;
        let root = tree.root();
        let range = root.children().unwrap_or(NodeRange { first: Tree::ROOT, len: 0 });
        let children = tree.nodes(range);
        let priors: f32 = children.iter().map(prior_weight).sum();
        let order = choice::order(children, scoring, params);
        let of_move = |place: usize, read: fn(&Owned, Site) -> f32| -> Vec<f32> {
            let owned = totals.of_move(place);
            owned.map_or_else(Vec::new, |owned| board.sites().map(|s| read(owned, s)).collect())
        };
        let moves = order.into_iter().map(|k| {
            let (child, scores) = (&children[k], tree.scores(range.index(k)).get());
            let seen = child.stats.get();
            let value = match child.proven() {
                Proven::Win => 1.0,
                Proven::Loss => 0.0,
                Proven::Unknown => scoring.winrate(seen.mean_or(child.prior().mean_or(0.5))),
            };
            let error = (value * (1.0 - value) / seen.visits.max(1.0)).sqrt();
            let (variation, variation_visits) = variation(tree, board, child);
            let is_scored = scores.count > 0;
            MoveReport {
                mv: move_of(board, child.site()),
                visits: child.stats.visits(),
                winrate: value,
                lower_bound: (value - 2.0 * error).max(0.0),
                prior: if priors > 0.0 { prior_weight(child) / priors } else { 0.0 },
                score: is_scored.then_some(scores.mean - scoring.komi),
                score_stdev: is_scored.then_some(scores.stdev),
                final_score: is_scored.then_some(scores.mean - scoring.komi),
                ownership: of_move(k, Owned::of),
                ownership_stdev: of_move(k, Owned::stdev),
                proven: child.proven(),
                variation,
                variation_visits,
            }
        });
        let moves: Vec<MoveReport> = moves.collect();
        let (owned, scores) = (totals.all(), tree.scores(Tree::ROOT).get());
        // The root's value is that of the side that moved last.
        let seen = root.stats.get();
        let mean = 1.0 - scoring.winrate(seen.mean_or(0.5));
        Report {
            to_move: self.to_move,
            visits: root.stats.visits(),
            playouts: self.playouts,
            winrate: match moves.first() {
                Some(best) if best.proven.is_known() => best.winrate,
                Some(best) => {
                    let visits = best.visits as f32;
                    (visits * best.winrate + MEAN_WEIGHT * mean) / (visits + MEAN_WEIGHT)
                }
                None => mean,
            },
            score: scores.mean - scoring.komi,
            score_stdev: scores.stdev,
            final_score: scores.mean - scoring.komi,
            scored: u64::from(scores.count),
            ownership: board.sites().map(|s| owned.of(s)).collect(),
            ownership_stdev: board.sites().map(|s| owned.stdev(s)).collect(),
            unowned: board.sites().map(|s| owned.unowned(s)).collect(),
            counted: owned.playouts,
            moves,
            nodes: tree.len(),
            max_depth: totals.max_depth,
            elapsed: self.elapsed,
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
            Some(range) => range.indices().collect(),
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
