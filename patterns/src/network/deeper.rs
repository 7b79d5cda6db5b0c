//! What a search finds of a position, in place of what a network alone says of it: a search with that network or, where there
//! is none, by playouts.

use super::sample::{Origin, Sample};
use crate::knowledge::{self, Library, Patterns};
use crate::params::Params;
use game_core::SearchLimits;
use go_engine::board::Board;
use go_engine::search::{Limits, Options, Report, Search};
use go_engine::{Color, Game, Move, Rules};
use go_network::{Network, NetworkOptions, NetworkParams, NetworkSearch};
use std::sync::Arc;
use tunables::Table as _;

/// Bytes for the tree and the evaluations of a search, which are few.
const MEMORY: usize = 16 << 20;

/// A search that follows a game, and the game.
pub(super) struct Deeper {
    search: Searcher,
    game: Game,
    visits: u64,
}

enum Searcher {
    Network(NetworkSearch),
    Playouts(Box<Search>),
}

impl Searcher {
    fn search(&mut self, game: &Game, color: Color, limits: &Limits) -> Report {
        match self {
            Searcher::Network(search) => search.search(game, color, limits, None),
            Searcher::Playouts(search) => search.search(game, color, limits, None),
        }
    }
}

impl Deeper {
    /// A search with a network, or by playouts, for a game on an empty board; so many visits a position.
    ///
    /// # Panics
    /// When there is no board of this side.
    pub fn new(
        network: Option<&Arc<Network>>,
        library: &Arc<Library>,
        side: u8,
        (visits, seed): (u64, u64),
    ) -> Deeper {
        let search = match network {
            Some(network) => {
                let params = NetworkParams::default();
                let options = NetworkOptions { threads: 1, max_memory: MEMORY, seed, params };
                Searcher::Network(NetworkSearch::new(Arc::clone(network), options))
            }
            None => {
                let options =
                    Options { threads: 1, max_memory: MEMORY, seed, ..Options::for_side(side) };
                let params = Params::for_side(side);
                let search = knowledge::search(Patterns::Full, library, options, &params);
                Searcher::Playouts(Box::new(search))
            }
        };
        let game = Game::new(side, side).expect("a board of this side");
        Deeper { search, game, visits }
    }

    /// The rules and the komi of the game.
    pub fn set_up(&mut self, rules: Rules, komi: f64) {
        self.game.set_rules(rules);
        self.game.set_komi(komi);
    }

    /// A move of the game.
    pub fn play(&mut self, color: Color, mv: Move) {
        // What the network's rules allow is played, repetition too.
        let _ = self.game.replay(color, mv);
    }

    /// Puts what a search finds in place of what a network said: visits of the moves, chances, score and owners. `index`
    /// is that of a move in a policy. What the search finds nothing of stays as it is.
    pub fn look<const N: usize, const W: usize>(
        &mut self,
        said: &mut Sample,
        board: &Board<N, W>,
        index: impl Fn(Move) -> usize,
    ) {
        let color = self.game.to_play();
        let search = SearchLimits { visits: Some(self.visits), ..SearchLimits::default() };
        let limits = Limits { search, ..Limits::default() };
        let found = self.search.search(&self.game, color, &limits);
        let visits: u32 = found.moves.iter().map(|found| found.visits).sum();
        if visits == 0 {
            return;
        }
        said.origin = Origin::Searched;
        said.policy.fill(0.0);
        for one in &found.moves {
            said.policy[index(one.mv)] += one.visits as f32 / visits as f32;
        }
        said.outcome = [found.winrate, 1.0 - found.winrate];
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        said.score = [sign * found.final_score, found.score_stdev, sign * found.score];
        for (site, owner) in board.sites().zip(found.ownership) {
            let point = board.point(site);
            said.owners[index(Move::Play(point))] = sign * owner;
        }
    }
}
