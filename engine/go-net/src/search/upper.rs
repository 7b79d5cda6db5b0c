//! The upper part of the tree, to be shared with other searches: what the network said of its nodes too, so that each position
//! is asked of by one of them.

use super::asker::Points;
use super::worker::{GoTree, Play};
use go_engine::board::Site;
use tree_search::puct::{Choice, Edge, TreeMove};
use tree_search::upper::{Expansion, Sums, UpperTree};

/// A tree and the points of its board.
pub(super) struct Upper<'a> {
    pub tree: &'a GoTree,
    pub points: &'a Points,
}

impl Upper<'_> {
    /// A move from elsewhere; none where it is no move of this board, or is estimated as nothing can be.
    fn choice(&self, (mv, estimate): (u32, u32)) -> Option<Choice<Play>> {
        let site = Site(u16::try_from(mv).ok()?);
        let estimate = f32::from_bits(estimate);
        let is_known = site.is_pass() || self.points.sites.contains(&site);
        let choice = Choice { mv: Play(site), estimate };
        (is_known && (0.0..=1.0).contains(&estimate)).then_some(choice)
    }
}

impl UpperTree for Upper<'_> {
    fn root(&self) -> u32 {
        UpperTree::root(self.tree)
    }

    fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32)) {
        self.tree.children(node, call);
    }

    fn child(&self, node: u32, mv: u32) -> Option<u32> {
        UpperTree::child(self.tree, node, mv)
    }

    fn found(&self, node: u32) -> Sums {
        self.tree.found(node)
    }

    fn add(&self, node: u32, more: &Sums) -> Sums {
        self.tree.add(node, more)
    }

    fn expansion(&self, node: u32) -> Option<(f32, Vec<(u32, u32)>)> {
        let node = self.tree.node(node);
        let told = |edge: &Edge<Play>| (edge.mv().pack(), edge.estimate().to_bits());
        node.is_expanded()
            .then(|| (node.extra.own(), self.tree.edges(node).iter().map(told).collect()))
    }

    fn expand(&self, node: u32, with: &Expansion) {
        let node = self.tree.node(node);
        let choices: Option<Vec<Choice<Play>>> =
            with.moves.iter().map(|&told| self.choice(told)).collect();
        let Some(choices) = choices.filter(|choices| !choices.is_empty()) else { return };
        if (0.0..=1.0).contains(&with.value) && node.try_expand() {
            node.extra.set_own(with.value);
            self.tree.publish(node, &choices, true);
        }
    }
}
