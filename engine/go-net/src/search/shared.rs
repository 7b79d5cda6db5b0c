//! What the threads of a search share.

use super::asker::{Asker, Points, Reading};
use super::cache::{Cache, Evaluated};
use super::params::NetworkParams;
use super::rollout::Playouts;
use super::transpositions::Transpositions;
use super::utility::Utility;
use super::worker::GoTree;
use crate::network::Network;
use crate::position::Position;
use game_core::{Symmetry, mix64};
use go_engine::search::{AvoidedSites, Scoring, Totals};
use std::sync::{Arc, Mutex};
use tree_search::puct::Node;
use tree_search::stop::cannot_be_caught;
use tree_search::{Driver, Sharing};

/// What the threads of a search share.
pub(super) struct Shared<'a, const N: usize, const W: usize> {
    pub network: &'a Network,
    pub tree: &'a GoTree,
    pub cache: &'a Cache,
    /// What other ways to positions have found, where that is taken over.
    pub transpositions: Option<&'a Transpositions>,
    pub params: &'a NetworkParams,
    pub points: &'a Points,
    pub position: &'a Position<N, W>,
    pub utility: Utility,
    pub driver: &'a Driver<'a>,
    pub stop_early: bool,
    /// Other searches that add to the tree.
    pub sharing: Sharing<'a>,
    /// Whether the position searched is the same when the board is turned or mirrored.
    pub is_symmetric: bool,
    pub avoided: AvoidedSites,
    /// What plays a new position to its end, where that is wanted, and what ends are worth.
    pub playouts: Option<Playouts>,
    pub scoring: Scoring,
    pub seed: u64,
    pub totals: Mutex<Totals>,
}

impl<const N: usize, const W: usize> Shared<'_, N, W> {
    /// Whether the rest of the search cannot make another move the most visited.
    pub fn cannot_change(&self) -> bool {
        let edges = self.tree.edges(self.tree.root());
        let Some(left) = self.driver.visits_left() else { return edges.len() == 1 };
        let visits = edges.iter().map(|edge| self.tree.child(edge).map_or(0, Node::visits));
        edges.len() == 1 || cannot_be_caught(visits, self.sharing.visits_left(left))
    }

    /// What the network says of some positions, each seen in a way that is drawn for it; from now on that is remembered.
    pub fn evaluate<'p>(
        &self,
        asker: &mut Asker<N, W>,
        positions: impl Iterator<Item = &'p Position<N, W>>,
    ) -> Vec<Arc<Evaluated>> {
        let size = (self.points.size.width as u8, self.points.size.height as u8);
        let ways = Symmetry::of_board(size).count() as u64;
        let asked = positions.map(|position| {
            let symmetry = Symmetry::new(mix64(position.key() ^ self.seed) % ways);
            (position, symmetry)
        });
        let asked: Vec<(&Position<N, W>, Symmetry)> = asked.collect();
        let reading = Reading {
            optimism: self.params.network_optimism,
            temperature: self.params.network_policy_temperature,
            all_moves: false,
        };
        let said = asker.ask_each(self.network, (&asked, self.points), reading);
        let said = said.into_iter().map(Arc::new).zip(asked);
        said.map(|(entry, (position, _))| {
            self.cache.insert(position.key(), entry.clone());
            entry
        })
        .collect()
    }
}
