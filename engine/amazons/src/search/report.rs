//! Where a search stands, in whole turns.

use super::partial_move::{Estimate, PartialMove};
use crate::moves::Move;
use std::cmp::Reverse;
use tree_search::Report;
use tree_search::puct::{Node, Tree};
use tree_search::report::{move_report, rank};

/// The longest line that is told.
const MAX_LINE: usize = 20;

/// The turns expected from a node on.
fn line<'t>(
    tree: &'t Tree<PartialMove>,
    node: Option<&'t Node>,
) -> impl Iterator<Item = Move> + use<'t> {
    let mut steps = tree.line(node);
    std::iter::from_fn(move || Some(turn(steps.next()?, steps.next()?)))
}

fn turn(queen: PartialMove, arrow: PartialMove) -> Move {
    Move { from: queen.from, to: queen.to, arrow: arrow.to }
}

/// What a search has found so far: the turns that were visited or proven, the one to play first.
pub(super) fn report(tree: &Tree<PartialMove>, solver_nodes: u64) -> Report<Move> {
    let root = tree.root();
    let mut moves = Vec::new();
    // The best arrow of the best queen's move, visited or not.
    let first = tree.best(root).and_then(|queen| {
        let arrow = tree.best(tree.child(queen)?)?;
        Some(turn(queen.mv(), arrow.mv()))
    });
    for queen in tree.edges(root) {
        let Some(middle) = tree.child(queen) else { continue };
        for arrow in tree.edges(middle) {
            let (child, proven) = (tree.child(arrow), arrow.proven());
            let mv = turn(queen.mv(), arrow.mv());
            if child.is_none() && !proven.is_known() && first != Some(mv) {
                continue;
            }
            let visits = child.map_or(0, Node::visits);
            let Estimate { prior, value } = arrow.estimate();
            let key = Reverse((first == Some(mv), rank(proven, visits, prior)));
            let line = std::iter::once(mv).chain(line(tree, child)).take(MAX_LINE).collect();
            let winrate = tree.value(arrow).unwrap_or(value);
            let prior = queen.estimate().prior * prior;
            moves.extend(move_report(line, visits, winrate, prior, proven).map(|mv| (key, mv)));
        }
    }
    moves.sort_by_key(|(key, _)| *key);
    Report {
        moves: moves.into_iter().map(|(_, found)| found).collect(),
        visits: u64::from(root.visits()),
        winrate: root.value(),
        proven: root.proven(),
        nodes: tree.node_count(),
        solver_nodes,
        ..Report::default()
    }
}
