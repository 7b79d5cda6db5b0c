//! A searcher: the tree and the threat tables that live on from search to search.

use super::alpha_beta::AlphaBeta;
use super::filtered::{Filtered, LeftOut};
use super::params::Params;
use super::turns::Expander;
use super::worker::{SearchState, Task, Worker};
use super::{Knowledge, Report, Search};
use crate::board::Board;
use crate::game::{Game, Outcome, ToMove};
use crate::point::Turn;
use crate::tss::Solver;
use std::sync::Arc;
use tree_search::puct::Tree;
use tree_search::{Control, Driver, Look, MAX_THREADS, SearchLimits, StopSignal, TurnFilter};
use tunables::Table;

/// A searcher keeps its tree and its threat tables between searches.
pub struct Searcher {
    knowledge: Arc<Knowledge>,
    /// The tunables.
    pub params: Params,
    memory_mib: usize,
    solvers: Vec<Solver>,
    tree: Tree<Turn>,
    /// What the root of the tree is.
    root: Option<(Board, ToMove)>,
}

impl Searcher {
    /// A searcher with so many threads, at most `memory_mib` MiB of memory in all: half for the tree, half for the threats.
    pub fn new(knowledge: Arc<Knowledge>, threads: usize, memory_mib: usize) -> Searcher {
        let threads = threads.clamp(1, MAX_THREADS);
        let table_bytes = (memory_mib.max(2) << 20) / 2 / threads;
        Searcher {
            knowledge,
            params: Params::default(),
            memory_mib,
            solvers: (0..threads).map(|_| Solver::with_bytes(table_bytes)).collect(),
            tree: Tree::new((memory_mib.max(2) / 2) << 20),
            root: None,
        }
    }

    /// What it knows.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// A solver to answer questions with, apart from the search.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solvers[0]
    }

    /// Searches by alpha-beta, which tells of its progress only at the end.
    fn search_alpha_beta(
        &mut self,
        game: &Game,
        to_move: ToMove,
        limits: &SearchLimits,
        look: Look<'_, Turn>,
    ) -> Report<Turn> {
        let Searcher { knowledge, params, solvers, .. } = self;
        let solver = &mut solvers[0];
        let driver = Driver::new(limits);
        solver.set_stop(driver.stop_signal());
        let expander = Expander { net: &knowledge.net, book: &knowledge.book, params };
        let search = AlphaBeta::new(expander, &mut *solver, limits, driver.stop_signal());
        let report =
            driver.alone(&mut || look(&Report::default), || search.run(game.board(), to_move));
        solver.set_stop(StopSignal::default());
        report
    }

    /// Threads grow the tree until a limit.
    fn search_tree(
        &mut self,
        board: &Board,
        to_move: ToMove,
        limits: &SearchLimits,
        filter: TurnFilter<'_, Turn>,
        look: Look<'_, Turn>,
    ) -> Report<Turn> {
        let Searcher { knowledge, params, solvers, tree, .. } = self;
        let expander = Expander { net: &knowledge.net, book: &knowledge.book, params };
        let without_threats = Params { threat_search: false, ..params.clone() };
        let calm = Expander { params: &without_threats, ..expander };
        if filter.is_set() && !(Filtered { expander, filter, depth: 0 }).has_turn(board, to_move) {
            return Report::default();
        }
        let (state, left_out) = (&SearchState::default(), LeftOut { filter, calm });
        let mut driver = Driver::new(limits);
        for solver in solvers.iter_mut() {
            solver.set_stop(driver.stop_signal());
        }
        // Whatever the clock says there must be something to play.
        if !tree.root().is_expanded() {
            let task = Task { tree, expander, left_out, board, to_move, limits, state };
            Worker::new(task, &mut solvers[0], false).expand_root();
        }
        let mut begins = true;
        loop {
            let task = Task { tree, expander, left_out, board, to_move, limits, state };
            let workers = solvers
                .iter_mut()
                .map(|solver| Worker::new(task, solver, std::mem::take(&mut begins)));
            let tell = || state.report(tree, driver.visits());
            driver.round(&*tree, workers, &mut || match look(&tell) {
                Control::Continue if !tree.is_enough(limits) => Control::Continue,
                _ => Control::Stop,
            });
            if !driver.goes_on(tree) {
                break;
            }
        }
        for solver in solvers {
            solver.set_stop(StopSignal::default());
        }
        state.report(tree, driver.visits())
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, board: &Board, to_move: ToMove) {
        let old = self.root.replace((board.clone(), to_move));
        let turns = old.and_then(|(old, side)| self.turns_between(old, side, board, to_move));
        if !turns.is_some_and(|turns| turns.is_empty() || self.tree.keep(turns)) {
            self.tree.clear();
        }
    }

    /// The turns of the tree, three at most, that lead from its root's position to another.
    fn turns_between(
        &self,
        mut here: Board,
        mut side: ToMove,
        board: &Board,
        to_move: ToMove,
    ) -> Option<Vec<Turn>> {
        let mut node = self.tree.root();
        let mut turns = Vec::new();
        for _ in 0..4 {
            if here.key() == board.key() && side == to_move {
                return Some(turns);
            }
            let (turn, child) = self.tree.edges(node).iter().find_map(|edge| {
                let (turn, child) = (edge.mv(), self.tree.child(edge)?);
                let played = turn.stones().all(|point| board.get(point) == Some(side.color));
                (played && child.is_expanded()).then_some((turn, child))
            })?;
            turn.stones().for_each(|point| here.place(side.color, point));
            side = ToMove { color: !side.color, stones: board.rules().p() as u8 };
            turns.push(turn);
            node = child;
        }
        None
    }
}

impl Search for Searcher {
    type Game = Game;
    type Move = Turn;

    /// Searches a position. A full board or a turn of more than two stones gives no choices either.
    fn search_among(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        filter: TurnFilter<'_, Turn>,
        look: Look<'_, Turn>,
    ) -> Report<Turn> {
        let to_move = game.to_move();
        let free = game.rules().width() * game.rules().height() - game.board().count();
        if game.outcome() != Outcome::Open
            || to_move.stones > 2
            || game.rules().p() > 2
            || free == 0
        {
            return Report::default();
        }
        let to_move = ToMove { stones: free.min(to_move.stones as usize) as u8, ..to_move };
        if filter.is_set() {
            self.tree.clear();
            // The next search begins anew, too.
            self.root = None;
            return self.search_tree(game.board(), to_move, limits, filter, look);
        }
        // Alpha-beta leaves nothing out.
        if self.params.alpha_beta {
            return self.search_alpha_beta(game, to_move, limits, look);
        }
        self.move_root(game.board(), to_move);
        self.search_tree(game.board(), to_move, limits, filter, look)
    }

    /// Forgets the tree and the tables.
    fn clear(&mut self) {
        self.tree.clear();
        self.root = None;
        self.solvers.iter_mut().for_each(Solver::clear);
    }

    fn threads(&self) -> usize {
        self.solvers.len()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Point, Rules, weights};

    fn go_on(searcher: &mut Searcher, game: &Game, visits: u64) -> Report<Turn> {
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(game, &limits, &mut |_| Control::Continue)
    }

    fn play(game: &mut Game, turn: crate::Turn) {
        turn.stones().for_each(|point| game.play(game.to_move().color, point).expect("legal"));
    }

    fn point(column: usize, row: usize) -> Point {
        Point::new(column, row).expect("a point of the board")
    }

    fn search_among(
        searcher: &mut Searcher,
        game: &Game,
        depth: usize,
        accepts: &(dyn Fn(Color, Turn, usize) -> bool + Sync),
    ) -> Report<Turn> {
        let limits = SearchLimits { visits: Some(200), ..SearchLimits::default() };
        let filter = TurnFilter::new(depth, accepts);
        searcher.search_among(game, &limits, filter, &mut |_| Control::Continue)
    }

    #[test]
    fn turns_are_left_out_in_the_whole_tree_and_of_nothing_that_is_kept() {
        let mut game = Game::new(Rules::CONNECT6);
        let mut searcher = Searcher::new(weights::shipped(), 2, 16);
        play(&mut game, Turn::single(point(9, 9)));
        let plain = go_on(&mut Searcher::new(weights::shipped(), 1, 16), &game, 50);
        go_on(&mut searcher, &game, 50);
        // The best stones of either side, for three turns.
        let near = |turn: Turn| {
            turn.stones().any(|at| (7..=11).contains(&at.col()) && (7..=11).contains(&at.row()))
        };
        let found =
            search_among(&mut searcher, &game, 3, &|_, turn, depth| depth >= 3 || !near(turn));
        assert!(!found.moves.is_empty() && found.visits >= 200);
        for found in &found.moves {
            assert!(found.line.iter().take(3).all(|&turn| !near(turn)), "{:?}", found.line);
        }
        let mut alone = Searcher::new(weights::shipped(), 1, 16);
        search_among(&mut alone, &game, 1, &|_, turn, _| !near(turn));
        assert_eq!(go_on(&mut alone, &game, 50).visits, plain.visits, "begins anew");
    }

    #[test]
    fn what_may_be_played_alone_is_looked_at() {
        let game = Game::new(Rules::CONNECT6);
        let mut searcher = Searcher::new(weights::shipped(), 1, 16);
        let corner = point(0, 0);
        let found = search_among(&mut searcher, &game, 1, &|_, turn, _| turn.contains(corner));
        assert_eq!(
            found.moves.iter().map(|found| found.mv).collect::<Vec<_>>(),
            [Turn::single(corner)]
        );
        let none = search_among(&mut searcher, &game, 1, &|_, _, _| false);
        assert!(none.moves.is_empty() && none.proven == game_core::Proven::Unknown);
    }

    #[test]
    fn no_win_is_told_that_is_left_out_and_no_loss_that_need_not_be() {
        // White has four in a row, with room at either end; Black has nothing.
        let mut game = Game::new(Rules::CONNECT6);
        let stones = [(0, 0), (6, 9), (7, 9), (0, 2), (0, 4), (8, 9), (9, 9), (2, 18), (18, 2)];
        stones.iter().for_each(|&(x, y)| play(&mut game, Turn::single(point(x, y))));
        let mut searcher = Searcher::new(weights::shipped(), 1, 16);
        assert_eq!(go_on(&mut searcher, &game, 10).proven, game_core::Proven::Win);
        let is_row = |turn: Turn| turn.stones().any(|at| at.row() == 9);
        let found = search_among(&mut searcher, &game, 1, &|_, turn, _| !is_row(turn));
        assert!(found.moves.iter().all(|found| !is_row(found.mv)) && !found.moves.is_empty());
        let only = point(10, 9);
        let found = search_among(&mut searcher, &game, 1, &|_, turn, _| turn.contains(only));
        assert!(found.moves[0].mv.contains(only) && found.proven == game_core::Proven::Win);
        // Black is lost only where the stones that stop it are left out.
        let mut before = game.clone();
        before.set_to_move(Color::Black);
        let found = search_among(&mut searcher, &before, 1, &|_, turn, _| !is_row(turn));
        assert!(!found.moves.is_empty());
        assert_eq!(found.proven, game_core::Proven::Unknown);
        // Three rows of four cannot all be stopped, unless White is barred from going on with them.
        let open = Game::with_setup(
            Rules::CONNECT6,
            [(5, 4), (6, 4), (7, 4), (8, 4), (4, 9), (4, 10), (4, 11), (4, 12), (12, 1), (12, 2)]
                .map(|(x, y)| (Color::White, point(x, y)))
                .into_iter()
                .chain([(12, 3), (12, 4)].map(|(x, y)| (Color::White, point(x, y)))),
            Color::Black,
        )
        .expect("free points");
        assert_eq!(go_on(&mut searcher, &open, 10).proven, game_core::Proven::Loss);
        let found = search_among(&mut searcher, &open, 2, &|side, turn, _| {
            side == Color::Black || turn.stones().all(|at| at.row() > 14)
        });
        assert_eq!(found.proven, game_core::Proven::Unknown);
    }

    #[test]
    fn a_full_tree_makes_room_and_is_searched_on() {
        let play_on = |threads| {
            let mut game = Game::new(Rules::CONNECT6);
            let mut searcher = Searcher::new(weights::shipped(), threads, 2);
            searcher.params.threat_search = false;
            searcher.tree = Tree::new(25_000);
            let first = go_on(&mut searcher, &game, 5);
            play(&mut game, first.moves[0].mv);
            let second = go_on(&mut searcher, &game, 300);
            play(&mut game, second.moves[0].mv);
            let third = go_on(&mut searcher, &game, 30);
            (second, third)
        };
        let (second, third) = play_on(1);
        // So much has room for 2,000 turns without the positions after them.
        assert!(second.nodes < 2_500, "{}", second.nodes);
        let visits: u64 = second.moves.iter().map(|c| u64::from(c.visits)).sum();
        assert!(second.visits > 300 && visits + 2 >= second.visits, "{visits} {}", second.visits);
        assert!(third.visits > 30, "what is below the turn is kept: {}", third.visits);
        assert_eq!(play_on(1), (second, third), "it repeats itself");
        assert!(play_on(2).0.visits >= 300);
    }
}
