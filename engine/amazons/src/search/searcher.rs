//! A search from its limits to its result: the solver first where the end is near, then threads that share one tree.

use std::sync::Arc;
use std::time::Instant;

use super::alpha_beta::AlphaBeta;
use super::between::steps_between;
use super::expand::Expander;
use super::params::Params;
use super::partial_move::PartialMove;
use super::report::report;
use super::worker::Worker;
use super::{Report, Search};
use crate::eval::{Weights, chance};
use crate::game::{Game, Stage};
use crate::moves::Move;
use crate::net::resnet::ResNet;
use crate::position::Position;
use crate::region::{Closed, Filler, regions};
use crate::solve::{self, Solver};
use tree_search::puct::Tree;
use tree_search::report::{decided, single};
use tree_search::{
    Control, Driver, Look, MAX_THREADS, Proven, SearchLimits, StopSignal, TurnFilter, Worker as _,
    stop,
};
use tunables::Table;

/// A searcher keeps its tree between searches.
#[derive(Debug)]
pub struct Searcher {
    /// The tunables.
    pub params: Params,
    weights: Arc<Weights>,
    network: Arc<ResNet>,
    threads: usize,
    memory_mib: usize,
    tree: Tree<PartialMove>,
    /// What the root of the tree is.
    root: (Position, Stage),
    solver: Solver,
    /// Counts what is left when nothing is fought for any more.
    filler: Filler,
}

/// Share of the memory that the solver's table takes.
const SOLVER_SHARE: f64 = 1.0 / 16.0;
/// Share of the memory that the tree takes. The lists of what is free in it are beside it.
const TREE_SHARE: f64 = 7.0 / 8.0;
/// States that solving may take at least where nothing limits the search.
const UNLIMITED_SOLVE_NODES: u64 = 100_000;
/// States that solving may take for each visit of a search whose visits are counted.
const SOLVE_NODES_PER_VISIT: u64 = 2;
/// Nodes of alpha-beta between two looks at the clock.
const NODES_PER_LOOK: u64 = 16;
/// Positions looked at to count a region when nothing is fought for any more: some hundredths of a second.
const FILL_PATIENCE: u32 = 1000;

impl Searcher {
    /// A searcher with so many threads, at most `memory_mib` MiB of memory in all.
    pub fn new(weights: Arc<Weights>, threads: usize, memory_mib: usize) -> Searcher {
        let mib = memory_mib.max(1) as f64;
        Searcher {
            params: Params::default(),
            weights,
            network: ResNet::shipped(),
            threads: threads.clamp(1, MAX_THREADS),
            memory_mib,
            tree: Tree::new((mib * TREE_SHARE * f64::from(1 << 20)) as usize),
            root: (Position::start(), Stage::From),
            solver: Solver::new(((mib * SOLVER_SHARE) as usize).max(1)),
            filler: Filler::new(FILL_PATIENCE),
        }
    }

    /// The weights of its evaluation.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// The network that it asks where the tunable `network_visits` says so.
    pub fn network(&self) -> &Arc<ResNet> {
        &self.network
    }

    /// Takes another network.
    pub fn set_network(&mut self, network: Arc<ResNet>) {
        self.network = network;
        self.clear();
    }

    /// The solver, to answer questions with apart from the search.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// The move to make when nothing is fought for any more: one that costs none of those left.
    fn count(&mut self, position: &Position) -> Option<Report<Move>> {
        let side = position.to_move();
        let mut own = Vec::new();
        for region in regions(position) {
            if region.owner()? == side {
                own.push((region.queens[side.index()], region.free));
            }
        }
        let wins = Closed::count(position, &mut self.filler).wins(side)?;
        let mv = own.into_iter().find_map(|(queens, free)| self.filler.best_move(queens, free))?;
        Some(decided(mv, Proven::from_win(Some(wins)), 0))
    }

    /// Whether the side to move wins, where that can be told soon, with a move that does.
    fn solve(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        stop: StopSignal,
    ) -> (Option<(Proven, Option<Move>)>, u64) {
        let now = Instant::now();
        let end = limits.soft.or(limits.deadline);
        let time = end.map(|end| end.saturating_duration_since(now));
        let nodes = match (limits.visits, time) {
            (Some(visits), _) => {
                Some(self.params.solve_nodes.min(visits.saturating_mul(SOLVE_NODES_PER_VISIT)))
            }
            (None, None) => Some(self.params.solve_nodes.max(UNLIMITED_SOLVE_NODES)),
            (None, Some(_)) => None,
        };
        let deadline = time.map(|time| now + time.mul_f32(self.params.solve_share));
        let stop = StopSignal { deadline, ..stop };
        let report = self.solver.solve(position, &solve::Limits { nodes, stop });
        (report.proven.is_known().then_some((report.proven, report.best)), report.nodes)
    }

    /// Alpha-beta until a limit; a visit is a node.
    fn alpha_beta(
        &self,
        position: &Position,
        stage: Stage,
        limits: &SearchLimits,
        look: Look<'_, Move>,
    ) -> Report<Move> {
        let end = limits.soft.or(limits.deadline);
        let nothing = || {
            let first = turns_left(position, stage).next();
            let chance = chance(self.weights.evaluate(position));
            first.map_or_else(Report::default, |mv| single(mv, 1, chance, Proven::Unknown))
        };
        let mut go_on = |nodes: u64| {
            limits.visits.is_none_or(|max| nodes < max)
                && (!nodes.is_multiple_of(NODES_PER_LOOK)
                    || end.is_none_or(|end| Instant::now() < end)
                        && look(&nothing) == Control::Continue)
        };
        let expander = Expander::new(&self.weights, &self.params, &self.network, position);
        AlphaBeta::new(expander, &mut go_on).run(position, stage)
    }

    /// Threads grow the tree until a limit.
    fn search_tree(
        &mut self,
        position: &Position,
        stage: Stage,
        filter: TurnFilter<'_, Move>,
        solver_nodes: u64,
        mut driver: Driver<'_>,
        look: Look<'_, Move>,
    ) -> Report<Move> {
        let limits = driver.limits();
        let expander = Expander::new(&self.weights, &self.params, &self.network, position);
        // Whatever the clock says there must be something to play.
        let stop = driver.stop_signal();
        let mut first = Worker::new(&self.tree, expander, position, stage, filter, stop.clone());
        while self.tree.root().visits() < 2 && first.visit() {}
        loop {
            let tree = &self.tree;
            let worker = |_| Worker::new(tree, expander, position, stage, filter, stop.clone());
            let workers = (0..self.threads).map(worker);
            let found = || Report { counted: driver.visits(), ..report(tree, solver_nodes) };
            driver.round(tree, workers, &mut || match look(&found) {
                Control::Continue if !is_enough(tree, limits) => Control::Continue,
                _ => Control::Stop,
            });
            if !driver.goes_on(&mut self.tree) {
                return Report { counted: driver.visits(), ..report(&self.tree, solver_nodes) };
            }
        }
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, position: &Position, stage: Stage) {
        let here = (*position, stage);
        let old = std::mem::replace(&mut self.root, here);
        if old == here {
            return;
        }
        // A tree of a turn in progress lacks what that turn cannot be any more.
        let reaches = stage == Stage::From && (old.1 == Stage::From || old.0 != here.0);
        let steps = reaches.then(|| steps_between(&old.0, position)).flatten();
        let kept = steps.is_some_and(|steps| self.tree.keep(steps));
        // A proof whose moves were forgotten to make room is of no use at the root.
        let root = self.tree.root();
        if !kept || root.proven().is_known() && self.tree.line(Some(root)).nth(1).is_none() {
            self.tree.clear();
        }
    }
}

impl Search for Searcher {
    type Game = Game;
    type Move = Move;

    /// Searches a game's next turn, or what is left of the turn in progress.
    fn search_among(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        filter: TurnFilter<'_, Move>,
        look: Look<'_, Move>,
    ) -> Report<Move> {
        let (position, stage) = (*game.position(), game.stage());
        if !position.can_move() {
            return Report { winrate: 0.0, proven: Proven::Loss, ..Report::default() };
        }
        let accepts = |mv: Move| filter.accepts(position.to_move(), mv, 0);
        if filter.is_set() && !turns_left(&position, stage).any(accepts) {
            return Report::default();
        }
        let driver = Driver::new(limits);
        let contested = regions(&position).filter(|region| region.owner().is_none());
        let contested: u32 = contested.map(|region| region.free.len()).sum();
        let (mut solved, mut solver_nodes) = (None, 0);
        // The solver and the count know nothing of moves that are left out later.
        let may_solve = stage == Stage::From && !filter.concerns(1);
        if may_solve && contested <= self.params.solve_squares {
            let stop = driver.stop_signal();
            self.filler.set_stop(stop.clone());
            // Counting and solving may take long, and whoever waits for them may want them to end.
            let counted;
            (counted, (solved, solver_nodes)) =
                driver.alone(&mut || look(&Report::default), || match self.count(&position) {
                    Some(found) => (Some(found), (None, 0)),
                    None => (None, self.solve(&position, limits, stop)),
                });
            if let Some(found) = counted.filter(|found| found.moves.iter().all(|m| accepts(m.mv))) {
                return found;
            }
        }
        if let Some((Proven::Win, Some(mv))) = solved.filter(|(_, mv)| mv.is_none_or(accepts)) {
            return decided(mv, Proven::Win, solver_nodes);
        }
        // Alpha-beta leaves nothing out.
        if self.params.alpha_beta && !filter.is_set() {
            return self.alpha_beta(&position, stage, limits, look);
        }
        self.move_root(&position, stage);
        if filter.is_set() {
            self.tree.clear();
        }
        let found = self.search_tree(&position, stage, filter, solver_nodes, driver, look);
        if filter.is_set() {
            self.tree.clear();
        }
        match solved {
            Some((Proven::Loss, _)) => Report { winrate: 0.0, proven: Proven::Loss, ..found },
            _ => found,
        }
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.solver.clear();
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn memory_mib(&self) -> usize {
        self.memory_mib
    }

    fn params(&self) -> &dyn Table {
        &self.params
    }

    fn params_mut(&mut self) -> &mut dyn Table {
        &mut self.params
    }
}

/// The turns that a side may still make of the one in progress.
fn turns_left(position: &Position, stage: Stage) -> impl Iterator<Item = Move> {
    let fits = move |mv: &Move| PartialMove { from: mv.from, to: mv.to }.fits(stage);
    position.moves().into_iter().filter(fits)
}

/// Whether a search may end before its limits.
fn is_enough(tree: &Tree<PartialMove>, limits: &SearchLimits) -> bool {
    let open = tree.edges(tree.root()).iter().filter(|edge| edge.proven() != Proven::Loss);
    let visited = open.filter_map(|edge| tree.child(edge));
    stop::is_enough(limits, visited.map(|child| (child.visits(), child.mean().unwrap_or(0.0))))
}
