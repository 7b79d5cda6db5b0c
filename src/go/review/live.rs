//! The review of a game that is shown on a page: what is found is told on the way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use game_record::Games;
use go_patterns::progress::Progress as Watch;

use super::document::{Document, Made};
use super::game::{Assumed, ReviewGame};
use super::progress::Progress;
use super::reviewer::{Effort, Reviewer};
use super::{DEFAULT_EVALUATIONS, DEFAULT_PLAYOUTS, plan, reports};
use crate::go::engine::GoEngine;
use crate::go::positions::{Pool, PositionSearcher};
use crate::web::review as web;

/// How often it is told what was found.
const TELLING: Duration = Duration::from_millis(700);

/// What reviews the games of pages, on all workers.
pub struct LiveReviewer {
    engine: Mutex<GoEngine>,
    workers: usize,
    /// Made when the first review is asked for.
    pool: OnceLock<Pool<PositionSearcher>>,
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

impl LiveReviewer {
    /// With so many workers, each with an engine like this one.
    pub fn new(engine: GoEngine, workers: usize) -> LiveReviewer {
        LiveReviewer { engine: Mutex::new(engine), workers, pool: OnceLock::new() }
    }

    fn engine(&self) -> MutexGuard<'_, GoEngine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pool(&self) -> &Pool<PositionSearcher> {
        self.pool.get_or_init(|| {
            let first = Mutex::new(self.engine().another());
            let another = move || {
                let first = first.lock().unwrap_or_else(PoisonError::into_inner);
                PositionSearcher::new(first.another())
            };
            Pool::new(self.workers, move |_| another())
        })
    }
}

impl web::Reviewer for LiveReviewer {
    fn review(&self, wanted: &web::Wanted) -> Result<web::Review> {
        let text = Games::new(wanted.sgf.as_bytes()).next().context("there is no game")??;
        let game = &Arc::new(ReviewGame::read(&text, &Assumed::default())?);
        let network = self.engine().any_network().cloned();
        let side = game.side();
        let network = network.filter(|network| network.knows_size(side, side));
        let usual = if network.is_some() { DEFAULT_EVALUATIONS } else { DEFAULT_PLAYOUTS };
        let playouts = wanted.visits.unwrap_or(usual);
        let whole = plan::cost(game.moves.len(), playouts).max(1);
        let share = Share { stop: wanted.stop.clone(), done: AtomicU64::new(0) };
        let document = |progress: &Progress, finished| {
            let found = progress.found(game.positions.len());
            let reviewed = game.reviewed(&found);
            let network = network.as_ref().map(|network| network.name());
            let made = Made { key: "", finished, file: "", playouts: progress.playouts, network };
            Document::new(&made, game, &found, &reviewed)
        };
        let keep = |progress: &Progress| {
            let done = share.done.load(Ordering::Relaxed) as f64 / whole as f64;
            wanted.tell(serde_json::to_value(document(progress, false))?, done);
            Ok(())
        };
        let pool = self.pool();
        let reviewer = Reviewer { pool, bar: &share, keep: &keep, keep_every: TELLING };
        let mut progress = Progress::default();
        let finished = reviewer.review(game, Effort::Playouts(playouts), &mut progress)?;
        let document = document(&progress, finished);
        let sgf = reports::annotated(game, &document)?;
        Ok(web::Review { document: serde_json::to_value(document)?, sgf })
    }
}
