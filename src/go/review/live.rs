//! The review of a game that is shown on a page: what is found is told on the way.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use game_record::Games;
use go_patterns::progress::Progress as Watch;
use serde_json::json;

use super::document::{Document, Made};
use super::game::{Assumed, ReviewGame};
use super::progress::Progress;
use super::reviewer::{Effort, Reviewer};
use super::{DEFAULT_EVALUATIONS, DEFAULT_PLAYOUTS, loss, plan, reports};
use crate::go::engine::GoEngine;
use crate::go::positions::{Pool, PositionSearcher};
use crate::web::review::{Reviews, Tell};

/// How often it is told what was found.
const TELLING: Duration = Duration::from_millis(700);
/// The most playouts of a position that a page may ask for.
const MAX_PLAYOUTS: u64 = 100_000;

/// What reviews the games of pages, one at a time on all workers.
pub struct LiveReviews {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Mutex<GoEngine>,
    workers: usize,
    /// Made when the first review is asked for.
    pool: OnceLock<Pool<PositionSearcher>>,
    /// Held by the review that goes on.
    turn: Mutex<()>,
    /// By the games' names.
    games: Mutex<HashMap<String, Reviewed>>,
}

/// A game's review.
#[derive(Default)]
struct Reviewed {
    stop: Arc<AtomicBool>,
    /// The annotated record, at the end.
    sgf: Option<String>,
}

/// How far a review is.
struct Share {
    stop: Arc<AtomicBool>,
    done: AtomicU64,
}

impl Watch for Share {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl LiveReviews {
    /// With so many workers, each with an engine like this one.
    pub fn new(engine: GoEngine, workers: usize) -> LiveReviews {
        let shared = Shared {
            engine: Mutex::new(engine),
            workers,
            pool: OnceLock::new(),
            turn: Mutex::new(()),
            games: Mutex::default(),
        };
        LiveReviews { shared: Arc::new(shared) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn new_engine(&self) -> GoEngine {
        lock(&self.engine).another()
    }

    fn pool(&self) -> &Pool<PositionSearcher> {
        self.pool.get_or_init(|| {
            let first = Mutex::new(self.new_engine());
            Pool::new(self.workers, move |_| PositionSearcher::new(lock(&first).another()))
        })
    }

    /// A whole review, in a thread of its own.
    fn review(
        &self,
        id: &str,
        game: &Arc<ReviewGame>,
        playouts: Option<u64>,
        stop: Arc<AtomicBool>,
        tell: &Tell,
    ) -> Result<()> {
        let _turn = lock(&self.turn);
        let network = lock(&self.engine).any_network().cloned();
        let side = game.side();
        let network = network.filter(|network| network.knows_size(side, side));
        let usual = if network.is_some() { DEFAULT_EVALUATIONS } else { DEFAULT_PLAYOUTS };
        let playouts = playouts.unwrap_or(usual).clamp(1, MAX_PLAYOUTS);
        let whole = plan::cost(game.moves.len(), playouts).max(1);
        let share = Share { stop, done: AtomicU64::new(0) };
        let document = |progress: &Progress, finished| {
            let found = progress.found(game.positions.len());
            let reviewed = loss::review(&game.moves, &found, game.area(), side);
            let network = network.as_ref().map(|network| network.name());
            let made = Made { key: "", finished, file: "", playouts: progress.playouts, network };
            Document::new(&made, game, &found, &reviewed)
        };
        let told = |document: &Document, ended| {
            let done = share.done.load(Ordering::Relaxed) as f64 / whole as f64;
            tell(json!({"document": document, "share": done.min(1.0), "ended": ended}));
        };
        let keep = |progress: &Progress| {
            told(&document(progress, false), false);
            Ok(())
        };
        let pool = self.pool();
        let reviewer = Reviewer { pool, bar: &share, keep: &keep, keep_every: TELLING };
        let mut progress = Progress::default();
        let finished = reviewer.review(game, Effort::Playouts(playouts), &mut progress)?;
        let document = document(&progress, finished);
        let sgf = reports::annotated(game, &document)?;
        if let Some(reviewed) = lock(&self.games).get_mut(id) {
            reviewed.sgf = Some(sgf);
        }
        told(&document, true);
        Ok(())
    }
}

impl Reviews for LiveReviews {
    fn can_review(&self) -> bool {
        true
    }

    fn start(&self, id: &str, sgf: &str, playouts: Option<u64>, tell: Tell) -> Result<(), String> {
        let read = || {
            let text = Games::new(sgf.as_bytes()).next().context("there is no game")??;
            ReviewGame::read(&text, &Assumed::default())
        };
        let game = Arc::new(read().map_err(|why| format!("{why:#}"))?);
        let stop = Arc::new(AtomicBool::new(false));
        let reviewed = Reviewed { stop: stop.clone(), sgf: None };
        if let Some(before) = lock(&self.shared.games).insert(id.to_owned(), reviewed) {
            before.stop.store(true, Ordering::Relaxed);
        }
        let (shared, id) = (self.shared.clone(), id.to_owned());
        let body = move || {
            if let Err(why) = shared.review(&id, &game, playouts, stop, &tell) {
                tell(json!({"error": format!("{why:#}")}));
            }
        };
        let thread = std::thread::Builder::new().name("review".to_owned()).spawn(body);
        thread.map(drop).map_err(|why| format!("the review cannot be begun: {why}"))
    }

    fn sgf(&self, id: &str) -> Option<String> {
        lock(&self.shared.games).get(id)?.sgf.clone()
    }

    fn stop(&self, id: &str) {
        if let Some(reviewed) = lock(&self.shared.games).get(id) {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }

    fn forget(&self, id: &str) {
        if let Some(reviewed) = lock(&self.shared.games).remove(id) {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stop_all(&self) {
        for reviewed in lock(&self.shared.games).values() {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }
}
