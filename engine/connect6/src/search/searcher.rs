//! A searcher: the tree and the threat tables that live on from search to search.

use super::Knowledge;
use super::alpha_beta::AlphaBeta;
use super::params::Params;
use super::report::Progress;
use super::tree::{ROOT, Tree};
use super::turns::Expander;
use super::workers::Shared;
use crate::board::Board;
use crate::game::{Game, Outcome, ToMove};
use crate::tss::Solver;
use game_core::{Control, SearchLimits};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A searcher keeps its tree and its threat tables between searches.
pub struct Searcher {
    knowledge: Arc<Knowledge>,
    /// The tunables.
    pub tuning: Params,
    solvers: Vec<Solver>,
    tree: Tree,
    /// What the root of the tree is.
    root: Option<(Board, ToMove)>,
    tree_bytes: usize,
    table_mebibytes: usize,
    mebibytes: usize,
}

impl Searcher {
    /// A searcher with so many threads, at most `mebibytes` of memory in all.
    pub fn new(knowledge: Arc<Knowledge>, threads: usize, mebibytes: usize) -> Searcher {
        let threads = threads.clamp(1, 64);
        let table_mebibytes = (mebibytes / 2 / threads).max(1);
        let tree_bytes = (mebibytes.max(2) / 2) << 20;
        Searcher {
            knowledge,
            tuning: Params::default(),
            solvers: (0..threads).map(|_| Solver::new(table_mebibytes)).collect(),
            tree: Tree::new(tree_bytes),
            root: None,
            tree_bytes,
            table_mebibytes,
            mebibytes,
        }
    }

    /// How many threads it uses.
    pub fn threads(&self) -> usize {
        self.solvers.len()
    }

    /// The memory that it was given, in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// What it knows.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Forgets the tree and the tables: the next search is as if it were the first.
    pub fn clear(&mut self) {
        self.tree = Tree::new(self.tree_bytes);
        self.root = None;
        self.solvers.iter_mut().for_each(Solver::clear);
    }

    /// A solver to answer questions with, apart from the search.
    pub fn solver(&mut self) -> &mut Solver {
        let mebibytes = self.table_mebibytes;
        if self.solvers.is_empty() {
            self.solvers.push(Solver::new(mebibytes));
        }
        &mut self.solvers[0]
    }

    /// Searches a position until a limit, or until `control`, asked about every 20 ms, says stop.
    ///
    /// A game that is over, a full board or a turn of more than two stones gives no choices.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let to_move = game.to_move();
        let free = game.rules().width() * game.rules().height() - game.board().count();
        if game.outcome() != Outcome::Open
            || to_move.stones > 2
            || game.rules().p() > 2
            || free == 0
        {
            return Progress::empty();
        }
        let to_move = ToMove { stones: free.min(to_move.stones as usize) as u8, ..to_move };
        if self.tuning.alpha_beta {
            return self.search_alpha_beta(game, to_move, limits, control);
        }
        self.move_root(game.board(), to_move);
        let Searcher { knowledge, tuning, solvers, tree, .. } = self;
        let board = game.board().clone();
        let stop = Arc::new(AtomicBool::new(false));
        let shared = Shared {
            tree: Mutex::new(tree),
            stop: Arc::clone(&stop),
            full: AtomicBool::new(false),
            visits: AtomicU64::new(0),
            threat_nodes: AtomicU64::new(0),
            expander: Expander { net: &knowledge.net, book: &knowledge.book, tuning },
            board: &board,
            to_move,
            limits,
        };
        let mut first = true;
        loop {
            grow(&shared, solvers, first, control);
            if stop.load(Ordering::Relaxed) || !shared.make_room() {
                break;
            }
            first = false;
        }
        let progress = shared.progress();
        for solver in &mut self.solvers {
            solver.set_deadline(None);
            solver.set_interrupt(None);
        }
        progress
    }

    /// Searches by alpha-beta, which tells of its progress only at the end.
    fn search_alpha_beta(
        &mut self,
        game: &Game,
        to_move: ToMove,
        limits: &SearchLimits,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let stop = Arc::new(AtomicBool::new(false));
        let Searcher { knowledge, tuning, solvers, .. } = self;
        let Some(solver) = solvers.first_mut() else { return Progress::empty() };
        solver.set_deadline(limits.deadline);
        solver.set_interrupt(Some(Arc::clone(&stop)));
        let expander = Expander { net: &knowledge.net, book: &knowledge.book, tuning };
        let progress = std::thread::scope(|scope| {
            let (board, flag) = (game.board(), &stop);
            let search = AlphaBeta::new(expander, &mut *solver, limits, flag);
            let thread = scope.spawn(move || search.run(board, to_move));
            while !thread.is_finished() {
                std::thread::sleep(Duration::from_micros(200));
                if control(&Progress::empty) == Control::Stop {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            match thread.join() {
                Ok(progress) => progress,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        solver.set_deadline(None);
        solver.set_interrupt(None);
        progress
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, board: &Board, to_move: ToMove) {
        let found = self.root.take().and_then(|(old, old_to_move)| {
            let mut here = (ROOT, old, old_to_move);
            for _ in 0..4 {
                if here.1.key() == board.key() && here.2 == to_move {
                    return Some(here.0);
                }
                let (turn, child) = self.tree.turns(here.0).find_map(|e| {
                    let edge = self.tree.edge(e);
                    let (turn, child) = (edge.turn()?, edge.child()?);
                    let played = turn.stones().all(|p| board.get(p) == Some(here.2.color));
                    (played && self.tree.get(child).is_expanded()).then_some((turn, child))
                })?;
                turn.stones().for_each(|p| here.1.place(here.2.color, p));
                here.0 = child;
                here.2 = ToMove { color: !here.2.color, stones: board.rules().p() as u8 };
            }
            None
        });
        match found {
            Some(id) => self.tree.keep(id),
            None => self.tree = Tree::new(self.tree_bytes),
        }
        self.root = Some((board.clone(), to_move));
    }
}

/// Lets all threads search until a limit, the caller or a full tree ends it.
fn grow(
    shared: &Shared<'_>,
    solvers: &mut [Solver],
    first: bool,
    control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
) {
    let finished = AtomicU64::new(0);
    let threads = solvers.len() as u64;
    std::thread::scope(|scope| {
        for (number, solver) in solvers.iter_mut().enumerate() {
            let finished = &finished;
            solver.set_interrupt(Some(Arc::clone(&shared.stop)));
            scope.spawn(move || {
                shared.work(first && number == 0, solver);
                finished.fetch_add(1, Ordering::Relaxed);
            });
        }
        let begun = Instant::now();
        while finished.load(Ordering::Relaxed) < threads {
            // Short searches must not wait for the next look.
            let pause = if begun.elapsed() < Duration::from_millis(20) { 200 } else { 5000 };
            std::thread::sleep(Duration::from_micros(pause));
            let look = || shared.progress();
            let caught = shared.limits.soft.is_some_and(|soft| shared.is_settled(soft));
            if caught || control(&look) == Control::Stop {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, weights};

    fn go_on(searcher: &mut Searcher, game: &Game, visits: u64) -> Progress {
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(game, &limits, &mut |_| Control::Continue)
    }

    fn play(game: &mut Game, turn: crate::Turn) {
        turn.stones().for_each(|point| game.play(game.to_move().color, point).expect("legal"));
    }

    #[test]
    fn a_full_tree_makes_room_and_is_searched_on() {
        let play_on = |threads| {
            let mut game = Game::new(Rules::CONNECT6);
            let mut searcher = Searcher::new(weights::shipped(), threads, 2);
            searcher.tuning.threat_search = false;
            searcher.tree_bytes = 25_000;
            searcher.clear();
            let first = go_on(&mut searcher, &game, 5);
            play(&mut game, first.choices[0].turn);
            let second = go_on(&mut searcher, &game, 300);
            play(&mut game, second.choices[0].turn);
            let third = go_on(&mut searcher, &game, 30);
            (second, third)
        };
        let (second, third) = play_on(1);
        // So much has room for 2,000 turns without the positions after them.
        assert!(second.tree_turns < 2_500, "{}", second.tree_turns);
        let visits: u64 = second.choices.iter().map(|c| u64::from(c.visits)).sum();
        assert!(second.visits > 300 && visits + 2 >= second.visits, "{visits} {}", second.visits);
        assert!(third.visits > 30, "what is below the turn is kept: {}", third.visits);
        assert_eq!(play_on(1), (second, third), "it repeats itself");
        assert!(play_on(2).0.visits >= 300);
    }
}
