//! Which move to make with what a search has found: the order in which a report names the moves.

use super::node::{Node, Value};
use super::select::{MIN_VISITS_TO_GIVE_UP, lost_value_of};
use super::value::Scoring;
use crate::params::Params;
use game_core::Proven;
use std::cmp::Reverse;

/// The places of the moves that are allowed, the one to make first: a sure win, then the others by visits, sure losses
/// last. Two things go before visits:
///
/// * A move that has been tried less, but often enough, when its chance of winning is better even less the error that it
///   may have (`choice_error` standard errors). After more playouts (`choice_playouts`) visits tell more.
/// * A sure loss by fewer points, when what is left is worse than it.
pub(super) fn order(children: &[Node], scoring: &Scoring, params: &Params) -> Vec<usize> {
    let visits = |k: usize| children[k].stats.visits();
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.retain(|&k| !children[k].is_forbidden());
    order.sort_by_key(|&k| (class(children[k].proven()), Reverse(visits(k))));
    let Some(&first) = order.first().filter(|&&k| children[k].proven() == Proven::Unknown) else {
        return order;
    };
    let min_visits = (visits(first) as f32 * params.choice_min_visits).max(1.0);
    let bound = |k: usize| lower_bound(children[k].stats.get(), scoring, params.choice_error);
    let open = order
        .iter()
        .copied()
        .filter(|&k| children[k].proven() == Proven::Unknown && visits(k) as f32 >= min_visits);
    // Of equal ones the most visited, which comes first.
    let best = open.fold(first, |best, k| if bound(k) > bound(best) { k } else { best });
    let tried: u64 = order.iter().map(|&k| u64::from(visits(k))).sum();
    let chosen = match params.choice_error > 0.0 && tried < u64::from(params.choice_playouts) {
        true => best,
        false => first,
    };
    let found = children[chosen].stats.get();
    let lost_value = |k: usize| lost_value_of(&children[k], params.score_weight);
    let lost = order.iter().copied().filter(|&k| children[k].proven() == Proven::Loss);
    let lost = lost.max_by(|&a, &b| lost_value(a).total_cmp(&lost_value(b)));
    let is_worse =
        |&k: &usize| found.visits >= MIN_VISITS_TO_GIVE_UP && found.mean_or(0.5) < lost_value(k);
    let chosen = lost.filter(is_worse).unwrap_or(chosen);
    if let Some(at) = order.iter().position(|&k| k == chosen) {
        order[..=at].rotate_right(1);
    }
    order
}

fn class(proven: Proven) -> u8 {
    match proven {
        Proven::Win => 0,
        Proven::Unknown => 1,
        Proven::Loss => 2,
    }
}

/// The chance of winning less so many standard errors. A move that was tried a few times has won or lost most of them,
/// which says little of the error: so it is told as if there had been a win and a loss more.
fn lower_bound(value: Value, scoring: &Scoring, errors: f32) -> f32 {
    let chance = scoring.winrate(value.mean_or(0.0));
    let n = value.visits + 2.0;
    let mean = (chance * value.visits + 1.0) / n;
    mean - errors * (mean * (1.0 - mean) / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Site};

    fn node(visits: u32, value: f32, proven: Proven) -> Node {
        let node = Node::default();
        node.set(Site(1), 20.0, 0.5);
        (0..visits).for_each(|_| node.stats.add_loosely(value));
        node.set_proven(proven);
        node
    }

    fn order_of(children: &[Node], error: f32) -> Vec<usize> {
        let scoring = Scoring::of(&Game::new(9, 9).unwrap(), 0.0);
        let params = Params { choice_error: error, choice_min_visits: 0.1, ..Params::default() };
        order(children, &scoring, &params)
    }

    #[test]
    fn wins_first_then_visits_and_losses_last() {
        use Proven::{Loss, Unknown, Win};
        let children = [
            node(90, 0.5, Loss),
            node(30, 0.5, Unknown),
            node(60, 0.5, Unknown),
            node(2, 0.5, Win),
        ];
        assert_eq!(order_of(&children, 0.0), [3, 2, 1, 0]);
        assert_eq!(order_of(&children[..3], 0.0), [2, 1, 0]);
        children[1].forbid();
        assert_eq!(order_of(&children[..3], 0.0), [2, 0]);
    }

    #[test]
    fn a_move_that_is_surely_better_is_made_though_it_was_tried_less() {
        let children = [node(158, 0.46, Proven::Unknown), node(47, 0.64, Proven::Unknown)];
        assert_eq!(order_of(&children, 1.0), [1, 0]);
        assert_eq!(order_of(&children, 0.0), [0, 1]);
        let children = [node(158, 0.46, Proven::Unknown), node(5, 0.8, Proven::Unknown)];
        assert_eq!(order_of(&children, 1.0), [0, 1], "too few");
        let children = [node(158, 0.46, Proven::Unknown), node(20, 0.5, Proven::Unknown)];
        assert_eq!(order_of(&children, 1.0), [0, 1], "not surely");
        let children = [node(1580, 0.46, Proven::Unknown), node(470, 0.64, Proven::Unknown)];
        assert_eq!(order_of(&children, 1.0), [0, 1], "after many playouts");
    }

    #[test]
    fn where_all_is_lost_it_is_lost_by_little() {
        let children = [node(100, 0.001, Proven::Unknown), node(300, 0.9, Proven::Loss)];
        assert_eq!(order_of(&children, 1.0), [1, 0]);
        let children = [node(100, 0.1, Proven::Unknown), node(300, 0.02, Proven::Loss)];
        assert_eq!(order_of(&children, 1.0), [0, 1]);
    }
}
