//! What was found of positions that the tree has come to by several ways.
//!
//! The tree has a node for each way to a position. Here its visits are added up over all of them: who comes to a node by a way
//! that has seen less than all ways together takes what they found for the value of its visit, and does not search the same
//! again. That is what sharing nodes between ways comes to (KataGo's `docs/GraphSearch.md`: a way with fewer visits than the node
//! it leads to catches up with it), in a tree whose nodes have one way each.

use super::stats::{Means, NodeStats};
use std::sync::Mutex;
use tree_search::puct::NodeExtra as _;

/// Sums over the visits of a position, whichever way they came.
#[derive(Debug, Default)]
struct Entry {
    key: u64,
    visits: u32,
    /// The search that added to it last.
    search: u32,
    stats: NodeStats,
}

/// A node of the tree takes about so many bytes with its edges: there is a place for each.
const BYTES_A_NODE: usize = 1024;
const MAX_PLACES: usize = 1 << 17;

/// Sums by the keys of positions. A position takes the place of one that was visited less, or not in this search.
#[derive(Debug)]
pub(super) struct Transpositions {
    places: Box<[Mutex<Entry>]>,
    search: u32,
    /// The first search that counts: all is forgotten that was found before.
    first: u32,
}

impl Transpositions {
    /// For a tree of about so many bytes.
    pub fn new(tree_bytes: usize) -> Transpositions {
        let places = (0..places_for(tree_bytes)).map(|_| Mutex::default()).collect();
        Transpositions { places, search: 1, first: 1 }
    }

    /// The bytes that it takes for a tree of about so many.
    pub fn bytes_for(tree_bytes: usize) -> usize {
        places_for(tree_bytes) * size_of::<Mutex<Entry>>()
    }

    fn place(&self, key: u64) -> &Mutex<Entry> {
        &self.places[key as usize & (self.places.len() - 1)]
    }

    fn is_of(&self, found: &Entry, key: u64) -> bool {
        found.key == key && found.search >= self.first
    }

    /// What more than so many visits have found of a position.
    pub fn more_than(&self, visits: u32, key: u64) -> Option<Means> {
        let found = self.place(key).lock().ok()?;
        let is_more = self.is_of(&found, key) && found.visits > visits;
        is_more.then(|| found.stats.all_means(found.visits))
    }

    /// Adds to what was found of a position the means of one visit by a way whose node has so many visits, this one among them.
    /// What is not known yet begins with all that this node has found, at its second visit.
    pub fn add(&self, key: u64, (visits, node): (u32, &NodeStats), visit: &Means) {
        let Ok(mut found) = self.place(key).lock() else { return };
        if self.is_of(&found, key) {
            found.visits += 1;
            found.stats.add(&visit.value, visit.utility_square);
        } else if visits > 1 && (found.search < self.search || found.visits <= visits) {
            (found.key, found.visits) = (key, visits);
            found.stats.copy_from(node);
        } else {
            return;
        }
        found.search = self.search;
    }

    /// Begins another search, for which all counts that was found before.
    pub fn next_search(&mut self) {
        self.search += 1;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.next_search();
        self.first = self.search;
    }
}

fn places_for(tree_bytes: usize) -> usize {
    (tree_bytes / BYTES_A_NODE).clamp(1 << 8, MAX_PLACES).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::utility::Value;

    fn visit(win: f32) -> Means {
        Means { value: Value { win, ..Value::default() }, utility_square: win * win }
    }

    /// A node with visits that found this.
    fn node(found: &[f32]) -> (u32, NodeStats) {
        let stats = NodeStats::default();
        for &win in found {
            let Means { value, utility_square } = visit(win);
            stats.add(&value, utility_square);
        }
        (found.len() as u32, stats)
    }

    #[test]
    fn ways_to_a_position_add_up() {
        let mut ways = Transpositions::new(1 << 20);
        let win = |ways: &Transpositions, visits, key| {
            ways.more_than(visits, key).map(|found| (found.value.win, found.utility_square))
        };
        let add = |ways: &Transpositions, key, found: &[f32]| {
            let (visits, stats) = node(found);
            ways.add(key, (visits, &stats), &visit(*found.last().unwrap()));
        };
        add(&ways, 5, &[0.25]);
        assert_eq!(win(&ways, 0, 5), None, "one visit is nothing but what the network said");
        add(&ways, 5, &[0.25, 0.75]);
        assert_eq!(win(&ways, 0, 5), Some((0.5, 0.3125)));
        assert_eq!(win(&ways, 2, 5), None, "who has seen as much searches");
        // Another way's third visit, of which only that one is new.
        add(&ways, 5, &[0.5, 0.5, 1.0]);
        assert_eq!(win(&ways, 2, 5).map(|found| found.0), Some(2.0 / 3.0));
        assert_eq!(win(&ways, 3, 5), None);

        // Another position in the same place has to have been visited as often, or to be of a later search.
        let other = 5 + ways.places.len() as u64;
        add(&ways, other, &[0.0, 0.0]);
        assert!(win(&ways, 0, other).is_none() && win(&ways, 2, 5).is_some());
        ways.next_search();
        assert!(win(&ways, 2, 5).is_some());
        add(&ways, other, &[0.0, 0.0]);
        assert!(win(&ways, 1, other).is_some() && win(&ways, 0, 5).is_none());

        ways.clear();
        assert!(win(&ways, 0, other).is_none());
        add(&ways, other, &[1.0, 1.0]);
        assert_eq!(win(&ways, 0, other), Some((1.0, 1.0)));
    }
}
