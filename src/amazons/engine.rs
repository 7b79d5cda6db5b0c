//! What plays Amazons in a session: the tree search, or someone without search in its place.

use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::net::resnet::ResNet;
use amazons_engine::search::Searcher;
use amazons_engine::{Game, Move};
use game_core::Report;

use super::policy::Player;
use crate::session::{Engine, LeftOut, Purpose, Query, TreeEngine, Watch};

/// A searcher, which keeps its tree from turn to turn.
pub struct AmazonsEngine {
    /// The searcher.
    pub searcher: Searcher,
    /// Who chooses in the search's place.
    pub player: Option<Player>,
}

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
        let is_choice = !matches!(query.purpose, Purpose::Analysis | Purpose::Ponder);
        if let Some(player) = self.player.as_mut().filter(|_| is_choice) {
            let chosen = player.choose(self.searcher.weights(), query.game).unwrap_or_default();
            // Such a player cannot be told what to leave out: the search chooses where it would not do.
            let left_out = LeftOut::new(query.game, query.filter);
            if chosen.moves.iter().all(|found| left_out.accepts(query.color, &found.mv, 0)) {
                return chosen;
            }
            return self.search_tree(query, watch);
        }
        if self.player.is_some() && query.purpose == Purpose::Ponder {
            return Report::default();
        }
        self.search_tree(query, watch)
    }

    fn warm_up(&mut self, game: &Game) {
        self.warm_up_search(game);
    }
}

impl TreeEngine for AmazonsEngine {
    type Search = Searcher;

    fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    fn another(&self, threads: usize, memory_mib: usize) -> Searcher {
        let mut another = Searcher::new(self.searcher.weights().clone(), threads, memory_mib);
        another.set_network(self.searcher.network().clone());
        another.params = self.searcher.params.clone();
        another
    }

    fn redraw(&mut self, seed: u64) {
        if let Some(player @ Player::Random(_)) = &mut self.player {
            *player = Player::random(seed);
        }
    }

    fn searcher_mut(&mut self) -> &mut Searcher {
        &mut self.searcher
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree_search::Search as _;

    #[test]
    fn a_search_of_its_own_keeps_within_the_memory() {
        for (memory_mib, of_its_own) in [(16, 16), (512, 64)] {
            let engine = AmazonsEngine::new(Weights::shipped(), 2, memory_mib);
            let fresh = engine.fresh();
            assert_eq!((fresh.memory_mib(), fresh.threads()), (of_its_own, 1));
        }
    }
}
