//! The search that every game has: one that implements [`Position`] names [`BestFirst`] as what plays it.

use game_core::Report;
use tree_search::{BestFirst, Position, Search};

use super::{Engine, Game, Query, Watch};
use crate::gtp::params::{Param, Params};

impl<G: Game + Position<Move = <G as Game>::Move>> Engine<G> for BestFirst<G> {
    const DEFAULT_VISITS: u64 = 1000;

    fn search(
        &mut self,
        query: &Query<G>,
        watch: Watch<<G as Game>::Move>,
    ) -> Report<<G as Game>::Move> {
        let mut control = query.control(|report| watch(report));
        Search::search(self, query.game, &query.limits(), &mut control)
    }

    fn new_game(&mut self) {
        self.clear();
    }

    fn threads(&self) -> usize {
        Search::threads(self)
    }
}

/// It has none.
impl<P: Position> Params for BestFirst<P> {
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    fn set_param(&mut self, name: &str, _: &str) -> Result<(), String> {
        Err(format!("unknown parameter {name:?}"))
    }
}
