//! A search from its limits to its result: the solver first where the end is near, then threads that share one tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::alpha_beta::AlphaBeta;
use super::between::steps_between;
use super::expand::Expander;
use super::params::Params;
use super::report::{Progress, RootChoice, progress};
use super::tree::Tree;
use super::worker::{Worker, allows};
use crate::eval::Weights;
use crate::game::{Game, Stage};
use crate::moves::Move;
use crate::net::resnet::ResNet;
use crate::position::Position;
use crate::region::{Closed, Filler, regions};
use crate::solve::{self, Solver};
use game_core::{Control, Proven, SearchLimits};

/// A searcher keeps its tree between searches.
#[derive(Debug)]
pub struct Searcher {
    /// The tunables.
    pub tuning: Params,
    weights: Arc<Weights>,
    network: Arc<ResNet>,
    threads: usize,
    mebibytes: usize,
    tree: Option<Tree>,
    /// What the root of the tree is.
    root: Position,
    stage: Stage,
    solver: Solver,
    /// Counts what is left when nothing is fought for any more.
    filler: Filler,
}

/// Part of the memory that the solver's table takes.
const SOLVER_PART: usize = 16;
/// Part of the memory that the tree may take, in sixteenths; while it is copied from move to move the copy takes up to
/// three fifths of this beside it.
const TREE_SIXTEENTHS: usize = 9;
/// Positions looked at to count a region when nothing is fought for any more: some hundredths of a second.
const FILL_PATIENCE: u32 = 1000;

impl Searcher {
    /// A searcher with so many threads, at most `mebibytes` of memory in all.
    pub fn new(weights: Arc<Weights>, threads: usize, mebibytes: usize) -> Searcher {
        let solver = Solver::new((mebibytes / SOLVER_PART).max(1));
        Searcher {
            tuning: Params::default(),
            weights,
            network: ResNet::shipped(),
            threads: threads.clamp(1, 64),
            mebibytes,
            tree: None,
            root: Position::start(),
            stage: Stage::From,
            solver,
            filler: Filler::new(FILL_PATIENCE),
        }
    }

    /// How many threads it uses.
    pub fn threads(&self) -> usize {
        self.threads
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

    /// Memory that it may take, in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Forgets the tree: the next search is as if it were the first.
    pub fn clear(&mut self) {
        self.tree = None;
        self.solver.clear();
    }

    /// The solver, to answer questions with apart from the search.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Searches a game's next turn, or what is left of the turn in progress, until a limit, or until `control`, asked
    /// every few milliseconds, says stop. A game that is over gives no choices.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let (position, stage) = (*game.position(), game.stage());
        if !position.can_move() {
            return Progress {
                choices: Vec::new(),
                visits: 0,
                chance: 0.0,
                fate: Proven::Loss,
                tree_nodes: 0,
                solver_nodes: 0,
            };
        }
        if stage == Stage::From
            && let Some(found) = self.count(&position)
        {
            return found;
        }
        let (solved, solver_nodes) = self.solve(&position, stage, limits);
        let fate = match solved {
            Some((true, Some(mv))) => return decided(mv, Proven::Win, solver_nodes),
            Some((false, _)) => Proven::Loss,
            _ => Proven::Unknown,
        };
        if self.tuning.alpha_beta {
            return self.alpha_beta(&position, stage, limits, control);
        }
        self.move_root(&position, stage);
        let mut found = self.grow(&position, stage, limits, solver_nodes, control);
        if fate == Proven::Loss {
            found.fate = fate;
            found.chance = 0.0;
        }
        found
    }

    /// The move to make when nothing is fought for any more: one that costs none of those left.
    fn count(&mut self, position: &Position) -> Option<Progress> {
        let side = position.to_move();
        let mut own = Vec::new();
        for region in regions(position) {
            if region.owner()? == side {
                own.push((region.queens[side.index()], region.free));
            }
        }
        let wins = Closed::count(position, &mut self.filler).wins(side)?;
        let mv = own.into_iter().find_map(|(queens, free)| self.filler.best_move(queens, free))?;
        Some(decided(mv, if wins { Proven::Win } else { Proven::Loss }, 0))
    }

    /// Whether the side to move wins, where that can be told soon, with a move that does.
    fn solve(
        &mut self,
        position: &Position,
        stage: Stage,
        limits: &SearchLimits,
    ) -> (Option<(bool, Option<Move>)>, u64) {
        let contested: u32 =
            regions(position).filter(|r| r.owner().is_none()).map(|r| r.free.len()).sum();
        if stage != Stage::From || contested > self.tuning.solve_squares {
            return (None, 0);
        }
        let now = Instant::now();
        let end = limits.soft.or(limits.deadline);
        let time = end.map(|end| end.saturating_duration_since(now));
        let nodes = match (limits.visits, time) {
            (Some(visits), _) => Some(self.tuning.solve_nodes.min(2 * visits)),
            (None, None) => Some(self.tuning.solve_nodes.max(100_000)),
            (None, Some(_)) => None,
        };
        let deadline = time.map(|time| now + time.mul_f32(self.tuning.solve_share));
        let report = self.solver.solve(position, &solve::Limits { nodes, deadline, stop: None });
        (report.wins.map(|wins| (wins, report.best)), report.nodes)
    }

    /// Alpha-beta until a limit; a visit is a node.
    fn alpha_beta(
        &self,
        position: &Position,
        stage: Stage,
        limits: &SearchLimits,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let end = limits.soft.or(limits.deadline);
        let nothing = || decided(position.moves()[0], Proven::Unknown, 0);
        let mut go_on = |nodes: u64| {
            limits.visits.is_none_or(|most| nodes < most)
                && (!nodes.is_multiple_of(16)
                    || end.is_none_or(|end| Instant::now() < end)
                        && control(&nothing) == Control::Continue)
        };
        let expander = Expander::new(&self.weights, &self.tuning, &self.network, position);
        AlphaBeta::new(expander, &mut go_on).run(position, stage)
    }

    /// Threads grow the tree until a limit.
    fn grow(
        &mut self,
        position: &Position,
        stage: Stage,
        limits: &SearchLimits,
        solver_nodes: u64,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let tree = self
            .tree
            .get_or_insert_with(|| Tree::new((self.mebibytes * TREE_SIXTEENTHS / 16).max(1)));
        let tree: &Tree = tree;
        let expander = Expander::new(&self.weights, &self.tuning, &self.network, position);
        let worker = || Worker::new(tree, expander, position, stage);
        // Whatever the clock says there must be something to play.
        let mut first = worker();
        while tree.root().visits() < 2 && first.visit() {}
        let most = limits.visits.unwrap_or(u64::MAX);
        let look = || progress(tree, stage, solver_nodes);
        if self.threads == 1
            && limits.deadline.is_none()
            && limits.visits.is_some_and(|v| v <= 20_000)
        {
            // Short searches need no second thread to watch them.
            for count in 0..most {
                if !first.visit() || count % 64 == 63 && control(&look) == Control::Stop {
                    break;
                }
            }
            return look();
        }
        let (begun, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let finished = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut worker = worker();
                    let mut open = true;
                    while open
                        && !stop.load(Relaxed)
                        && begun.fetch_add(1, Relaxed) < most
                        && limits.deadline.is_none_or(|end| Instant::now() < end)
                    {
                        open = worker.visit();
                    }
                    finished.fetch_add(1, Relaxed);
                });
            }
            let started = Instant::now();
            while finished.load(Relaxed) < self.threads {
                let pause = if started.elapsed() < Duration::from_millis(20) { 200 } else { 4000 };
                std::thread::sleep(Duration::from_micros(pause));
                let done =
                    limits.soft.is_some_and(|soft| settled(tree, stage, soft, limits.deadline));
                if done || control(&look) == Control::Stop {
                    stop.store(true, Relaxed);
                }
            }
        });
        look()
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, position: &Position, stage: Stage) {
        let here = (*position, stage);
        let old =
            (std::mem::replace(&mut self.root, here.0), std::mem::replace(&mut self.stage, here.1));
        if old == here {
            return;
        }
        let tree = self.tree.take();
        if stage == Stage::From {
            self.tree = tree.and_then(|tree| tree.below(&steps_between(&old.0, position)?));
        }
    }
}

/// A result of one move whose end is known.
fn decided(mv: Move, fate: Proven, solver_nodes: u64) -> Progress {
    let chance = if fate == Proven::Win { 1.0 } else { 0.0 };
    let choice = RootChoice { mv, visits: 1, chance, prior: 1.0, fate, line: vec![mv] };
    Progress { choices: vec![choice], visits: 1, chance, fate, tree_nodes: 0, solver_nodes }
}

/// Whether a search may end before its deadline: decided, or beyond the soft limit with a clear best.
fn settled(tree: &Tree, stage: Stage, soft: Instant, hard: Option<Instant>) -> bool {
    let root = tree.root();
    if root.fate() != Proven::Unknown {
        return true;
    }
    if Instant::now() < soft {
        return false;
    }
    let open =
        tree.edges(root).iter().filter(|e| e.fate() != Proven::Loss && allows(stage, e.step()));
    let tried = open.filter_map(|edge| tree.child(edge));
    game_core::stands_out(tried.map(|child| (child.visits(), child.mean().unwrap_or(0.0))))
        || hard.is_none_or(|end| Instant::now() >= end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(position: Position, visits: u64, threads: usize) -> Progress {
        let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue)
    }

    #[test]
    fn a_search_repeats_itself() {
        let first = search(Position::start(), 100, 1);
        assert_eq!(first, search(Position::start(), 100, 1));
        assert!(first.visits >= 100 && first.choices.len() > 10);
        assert!(Position::start().check(first.choices[0].mv).is_ok());
    }

    #[test]
    fn the_network_has_its_say_where_it_is_asked() {
        let search = |visits: u32, threads: usize| {
            let mut searcher = Searcher::new(Weights::shipped(), threads, 64);
            searcher.tuning.network_visits = visits;
            searcher.tuning.network_arrows = true;
            searcher.tuning.network_value = 2.0;
            let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
            let game = Game::new(Position::start());
            let first = searcher.search(&game, &limits, &mut |_| Control::Continue);
            // The tree that is kept has its opinions in it, and is searched on.
            let mut next = game.clone();
            next.play(first.choices[0].mv).expect("legal");
            let second = searcher.search(&next, &limits, &mut |_| Control::Continue);
            (first, second)
        };
        assert_eq!(search(2, 1), search(2, 1));
        assert_ne!(search(2, 1), search(0, 1));
        for found in <[Progress; 2]>::from(search(1, 3)) {
            assert!(found.choices.iter().all(|c| (0.0..=1.0).contains(&c.prior)), "{found:?}");
        }
        // A smaller board is none that it knows.
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.tuning.network_visits = 1;
        let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
        let game = Game::new(Position::start_on(5).expect("a start"));
        let asked = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert_eq!(asked, self::search(Position::start_on(5).expect("a start"), 50, 1));
    }

    #[test]
    fn several_threads_keep_the_books() {
        let found = search(Position::start(), 2000, 3);
        let visits: u64 = found.choices.iter().map(|c| u64::from(c.visits)).sum();
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
            let winner = if report.wins == Some(true) { side } else { side.other() };
            let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
            searcher.tuning.solve_nodes = 1_000_000;
            while game.winner().is_none() {
                let limits = SearchLimits { visits: Some(300), ..SearchLimits::default() };
                let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
                game.play(found.choices[0].mv).expect("legal");
            }
            assert_eq!(game.winner(), Some(winner));
        }
    }

    #[test]
    fn alpha_beta_finds_a_move_and_a_win() {
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.tuning.alpha_beta = true;
        searcher.tuning.solve_squares = 0;
        let limits = SearchLimits { visits: Some(3000), ..SearchLimits::default() };
        let game = Game::new(Position::start());
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(game.position().check(found.choices[0].mv).is_ok() && found.visits >= 3000);
        // Black's last free square is shot at.
        let game = Game::new("X.O|..#|...".parse().expect("a diagram"));
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        let wins = Solver::new(1).solve(game.position(), &solve::Limits::default()).wins;
        assert_eq!(wins, Some(true));
        assert_eq!(found.fate, Proven::Win, "{found:?}");
    }

    #[test]
    fn the_tree_alone_finds_proofs() {
        let position: Position = "X..O|..#.|#..X|O..#".parse().expect("a diagram");
        let report = Solver::new(16).solve(&position, &solve::Limits::default());
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        searcher.tuning.solve_squares = 0;
        let limits = SearchLimits { visits: Some(20_000), ..SearchLimits::default() };
        let found = searcher.search(&Game::new(position), &limits, &mut |_| Control::Continue);
        let expected = if report.wins == Some(true) { Proven::Win } else { Proven::Loss };
        assert_eq!(found.fate, expected, "{found:?}");
    }

    #[test]
    fn a_full_tree_is_searched_on_and_kept() {
        let mut searcher = Searcher::new(Weights::shipped(), 2, 4);
        let mut game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(12_000), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(found.visits >= 12_000 && found.tree_nodes < 12_000, "{found:?}");
        game.play(found.choices[0].mv).expect("legal");
        let limits = SearchLimits { visits: Some(50), ..SearchLimits::default() };
        let kept = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(kept.visits > 50 && kept.tree_nodes <= found.tree_nodes);
    }

    #[test]
    fn the_tree_is_kept_from_move_to_move() {
        let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
        let mut game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(20_000), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        let line = &found.choices[0].line;
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
        assert!(found.choices.iter().all(|choice| choice.mv.from == from));
        let to = crate::Square::new(3, 1).expect("a square");
        game.step(to).expect("legal");
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        assert!(found.choices.iter().all(|choice| (choice.mv.from, choice.mv.to) == (from, to)));
    }
}
