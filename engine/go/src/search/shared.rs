//! What the threads of a search share: the tree, the position's circumstances, and whether more of them is of use.

use super::Limits;
use super::repetition::Repetition;
use super::tree::Tree;
use super::value::Scoring;
use crate::Color;
use crate::board::Site;
use crate::params::Params;
use game_core::Proven;
use std::sync::Mutex;
use std::time::Instant;
use tree_search::Driver;
use tree_search::stop::cannot_be_caught;

/// Whose the sites became in playouts.
#[derive(Default, Clone)]
pub(super) struct Owned {
    /// Sum of each site's ownership.
    pub sums: Vec<f64>,
    /// In how many playouts each site ended as nobody's.
    pub unowned: Vec<f64>,
    /// Playouts that were counted.
    pub playouts: u64,
}

/// What is counted over the playouts of a position, beside what the tree keeps.
#[derive(Default, Clone)]
pub(super) struct Totals {
    /// Whose the sites became, by the root's move that the playouts went through: none, or one more than its place.
    pub owned: Vec<Owned>,
    /// Longest way down the tree.
    pub max_depth: usize,
}

impl Totals {
    /// The ownership over all playouts.
    pub fn all(&self) -> Owned {
        let mut all = Owned::default();
        for owned in &self.owned {
            all.add(&owned.sums, &owned.unowned, owned.playouts);
        }
        all
    }
}

impl Owned {
    /// Adds so many playouts with these sums.
    pub fn add<T: Copy + Into<f64>>(&mut self, sums: &[T], unowned: &[T], playouts: u64) {
        for (all, more) in [(&mut self.sums, sums), (&mut self.unowned, unowned)] {
            all.resize(all.len().max(more.len()), 0.0);
            for (sum, &more) in all.iter_mut().zip(more) {
                *sum += more.into();
            }
        }
        self.playouts += playouts;
    }

    /// Whose a site is, from -1, White's, to 1, Black's; 0 before the first playout.
    pub fn of(&self, s: Site) -> f32 {
        self.mean(&self.sums, s)
    }

    /// In what share of the playouts a site ended as nobody's.
    pub fn unowned(&self, s: Site) -> f32 {
        self.mean(&self.unowned, s)
    }

    fn mean(&self, sums: &[f64], s: Site) -> f32 {
        let sum = sums.get(usize::from(s.0)).copied().unwrap_or(0.0);
        (sum / self.playouts.max(1) as f64) as f32
    }
}

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
        if self.tree.root().is_complete() && children.iter().all(|c| c.proven().is_known()) {
            return true;
        }
        let Some(left) = self.driver.visits_left() else { return false };
        cannot_be_caught(children.iter().map(|child| child.stats.visits()), left)
    }
}
