//! The upper part of a tree as sums that can be added over several searches of one position.
//!
//! Searches of the same position in several processes each grow a tree of their own, and a few times a second tell each other
//! what they found at the root and at the nodes below it that were visited most: "slow tree parallelisation" (Bourki and
//! others, "Scalability and Parallelization of Monte-Carlo Tree Search", 2010; Gelly and others, "The Parallelization of
//! Monte-Carlo Planning", 2008).
//!
//! What is told are not differences since the last time but all that a search has found itself since it began: its tree less
//! what was there before and less what came from others. So a message that is lost or comes twice does no harm, and nothing
//! comes back to who sent it. A [`Ledger`] keeps those books.
//!
//! Where it is dear to give a node its moves, because a network has to be asked, they are told as well ([`Expansion`]), once: a
//! search that hears of them searches on below, and does not ask again what another has been told.
//!
//! * [`UpperTree`]: a tree of which that can be read, and to which it can be added.
//! * [`Ledger`]: what in a tree was found by whom.
//! * [`UpperSums`]: what several searches have found, added up.
//! * [`write_nodes`], [`write_expansions`], [`Reader`]: the same in bytes.

mod bytes;
mod ledger;
mod sums;

pub use bytes::{Reader, write_expansions, write_nodes, write_number};
pub use ledger::{Ledger, UpperLimits, expand_all};
pub use sums::UpperSums;

use std::sync::Arc;

/// The longest way from the root to a node whose statistics are told.
pub const MAX_UPPER_DEPTH: usize = 12;
/// How many sums there are beside the visits.
pub const UPPER_SUMS: usize = 6;

/// The moves that lead from the root to a node. Paths are ordered so that a node comes before what is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UpperPath([u32; MAX_UPPER_DEPTH]);

impl UpperPath {
    /// That of the root.
    pub const ROOT: UpperPath = UpperPath([0; MAX_UPPER_DEPTH]);

    /// How many moves it has.
    pub fn depth(&self) -> usize {
        self.0.iter().take_while(|&&mv| mv != 0).count()
    }

    /// Its last move; none at the root.
    pub fn last(&self) -> Option<u32> {
        self.depth().checked_sub(1).map(|at| self.0[at] - 1)
    }

    /// Its moves.
    pub fn moves(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().take_while(|&&mv| mv != 0).map(|mv| mv - 1)
    }

    /// How many moves it begins with that the other begins with as well.
    pub fn shared(&self, other: &UpperPath) -> usize {
        self.0.iter().zip(&other.0).take_while(|&(mv, its)| mv == its && *mv != 0).count()
    }

    /// The path with a move more; none when that is too long, or the move is no number of 30 bits.
    pub fn then(&self, mv: u32) -> Option<UpperPath> {
        let mut next = *self;
        *next.0.get_mut(self.depth()).filter(|_| mv < 1 << 30)? = mv + 1;
        Some(next)
    }

    /// Its first moves, so many.
    pub fn up_to(&self, depth: usize) -> UpperPath {
        let mut first = *self;
        first.0.iter_mut().skip(depth).for_each(|mv| *mv = 0);
        first
    }
}

/// What was found at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Finished visits.
    pub visits: u32,
    /// Sums over them: what each one is, the tree knows. The first is that of the values, 0 to 1 each.
    pub sums: [f64; UPPER_SUMS],
}

/// Differences that come of rounding.
const ROUNDING: f64 = 1e-6;

impl Sums {
    /// What of this is not in the other. None when the other has more visits: they are not of the same node's.
    fn beyond(&self, other: &Sums) -> Option<Sums> {
        let visits = self.visits.checked_sub(other.visits)?;
        let mut sums = self.sums;
        sums.iter_mut().zip(&other.sums).for_each(|(sum, less)| *sum -= less);
        Some(Sums { visits, sums })
    }

    /// Adds another.
    pub fn add(&mut self, other: &Sums) {
        self.visits = self.visits.saturating_add(other.visits);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// This without another that is a part of it.
    pub fn less(&self, other: &Sums) -> Sums {
        let part = Sums { visits: self.visits.min(other.visits), ..*other };
        self.beyond(&part).unwrap_or_default()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.visits == 0 && self.sums.iter().all(|sum| sum.abs() < ROUNDING)
    }
}

/// What was found at one node of the upper tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpperNode {
    /// Where it is.
    pub path: UpperPath,
    /// What was found there.
    pub found: Sums,
}

/// What a node was expanded with.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// Where it is.
    pub path: UpperPath,
    /// What its position is worth by itself, as the tree counts.
    pub value: f32,
    /// Its moves, each with what was estimated of it: which bits say that, the tree knows.
    pub moves: Arc<[(u32, u32)]>,
}

/// A tree whose upper part can be read, and added to, while threads search it.
pub trait UpperTree {
    /// The root's index.
    fn root(&self) -> u32;

    /// Calls for each node that there is below one, with the move that leads to it and its index.
    fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32));

    /// The node behind a move, made now if need be. None when the node has no such move, or has no moves yet.
    fn child(&self, node: u32, mv: u32) -> Option<u32>;

    /// What was found at a node.
    fn found(&self, node: u32) -> Sums;

    /// Adds to what was found at a node, as much as it can be added without doing harm. What was added.
    fn add(&self, node: u32, more: &Sums) -> Sums;

    /// The value and the moves that a node was expanded with. None when it has none yet, or when any search finds them quickly.
    fn expansion(&self, _node: u32) -> Option<(f32, Vec<(u32, u32)>)> {
        None
    }

    /// Expands a node that was not, with what another search found.
    fn expand(&self, _node: u32, _with: &Expansion) {}
}
