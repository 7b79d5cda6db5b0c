//! What a search is set up with, and what limits one.

use super::avoid::Avoided;
use crate::params::Params;
use game_core::SearchLimits;
use tree_search::Partners;
use tunables::Table as _;

/// What a search is set up with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes that the tree may take.
    pub max_memory: usize,
    /// Repeats a search, with one thread.
    pub seed: u64,
    /// The tunables.
    pub params: Params,
}

impl Options {
    /// The defaults for a board whose longer side has so many points.
    pub fn for_side(side: u8) -> Options {
        Options { params: Params::for_side(side), ..Options::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, max_memory: 1 << 30, seed: 1, params: Params::default() }
    }
}

/// When a search ends, and which of the moves it may look at.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When it ends by itself.
    pub search: SearchLimits,
    /// Whether to end as soon as the first move can no longer change.
    pub stop_early: bool,
    /// Moves not to be made.
    pub avoid: Vec<Avoided>,
    /// Whether to forget what earlier searches found.
    pub fresh: bool,
    /// Whether moves into what Benson's rule has settled are left out at the root. The search by playouts leaves none out.
    pub leaves_settled: bool,
    /// Whether a move is to be chosen, which takes a komi for the handicap (`handicap_komi_white` and the like).
    pub is_played: bool,
    /// Whether it is to tell whose points are at the end: then no end by two passes is taken for proven, for of one that is
    /// nobody looks at who owns what. Of the search by playouts.
    pub asks_for_owners: bool,
    /// Other searches of the same position, with which this one shares what it finds.
    pub partners: Option<Partners>,
}

impl Limits {
    /// So many playouts, fewer when the move can no longer change.
    pub fn playouts(n: u64) -> Limits {
        let search = SearchLimits { visits: Some(n), ..SearchLimits::default() };
        Limits { search, stop_early: true, ..Limits::default() }
    }
}
