//! Monte-Carlo tree search: several threads on one tree without a lock, all-moves-as-first values
//! beside each move's own, virtual visits from knowledge, proven results, a bound on memory, and a
//! tree that lives on from move to move.
//!
//! ```
//! use go_engine::search::{Limits, Options, Search};
//! use go_engine::{Color, Game};
//! let game = Game::new(5, 5).unwrap();
//! let mut search = Search::handcrafted(Options::default());
//! let report = search.search(&game, Color::Black, &Limits::playouts(200), None);
//! assert!(!report.moves.is_empty());
//! ```
//!
//! * [`Priors`], [`Evaluator`]: what is asked of those who know the game.
//! * [`Report`]: what a search found.
//! * [`tree`], [`node`]: the tree; [`select`]: the way down.
//!
//! [`tree_search`] runs the threads, keeps the limits and makes room. What is Go's own: beyond the soft limit a search
//! goes on while the most visited move is not clearly the best (a playout tells less than an evaluation does), and every
//! 256 visits it looks whether the move can still change, by visits and not by the clock, so that a search with a limit of
//! visits repeats itself. A [`Report`] has what only Go asks for: ownership and score of every point.
//! [`Options`] are what a tree is made with, which needs a new tree when it changes; [`Limits`] are one search's.

mod avoid;
mod choice;
mod guide;
mod handcrafted;
pub mod node;
mod options;
mod policy;
mod repetition;
mod report;
mod rollout_evaluator;
mod root_state;
mod score_stats;
pub mod select;
mod shared;
mod symmetry;
mod totals;
pub mod tree;
mod upper;
mod value;
mod worker;

pub use avoid::{Avoided, AvoidedSites};
pub use handcrafted::{HandcraftedPolicy, distance, line};
pub use options::{Limits, Options};
pub use policy::{Evaluator, Prior, Priors};
pub use report::{MoveReport, Report, TreeNodeInfo};
pub use rollout_evaluator::RolloutEvaluator;
pub use root_state::RootState;
pub use score_stats::{Score, ScoreStats};
pub use symmetry::Symmetries;
pub use totals::{Owned, Totals};
pub use value::{Leaf, LeafValue, Scoring};

use crate::board::Site;
use crate::params::Params;
use crate::playout::Playout;
use crate::playout::heavy::Heavy;
use crate::rng::Rng;
use crate::{Color, Game, Move, with_board};
use game_core::{Control, SearchLimits};
use guide::{Guide, Guides};
use repetition::Repetition;
use report::Source;
use shared::Shared;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tree::Tree;
use tree_search::{Driver, Sharing};

/// Share of the memory for nodes, as a fraction. The rest is for the lists of what is free.
const TREE_SHARE: (usize, usize) = (15, 16);

/// Asked every few milliseconds of a search, with what tells where it stands: whether to go on.
pub type Look<'a> = &'a mut dyn FnMut(&dyn Fn() -> Report) -> Control;

/// A search and its tree, which lives on from move to move.
pub struct Search {
    guide: Box<dyn Guide>,
    options: Options,
    tree: Tree,
    root_state: Option<RootState>,
    totals: Totals,
}

impl Search {
    /// A search without anything learned.
    pub fn handcrafted(options: Options) -> Search {
        let policy = HandcraftedPolicy::new(&options.params);
        let playouts = Playout::new(&options.params, Heavy::new(&options.params));
        Search::new(policy, RolloutEvaluator(playouts), options)
    }

    /// A search with these priors that values leaves so. It is compiled for both where this is called.
    pub fn new(
        priors: impl Priors + 'static,
        evaluator: impl Evaluator + 'static,
        options: Options,
    ) -> Search {
        let tree = Tree::new(options.max_memory / TREE_SHARE.1 * TREE_SHARE.0 / Tree::bytes(1));
        let guide = Box::new(Guides(priors, evaluator));
        Search { guide, options, tree, root_state: None, totals: Totals::default() }
    }

    /// What the search is set up with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Another seed for the searches to come.
    pub fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.root_state = None;
        self.totals = Totals::default();
    }

    /// Searches for a move of `color`, who need not be the one whose turn it is.
    pub fn search(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        mut look: Option<Look>,
    ) -> Report {
        let started = Instant::now();
        self.reuse(game, color, limits);
        let asked = &limits.search;
        let bounds = SearchLimits { deadline: asked.deadline.or(asked.soft), ..*asked };
        let mut driver = Driver::new(&bounds);
        let sharing = Sharing(limits.partners.as_ref());
        sharing.begin(&self.tree);
        loop {
            sharing.before_round(&mut driver);
            self.round(game, color, limits, (&driver, started), &mut look);
            sharing.after_round(&driver, &self.tree);
            if !driver.goes_on(&mut self.tree) {
                sharing.end(&self.tree);
                let visits = driver.visits();
                return self.report(game, color, limits, &self.totals, visits, started.elapsed());
            }
        }
    }

    /// What the tree says now.
    fn report(
        &self,
        game: &Game,
        color: Color,
        limits: &Limits,
        totals: &Totals,
        new: u64,
        elapsed: Duration,
    ) -> Report {
        let source = Source {
            tree: &self.tree,
            to_move: color,
            params: &self.options.params,
            scoring: &self.scoring(game, color, limits),
            totals,
            playouts: new,
            elapsed,
        };
        with_board!(game.board(), board => source.read(board))
    }

    /// The tree's nodes below the root that were visited at least `min_visits` times, in depth first
    /// order, for drawing it. `game` is the position that was searched last.
    pub fn node_infos(&self, game: &Game, min_visits: u32) -> Vec<TreeNodeInfo> {
        with_board!(game.board(), board => report::node_infos(&self.tree, board, min_visits))
    }

    /// Makes the tree one of this position: what is known of it is kept.
    fn reuse(&mut self, game: &Game, color: Color, limits: &Limits) {
        let known = self.root_state.take();
        let handicap_komi = self.scoring(game, color, limits).handicap_komi;
        let next = RootState::of(game, color, limits, handicap_komi);
        let root = known
            .and_then(|known| known.moves_to(&next, limits))
            .and_then(|moves| self.find(game, &moves))
            .filter(|&root| !self.has_twins(game, root));
        match root {
            Some(Tree::ROOT) => {}
            Some(index) => {
                self.tree.keep(index);
                self.totals = Totals::default();
            }
            None => self.clear(),
        }
        self.forbid_repetition(game, color);
        self.root_state = Some(next);
    }

    /// Notes which moves of the root superko forbids: below another root that is found only when they are visited.
    fn forbid_repetition(&self, game: &Game, color: Color) {
        let children = self.tree.children(self.tree.root());
        with_board!(game.board(), board => {
            for child in children.iter().filter(|child| !child.site().is_pass()) {
                if game.check(color, Move::Play(board.point(child.site()))).is_err() {
                    child.forbid();
                }
            }
        });
    }

    /// The node that these moves lead to.
    fn find(&self, game: &Game, moves: &[Move]) -> Option<u32> {
        let mut at = Tree::ROOT;
        for &mv in moves {
            let site = site_of(game, mv)?;
            let range = self.tree.node(at).children()?;
            let k = self.tree.nodes(range).iter().position(|child| child.site() == site)?;
            at = range.index(k);
        }
        Some(at)
    }

    /// Whether a node has children that are the same move on a board that can be turned: it was met where that was not
    /// looked for.
    fn has_twins(&self, game: &Game, index: u32) -> bool {
        let children = self.tree.children(self.tree.node(index));
        with_board!(game.board(), board => {
            let symmetries = Symmetries::of(board);
            let has = |point| children.iter().any(|child| board.site(point) == Some(child.site()));
            let points = children.iter().filter(|child| !child.site().is_pass());
            !symmetries.is_empty()
                && points.into_iter().any(|child| symmetries.twins(board.point(child.site())).any(has))
        })
    }

    /// How likely each legal move of `color` is thought to be an expert's, without a search; empty
    /// when the priors do not say.
    pub fn policy(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        let likely = self.guide.policy(game.board(), color, last_moves(game));
        with_board!(game.board(), board => {
            likely.into_iter().map(|(site, p)| (Move::Play(board.point(site)), p)).collect()
        })
    }

    /// Values a position so many times, each from its start, without a search and without regard to the
    /// moves that led there.
    pub fn evaluate(
        &self,
        game: &Game,
        rng: &mut Rng,
        times: u64,
        visit: &mut dyn FnMut(&LeafValue),
    ) {
        let (board, params) = (game.board(), &self.options.params);
        let scoring = Scoring::of(game, params.score_weight);
        self.guide.evaluate(board, game.to_play(), &scoring, rng, times, visit);
    }

    /// For each point, row by row from A1, in what share of so many playouts from a position it ends as nobody's, as only
    /// points in a seki do.
    pub fn unowned(&self, game: &Game, rng: &mut Rng, times: u64) -> Vec<f32> {
        let share = 1.0 / times.max(1) as f32;
        with_board!(game.board(), board => {
            let sites: Vec<Site> = board.sites().collect();
            let mut unowned = vec![0.0; sites.len()];
            self.evaluate(game, rng, times, &mut |value| {
                for (sum, &s) in unowned.iter_mut().zip(&sites) {
                    *sum += share * f32::from(u8::from(value.ownership[usize::from(s.0)] == 0.0));
                }
            });
            unowned
        })
    }

    /// What ends of a game are worth to who is to move.
    fn scoring(&self, game: &Game, color: Color, limits: &Limits) -> Scoring {
        let params = &self.options.params;
        let mut scoring = Scoring::of(game, params.score_weight);
        if limits.is_played {
            scoring.handicap_komi = handicap_komi(game, color, params);
        }
        scoring
    }

    /// Searches until it is over or the tree is full.
    fn round(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        (driver, started): (&Driver, Instant),
        look: &mut Option<Look>,
    ) {
        let mut root = game.board().clone();
        let moves = game.moves();
        let seed = self.options.seed.wrapping_add(moves.len() as u64 * 7919);
        let shared = Shared {
            tree: &self.tree,
            params: &self.options.params,
            limits,
            driver,
            to_move: color,
            last: last_moves(game),
            last_was_pass: moves.last().is_some_and(|m| m.mv == Move::Pass && m.color != color),
            repetition: Repetition::of(game, color),
            is_symmetric: is_symmetric(game),
            scoring: self.scoring(game, color, limits),
            avoided: AvoidedSites::new(&limits.avoid, |mv| site_of(game, mv)),
            seed: seed.wrapping_add(driver.visits()),
            totals: Mutex::new(std::mem::take(&mut self.totals)),
        };
        if moves.last().is_some_and(|m| m.color == color) {
            with_board!(&mut root, board => board.lift_ko());
        }
        let report = || {
            let totals = shared.totals.lock().map(|totals| totals.clone()).unwrap_or_default();
            self.report(game, color, limits, &totals, driver.visits(), started.elapsed())
        };
        let threads = 0..self.options.threads.max(1) as u64;
        let workers = threads.map(|stream| self.guide.worker(&shared, &root, stream));
        let sharing = Sharing(limits.partners.as_ref());
        driver.round(&self.tree, workers, &mut || {
            sharing.tick(driver, &self.tree);
            let stops = look.as_mut().is_some_and(|look| look(&report) == Control::Stop);
            if stops || shared.is_enough() { Control::Stop } else { Control::Continue }
        });
        self.totals = shared.totals.into_inner().unwrap_or_default();
    }
}

/// The site of a move on the game's board, none when it lies outside.
fn site_of(game: &Game, mv: Move) -> Option<Site> {
    match mv {
        Move::Pass => Some(Site::PASS),
        Move::Play(point) => with_board!(game.board(), board => board.site(point)),
    }
}

/// Points that White gets in values for the handicap: linear in the stones, fading out move by move (as Pachi's linear
/// dynamic komi; Baudis, "Balancing MCTS by dynamically adjusting the komi value", 2011).
fn handicap_komi(game: &Game, color: Color, params: &Params) -> f32 {
    let a_stone = match color {
        Color::Black => params.handicap_komi_black,
        Color::White => params.handicap_komi_white,
    };
    let stones = game.handicap();
    let end = params.handicap_komi_moves * game.board().area() as f32;
    let gone = (game.moves().len() as f32 / end.max(1.0)).min(1.0);
    (stones as f32 * a_stone * (1.0 - gone)).round()
}

/// Whether a game's position is the same when the board is turned or mirrored.
fn is_symmetric(game: &Game) -> bool {
    with_board!(game.board(), board => !Symmetries::of(board).is_empty())
}

/// The last move of a game and the one before; [`Site::PASS`] where there is none.
fn last_moves(game: &Game) -> [Site; 2] {
    let moves = game.moves();
    [1, 2].map(|back| match moves.len().checked_sub(back) {
        Some(at) => site_of(game, moves[at].mv).unwrap_or(Site::PASS),
        None => Site::PASS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_left_out_down_to_their_depth() {
        let game = Game::new(9, 9).unwrap();
        let wanted = ["C3", "G7"].map(|name| Move::Play(name.parse().unwrap()));
        for depth in [2, 4] {
            let others = game.board().points().map(Move::Play).chain([Move::Pass]);
            let others = others.filter(|mv| !wanted.contains(mv));
            let avoid = others.map(|mv| Avoided { color: Color::White, mv, depth }).collect();
            let mut search = Search::handcrafted(Options::default());
            let limits = Limits { avoid, ..Limits::playouts(5000) };
            search.search(&game, Color::Black, &limits, None);
            let nodes = search.node_infos(&game, 1);
            let at = |depth| nodes.iter().filter(move |node| node.depth == depth);
            let is_free = |depth| at(depth).any(|node| !wanted.contains(&node.mv));
            assert!(at(2).count() > 0 && !is_free(2), "{depth}");
            // What is allowed may stand there already: then there is nothing but a pass.
            let beyond = at(4).any(|node| !wanted.contains(&node.mv) && node.mv != Move::Pass);
            assert!(is_free(1) && is_free(3) && beyond == (depth == 2), "{depth}");
        }
    }

    #[test]
    fn no_move_that_superko_forbids_is_reported_however_few_visits_there_are() {
        let mut game = Game::new(4, 4).unwrap();
        game.set_rules(crate::Rules::TROMP_TAYLOR);
        let stones = "W D2 W A3 W B2 W C1 W A2 B D3 W B4 W B1 W C4 W C3";
        let words: Vec<&str> = stones.split(' ').collect();
        let stone = |pair: &[&str]| {
            let color = if pair[0] == "B" { Color::Black } else { Color::White };
            (pair[1].parse().unwrap(), Some(color))
        };
        game.set_up(words.chunks(2).map(stone)).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        // C2 is the suicide of a single stone: it brings back what is there.
        for visits in 1..40 {
            let mut search = Search::handcrafted(Options::default());
            let report = search.search(&game, Color::Black, &Limits::playouts(visits), None);
            for found in &report.moves {
                assert!(game.check(Color::Black, found.mv).is_ok(), "{visits}: {}", found.mv);
            }
        }
    }

    #[test]
    fn a_visit_adds_one_node_at_most() {
        let params = Params { expand_visits: 1, ..Params::default() };
        let mut search = Search::handcrafted(Options { params, ..Options::default() });
        let game = Game::new(9, 9).unwrap();
        let limits = Limits { stop_early: false, ..Limits::playouts(200) };
        let report = search.search(&game, Color::Black, &limits, None);
        assert_eq!(report.visits, 200);
        // Where a visit made the children of all that it came to, its line would reach the end of the game.
        let longest = report.moves.iter().map(|found| found.variation.len()).max().unwrap();
        assert!((3..20).contains(&longest), "{longest}");
    }

    #[test]
    fn the_komi_for_a_handicap_fades_out() {
        let params = Params {
            handicap_komi_white: 7.0,
            handicap_komi_black: 4.0,
            handicap_komi_moves: 0.5,
            ..Params::default()
        };
        let mut game = Game::new(9, 9).unwrap();
        assert_eq!(handicap_komi(&game, Color::White, &params), 0.0);
        game.place_fixed_handicap(4).unwrap();
        assert_eq!(handicap_komi(&game, Color::White, &params), 28.0);
        assert_eq!(handicap_komi(&game, Color::Black, &params), 16.0);
        let mut before = 28.0;
        for _ in 0..41 {
            game.play(game.to_play(), Move::Pass).unwrap();
            let now = handicap_komi(&game, Color::White, &params);
            assert!(now <= before && now >= 0.0);
            before = now;
        }
        assert_eq!(before, 0.0);
    }
}
