//! What plays Connect6 in a session: the tree search, and something simpler for games that it does not know.

use std::sync::Arc;

use connect6_engine::search::{Knowledge, Searcher};
use connect6_engine::tss::generate::completing;
use connect6_engine::{Game, Point, Turn};
use game_core::Report;

use crate::session::{Decision, Engine, Query, TreeEngine, Watch};

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

    /// A stone for games of more than two stones a turn, which have no search: complete a row, stop one, or what looks
    /// best.
    fn simple_stone(&self, game: &Game) -> Option<Point> {
        let color = game.to_move().color;
        let board = game.board();
        let wins = completing(board, color, 2).map(|turn| turn.first());
        let stops = || completing(board, !color, 2).map(|turn| turn.first());
        let best = || self.knowledge.net.view(board, color).best(0, 1).first().map(|found| found.0);
        wins.or_else(stops).or_else(best).or_else(|| board.empties().next())
    }
}

impl Engine<Game> for Connect6Engine {
    const DEFAULT_VISITS: u64 = 5000;

    fn search(&mut self, query: &Query<Game>, watch: Watch<Turn>) -> Report<Turn> {
        self.search_tree(query, watch)
    }

    fn choose(
        &mut self,
        query: &Query<Game>,
        watch: Watch<Turn>,
    ) -> (Decision<Turn>, Report<Turn>) {
        if query.game.to_move().stones > 2 || query.game.rules().p() > 2 {
            let stone = self.simple_stone(query.game).map(Turn::single);
            return (stone.map_or(Decision::Pass, Decision::Move), Report::default());
        }
        let report = self.search(query, watch);
        (query.decide(&report), report)
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
