//! What positions are worth by what follows them: minimax over the book, in which a position's own search counts for the
//! visits that it made.
//!
//! A minimax over single searches would believe the one that errs most in its favour. So a position's value lies between
//! that of its own search and that of its best move, by the visits behind each: near the leaves the search speaks, near the
//! start the thousands of searches that followed.

use game_core::{Proven, lower_bound};

use super::book::Node;
use super::evaluation::{Evaluation, MoveEvaluation};

/// What a position or a move is worth to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Chance of winning, 0 to 1.
    pub winrate: f64,
    /// Points of lead.
    pub lead: f64,
    /// Visits that stand behind this, in all positions below.
    pub visits: f64,
}

impl Value {
    /// The same seen by the other player.
    pub fn of_opponent(self) -> Value {
        Value { winrate: 1.0 - self.winrate, lead: -self.lead, ..self }
    }

    /// That of a move after which the book knows nothing: what the search surely found, which is less by a standard error.
    pub(super) fn of_move(found: &MoveEvaluation) -> Value {
        Value {
            winrate: f64::from(lower_bound(found.winrate, found.visits, Proven::Unknown)),
            lead: f64::from(found.lead),
            visits: f64::from(found.visits),
        }
    }

    fn of_search(found: &Evaluation) -> Value {
        Value {
            winrate: f64::from(found.winrate),
            lead: f64::from(found.lead),
            visits: f64::from(found.visits),
        }
    }

    /// Between this and another, each by its visits.
    fn mixed_with(self, other: Value) -> Value {
        let visits = self.visits + other.visits;
        let share = other.visits / visits.max(1.0);
        Value {
            winrate: self.winrate + share * (other.winrate - self.winrate),
            lead: self.lead + share * (other.lead - self.lead),
            visits,
        }
    }
}

/// The values of positions, each to its player to move.
pub(super) fn of(nodes: &[Node]) -> Vec<Value> {
    let mut values: Vec<Value> = nodes.iter().map(|node| Value::of_search(&node.found)).collect();
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    // What follows is worked out before.
    order.sort_by_key(|&number| std::cmp::Reverse(nodes[number].ply));
    for number in order {
        let node = &nodes[number];
        let children = node.children.iter().flatten().map(|&child| values[child as usize]);
        let below: f64 = children.map(|value| value.visits).sum();
        let moves = node.children.iter().zip(&node.found.moves).map(|(child, found)| match child {
            Some(child) => values[*child as usize].of_opponent(),
            None => Value::of_move(found),
        });
        let best = moves.max_by(|a, b| a.winrate.total_cmp(&b.winrate));
        if let Some(best) = best.filter(|_| below > 0.0) {
            values[number] = values[number].mixed_with(Value { visits: below, ..best });
        }
    }
    values
}
