//! What plays Connect6 in a session: the tree search, and something simpler for games that it does not know.

use std::sync::Arc;

use connect6_engine::search::{Knowledge, Searcher};
use connect6_engine::{Game, Point, Turn};
use game_core::{Proven, Report};
use tree_search::report::single;

use super::simple_turn::simple_turn;
use crate::session::{Engine, LeftOut, Query, TreeEngine, Watch};

/// A searcher, which keeps its tree and its threat tables from turn to turn.
pub struct Connect6Engine {
    /// The searcher.
    pub searcher: Searcher,
    knowledge: Arc<Knowledge>,
}

impl Connect6Engine {
    /// An engine with so many threads and so much memory in MiB.
    pub fn new(knowledge: Arc<Knowledge>, threads: usize, memory_mib: usize) -> Connect6Engine {
        let searcher = Searcher::new(Arc::clone(&knowledge), threads, memory_mib);
        Connect6Engine { searcher, knowledge }
    }

    /// The first two stones of a turn that needs more: the rest follows from them ([`super::game::completed`]).
    fn simple_turn(&self, query: &Query<Game>) -> Report<Turn> {
        let left_out = LeftOut::new(query.game, query.filter);
        let color = query.color;
        let accepts = |stones: &[Point], next| {
            let turn = stones.iter().fold(Turn::single(next), |_, &a| Turn::pair(a, next));
            left_out.accepts(color, &turn, 0)
        };
        match simple_turn(query.game, &self.knowledge.net, 2, &[], accepts)[..] {
            [] => Report::default(),
            [a] => single(Turn::single(a), 1, 0.5, Proven::Unknown),
            [a, b, ..] => single(Turn::pair(a, b), 1, 0.5, Proven::Unknown),
        }
    }
}

impl Engine<Game> for Connect6Engine {
    const DEFAULT_VISITS: u64 = 5000;

    fn search(&mut self, query: &Query<Game>, watch: Watch<Turn>) -> Report<Turn> {
        if query.game.to_move().stones > 2 || query.game.rules().p() > 2 {
            return self.simple_turn(query);
        }
        self.search_tree(query, watch)
    }

    fn warm_up(&mut self, game: &Game) {
        self.warm_up_search(game);
    }
}

impl TreeEngine for Connect6Engine {
    type Search = Searcher;

    const SETTINGS: &'static [&'static str] = &["book"];

    fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    fn another(&self, threads: usize, memory_mib: usize) -> Searcher {
        let mut another = Searcher::new(Arc::clone(&self.knowledge), threads, memory_mib);
        another.params = self.searcher.params.clone();
        another
    }

    fn searcher_mut(&mut self) -> &mut Searcher {
        &mut self.searcher
    }
}
