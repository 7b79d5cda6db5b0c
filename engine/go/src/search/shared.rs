//! What the threads of a search share: the tree, the position's circumstances, and whether more of them is of use.

use super::Limits;
use super::avoid::AvoidedSites;
use super::repetition::Repetition;
use super::totals::Totals;
use super::tree::Tree;
use super::value::Scoring;
use crate::Color;
use crate::board::Site;
use crate::params::Params;
use game_core::Proven;
use std::sync::Mutex;
use std::time::Instant;
use tree_search::stop::cannot_be_caught;
use tree_search::{Driver, Sharing};

pub(super) struct Shared<'a> {
    pub tree: &'a Tree,
    pub params: &'a Params,
    pub limits: &'a Limits,
    pub driver: &'a Driver<'a>,
    pub to_move: Color,
    /// The last move before the root and the one before, passes and nothing both as pass.
    pub last: [Site; 2],
    pub last_was_pass: bool,
    /// Positions that must not come back.
    pub repetition: Repetition,
    /// The position is one that can be turned or mirrored.
    pub is_symmetric: bool,
    /// What ends of the game are worth.
    pub scoring: Scoring,
    /// Moves that are not wanted.
    pub avoided: AvoidedSites,
    pub seed: u64,
    pub totals: Mutex<Totals>,
}

impl Shared<'_> {
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
        // In this order: other threads may add children.
        let is_complete = self.tree.root().is_complete();
        let children = self.tree.children(self.tree.root());
        if children.iter().any(|child| child.proven() == Proven::Win) || children.len() == 1 {
            return true;
        }
        if is_complete && children.iter().all(|c| c.proven().is_known()) {
            return true;
        }
        let Some(left) = self.driver.visits_left() else { return false };
        let left = Sharing(self.limits.partners.as_ref()).visits_left(left);
        cannot_be_caught(children.iter().map(|child| child.stats.visits()), left)
    }
}
