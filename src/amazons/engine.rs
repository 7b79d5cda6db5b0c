//! What plays Amazons in a session: the tree search, or someone without search in its place.

use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::net::resnet::ResNet;
use amazons_engine::search::{Search, Searcher};
use amazons_engine::{Game, Move};
use game_core::Report;
use tunables::Table as _;

use super::policy::Player;
use crate::gtp::params::{Param, Params};
use crate::session::{Engine, Purpose, Query, Watch};

/// A searcher, which keeps its tree from turn to turn.
pub struct AmazonsEngine {
    /// The searcher.
    pub searcher: Searcher,
    /// Who chooses in the search's place.
    pub player: Option<Player>,
}

/// Memory in MiB for a search of its own.
const REGRESSION_MEMORY: usize = 64;

impl AmazonsEngine {
    /// An engine with so many threads and so much memory in MiB.
    pub fn new(weights: Arc<Weights>, threads: usize, memory_mib: usize) -> AmazonsEngine {
        AmazonsEngine { searcher: Searcher::new(weights, threads, memory_mib), player: None }
    }

    /// Lets the search ask another network than the one inside the program.
    pub fn set_network(&mut self, network: Arc<ResNet>) {
        self.searcher.set_network(network);
    }
}

impl Engine<Game> for AmazonsEngine {
    const DEFAULT_VISITS: u64 = 20_000;

    fn search(&mut self, query: &Query<Game>, watch: Watch<Move>) -> Report<Move> {
        let weights = self.searcher.weights().clone();
        let is_choice = !matches!(query.purpose, Purpose::Analysis | Purpose::Ponder);
        if let Some(player) = self.player.as_mut().filter(|_| is_choice) {
            return player.choose(&weights, query.game).unwrap_or_default();
        }
        let mut fresh;
        let searcher = match query.purpose {
            Purpose::Ponder if self.player.is_some() => return Report::default(),
            Purpose::Regression => {
                fresh = Searcher::new(weights, 1, REGRESSION_MEMORY);
                fresh.set_network(self.searcher.network().clone());
                fresh.params = self.searcher.params.clone();
                &mut fresh
            }
            _ => &mut self.searcher,
        };
        let mut control = query.control(|report: &Report<Move>| watch(report));
        searcher.search(query.game, &query.limits(), &mut control)
    }

    fn new_game(&mut self) {
        self.searcher.clear();
    }

    fn threads(&self) -> usize {
        self.searcher.threads()
    }
}

impl Params for AmazonsEngine {
    fn params(&self) -> Vec<Param> {
        Param::rows(&self.searcher.params).collect()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.searcher.params.set(name, value).map_err(|error| error.to_string())?;
        // What was searched under other settings would show through.
        self.searcher.clear();
        Ok(())
    }
}
