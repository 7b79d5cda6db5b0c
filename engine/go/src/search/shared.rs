//! What the threads of a search share: the tree, the position's circumstances, and when to stop.

use super::Limits;
use super::node::MoveStatus;
use super::tree::Tree;
use super::value::Scoring;
use crate::Color;
use crate::board::Site;
use crate::params::Params;
use ahash::AHashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use tree_search::Bounded;

pub(super) struct Shared<'a> {
    pub tree: &'a Tree,
    pub params: &'a Params,
    pub limits: &'a Limits<'a>,
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
    pub started: Instant,
    /// Playouts of earlier rounds of this search.
    pub before: u64,
    /// Playouts begun, those of earlier rounds too.
    pub playouts: AtomicU64,
    pub stop: AtomicBool,
    /// The tree is full, and there is no time to make room: the search goes on in what there is.
    pub stays_full: bool,
}

impl Shared<'_> {
    /// What a margin at the end of the game proves of the move of `color` that ended it.
    pub fn proof_of(&self, margin: f32, color: Color) -> MoveStatus {
        let score = margin - self.scoring.komi;
        let won = match color {
            Color::Black => score > 0.0,
            Color::White => score < 0.0,
        };
        // A draw is neither; it is left open and its value counts.
        if score == 0.0 {
            MoveStatus::Unknown
        } else if won {
            MoveStatus::Win
        } else {
            MoveStatus::Loss
        }
    }

    /// Whether a root move is among those asked for.
    pub fn is_allowed(&self, s: Site) -> bool {
        !self.avoid.contains(&s)
    }

    /// Playouts of this round.
    pub fn played(&self) -> u64 {
        self.playouts.load(Relaxed) - self.before
    }

    /// Whether the tree has no room left, and should get some.
    pub fn is_full(&self) -> bool {
        self.tree.is_full() && !self.stays_full
    }

    /// Whether all threads should end, for whatever reason.
    pub fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.is_full()
    }
}
