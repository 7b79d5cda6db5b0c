//! The search of any game, from its moves and a value for each of its positions.

use crate::puct::{Choice, Node, Stats, Step, Tree, TreeMove};
use crate::{Driver, Look, MAX_THREADS, Search, TurnFilter, Worker};
use game_core::{Color, Control, Outcome, Proven, Report, SearchLimits, mix64};
use tunables::Table;

/// A game as [`BestFirst`] searches it.
pub trait Position: Clone + PartialEq + Sync {
    /// A move. Numbers below two to the power 30 need nothing else.
    type Move: TreeMove<Estimate = f32> + Sync;

    /// Whose turn it is.
    fn to_move(&self) -> Color;

    /// Whether the game is over, and who has won.
    fn outcome(&self) -> Outcome;

    /// The legal moves while it is not, each with its share of the prior.
    fn choices(&self) -> Vec<Choice<Self::Move>>;

    /// Makes a legal move.
    fn play(&mut self, mv: Self::Move);

    /// The chance of the side to move, 0 to 1: by an evaluation, or by playing on at random from a seed, which is another
    /// one at each visit.
    fn evaluate(&self, seed: u64) -> f32;
}

tunables::table! {
    /// The tunables of [`BestFirst`].
    pub struct BestFirstParams {
        exploration: f32 = 1.0, in 0.0..=10.0, "weight of the prior in the choice of what to search";
    }
}

/// The most moves after which a tree is still found to belong to a position.
const MAX_MOVES_BETWEEN: usize = 4;

/// A searcher keeps its tree between searches.
#[derive(Debug)]
pub struct BestFirst<P: Position> {
    tree: Tree<P::Move>,
    /// What the root of the tree is.
    root: Option<P>,
    threads: usize,
    memory_mib: usize,
    /// The tunables.
    pub params: BestFirstParams,
}

impl<P: Position> BestFirst<P> {
    /// A searcher with so many threads, at most `memory_mib` MiB of memory.
    pub fn new(threads: usize, memory_mib: usize) -> BestFirst<P> {
        let tree = Tree::new(memory_mib.max(1) << 20);
        let params = BestFirstParams::default();
        BestFirst { tree, root: None, threads: threads.clamp(1, MAX_THREADS), memory_mib, params }
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, game: &P) {
        let old = self.root.replace(game.clone());
        let root = self.tree.root();
        let moves = old.and_then(|old| self.moves_between(&old, root, game, MAX_MOVES_BETWEEN));
        if !moves.is_some_and(|moves| moves.is_empty() || self.tree.keep(moves)) {
            self.tree.clear();
        }
    }

    /// The moves of the tree, the best first, that lead from a position to another.
    fn moves_between(
        &self,
        from: &P,
        node: &Node<<P::Move as TreeMove>::Extra>,
        to: &P,
        max: usize,
    ) -> Option<Vec<P::Move>> {
        if from == to {
            return Some(Vec::new());
        }
        self.tree.edges(node).iter().find_map(|edge| {
            let child = self.tree.child(edge).filter(|child| max > 0 && child.is_expanded())?;
            let mut next = from.clone();
            next.play(edge.mv());
            let rest = self.moves_between(&next, child, to, max - 1)?;
            Some([vec![edge.mv()], rest].concat())
        })
    }
}

impl<P: Position> Search for BestFirst<P> {
    type Game = P;
    type Move = P::Move;

    fn search_among(
        &mut self,
        game: &P,
        limits: &SearchLimits,
        filter: TurnFilter<'_, P::Move>,
        look: Look<'_, P::Move>,
    ) -> Report<P::Move> {
        let accepts = |choice: &Choice<P::Move>| filter.accepts(game.to_move(), choice.mv, 0);
        if game.outcome().is_over() || filter.is_set() && !game.choices().iter().any(accepts) {
            return Report::default();
        }
        if filter.is_set() {
            self.clear();
        } else {
            self.move_root(game);
        }
        let exploration = self.params.exploration;
        // Whatever the clock says there must be something to play.
        if !self.tree.root().is_expanded() {
            Visitor::new(&self.tree, game, exploration, filter, 0).visit();
        }
        let mut driver = Driver::new(limits);
        loop {
            let tree = &self.tree;
            let seed = u64::from(tree.root().visits()) << 8;
            let workers = (1..=self.threads as u64)
                .map(|thread| Visitor::new(tree, game, exploration, filter, mix64(seed | thread)));
            let report = || Report { counted: driver.visits(), ..tree.report(0) };
            driver.round(tree, workers, &mut || match look(&report) {
                Control::Continue if !tree.is_enough(limits) => Control::Continue,
                _ => Control::Stop,
            });
            if !driver.goes_on(&mut self.tree) {
                return Report { counted: driver.visits(), ..self.tree.report(0) };
            }
        }
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.root = None;
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

/// One thread's tools.
struct Visitor<'t, P: Position> {
    tree: &'t Tree<P::Move>,
    game: &'t P,
    exploration: f32,
    filter: TurnFilter<'t, P::Move>,
    seed: u64,
    path: Vec<Step<'t, P::Move>>,
}

impl<'t, P: Position> Visitor<'t, P> {
    fn new(
        tree: &'t Tree<P::Move>,
        game: &'t P,
        exploration: f32,
        filter: TurnFilter<'t, P::Move>,
        seed: u64,
    ) -> Visitor<'t, P> {
        Visitor { tree, game, exploration, filter, seed, path: Vec::new() }
    }

    /// Gives a node that was claimed its edges.
    fn publish(&self, node: &Node<<P::Move as TreeMove>::Extra>, position: &P) {
        let mut choices = position.choices();
        let (all, depth) = (choices.len(), self.path.len() - 1);
        if self.filter.concerns(depth) {
            let side = position.to_move();
            choices.retain(|choice| self.filter.accepts(side, choice.mv, depth));
        }
        self.tree.publish(node, &choices, choices.len() == all);
    }

    /// Walks down to a leaf, and gives its value for the side to move there.
    fn select_leaf(&mut self) -> f32 {
        let Visitor { tree, game, .. } = *self;
        let (mut position, mut node, mut edge) = (game.clone(), tree.root(), None);
        loop {
            node.add_virtual_loss();
            let side = position.to_move();
            self.path.push(Step { node, edge, own: side == game.to_move() });
            if node.proven().is_known() {
                return node.value();
            }
            if !node.is_expanded() {
                match position.outcome() {
                    Outcome::Win(winner) => {
                        node.set_proven(Proven::from_win(Some(winner == side)));
                        return node.value();
                    }
                    Outcome::Draw => return 0.5,
                    Outcome::Open => {}
                }
                // A position's moves are found when it is visited for a second time, unless another thread is at it.
                if (node.visits() > 0 || edge.is_none()) && node.try_expand() {
                    self.publish(node, &position);
                }
                if !node.is_expanded() || node.visits() == 0 {
                    self.seed = mix64(self.seed);
                    return position.evaluate(self.seed);
                }
            }
            let unvisited = node.value();
            let value = |_, stats: Option<Stats>| match stats {
                Some(Stats { visits, pending, sum }) if visits + pending > 0 => {
                    sum / (visits + pending) as f32
                }
                _ => unvisited,
            };
            let Some(next) = tree.select(node, self.exploration, value) else {
                if node.is_complete() {
                    node.set_proven(Proven::Loss);
                } else if tree.edges(node).is_empty() {
                    // Every move was left out, which says nothing about the position.
                    self.seed = mix64(self.seed);
                    return position.evaluate(self.seed);
                }
                return 0.0;
            };
            position.play(next.mv());
            match tree.child_or_new(next) {
                Some(child) => (node, edge) = (child, Some(next)),
                None => return node.value(),
            }
        }
    }
}

impl<P: Position> Worker for Visitor<'_, P> {
    fn visit(&mut self) -> bool {
        if self.tree.root().proven().is_known() {
            return false;
        }
        self.path.clear();
        let value = f64::from(self.select_leaf());
        let leaf = self.path.last().is_some_and(|step| step.own);
        self.tree.backup(&self.path, |own| if own == leaf { value } else { 1.0 - value });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One to three matches are taken in turn; who takes the last one wins.
    #[derive(Clone, PartialEq)]
    struct Nim(u32, Color);

    impl Position for Nim {
        type Move = u32;

        fn to_move(&self) -> Color {
            self.1
        }

        fn outcome(&self) -> Outcome {
            if self.0 == 0 { Outcome::Win(!self.1) } else { Outcome::Open }
        }

        fn choices(&self) -> Vec<Choice<u32>> {
            (1..=self.0.min(3)).map(|mv| Choice { mv, estimate: 1.0 / 3.0 }).collect()
        }

        fn play(&mut self, mv: u32) {
            *self = Nim(self.0 - mv, !self.1);
        }

        fn evaluate(&self, seed: u64) -> f32 {
            (seed >> 40) as f32 / (1 << 24) as f32
        }
    }

    fn search(searcher: &mut BestFirst<Nim>, game: &Nim, visits: u64) -> Report<u32> {
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(game, &limits, &mut |_| Control::Continue)
    }

    #[test]
    fn wins_and_losses_are_proven() {
        for (matches, mv) in [(5, Some(1)), (7, Some(3)), (8, None), (3, Some(3))] {
            for threads in [1, 2] {
                let game = Nim(matches, Color::White);
                let found = search(&mut BestFirst::new(threads, 1), &game, 100_000);
                assert_eq!(found.proven, Proven::from_win(Some(mv.is_some())), "{matches}");
                assert!(mv.is_none_or(|mv| found.moves[0].mv == mv), "{matches}: {found:?}");
            }
        }
        assert!(search(&mut BestFirst::new(1, 1), &Nim(0, Color::Black), 9).moves.is_empty());
    }

    #[test]
    fn what_is_left_out_is_neither_played_nor_taken_for_lost() {
        let among = |game: &Nim, depth, accepts: &(dyn Fn(Color, u32, usize) -> bool + Sync)| {
            let limits = SearchLimits { visits: Some(2000), ..SearchLimits::default() };
            let filter = TurnFilter::new(depth, accepts);
            let mut searcher = BestFirst::new(2, 1);
            let found = searcher.search_among(game, &limits, filter, &mut |_| Control::Continue);
            assert_eq!(search(&mut searcher, game, 10).visits, 11, "nothing is kept");
            found
        };
        // Of five matches only taking one wins.
        let game = Nim(5, Color::White);
        let found = among(&game, 1, &|_, mv, _| mv != 1);
        assert_eq!(found.moves.iter().map(|found| found.mv).max(), Some(3));
        assert!(found.moves.iter().all(|found| found.mv != 1));
        assert_eq!(found.proven, Proven::Unknown);
        assert_eq!(among(&game, 1, &|_, mv, _| mv == 1).proven, Proven::Win);
        // Where the other side is barred from its answer nothing is proven that needs it to be wrong.
        let found = among(&Nim(6, Color::White), 2, &|side, _, _| side == Color::White);
        assert_ne!(found.proven, Proven::Win);
        assert!(among(&game, 1, &|_, _, _| false).moves.is_empty());
    }

    #[test]
    fn the_tree_is_kept_from_move_to_move() {
        let mut searcher = BestFirst::new(1, 1);
        let mut game = Nim(101, Color::Black);
        let first = search(&mut searcher, &game, 2000);
        assert_eq!(first.visits, 2001, "{}", first.visits);
        first.moves[0].line[..2].iter().for_each(|&mv| game.play(mv));
        let kept = search(&mut searcher, &game, 0).visits;
        assert!(kept > 1, "{kept}");
        assert_eq!(search(&mut searcher, &Nim(60, Color::Black), 10).visits, 11);
    }
}
