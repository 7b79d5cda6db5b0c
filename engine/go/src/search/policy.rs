//! What a search asks of those who know the game: what to expect of a move before it was tried
//! ([`Priors`]), and what a leaf is worth ([`Evaluator`]), by a playout
//! ([`Rollout`](crate::playout::Rollout)), a network, or a
//! mixture. Dispatch is static: a search's threads are compiled for what they ask.

use super::value::{Leaf, LeafValue};
use crate::Color;
use crate::board::{Board, Site};

/// A move that a new node may make, with its virtual visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The move.
    pub site: Site,
    /// Virtual visits so far.
    pub visits: f32,
    /// The sum of their values.
    pub wins: f32,
    /// Whether the move is so bad that it is not tried; at the root it is all the same.
    pub pruned: bool,
}

impl Prior {
    /// A move with virtual visits at an even value.
    #[inline]
    pub fn even(site: Site, visits: f32) -> Prior {
        Prior { site, visits, wins: 0.5 * visits, pruned: false }
    }

    /// Adds virtual visits that won.
    #[inline]
    pub fn add_wins(&mut self, visits: f32) {
        self.visits += visits;
        self.wins += visits;
    }

    /// Adds virtual visits that lost.
    #[inline]
    pub fn add_losses(&mut self, visits: f32) {
        self.visits += visits;
    }
}

/// What to expect of the moves of a new node.
pub trait Priors: Send + Sync {
    /// Working space of a thread, which its worker owns and lends out again and again.
    type Scratch: Default + Send;

    /// Adds virtual visits to the moves of a new node: `moves` come with an even prior, legal and
    /// filling no eye, up by site. `last` are the last move and the one before, [`Site::PASS`] for
    /// none.
    fn priors<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        scratch: &mut Self::Scratch,
        moves: &mut [Prior],
    );

    /// How likely each legal move is thought to be an expert's, summing to 1; empty for those who
    /// do not say.
    fn policy<const N: usize, const W: usize>(
        &self,
        _board: &Board<N, W>,
        _color: Color,
        _last: [Site; 2],
    ) -> Vec<(Site, f32)> {
        Vec::new()
    }
}

/// What a leaf of the tree is worth.
pub trait Evaluator: Send + Sync {
    /// Working space of a thread, which its worker owns and lends out again and again.
    type Scratch: Default + Send;

    /// Values a leaf. `value` holds what an earlier leaf was worth, for its memory to be used again;
    /// all of it is to be written.
    fn evaluate<const N: usize, const W: usize>(
        &self,
        leaf: Leaf<'_, N, W>,
        scratch: &mut Self::Scratch,
        value: &mut LeafValue,
    );
}
