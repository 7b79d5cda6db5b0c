//! The upper part of the tree, to be shared with other searches.

use super::node::{Node, Stats};
use super::tree::Tree;
use tree_search::upper::{Sums, UPPER_SUMS, UpperTree};

/// What the sums are: values of the move's own visits, visits and values of all moves as first, then scores: how many were
/// counted, their sum and that of their squares.
const VALUE: usize = 0;
const RAVE_VISITS: usize = 1;
const RAVE: usize = 2;
const SCORED: usize = 3;
const SCORE: usize = 4;
const SCORE_SQUARE: usize = 5;
/// No score is larger.
const MAX_POINTS: f64 = 1000.0;
/// Visits of all moves as first that are taken over at most: within one tree there are no more than of the root.
const MAX_RAVE: f64 = Stats::MAX_VISITS as f64;

impl UpperTree for Tree {
    fn root(&self) -> u32 {
        Tree::ROOT
    }

    fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32)) {
        let Some(range) = self.node(node).children() else { return };
        for (index, child) in range.indices().zip(self.nodes(range)) {
            call(u32::from(child.site().0), index);
        }
    }

    fn child(&self, node: u32, mv: u32) -> Option<u32> {
        let range = self.node(node).children()?;
        let is_it = |child: &Node| u32::from(child.site().0) == mv;
        self.nodes(range).iter().position(is_it).map(|place| range.index(place))
    }

    fn found(&self, node: u32) -> Sums {
        let (own, scores) = (self.node(node), self.scores(node).sums());
        let (value, rave) = (own.stats.get(), own.rave.get());
        let mut sums = [0.0; UPPER_SUMS];
        sums[VALUE] = f64::from(value.sum);
        sums[RAVE_VISITS] = f64::from(rave.visits);
        sums[RAVE] = f64::from(rave.sum);
        sums[SCORED..].copy_from_slice(&scores);
        Sums { visits: own.stats.visits(), sums }
    }

    /// A move of which something is proven takes nothing: its value does not come from its visits.
    fn add(&self, node: u32, more: &Sums) -> Sums {
        let own = self.node(node);
        let has_room = own.stats.visits().saturating_add(more.visits) < Stats::MAX_VISITS
            && f64::from(own.rave.visits()) + more.sums[RAVE_VISITS] < MAX_RAVE;
        if !has_room || own.proven().is_known() {
            return Sums::default();
        }
        let mut added = *more;
        added.sums[VALUE] = added.sums[VALUE].clamp(0.0, f64::from(more.visits));
        own.stats.add_all(more.visits, added.sums[VALUE]);
        let rave_visits = added.sums[RAVE_VISITS].max(0.0).floor();
        added.sums[RAVE_VISITS] = rave_visits;
        added.sums[RAVE] = added.sums[RAVE].clamp(0.0, rave_visits);
        own.rave.add_all(rave_visits as u32, added.sums[RAVE]);
        let scored = added.sums[SCORED].max(0.0).floor();
        let points = scored * MAX_POINTS;
        added.sums[SCORED] = scored;
        added.sums[SCORE] = added.sums[SCORE].clamp(-points, points);
        added.sums[SCORE_SQUARE] = added.sums[SCORE_SQUARE].clamp(0.0, points * MAX_POINTS);
        let [.., count, score, square] = added.sums;
        self.scores(node).add_sums(&[count, score, square]);
        added
    }
}
