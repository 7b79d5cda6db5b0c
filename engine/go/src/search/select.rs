//! Which child a playout goes down to: a move's own value and its all-moves-as-first value, mixed
//! by how much each is to be trusted (Gelly and Silver 2007; the mixture is Silver's).

use super::node::{Node, Value};
use crate::params::Params;
use game_core::Proven;

/// Visits after which a move may turn out to be worse than one that is proven lost.
pub(super) const MIN_VISITS_TO_GIVE_UP: f32 = 20.0;

/// What of the tunables selection needs.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    rave_equivalence: f32,
    exploration: f32,
    score_weight: f32,
}

impl Selection {
    /// With these tunables.
    pub fn new(params: &Params) -> Selection {
        let &Params { rave_equivalence, exploration, score_weight, .. } = params;
        Selection { rave_equivalence, exploration, score_weight }
    }

    /// The child to try, by its place: the one of the maximum mixed value. One that is proven lost is tried where what
    /// was found of that one is even worse: then the game is lost, and it is by fewer points. None when all are proven
    /// lost.
    pub fn choose(&self, children: &[Node], parent_visits: f32) -> Option<usize> {
        let log = if self.exploration > 0.0 { (parent_visits + 1.0).ln() } else { 0.0 };
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        let mut lost = None;
        let mut lost_value = f32::NEG_INFINITY;
        for (k, child) in children.iter().enumerate() {
            match child.proven() {
                Proven::Unknown => {}
                Proven::Win => return Some(k),
                Proven::Loss => {
                    let value = lost_value_of(child, self.score_weight);
                    if value > lost_value && !child.is_forbidden() {
                        (lost, lost_value) = (Some(k), value);
                    }
                    continue;
                }
            }
            let mut value = self.value(child);
            if self.exploration > 0.0 {
                value += self.exploration * (log / (child.stats.get().visits + 1.0)).sqrt();
            }
            if value > best_value {
                best_value = value;
                best = Some(k);
            }
        }
        let found = children[best?].stats.get();
        let is_worse = found.visits >= MIN_VISITS_TO_GIVE_UP && found.mean_or(0.5) < lost_value;
        if is_worse { lost } else { best }
    }

    /// The mixed value of a move.
    #[inline(always)]
    pub fn value(&self, child: &Node) -> f32 {
        let prior = child.prior();
        let own = plus(child.stats.get(), prior);
        if self.rave_equivalence <= 0.0 {
            return own.mean_or(0.5);
        }
        let rave = plus(child.rave.get(), prior);
        let (n, r) = (own.visits.max(1e-3), rave.visits.max(1e-3));
        let beta = r / (r + n + n * r / self.rave_equivalence);
        beta * (rave.sum / r) + (1.0 - beta) * (own.sum / n)
    }
}

/// What a move that is proven lost is worth: its mean, but no more than half the share of the margin, since what it won
/// before it was proven does not count.
pub(super) fn lost_value_of(child: &Node, score_weight: f32) -> f32 {
    child.stats.get().mean_or(0.0).min(score_weight / 2.0)
}

#[inline(always)]
fn plus(a: Value, b: Value) -> Value {
    Value { visits: a.visits + b.visits, sum: a.sum + b.sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;

    fn node(own: (u32, f32), rave: (u32, f32)) -> Node {
        let node = Node::default();
        node.set(Site(1), 2.0, 0.5);
        for _ in 0..own.0 {
            node.stats.add_loosely(own.1);
        }
        for _ in 0..rave.0 {
            node.rave.add_loosely(rave.1);
        }
        node
    }

    #[test]
    fn rave_leads_early_and_the_own_value_late() {
        let selection = Selection::new(&Params::default());
        let early = [node((2, 1.0), (100, 0.2)), node((2, 0.0), (100, 0.8))];
        assert_eq!(selection.choose(&early, 4.0), Some(1));
        let late = [node((9000, 0.6), (9000, 0.2)), node((9000, 0.4), (9000, 0.8))];
        assert_eq!(selection.choose(&late, 18000.0), Some(0));
    }

    #[test]
    fn a_proven_win_is_taken_and_a_proven_loss_never() {
        let selection = Selection::new(&Params::default());
        let children = [node((50, 0.9), (50, 0.9)), node((50, 0.1), (50, 0.1))];
        children[0].set_proven(Proven::Loss);
        assert_eq!(selection.choose(&children, 100.0), Some(1));
        children[1].set_proven(Proven::Win);
        assert_eq!(selection.choose(&children, 100.0), Some(1));
        children[1].forbid();
        assert_eq!(selection.choose(&children, 100.0), None);
    }

    #[test]
    fn what_is_lost_by_less_is_tried_where_all_else_loses() {
        let selection = Selection::new(&Params::default());
        let children = [node((50, 0.02), (50, 0.02)), node((900, 0.01), (900, 0.01))];
        children[0].set_proven(Proven::Loss);
        assert_eq!(selection.choose(&children, 950.0), Some(0));
        let children = [node((50, 0.02), (50, 0.02)), node((5, 0.01), (5, 0.01))];
        children[0].set_proven(Proven::Loss);
        assert_eq!(selection.choose(&children, 55.0), Some(1), "which is not known well enough");
    }
}
