//! What a search tells of itself: its turns, what it expects, and whether it may end.

use super::tree::{EdgeId, ROOT, Tree};
use crate::point::Turn;
use game_core::Proven;
use std::time::Instant;

/// One turn at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct RootChoice {
    /// The turn.
    pub turn: Turn,
    /// Visits.
    pub visits: u32,
    /// Chance from 0 to 1 that the side to move wins with it.
    pub chance: f32,
    /// Prior chance.
    pub prior: f32,
    /// What is known of it, for the side to move.
    pub fate: Proven,
    /// The turns expected, this one first.
    pub line: Vec<Turn>,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The turns of the root, best first.
    pub choices: Vec<RootChoice>,
    /// Visits of the root.
    pub visits: u64,
    /// Chance from 0 to 1 that the side to move wins.
    pub chance: f32,
    /// What is known of the end, for the side to move.
    pub fate: Proven,
    /// Threat-search nodes so far.
    pub threat_nodes: u64,
    /// Turns in the tree, tried or not.
    pub tree_turns: usize,
}

impl Progress {
    /// That of a search that has found nothing.
    pub(super) fn empty() -> Progress {
        Progress {
            choices: Vec::new(),
            visits: 0,
            chance: 0.5,
            fate: Proven::Unknown,
            threat_nodes: 0,
            tree_turns: 0,
        }
    }
}

impl Tree {
    /// Where a search of this tree stands that has spent so many nodes on threats.
    pub(super) fn progress(&self, threat_nodes: u64) -> Progress {
        let root = self.get(ROOT);
        let mut choices: Vec<RootChoice> = self
            .turns(ROOT)
            .filter_map(|e| {
                let (edge, fate) = (self.edge(e), self.fate(e));
                let child = edge.child().map(|c| self.get(c));
                let visits = child.map_or(0, |c| c.visits);
                let chance = match fate {
                    Proven::Win => 0.0,
                    Proven::Loss => 1.0,
                    Proven::Unknown if visits == 0 => root.mean(),
                    Proven::Unknown => child.map_or(0.5, |c| 1.0 - c.mean()),
                };
                let (fate, line) = (fate.other(), self.line(e));
                Some(RootChoice {
                    turn: edge.turn()?,
                    visits,
                    chance,
                    prior: edge.prior,
                    fate,
                    line,
                })
            })
            .collect();
        let rank = |c: &RootChoice| {
            let class = match c.fate {
                Proven::Win => 0,
                Proven::Unknown => 1,
                Proven::Loss => 2,
            };
            (class, u32::MAX - c.visits, ((1.0 - c.prior) * 1e6) as u32, c.turn.pack())
        };
        choices.sort_by_key(rank);
        Progress {
            choices,
            visits: u64::from(root.visits),
            chance: root.mean(),
            fate: root.fate,
            threat_nodes,
            tree_turns: self.len(),
        }
    }

    /// The turns expected from one on.
    fn line(&self, first: EdgeId) -> Vec<Turn> {
        let mut line: Vec<Turn> = self.edge(first).turn().into_iter().collect();
        let mut child = self.edge(first).child();
        while let Some(next) = child.and_then(|id| self.best(id)) {
            let edge = self.edge(next);
            child = edge.child();
            let visited = child.is_some_and(|c| self.get(c).visits > 0);
            if line.len() >= 30 || !visited && self.fate(next) == Proven::Unknown {
                break;
            }
            line.extend(edge.turn());
        }
        line
    }

    /// Whether the search may end before its deadline: decided, beyond the soft limit with a clear best, or
    /// the best turn cannot be caught in the time that is left.
    pub(super) fn is_settled(&self, soft: Instant, hard: Option<Instant>) -> bool {
        if self.get(ROOT).fate != Proven::Unknown {
            return true;
        }
        let open = self.turns(ROOT).filter(|&e| self.fate(e) != Proven::Win);
        if open.clone().count() == 1 {
            return true;
        }
        let now = Instant::now();
        if now < soft {
            return false;
        }
        let tried = open.filter_map(|e| self.edge(e).child().map(|c| self.get(c)));
        game_core::stands_out(tried.map(|child| (child.visits, 1.0 - child.mean())))
            || hard.is_none_or(|hard| now >= hard)
    }
}
