//! Best-first search with a network: its policy says what to look at, its value what that is worth.
//!
//! The tree is the one of all games that are searched best-first ([`tree_search::puct`]), the reports are those of Go's search
//! by playouts, so that whatever reads them goes on working. What is this search's own: selection with a weight that follows
//! visits and spread ([`worker`]), utilities of chances and points ([`utility`]), the choice of a move by a lower bound
//! ([`choice`]), a memory of what the network said ([`cache`]), and one of what was found of positions that several ways lead
//! to ([`transpositions`]). Each thread asks the network about its own leaf: on an
//! ordinary processor several positions at once cost as much as one after the other.
//!
//! Read for the ideas: KataGo's `docs/KataGoMethods.md`, and Wu, "Accelerating self-play learning in Go", 2019.

mod asker;
mod cache;
mod choice;
mod leaf;
mod params;
mod report;
mod rollout;
mod shared;
mod stats;
#[cfg(test)]
mod tests;
mod transpositions;
mod twins;
mod upper;
mod utility;
mod worker;

pub use params::NetworkParams;

use crate::network::Network;
use crate::position::{FromGame, Position};
use crate::rules::NetworkRules;
use asker::{Asker, Points, Reading};
use cache::{Cache, Evaluated};
use game_core::{Control, SearchLimits, Symmetry};
use go_engine::board::{Board, Site};
use go_engine::endgame::safe_area;
use go_engine::params::Params;
use go_engine::playout::Playout;
use go_engine::playout::heavy::Heavy;
use go_engine::search::{
    AvoidedSites, Limits, Look, Report, RolloutEvaluator, RootState, Scoring, Symmetries, Totals,
    TreeNodeInfo,
};
use go_engine::{Color, Game, Move};
use report::Source;
use rollout::Playouts;
use shared::Shared;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transpositions::Transpositions;
use tree_search::puct::Choice;
use tree_search::{Driver, Sharing};
use twins::{has_twins, merge_twins};
use upper::Upper;
use utility::{Utility, Value};
use worker::{GoTree, Play, Worker, count};

/// What a search is set up with.
#[derive(Clone, Debug)]
pub struct NetworkOptions {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes that tree and memory of evaluations may take.
    pub max_memory: usize,
    /// Repeats a search, with one thread.
    pub seed: u64,
    /// The tunables.
    pub params: NetworkParams,
}

/// Share of the memory that the tree takes; the rest is for evaluations, and for what was found of positions.
const TREE_SHARE: usize = 2;

/// A search and its tree, which lives on from move to move.
pub struct NetworkSearch {
    network: Arc<Network>,
    options: NetworkOptions,
    /// For the layout of the board that was searched last.
    sized: Option<((u8, u8), Box<dyn AnySearch>)>,
}

impl NetworkSearch {
    /// A search with a network.
    pub fn new(network: Arc<Network>, options: NetworkOptions) -> NetworkSearch {
        NetworkSearch { network, options, sized: None }
    }

    /// Whether its network knows boards of this size.
    pub fn knows(&self, game: &Game) -> bool {
        self.network.knows(game)
    }

    /// Its network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Other tunables for the searches to come. A tree that was searched with others should be forgotten.
    pub fn set_params(&mut self, params: &NetworkParams) {
        self.options.params.clone_from(params);
    }

    /// Another seed for the searches to come.
    pub fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.sized = None;
    }

    /// Forgets the tree, but not what the network said of positions.
    pub fn clear_tree(&mut self) {
        if let Some((_, sized)) = &mut self.sized {
            sized.clear_tree();
        }
    }

    /// Searches for a move of `color`, who need not be the one whose turn it is.
    ///
    /// # Panics
    /// When networks do not know boards of this size: see [`NetworkSearch::knows`].
    pub fn search(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        mut look: Option<Look>,
    ) -> Report {
        assert!(self.knows(game), "the network does not know this board");
        let size = (game.board().width(), game.board().height());
        let known = self.sized.take().filter(|(known, _)| *known == size && !limits.fresh);
        let (network, options) = (&self.network, &self.options);
        let (_, sized) = self.sized.insert(known.unwrap_or_else(|| {
            let sized: Box<dyn AnySearch> = match size.0.max(size.1) {
                0..=9 => Box::new(SizedSearch::<128, 2>::new(network.clone(), options.max_memory)),
                10..=13 => {
                    Box::new(SizedSearch::<256, 3>::new(network.clone(), options.max_memory))
                }
                _ => Box::new(SizedSearch::<512, 6>::new(network.clone(), options.max_memory)),
            };
            (size, sized)
        }));
        sized.search(options, game, color, limits, &mut look)
    }

    /// The tree's nodes below the root that were visited at least `min_visits` times, in depth first order, for drawing it.
    pub fn node_infos(&self, min_visits: u32) -> Vec<TreeNodeInfo> {
        self.sized.as_ref().map_or_else(Vec::new, |(_, sized)| sized.node_infos(min_visits))
    }
}

/// A search for one layout of boards behind one type for all.
trait AnySearch: Send {
    fn search(
        &mut self,
        options: &NetworkOptions,
        game: &Game,
        color: Color,
        limits: &Limits,
        look: &mut Option<Look>,
    ) -> Report;

    fn node_infos(&self, min_visits: u32) -> Vec<TreeNodeInfo>;

    fn clear_tree(&mut self);
}

/// A search of boards of one size.
struct SizedSearch<const N: usize, const W: usize> {
    network: Arc<Network>,
    tree: GoTree,
    cache: Cache,
    /// Made when they are first wanted.
    transpositions: Option<Transpositions>,
    tree_bytes: usize,
    askers: Vec<Asker<N, W>>,
    totals: Totals,
    root: Option<Root<N, W>>,
}

/// The position that is searched.
struct Root<const N: usize, const W: usize> {
    state: RootState,
    position: Position<N, W>,
    points: Points,
}

impl<const N: usize, const W: usize> SizedSearch<N, W> {
    fn new(network: Arc<Network>, max_memory: usize) -> Self {
        let tree_bytes = max_memory / TREE_SHARE;
        let rest = max_memory - tree_bytes;
        SizedSearch {
            network,
            tree: GoTree::new(tree_bytes),
            cache: Cache::new(rest.saturating_sub(Transpositions::bytes_for(tree_bytes))),
            transpositions: None,
            tree_bytes,
            askers: Vec::new(),
            totals: Totals::default(),
            root: None,
        }
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.transpositions.iter_mut().for_each(Transpositions::clear);
        self.totals = Totals::default();
    }

    /// Makes the tree one of this position: what is known of it is kept.
    fn reuse(&mut self, game: &Game, color: Color, limits: &Limits)
    where
        Position<N, W>: FromGame,
    {
        let rules = NetworkRules::from(*game.rules());
        let position =
            Position::<N, W>::from_game(game, color, rules).expect("a board of this layout");
        self.cache.retain(rules);
        let points = Points::of(position.board());
        let state = RootState::of(game, color, limits, 0.0);
        let moves = self.root.take().and_then(|root| root.state.moves_to(&state, limits));
        let kept = moves.is_some_and(|moves| {
            let sites = moves.iter().filter_map(|&mv| site_of(&position, mv)).map(Play);
            let is_moved = !moves.is_empty();
            let kept = !is_moved || self.tree.keep(sites);
            if kept && is_moved {
                self.totals = Totals::default();
            }
            let edges = self.tree.edges(self.tree.root()).iter();
            kept && !has_twins(position.board(), edges.map(|edge| edge.mv().0))
        });
        if !kept {
            self.clear();
        }
        self.root = Some(Root { state, position, points });
    }

    /// Asks the network about the root, from several sides, and gives it all moves that are wanted. True when that was the
    /// root's first visit.
    fn expand_root(&mut self, options: &NetworkOptions, limits: &Limits) -> bool {
        let Some(Root { position, points, .. }) = &self.root else { return false };
        let (params, root) = (&options.params, self.tree.root());
        let threads = options.threads.max(1);
        self.askers.retain(|asker| asker.fits(params));
        while self.askers.len() < threads {
            self.askers.push(Asker::new(&self.network, points.size, params));
        }
        let size = (points.size.width as u8, points.size.height as u8);
        let ways = self.network.root_symmetries(params.network_root_symmetries);
        let symmetries: Vec<Symmetry> = Symmetry::of_board(size).take(ways).collect();
        let reading = Reading {
            optimism: params.network_root_optimism,
            temperature: params.network_root_policy_temperature,
            all_moves: true,
        };
        let asked = (position, points);
        let said = self.askers[0].ask(&self.network, asked, &symmetries, reading);
        let avoided = avoided_sites(position, limits);
        let color = position.to_play();
        let mut avoid: Vec<Site> = Vec::new();
        if limits.leaves_settled {
            let (board, suicide) = (position.board(), position.rules().suicide);
            let settled = Color::BOTH.map(|color| safe_area(board, color, suicide).territory);
            let is_settled =
                |&site: &Site| settled.iter().any(|area| area.contains(Board::<N, W>::bit(site)));
            avoid.extend(points.sites.iter().copied().filter(is_settled));
        }
        let plays = said.policy.iter().map(|&(index, estimate)| Choice {
            mv: Play(points.site(usize::from(index))),
            estimate,
        });
        let mut choices: Vec<Choice<Play>> = plays
            .filter(|choice| !avoid.contains(&choice.mv.0) && avoided.allows(color, choice.mv.0, 0))
            .collect();
        merge_twins(position.board(), &mut choices);
        if choices.is_empty() {
            choices.push(Choice { mv: Play(Site::PASS), estimate: 1.0 });
        }
        if root.is_expanded() {
            for edge in self.tree.edges(root) {
                let again = choices.iter().find(|choice| choice.mv == edge.mv());
                edge.set_estimate(again.map_or(0.0, |choice| choice.estimate));
            }
            self.tree.widen(root, &choices);
        } else if root.try_expand() {
            self.tree.publish(root, &choices, true);
        }
        let utility = utility(&self.tree, params, position, &said.value).of(&said.value);
        root.extra.set_own(utility);
        let is_first = root.visits() == 0;
        if is_first {
            root.extra.add(&said.value, utility * utility);
            let own = if position.to_play() == Color::Black { utility } else { 1.0 - utility };
            root.add_prior_visits(1, f64::from(own));
        }
        let mut owners = vec![0.0; N];
        for (&site, &owner) in points.sites.iter().zip(&said.ownership) {
            owners[usize::from(site.0)] = Evaluated::unpack_owner(owner);
        }
        count(&mut self.totals, 0, &owners);
        is_first
    }
}

/// What positions are worth beside what is expected at the root: by the tree, or by what the network said of it.
fn utility<const N: usize, const W: usize>(
    tree: &GoTree,
    params: &NetworkParams,
    position: &Position<N, W>,
    said: &Value,
) -> Utility {
    let root = tree.root();
    let expected = root.extra.means(root.visits()).map_or(said.score, |found| found.score);
    Utility::new(params, position.board().area(), expected)
}

/// What plays positions to their end, where that is wanted.
fn playouts(params: &NetworkParams) -> Option<Playouts> {
    let rollouts = Params::default();
    let playout = || Playout::new(&rollouts, Heavy::new(&rollouts));
    (params.network_playout_weight > 0.0).then(|| RolloutEvaluator(playout()))
}

/// The moves that are left out of a search.
fn avoided_sites<const N: usize, const W: usize>(
    position: &Position<N, W>,
    limits: &Limits,
) -> AvoidedSites {
    AvoidedSites::new(&limits.avoid, |mv| site_of(position, mv))
}

fn site_of<const N: usize, const W: usize>(position: &Position<N, W>, mv: Move) -> Option<Site> {
    match mv {
        Move::Pass => Some(Site::PASS),
        Move::Play(point) => position.board().site(point),
    }
}

impl<const N: usize, const W: usize> AnySearch for SizedSearch<N, W>
where
    Position<N, W>: FromGame,
{
    fn search(
        &mut self,
        options: &NetworkOptions,
        game: &Game,
        color: Color,
        limits: &Limits,
        look: &mut Option<Look>,
    ) -> Report {
        let started = Instant::now();
        if options.params.network_transpositions {
            let made = || Transpositions::new(self.tree_bytes);
            self.transpositions.get_or_insert_with(made).next_search();
        } else {
            self.transpositions = None;
        }
        self.reuse(game, color, limits);
        let is_first = self.expand_root(options, limits);
        // The root's own visit is one of those that were asked for; but a move has to be tried.
        let visits = limits.search.visits.map(|max| max.saturating_sub(u64::from(is_first)).max(1));
        let bounds = SearchLimits {
            visits,
            deadline: limits.search.deadline.or(limits.search.soft),
            ..limits.search
        };
        let mut driver = Driver::new(&bounds);
        let sharing = Sharing(limits.partners.as_ref());
        self.share(|tree| sharing.begin(tree));
        loop {
            sharing.before_round(&mut driver);
            self.round(options, (game, color), limits, (&driver, started), look);
            self.share(|tree| sharing.after_round(&driver, tree));
            if !driver.goes_on(&mut self.tree) {
                self.share(|tree| sharing.end(tree));
                let elapsed = started.elapsed();
                return self.report(options, color, &self.totals, driver.visits(), elapsed);
            }
        }
    }

    fn node_infos(&self, min_visits: u32) -> Vec<TreeNodeInfo> {
        let root = self.root.as_ref();
        let board = root.map(|root| root.position.board());
        board.map_or_else(Vec::new, |board| report::node_infos(&self.tree, board, min_visits))
    }

    fn clear_tree(&mut self) {
        self.clear();
        // What is remembered of a position was said with the moves that had led there: another search could see others.
        self.cache.clear();
        self.root = None;
    }
}

impl<const N: usize, const W: usize> SizedSearch<N, W> {
    /// Searches until it is over or the tree is full.
    fn round(
        &mut self,
        options: &NetworkOptions,
        (game, color): (&Game, Color),
        limits: &Limits,
        (driver, started): (&Driver<'_>, Instant),
        look: &mut Option<Look>,
    ) {
        let totals = Mutex::new(std::mem::take(&mut self.totals));
        let mut askers = std::mem::take(&mut self.askers);
        let Some(Root { position, points, .. }) = &self.root else { return };
        let shared = Shared {
            network: &self.network,
            tree: &self.tree,
            cache: &self.cache,
            transpositions: self.transpositions.as_ref(),
            params: &options.params,
            points,
            position,
            utility: utility(&self.tree, &options.params, position, &Value::default()),
            driver,
            stop_early: limits.stop_early,
            sharing: Sharing(limits.partners.as_ref()),
            is_symmetric: !Symmetries::of(position.board()).is_empty(),
            avoided: avoided_sites(position, limits),
            playouts: playouts(&options.params),
            scoring: Scoring::of(game, 0.0),
            seed: options.seed,
            totals,
        };
        let report = || {
            let totals = shared.totals.lock().map(|totals| totals.clone()).unwrap_or_default();
            self.report(options, color, &totals, driver.visits(), started.elapsed())
        };
        let threads = options.threads.max(1);
        let workers = (0..threads as u64)
            .zip(&mut askers)
            .map(|(thread, asker)| Worker::new(&shared, asker, thread));
        let sharing = Sharing(limits.partners.as_ref());
        driver.round(&self.tree, workers, &mut || {
            sharing.tick(driver, &Upper { tree: &self.tree, points });
            let stops = look.as_mut().is_some_and(|look| look(&report) == Control::Stop);
            let enough = self.tree.is_enough(driver.limits());
            if stops || enough { Control::Stop } else { Control::Continue }
        });
        let totals = shared.totals.into_inner().unwrap_or_default();
        (self.totals, self.askers) = (totals, askers);
    }

    /// Does something with the upper part of the tree.
    fn share(&self, act: impl FnOnce(&Upper<'_>)) {
        if let Some(Root { points, .. }) = &self.root {
            act(&Upper { tree: &self.tree, points });
        }
    }

    /// What the tree says now.
    fn report(
        &self,
        options: &NetworkOptions,
        to_move: Color,
        totals: &Totals,
        visits: u64,
        elapsed: Duration,
    ) -> Report {
        let (tree, params) = (&self.tree, &options.params);
        let source = Source { tree, params, to_move, totals, visits, elapsed };
        let root = self.root.as_ref().expect("a search has a root");
        source.read(root.position.board())
    }
}
