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
use crate::eval::Weights;
use crate::game::{Game, Stage};
use crate::moves::Move;
use crate::net::resnet::ResNet;
use crate::position::Position;
use crate::region::{Closed, Filler, regions};
use crate::solve::{self, Solver};
use tree_search::puct::Tree;
use tree_search::report::decided;
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
            (Some(visits), _) => Some(self.params.solve_nodes.min(2 * visits)),
            (None, None) => Some(self.params.solve_nodes.max(100_000)),
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
        let nothing = || decided(position.moves()[0], Proven::Unknown, 0);
        let mut go_on = |nodes: u64| {
            limits.visits.is_none_or(|max| nodes < max)
                && (!nodes.is_multiple_of(16)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::GameSquare;

    fn search(position: Position, visits: u64, threads: usize) -> Report<Move> {
        let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue)
    }

    #[test]
    fn a_search_repeats_itself() {
        let first = search(Position::start(), 100, 1);
        assert_eq!(first, search(Position::start(), 100, 1));
        assert!(first.visits >= 100 && first.moves.len() > 10);
        assert!(Position::start().check(first.moves[0].mv).is_ok());
    }

    #[test]
    fn the_network_has_its_say_where_it_is_asked() {
        let search = |visits: u32, threads: usize| {
            let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
            searcher.params.network_visits = visits;
            searcher.params.network_arrows = true;
            searcher.params.network_value = 2.0;
            let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
            let game = Game::new(Position::start());
            let first = searcher.search(&game, &limits, &mut |_| Control::Continue);
            // The tree that is kept has its opinions in it, and is searched on.
            let mut next = game.clone();
            next.play(first.moves[0].mv).expect("legal");
            let second = searcher.search(&next, &limits, &mut |_| Control::Continue);
            (first, second)
        };
        assert_eq!(search(2, 1), search(2, 1));
        assert_ne!(search(2, 1), search(0, 1));
        for found in <[Report<Move>; 2]>::from(search(1, 3)) {
            assert!(found.moves.iter().all(|c| (0.0..=1.0).contains(&c.prior)), "{found:?}");
        }
        // A smaller board is none that it knows.
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.params.network_visits = 1;
        let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
        let game = Game::new(Position::start_on(5).expect("a start"));
        let asked = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert_eq!(asked, self::search(Position::start_on(5).expect("a start"), 50, 1));
    }

    #[test]
    fn turns_are_left_out_in_the_whole_tree() {
        let mut searcher = Searcher::new(Weights::shipped(), 2, 64);
        let game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(400), ..SearchLimits::default() };
        // Neither side moves the queens that it prefers to, and no arrow goes into the middle.
        let refused =
            |mv: Move| matches!(mv.from.column(), 3 | 6) || (3..7).contains(&mv.arrow.column());
        let accepts = |_, mv, depth| depth >= 2 || !refused(mv);
        let mut look = |_: &dyn Fn() -> Report<Move>| Control::Continue;
        let found = searcher.search_among(&game, &limits, TurnFilter::new(2, &accepts), &mut look);
        assert!(found.moves.len() > 5);
        for found in &found.moves {
            assert!(!found.line.iter().take(2).any(|&mv| refused(mv)), "{:?}", found.line);
        }
        let none = TurnFilter::new(1, &|_, _, _| false);
        assert!(searcher.search_among(&game, &limits, none, &mut look).moves.is_empty());
        // Of a turn in progress the rest is left out.
        let mut begun = game.clone();
        let [from, to] = ["d1", "d7"].map(|name| name.parse::<GameSquare>().expect("a square").0);
        begun.step(from).and_then(|()| begun.step(to)).expect("legal");
        let arrow = "g7".parse::<GameSquare>().expect("a square").0;
        let is_it = |_, mv: Move, _| mv.arrow == arrow;
        let only = TurnFilter::new(1, &is_it);
        let found = searcher.search_among(&begun, &limits, only, &mut look);
        assert_eq!(
            found.moves.iter().map(|m| m.mv).collect::<Vec<_>>(),
            [Move { from, to, arrow }]
        );
    }

    #[test]
    fn a_side_that_may_not_make_its_winning_turns_has_not_lost() {
        let game = Game::new("X.O|..#|...".parse().expect("a diagram"));
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        let limits = SearchLimits { visits: Some(500), ..SearchLimits::default() };
        let mut look = |_: &dyn Fn() -> Report<Move>| Control::Continue;
        let best = searcher.search(&game, &limits, &mut look);
        assert_eq!(best.proven, Proven::Win);
        let mut left_out = Vec::new();
        // One winning turn after the other, until none is left.
        loop {
            let accepts = |_, mv: Move, _| !left_out.contains(&mv);
            let found =
                searcher.search_among(&game, &limits, TurnFilter::new(1, &accepts), &mut look);
            assert_ne!(found.proven, Proven::Loss);
            match found.moves.first() {
                Some(best) if found.proven == Proven::Win => {
                    assert!(!left_out.contains(&best.mv));
                    left_out.push(best.mv);
                }
                Some(best) => {
                    assert!(!left_out.contains(&best.mv));
                    break;
                }
                None => break,
            }
        }
        assert!(!left_out.is_empty());
    }

    #[test]
    fn several_threads_keep_the_books() {
        let found = search(Position::start(), 2000, 3);
        let visits: u64 = found.moves.iter().map(|c| u64::from(c.visits)).sum();
        assert!(visits <= found.visits && visits > found.visits / 2, "{visits} {}", found.visits);
    }

    #[test]
    fn whole_games_agree_with_the_solver() {
        // The search against itself on 4x4 from positions that the solver has decided: the winner wins.
        let mut seed = 3u64;
        for _ in 0..8 {
            let mut game = Game::new(Position::start_on(4).expect("a start"));
            for _ in 0..2 {
                let moves = game.position().moves();
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(moves[(seed >> 33) as usize % moves.len()]).expect("legal");
            }
            let mut solver = Solver::new(16);
            let report = solver.solve(game.position(), &solve::Limits::default());
            let side = game.position().to_move();
            let winner = if report.proven == Proven::Win { side } else { side.other() };
            let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
            searcher.params.solve_nodes = 1_000_000;
            while game.winner().is_none() {
                let limits = SearchLimits { visits: Some(300), ..SearchLimits::default() };
                let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
                game.play(found.moves[0].mv).expect("legal");
            }
            assert_eq!(game.winner(), Some(winner));
        }
    }

    #[test]
    fn alpha_beta_finds_a_move_and_a_win() {
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.params.alpha_beta = true;
        searcher.params.solve_squares = 0;
        let limits = SearchLimits { visits: Some(3000), ..SearchLimits::default() };
        let game = Game::new(Position::start());
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(game.position().check(found.moves[0].mv).is_ok() && found.visits >= 3000);
        // Black's last free square is shot at.
        let game = Game::new("X.O|..#|...".parse().expect("a diagram"));
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        let proven = Solver::new(1).solve(game.position(), &solve::Limits::default()).proven;
        assert_eq!(proven, Proven::Win);
        assert_eq!(found.proven, Proven::Win, "{found:?}");
    }

    #[test]
    fn the_tree_alone_finds_proofs() {
        let position: Position = "X..O|..#.|#..X|O..#".parse().expect("a diagram");
        let report = Solver::new(16).solve(&position, &solve::Limits::default());
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.params.solve_squares = 0;
        let limits = SearchLimits { visits: Some(20_000), ..SearchLimits::default() };
        let found = searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue);
        let expected = if report.proven == Proven::Win { Proven::Win } else { Proven::Loss };
        assert_eq!(found.proven, expected, "{found:?}");
    }

    #[test]
    fn a_full_tree_is_searched_on_and_kept() {
        let mut searcher = Searcher::new(Weights::shipped(), 2, 4);
        let mut game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(40_000), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        // Without a limit there would be a node for each visit.
        assert!(found.visits >= 40_000 && found.nodes < 38_000, "{}", found.nodes);
        game.play(found.moves[0].mv).expect("legal");
        let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
        let kept = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(kept.visits > 50 && kept.nodes <= found.nodes);
    }

    #[test]
    fn the_tree_is_kept_from_move_to_move() {
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        let mut game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(60_000), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        let line = &found.moves[0].line;
        assert!(line.len() >= 2);
        game.play(line[0]).expect("legal");
        game.play(line[1]).expect("legal");
        let none = SearchLimits { visits: Some(0), ..SearchLimits::default() };
        let kept = searcher.search(&game, &none, &mut |_| Control::Continue);
        assert!(kept.visits > 2, "{}", kept.visits);
    }

    #[test]
    fn a_turn_in_progress_is_finished() {
        let mut game = Game::new(Position::start());
        let from = crate::Square::new(3, 0).expect("a square");
        game.step(from).expect("a queen");
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(found.moves.iter().all(|choice| choice.mv.from == from));
        let to = crate::Square::new(3, 1).expect("a square");
        game.step(to).expect("legal");
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(found.moves.iter().all(|choice| (choice.mv.from, choice.mv.to) == (from, to)));
    }
}
