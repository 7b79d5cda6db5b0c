//! The network that the engine plays with, and what else is asked of it.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use go_engine::Game;
use go_influence::Model;
use go_network::{Network, NetworkParams};
use go_patterns::influence::{EstimateError, Estimator};

use super::{GoEngine, NO_NETWORK};
use crate::go::network_file::open_network;

impl GoEngine {
    /// Plays from now on with this network where it knows the board: the one inside the program (`built-in`), none (`none`),
    /// or that of a file, one of KataGo's or one that `tesuji train network` made.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no network that this program can use.
    pub fn use_network(&mut self, name: &Path) -> anyhow::Result<()> {
        let network = match name.to_str() {
            Some(NO_NETWORK) => None,
            _ => {
                let opened = open_network(name, &self.library);
                Some(opened.with_context(|| format!("cannot use the network {}", name.display()))?)
            }
        };
        self.network = network.map(|network| (Arc::new(network), name.to_owned()));
        self.rebuild();
        Ok(())
    }

    /// The network that positions of this game are searched with.
    pub fn network(&self, game: &Game) -> Option<&Arc<Network>> {
        self.search.network(game)
    }

    /// The network in use, for boards that it knows.
    pub fn any_network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(|(network, _)| network)
    }

    /// What estimates positions without search: the network in use where it knows the board, or else the tuned model.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn estimator(&self, game: &Game) -> Result<Estimator, EstimateError> {
        match self.network(game) {
            Some(network) => Ok(Estimator::Network(Arc::clone(network))),
            None => Ok(Estimator::Influence(Model::Tuned(Estimator::tuned()?))),
        }
    }

    /// The tunables of the search with a network.
    pub fn network_params(&self) -> &NetworkParams {
        &self.tunables.network
    }

    /// Sets them for the searches to come. Nothing is forgotten: what was searched with others should be, by the caller.
    pub fn set_network_params(&mut self, params: &NetworkParams) {
        self.tunables.network.clone_from(params);
        self.search.set_network_params(params);
    }
}
