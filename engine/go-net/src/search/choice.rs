//! Which move to make with what a search has found.

use super::params::NetworkParams;
use super::worker::{GoNode, GoTree, Play};
use go_engine::Color;
use std::cmp::Reverse;
use tree_search::puct::Edge;

/// A move at the root, for who makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'t> {
    /// Its place among the root's moves.
    pub place: usize,
    pub edge: &'t Edge<Play>,
    pub node: Option<&'t GoNode>,
    pub visits: u32,
    /// The mean utility, 0 to 1.
    pub utility: f32,
    /// By how much it is lessened for its error.
    pub radius: f32,
}

impl Candidate<'_> {
    fn lower_bound(&self) -> f32 {
        self.utility - self.radius
    }
}

/// The moves at the root, the one to make first: the most visited, unless another one that was visited often enough is better
/// even less the error that it may have (KataGo's "LCB"). Then by visits and policy.
pub(super) fn candidates<'t>(
    tree: &'t GoTree,
    params: &NetworkParams,
    color: Color,
) -> Vec<Candidate<'t>> {
    let edges = tree.edges(tree.root()).iter().enumerate();
    let mut all: Vec<Candidate<'_>> = edges
        .map(|(place, edge)| {
            let node = tree.child(edge);
            let visits = node.map_or(0, |node| node.visits());
            let utility = node.and_then(|node| node.mean()).map_or(0.0, |mean| 1.0 - mean);
            let black = if color == Color::Black { utility } else { 1.0 - utility };
            let square = node.map_or(0.0, |node| node.extra.utility_square(visits));
            let variance = (square - black * black).max(0.0);
            let radius = radius(visits, variance, params.network_choice_stdevs);
            Candidate { place, edge, node, visits, utility, radius }
        })
        .collect();
    all.sort_by(|a, b| {
        let prior = b.edge.estimate().total_cmp(&a.edge.estimate());
        Reverse(a.visits).cmp(&Reverse(b.visits)).then(prior)
    });
    if params.network_choice_stdevs > 0.0
        && let Some(&first) = all.first().filter(|first| first.visits > 0)
    {
        let min_visits = (first.visits as f32 * params.network_choice_min_visits).max(1.0);
        let open = all.iter().enumerate().filter(|(_, one)| one.visits as f32 >= min_visits);
        // Of equal ones the most visited, which comes first.
        let (best, _) = open.fold((0, first), |best, (at, &one)| {
            if one.lower_bound() > best.1.lower_bound() { (at, one) } else { best }
        });
        all[..=best].rotate_right(1);
    }
    all
}

/// So many standard errors of a mean of utilities. As if there were, beside what was found, a sample at the end of the range,
/// which counts the less the more visits there are (as in KataGo).
fn radius(visits: u32, variance: f32, errors: f32) -> f32 {
    const RANGE: f32 = 0.5;
    if visits == 0 {
        return RANGE;
    }
    let n = visits as f32;
    let prior = 1.0 / (n * n);
    let variance = (variance * n + (variance + RANGE * RANGE) * prior) / (n + prior);
    let effective = (n + prior) * (n + prior) / (n + prior * prior);
    errors * (variance / effective).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_shrink_with_visits_and_are_large_at_first() {
        let radii: Vec<f32> = [1, 2, 10, 100].map(|n| radius(n, 0.01, 5.0)).to_vec();
        assert!(radii.is_sorted_by(|a, b| a > b), "{radii:?}");
        assert!(radii[0] > 0.5 && radii[3] < 0.06, "{radii:?}");
        assert_eq!(radius(0, 0.0, 5.0), 0.5);
    }
}
