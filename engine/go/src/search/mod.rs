//! Monte-Carlo tree search: several threads on one tree without a lock, all-moves-as-first values
//! beside each move's own, virtual visits from knowledge, proven results, a bound on memory, and a
//! tree that lives on from move to move.
//!
//! ```
//! use go_engine::search::{Limits, Options, Search};
//! use go_engine::{Color, Game};
//! let game = Game::new(5, 5).unwrap();
//! let mut search = Search::plain(Options::default());
//! let report = search.think(&game, Color::Black, &Limits::playouts(200), None);
//! assert!(!report.moves.is_empty());
//! ```
//!
//! * [`Knowledge`]: what is asked of those who know the game.
//! * [`Report`]: what a search found.
//! * [`tree`], [`node`]: the tree; [`select`]: the way down.

mod knowledge;
pub mod node;
mod report;
pub mod select;
mod shared;
pub mod tree;
mod watch;
mod worker;

pub use knowledge::{Knowledge, Plain, Prior, distance, line};
pub use report::{Branch, MoveReport, Report};

use crate::board::{Board, Site};
use crate::game::Played;
use crate::params::Params;
use crate::{Color, Game, Move, with_board};
use node::{Proof, Stats};
use shared::Shared;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use tree::Tree;
use watch::Totals;
use worker::Worker;

/// What a search is set up with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads, at least one.
    pub threads: usize,
    /// Bytes that the tree may take, its copies included.
    pub max_memory: usize,
    /// Repeats a search, with one thread.
    pub seed: u64,
    /// The tunables.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, max_memory: 1 << 30, seed: 1, params: Params::default() }
    }
}

/// When a search ends, and which of the moves it may look at.
pub struct Limits<'a> {
    /// Playouts of this search at most.
    pub playouts: Option<u64>,
    /// A search that sees no reason to go on ends here.
    pub soft: Option<Duration>,
    /// Every search ends here.
    pub hard: Option<Duration>,
    /// Whether to end as soon as the first move can no longer change.
    pub stop_early: bool,
    /// Asked now and then; a true answer ends the search.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Moves not to be made at the root.
    pub unwanted: Vec<Move>,
    /// Whether to forget what earlier searches found.
    pub fresh: bool,
}

impl Limits<'_> {
    /// So many playouts, fewer when the move can no longer change.
    pub fn playouts(n: u64) -> Limits<'static> {
        Limits {
            playouts: Some(n),
            soft: None,
            hard: None,
            stop_early: true,
            interrupted: &|| false,
            unwanted: Vec::new(),
            fresh: false,
        }
    }
}

/// Called during a search with what was found so far.
pub struct Watcher<'a> {
    /// How often.
    pub every: Duration,
    /// What to call.
    pub call: &'a mut dyn FnMut(&Report),
}

/// The position a tree is of.
struct Known {
    width: u8,
    height: u8,
    start: crate::game::Start,
    rules: crate::Rules,
    komi: f64,
    moves: Vec<Played>,
    to_move: Color,
    unwanted: Vec<Move>,
}

/// A search and its tree, which lives on from move to move.
pub struct Search<K> {
    knowledge: K,
    options: Options,
    tree: Tree,
    known: Option<Known>,
    totals: Totals,
}

impl Search<Plain> {
    /// A search without anything learned.
    pub fn plain(options: Options) -> Search<Plain> {
        Search::new(Plain::new(&options.params), options)
    }
}

impl<K: Knowledge> Search<K> {
    /// A search with this knowledge.
    pub fn new(knowledge: K, options: Options) -> Search<K> {
        // Half for the tree, half for its copy while it is pruned.
        let tree = Tree::new(options.max_memory / 2 / Tree::bytes(1));
        Search { knowledge, options, tree, known: None, totals: Totals::default() }
    }

    /// What the search is set up with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Another seed for the searches to come.
    pub fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// The knowledge it was given.
    pub fn knowledge(&self) -> &K {
        &self.knowledge
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree = Tree::new(self.tree.capacity());
        self.known = None;
        self.totals = Totals::default();
    }

    /// Searches for a move of `color`, who need not be the one whose turn it is.
    pub fn think(
        &mut self,
        game: &Game,
        color: Color,
        limits: &Limits,
        mut watcher: Option<Watcher>,
    ) -> Report {
        let started = Instant::now();
        self.reuse(game, color, limits);
        let mut done = 0;
        loop {
            let round = with_board!(game.board(), board => {
                self.round(board, game, color, limits, started, done, &mut watcher)
            });
            done += round.playouts;
            if !round.full {
                return self.report(game, color, done, started.elapsed());
            }
            self.tree = self.tree.pruned();
        }
    }

    /// What the tree says now.
    fn report(&self, game: &Game, color: Color, new: u64, elapsed: Duration) -> Report {
        with_board!(game.board(), board => {
            Report::read(&self.tree, board, color, game.compensation() as f32,
                self.options.params.score_weight, &self.totals, new, elapsed)
        })
    }

    /// The tree's branches below the root that were visited at least `least` times, in depth first
    /// order, for drawing it. `game` is the position that was searched last.
    pub fn branches(&self, game: &Game, least: u32) -> Vec<Branch> {
        with_board!(game.board(), board => report::branches(&self.tree, board, least))
    }

    /// Makes the tree one of this position: what is known of it is kept.
    fn reuse(&mut self, game: &Game, color: Color, limits: &Limits) {
        let known = self.known.take();
        let moved = known.and_then(|known| {
            let same = known.width == game.board().width()
                && known.height == game.board().height()
                && known.start == *game.start()
                && known.rules == *game.rules()
                && known.komi == game.komi()
                && known.unwanted.is_empty()
                && limits.unwanted.is_empty()
                && !limits.fresh
                && game.moves().len() >= known.moves.len()
                && game.moves()[..known.moves.len()] == known.moves[..];
            same.then(|| (known.to_move, game.moves()[known.moves.len()..].to_vec()))
        });
        let root = moved.and_then(|(to_move, since)| self.find(game, to_move, color, &since));
        match root {
            Some(Tree::ROOT) => {}
            Some(index) => {
                self.tree = self.tree.copied(index, 0);
                self.totals = Totals::default();
            }
            None => self.clear(),
        }
        self.known = Some(Known {
            width: game.board().width(),
            height: game.board().height(),
            start: game.start().clone(),
            rules: *game.rules(),
            komi: game.komi(),
            moves: game.moves().to_vec(),
            to_move: color,
            unwanted: limits.unwanted.clone(),
        });
    }

    /// The node that these moves lead to, if `color` is to move there.
    fn find(&self, game: &Game, to_move: Color, color: Color, since: &[Played]) -> Option<u32> {
        let mut turn = to_move;
        let mut at = Tree::ROOT;
        for played in since {
            if played.color != turn {
                return None;
            }
            let site = site_of(game, played.mv)?;
            let (first, n) = self.tree.node(at).children()?;
            let k = self.tree.nodes((first, n)).iter().position(|child| child.site() == site)?;
            at = first + k as u32;
            turn = turn.other();
        }
        (turn == color).then_some(at)
    }

    /// How likely each legal move of `color` is thought to be an expert's, without a search; empty
    /// when the knowledge does not say.
    pub fn expect(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        with_board!(game.board(), board => {
            let likely = self.knowledge.expect(board, color, last_moves(board, game));
            likely.into_iter().map(|(site, p)| (Move::Play(board.point(site)), p)).collect()
        })
    }

    /// Searches until it is over or the tree is full.
    #[allow(clippy::too_many_arguments)]
    fn round<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        game: &Game,
        color: Color,
        limits: &Limits,
        started: Instant,
        before: u64,
        watcher: &mut Option<Watcher>,
    ) -> Round {
        let mut root = board.clone();
        let moves = game.moves();
        let shared = Shared {
            tree: &self.tree,
            knowledge: &self.knowledge,
            params: &self.options.params,
            limits,
            to_move: color,
            last: last_moves(board, game),
            last_was_pass: moves.last().is_some_and(|m| m.mv == Move::Pass && m.color != color),
            history: game.keys().iter().copied().collect(),
            komi: game.compensation() as f32,
            area: board.area() as f32,
            unwanted: limits.unwanted.iter().filter_map(|&mv| site_of(game, mv)).collect(),
            seed: self.options.seed.wrapping_add(moves.len() as u64 * 7919).wrapping_add(before),
            started,
            before,
            playouts: AtomicU64::new(before),
            stop: AtomicBool::new(false),
            full: AtomicBool::new(false),
        };
        if moves.last().is_some_and(|m| m.color == color) {
            root.lift_ko();
        }
        let totals = Mutex::new(std::mem::take(&mut self.totals));
        let threads = self.options.threads.max(1);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<()>();
            for stream in 0..threads {
                let (shared, root, totals, sender) = (&shared, &root, &totals, sender.clone());
                scope.spawn(move || {
                    let mut worker = Worker::new(shared, root, stream as u64);
                    watch::work(shared, &mut worker, totals);
                    drop(sender);
                });
            }
            drop(sender);
            let report = |totals: &Totals| {
                let new = shared.playouts.load(Relaxed);
                let weight = shared.params.score_weight;
                let komi = shared.komi;
                let elapsed = started.elapsed();
                Report::read(&self.tree, &root, color, komi, weight, totals, new, elapsed)
            };
            watch::wait(&shared, &receiver, &totals, watcher, report);
        });
        let round = Round {
            playouts: shared.played(),
            full: shared.full.load(Relaxed) && !shared.stop.load(Relaxed),
        };
        self.totals = totals.into_inner().unwrap_or_default();
        round
    }
}

/// How a round of a search ended.
struct Round {
    playouts: u64,
    full: bool,
}

/// The site of a move on the game's board, none when it lies outside.
fn site_of(game: &Game, mv: Move) -> Option<Site> {
    match mv {
        Move::Pass => Some(Site::PASS),
        Move::Play(point) => with_board!(game.board(), board => board.site(point)),
    }
}

/// The last move of a game and the one before; [`Site::PASS`] where there is none.
fn last_moves<const N: usize, const W: usize>(board: &Board<N, W>, game: &Game) -> [Site; 2] {
    let moves = game.moves();
    [1, 2].map(|back| match moves.len().checked_sub(back).map(|at| moves[at].mv) {
        Some(Move::Play(point)) => board.site(point).unwrap_or(Site::PASS),
        _ => Site::PASS,
    })
}
