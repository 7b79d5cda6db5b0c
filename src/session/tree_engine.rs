//! Engines whose thinking one tree search does: what they have in common, written once.
//!
//! A game that implements [`Position`] and names [`BestFirst`] as its engine needs nothing else.

use game_core::{Control, Report, SearchLimits};
use tree_search::{BestFirst, Position, Search, TurnFilter};

use super::game::engine::Upkeep;
use super::{Engine, Game, LeftOut, Purpose, Query, Watch, machine_params};
use crate::gtp::params::{Param, Params};
use crate::options::is_to_be_had;

/// Memory in MiB for a search of its own, where there is as much.
pub const REGRESSION_MEMORY: usize = 64;

/// An engine that is a tree search, which keeps its tree from turn to turn, and perhaps something beside it.
pub trait TreeEngine {
    /// The search.
    type Search: Search;

    /// Those of its tunables that users may want to set.
    const SETTINGS: &'static [&'static str] = &[];

    /// The one that lives on.
    fn searcher(&self) -> &Self::Search;

    /// The one that lives on, to search with or to set.
    fn searcher_mut(&mut self) -> &mut Self::Search;

    /// One with the same settings that remembers nothing, with so many threads and so much memory in MiB.
    fn another(&self, threads: usize, memory_mib: usize) -> Self::Search;

    /// Draws from this seed from now on. A search draws nothing.
    fn redraw(&mut self, _: u64) {}

    /// One of one thread and [`REGRESSION_MEMORY`], or what the search may take: it finds the same every time.
    fn fresh(&self) -> Self::Search {
        self.another(1, self.searcher().memory_mib().min(REGRESSION_MEMORY))
    }

    /// Makes one visit, and forgets it: what a first search has to do once is done.
    fn warm_up_search(&self, game: &<Self::Search as Search>::Game) {
        let limits = SearchLimits { visits: Some(1), ..SearchLimits::default() };
        self.fresh().search(game, &limits, &mut |_| Control::Continue);
    }

    /// Searches as a session asks.
    fn search_tree(
        &mut self,
        query: &Query<<Self::Search as Search>::Game>,
        watch: Watch<<Self::Search as Search>::Move>,
    ) -> Report<<Self::Search as Search>::Move>
    where
        <Self::Search as Search>::Game: Game<Move = <Self::Search as Search>::Move>,
    {
        let mut fresh;
        let searcher = match query.purpose {
            Purpose::Regression => {
                // Both together would take more than they may: what was found before is forgotten.
                let (threads, memory_mib) =
                    (self.searcher().threads(), self.searcher().memory_mib());
                *self.searcher_mut() = self.another(threads, memory_mib);
                fresh = self.fresh();
                &mut fresh
            }
            _ => self.searcher_mut(),
        };
        let left_out = LeftOut::new(query.game, query.filter);
        let accepts = |color, mv, depth| left_out.accepts(color, &mv, depth);
        let filter = match query.filter.max_depth() {
            0 => TurnFilter::all(),
            depth => TurnFilter::new(depth as usize, &accepts),
        };
        let mut control = query.control(|report| watch(report));
        searcher.search_among(query.game, &query.limits(), filter, &mut control)
    }
}

impl<E: TreeEngine> Upkeep for E {
    fn new_game(&mut self) {
        self.searcher_mut().clear();
    }

    fn threads(&self) -> usize {
        self.searcher().threads()
    }

    fn reseed(&mut self, seed: u64) {
        self.redraw(seed);
    }
}

impl<E: TreeEngine> Params for E {
    fn params(&self) -> Vec<Param> {
        let searcher = self.searcher();
        let machine = machine_params(searcher.threads(), searcher.memory_mib() as u64);
        machine.into_iter().chain(Param::rows(searcher.params(), E::SETTINGS)).collect()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let whole = || value.parse::<usize>().map_err(|error| error.to_string());
        let (threads, memory_mib) = (self.searcher().threads(), self.searcher().memory_mib());
        let another = match name {
            "threads" => self.another(whole()?, memory_mib),
            "max_memory" => {
                let memory_mib = whole()?;
                is_to_be_had(memory_mib)?;
                self.another(threads, memory_mib)
            }
            _ => {
                let searcher = self.searcher_mut();
                searcher.params_mut().set(name, value).map_err(|error| error.to_string())?;
                // What was searched under other settings would show through.
                searcher.clear();
                return Ok(());
            }
        };
        *self.searcher_mut() = another;
        Ok(())
    }
}

impl<P: Position> TreeEngine for BestFirst<P> {
    type Search = BestFirst<P>;

    fn searcher(&self) -> &BestFirst<P> {
        self
    }

    fn searcher_mut(&mut self) -> &mut BestFirst<P> {
        self
    }

    fn another(&self, threads: usize, memory_mib: usize) -> BestFirst<P> {
        let mut another = BestFirst::new(threads, memory_mib);
        another.params = self.params.clone();
        another
    }
}

impl<G: Game + Position<Move = <G as Game>::Move>> Engine<G> for BestFirst<G> {
    const DEFAULT_VISITS: u64 = 1000;

    fn search(
        &mut self,
        query: &Query<G>,
        watch: Watch<<G as Game>::Move>,
    ) -> Report<<G as Game>::Move> {
        self.search_tree(query, watch)
    }

    fn warm_up(&mut self, game: &G) {
        self.warm_up_search(game);
    }
}
