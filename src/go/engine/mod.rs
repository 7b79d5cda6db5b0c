//! The engine behind the commands: the tree search and its estimate of the end of the game.

mod decide;
mod ending;
mod network;
mod opening;
mod params;
mod report;
mod tables;

use go_engine::endgame::Ending;
use go_engine::params::Params as SearchParams;
use go_engine::search::{self, Avoided, Limits, Options};
use go_engine::small::{self, Solver};
use go_engine::{Color, Game, Move};
use go_network::{Network, NetworkOptions, NetworkSearch};
use go_patterns::knowledge::{self, Library, Patterns};
use std::path::PathBuf;
use std::sync::Arc;

use game_core::{GOLDEN_GAMMA, Report};

use ending::Circumstances;
use report::report;
use tables::Tunables;

use super::book::Books;
use super::cluster::Role;
use super::early::Early;
use super::easy_win;
use super::estimate::gogui::{Estimate, estimate};
use super::level::{LEVELS, Level};
use super::searcher::Searcher;
use super::small_board;
use crate::cluster::ClusterParams;
use crate::session::{self, Decision, Engine, Filter, Purpose, Query, Upkeep, Watch};

/// How the engine is set up.
#[derive(Debug, Clone)]
pub struct EngineConfig {
    /// Threads, at least one.
    pub threads: usize,
    /// Where its random choices begin.
    pub seed: u64,
    /// Memory for the tree and, on small boards, the solver, in MiB.
    pub memory_mib: u64,
    /// Plays below its strength at this level; none is full strength.
    pub level: Option<u8>,
}

/// On small boards, the part of the memory that the solver may take.
const SOLVER_SHARE: usize = 4;
/// Share of the time of a late move that is kept for it.
const SECOND_LOOK: f64 = 0.1;
/// In place of a network's file: there is none.
pub const NO_NETWORK: &str = "none";
/// Evaluations that a network makes for a turn when neither time nor the user sets a limit.
const DEFAULT_EVALUATIONS: u64 = 800;
/// Playouts that tell about as much as one evaluation by a network.
const PLAYOUTS_OF_EVALUATION: u64 = 20;
/// Playouts after which pondering has done what it can.
const PONDERING_PLAYOUTS: u64 = 2_000_000;

/// A tree search with what it found last.
pub struct GoEngine {
    search: Searcher,
    /// The network in use, and the file that it is from.
    network: Option<(Arc<Network>, PathBuf)>,
    books: Books,
    patterns: Patterns,
    library: Arc<Library>,
    config: EngineConfig,
    tunables: Tunables,
    /// Games begun since the seed was set: each has a seed of its own, or all would be the same.
    games: u64,
    last: Option<Last>,
    /// What is proven of the game on a small board.
    solver: Solver,
    /// Whether the search leaves memory to the solver.
    is_solving: bool,
    /// How the game would end from a position, worked out once so that all answers about it agree.
    ending: Option<(Circumstances, Ending)>,
    /// Others that search the same, and which side of that this engine is on.
    role: Option<Role>,
    /// How often everything was forgotten.
    generation: u64,
}

/// The last search that was asked for.
struct Last {
    game: Game,
    color: Color,
    winrate: f64,
    /// The tree is still that search's, and not one of a position looked at since.
    has_tree: bool,
}

impl GoEngine {
    /// An engine that uses these learned patterns.
    pub fn new(config: EngineConfig, patterns: Patterns, library: Arc<Library>) -> GoEngine {
        let tunables = Tunables::default();
        let options = options(&config, &tunables.search);
        let search = knowledge::search(patterns, &library, options.clone(), &tunables.patterns);
        GoEngine {
            search: Searcher::new(search, None),
            network: None,
            books: Books::off(),
            patterns,
            library,
            config,
            tunables,
            games: 0,
            last: None,
            solver: Solver::with_bytes(options.max_memory / SOLVER_SHARE),
            is_solving: false,
            ending: None,
            role: None,
            generation: 0,
        }
    }

    /// Searches together with others from now on.
    pub fn join(&mut self, role: Role) {
        self.role = Some(role);
    }

    /// Another number whenever everything was forgotten.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The level below full strength that it plays at.
    pub fn level(&self) -> Option<u8> {
        self.config.level
    }

    /// The tunables of searches together with others.
    pub fn cluster_params(&self) -> &ClusterParams {
        &self.tunables.cluster
    }

    /// One that is set up alike and has found nothing yet. It shares what was learned with this one, the network too.
    pub fn another(&self) -> GoEngine {
        let mut another =
            GoEngine::new(self.config.clone(), self.patterns, Arc::clone(&self.library));
        another.network.clone_from(&self.network);
        another.books.clone_from(&self.books);
        another.tunables = self.tunables.clone();
        another.rebuild();
        another
    }

    /// A search of its own, which forgets nothing that was thought about before.
    fn new_search(&self, options: Options) -> Searcher {
        let network = self.network.as_ref().map(|(network, _)| {
            let options = NetworkOptions {
                threads: options.threads,
                max_memory: options.max_memory,
                seed: options.seed,
                params: self.tunables.network.clone(),
            };
            NetworkSearch::new(network.clone(), options)
        });
        let (library, params) = (&self.library, &self.tunables.patterns);
        Searcher::new(knowledge::search(self.patterns, library, options, params), network)
    }

    /// Begins again after something was set.
    fn rebuild(&mut self) {
        let mut options = options(&self.config, &self.tunables.search);
        self.solver = Solver::with_bytes(options.max_memory / SOLVER_SHARE);
        if self.is_solving {
            options.max_memory -= self.solver.max_bytes();
        }
        self.search = self.new_search(options);
        self.last = None;
        self.ending = None;
    }

    /// Forgets what the search found.
    pub fn forget(&mut self) {
        self.generation += 1;
        self.search.clear();
        self.solver.clear();
        self.last = None;
        self.ending = None;
    }

    /// Forgets the last search and what the network said in it, and keeps the memory that they took.
    pub fn forget_tree(&mut self) {
        self.search.clear_tree();
        self.last = None;
    }

    /// The seed of the present game.
    fn seed(&self) -> u64 {
        self.config.seed.wrapping_add(self.games.wrapping_mul(GOLDEN_GAMMA))
    }

    fn run_search(&mut self, query: &Query<Game>, watch: Watch<Move>) -> search::Report {
        self.fit(query.game);
        let fresh = query.purpose == Purpose::Regression;
        let partners = self.role.as_ref().and_then(|role| role.partners(self, query));
        let follows = matches!(self.role, Some(Role::Follower(_)));
        let limits = Limits {
            search: query.limits(),
            // When a search that others lead has found enough, they say.
            stop_early: !follows && !matches!(query.purpose, Purpose::Analysis | Purpose::Ponder),
            avoid: avoided(query),
            fresh,
            // Where players agree about the dead nothing is to be done there any more.
            leaves_settled: query.game.rules().friendly_pass_ok
                && !matches!(query.purpose, Purpose::Analysis | Purpose::Cleanup),
            is_played: query.purpose != Purpose::Analysis,
            asks_for_owners: false,
            partners,
        };
        let color = query.color;
        let mut control = query.control(|found: &search::Report| watch(&report(found, color)));
        self.search.reseed(if fresh { self.config.seed } else { self.seed() });
        let found = self.search.search(query.game, color, &limits, Some(&mut control));
        self.last = Some(Last {
            game: query.game.clone(),
            color,
            winrate: f64::from(found.winrate),
            has_tree: true,
        });
        found
    }

    /// The chance that the last search of this game gave the player asked about, if it was asked
    /// about the same player.
    fn last_winrate(&self, query: &Query<Game>) -> Option<f64> {
        let last = self.last.as_ref().filter(|last| last.color == query.color)?;
        let goes_on = query.game.moves().starts_with(last.game.moves());
        goes_on.then_some(last.winrate)
    }

    /// What it has learned.
    pub fn patterns(&self) -> Patterns {
        self.patterns
    }

    /// How likely each move is thought to be an expert's before any search, the likeliest first;
    /// empty when nothing learned says.
    pub fn policy(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        self.search.policy(game, color)
    }

    /// The same of the moves that are allowed.
    pub fn legal_policy(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        let is_legal = |&(mv, _): &(Move, f32)| game.check(color, mv).is_ok();
        self.policy(game, color).into_iter().filter(is_legal).collect()
    }

    /// The tree of the last search, if there was one: the game it was about, the player it thought
    /// for, and the nodes that were visited at least so many times, depth first.
    pub fn tree(&self, min_visits: u64) -> Option<(&Game, Color, Vec<search::TreeNodeInfo>)> {
        let last = self.last.as_ref().filter(|last| last.has_tree)?;
        let min_visits = u32::try_from(min_visits).unwrap_or(u32::MAX);
        Some((&last.game, last.color, self.search.node_infos(&last.game, min_visits)))
    }
}

fn options(config: &EngineConfig, params: &SearchParams) -> Options {
    Options {
        threads: config.threads,
        max_memory: usize::try_from(config.memory_mib << 20).unwrap_or(usize::MAX),
        seed: config.seed,
        params: params.clone(),
    }
}

/// The moves that the query's filter leaves out.
fn avoided(query: &Query<Game>) -> Vec<Avoided> {
    if *query.filter == Filter::NONE {
        return Vec::new();
    }
    let moves = query.game.board().points().map(Move::Play).chain([Move::Pass]);
    let depth = |color, mv: &Move| query.filter.depth(color, &<Game as session::Game>::steps(mv));
    let of_both = moves
        .flat_map(|mv| Color::BOTH.map(|color| Avoided { color, mv, depth: depth(color, &mv) }));
    of_both.filter(|avoided| avoided.depth > 0).collect()
}

impl Engine<Game> for GoEngine {
    fn fit(&mut self, game: &Game) {
        let was_solving = std::mem::replace(&mut self.is_solving, small::is_small(game));
        let board = game.board();
        let size = self.patterns.size_of_defaults(board.width().max(board.height()));
        if self.tunables.fit(size) || was_solving != self.is_solving {
            self.rebuild();
        }
    }

    const DEFAULT_VISITS: u64 = 10_000;

    fn default_visits(&self, game: &Game) -> u64 {
        match self.network(game) {
            Some(_) => DEFAULT_EVALUATIONS,
            None => Self::DEFAULT_VISITS,
        }
    }

    fn search(&mut self, query: &Query<Game>, watch: Watch<Move>) -> Report<Move> {
        if query.purpose == Purpose::Ponder {
            // What is told of is the last move's search, not this one.
            let last = self.last.take();
            self.run_search(&Query { visits: Some(PONDERING_PLAYOUTS), ..*query }, watch);
            self.last = last.map(|last| Last { has_tree: false, ..last });
            return Report::default();
        }
        report(&self.run_search(query, watch), query.color)
    }

    fn choose(
        &mut self,
        query: &Query<Game>,
        watch: Watch<Move>,
    ) -> (Decision<Move>, Report<Move>) {
        if let Some(found) = self.book_move(query) {
            return found;
        }
        // Late in the game a pass may want a second look, which takes time too.
        let late = query.game.moves().len() > query.game.board().area() / 2;
        let deadlines = query.deadlines.map(|deadlines| {
            easy_win::deadlines(
                deadlines,
                query.game,
                query.color,
                self.last_winrate(query),
                || Estimate::by(&self.estimator(query.game).ok()?, query.game).ok(),
                &self.tunables.play,
            )
        });
        let first = match deadlines {
            Some(deadlines) if late => Some(deadlines.part(1.0 - SECOND_LOOK)),
            deadlines => deadlines,
        };
        let second = deadlines.map(|deadlines| deadlines.hard);
        let has_network = self.network(query.game).is_some();
        let side = query.game.board().width().max(query.game.board().height());
        let level = self.config.level.map(|number| Level::of(number, has_network, side));
        let visits = level.map(|level| level.visits).or(query.visits);
        let known = match level {
            None => {
                let query = Query { deadlines: first, ..*query };
                let worth = if has_network { PLAYOUTS_OF_EVALUATION } else { 1 };
                let playouts = visits.map(|visits| visits.saturating_mul(worth));
                small_board::solve(&mut self.solver, &query, playouts)
            }
            Some(_) => None,
        };
        let visits = match known {
            Some(_) => Some(visits.unwrap_or(small_board::PLAYOUTS).min(small_board::PLAYOUTS)),
            None => visits,
        };
        let mut found = self.run_search(&Query { visits, deadlines: first, ..*query }, watch);
        if let Some(known) = known {
            small_board::put_first(&mut found, known);
            return (Decision::Move(known.mv), report(&found, query.color));
        }
        let decision = self.decide(query, &found, (visits, level), second);
        (decision, report(&found, query.color))
    }

    fn warm_up(&mut self, game: &Game) {
        self.look(game, game.to_play(), 1, None, &|| false);
        self.books.position(game);
        estimate(game);
    }

    fn showing(&self, game: &Game, color: Color) -> impl Fn(&Report<Move>) -> Report<Move> + use<> {
        // A network's first word needs no help.
        let has_network = self.network(game).is_some();
        let visits = if has_network { 0 } else { self.tunables.play.influence_visits };
        let early = Early::of(game, visits);
        move |report| early.temper(report, color)
    }
}

impl Upkeep for GoEngine {
    fn new_game(&mut self) {
        self.games += 1;
        self.forget();
    }

    fn threads(&self) -> usize {
        self.config.threads
    }
}
