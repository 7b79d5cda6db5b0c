//! Whichever search chooses moves: the one with a network where there is a network that knows the board, else the one by
//! playouts.

use std::sync::Arc;

use go_engine::rng::Rng;
use go_engine::search::{Limits, Look, Report, Search, TreeNodeInfo};
use go_engine::{Color, Game, Move};
use go_network::{Network, NetworkParams, NetworkSearch, Symmetry, evaluate_game};

/// Playouts that tell which points are nobody's.
const ENDING_PLAYOUTS: u64 = 200;

/// A search by playouts, and perhaps one with a network.
pub(super) struct Searcher {
    playouts: Search,
    network: Option<NetworkSearch>,
}

impl Searcher {
    /// Both.
    pub fn new(playouts: Search, network: Option<NetworkSearch>) -> Searcher {
        Searcher { playouts, network }
    }

    /// The network that positions of this game are searched with.
    pub fn network(&self, game: &Game) -> Option<&Arc<Network>> {
        self.network.as_ref().filter(|network| network.knows(game)).map(NetworkSearch::network)
    }

    /// Searches for a move of `color`, who need not be the one whose turn it is.
    pub fn search(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        look: Option<Look>,
    ) -> Report {
        match &mut self.network {
            Some(network) if network.knows(game) => network.search(game, color, limits, look),
            _ => self.playouts.search(game, color, limits, look),
        }
    }

    /// The same for telling how a game ends: which points are nobody's because of a seki, playouts tell, and no network.
    pub fn search_ending(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        look: Look,
    ) -> Report {
        let mut found = self.search(game, color, limits, Some(look));
        if self.network(game).is_some() {
            let mut rng = Rng::new(self.playouts.options().seed ^ game.board().key());
            found.unowned = self.playouts.unowned(game, &mut rng, ENDING_PLAYOUTS);
        }
        found
    }

    /// Other tunables of the search with a network, for the searches to come.
    pub fn set_network_params(&mut self, params: &NetworkParams) {
        self.network.iter_mut().for_each(|network| network.set_params(params));
    }

    /// Another seed for the searches to come.
    pub fn reseed(&mut self, seed: u64) {
        self.playouts.reseed(seed);
        self.network.iter_mut().for_each(|network| network.reseed(seed));
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.playouts.clear();
        self.network.iter_mut().for_each(NetworkSearch::clear);
    }

    /// Forgets the tree, but not what a network said of positions.
    pub fn clear_tree(&mut self) {
        self.playouts.clear();
        self.network.iter_mut().for_each(NetworkSearch::clear_tree);
    }

    /// How likely each legal move of `color` is thought to be the best, without a search, the likeliest first; empty when
    /// nothing says.
    pub fn policy(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        let mut likely = match self.network(game) {
            Some(network) => {
                let mut game = game.clone();
                game.set_to_play(color);
                let said = evaluate_game(network, &game, 0.0, Symmetry::NONE);
                said.map_or_else(Vec::new, |said| said.policy)
            }
            None => self.playouts.policy(game, color),
        };
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        likely
    }

    /// The nodes of the tree of this game below the root that were visited at least `min_visits` times.
    pub fn node_infos(&self, game: &Game, min_visits: u32) -> Vec<TreeNodeInfo> {
        match &self.network {
            Some(network) if network.knows(game) => network.node_infos(min_visits),
            _ => self.playouts.node_infos(game, min_visits),
        }
    }
}
