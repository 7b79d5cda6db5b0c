//! What the threads of a search share: the tree, the position's circumstances, and whether more of them is of use.

use super::Limits;
use super::tree::Tree;
use super::value::Scoring;
use crate::Color;
use crate::board::Site;
use crate::params::Params;
use ahash::AHashSet;
use game_core::Proven;
use std::sync::Mutex;
use std::time::Instant;
use tree_search::Driver;
use tree_search::stop::cannot_be_caught;

/// What is counted over all playouts of a position.
#[derive(Default, Clone)]
pub(super) struct Totals {
    /// Sum of each site's ownership.
    pub ownership: Vec<f64>,
    /// Sum of Black's margins.
    pub score_sum: f64,
    /// Playouts counted here (not those that a proof cut short).
    pub playouts: u64,
    /// Longest way down the tree.
    pub max_depth: usize,
}

pub(super) struct Shared<'a> {
    pub tree: &'a Tree,
    pub params: &'a Params,
    pub limits: &'a Limits,
    pub driver: &'a Driver<'a>,
    pub started: Instant,
    pub to_move: Color,
    /// The last move before the root and the one before, passes and nothing both as pass.
    pub last: [Site; 2],
    pub last_was_pass: bool,
    /// Positions that must not come back.
    pub history: AHashSet<u64>,
    /// What ends of the game are worth.
    pub scoring: Scoring,
    /// Root moves that are not wanted.
    pub avoid: Vec<Site>,
    pub seed: u64,
    pub totals: Mutex<Totals>,
}

impl Shared<'_> {
    /// Whether a root move is among those asked for.
    pub fn is_allowed(&self, s: Site) -> bool {
        !self.avoid.contains(&s)
    }

    /// Whether the search is beyond its soft limit, and more time would hardly change the move.
    pub fn is_enough(&self) -> bool {
        self.driver.limits().soft.is_some_and(|soft| Instant::now() >= soft) && !self.is_unsettled()
    }

    /// Whether more time might change the move: the most visited is not the best, or is hardly ahead.
    fn is_unsettled(&self) -> bool {
        let children = self.tree.children(self.tree.root());
        let Some(most_visited) = children.iter().max_by_key(|child| child.stats.visits()) else {
            return false;
        };
        let value = most_visited.stats.get().mean_or(0.5);
        let visits = most_visited.stats.visits();
        children.iter().any(|child| {
            !std::ptr::eq(child, most_visited)
                && (child.stats.visits() > visits / 5 * 4
                    || (child.stats.visits() > visits / 4
                        && child.stats.get().mean_or(0.5) > value))
        })
    }

    /// Whether the rest of the search cannot make another move the most visited, or a proof has
    /// settled the matter.
    pub fn cannot_change(&self) -> bool {
        let children = self.tree.children(self.tree.root());
        if children.iter().any(|child| child.proven() == Proven::Win) || children.len() == 1 {
            return true;
        }
        if !children.is_empty() && children.iter().all(|child| child.proven().is_known()) {
            return true;
        }
        let (done, limits) = (self.driver.visits(), self.driver.limits());
        let by_time = limits.deadline.map(|deadline| {
            let elapsed = self.started.elapsed().as_secs_f64();
            let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
            (done as f64 / elapsed.max(1e-6) * left) as u64
        });
        let left = limits.visits.map_or(u64::MAX, |max| max - done);
        let left = left.min(by_time.unwrap_or(u64::MAX));
        cannot_be_caught(children.iter().map(|child| child.stats.visits()), left)
    }
}
