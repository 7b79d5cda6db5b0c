//! Reviews of the games on pages: [`Reviews`] keeps them by their games, a [`Reviewer`] makes one. Go has its own, that of
//! `tesuji review`; [`TurnReviewer`] reviews any game that a session plays.

mod chance;
mod turns;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use serde_json::{Value, json};

pub use turns::TurnReviewer;

/// The most visits of a position that a page may ask for.
const MAX_VISITS: u64 = 100_000;

/// Takes what a review has found so far: an object with `document`, and either the `share` that is done or that it has
/// `ended`; or an `error`.
pub type Tell = Box<dyn Fn(Value) + Send>;

/// A review that is wanted.
pub struct Wanted<'a> {
    /// The game as SGF.
    pub sgf: &'a str,
    /// Visits of a position; none for the usual number.
    pub visits: Option<u64>,
    /// Raised when it is to end with what it has.
    pub stop: &'a Arc<AtomicBool>,
    tell: &'a Tell,
}

impl Wanted<'_> {
    /// Tells what was found so far, which is this share of the whole.
    pub fn tell(&self, document: Value, share: f64) {
        (self.tell)(json!({"document": document, "share": share.min(1.0), "ended": false}));
    }
}

/// What can review a game.
pub trait Reviewer: Send + Sync {
    /// Reviews the main line of a game, and tells of it on the way.
    ///
    /// # Errors
    /// What is wrong with the game.
    fn review(&self, wanted: &Wanted) -> Result<Review>;
}

/// A review that has come to its end, or was told to stop.
pub struct Review {
    /// What was found.
    pub document: Value,
    /// The game with the review's comments and variations.
    pub sgf: String,
}

/// The reviews of a server's games. One is made at a time, the others wait for it.
pub struct Reviews {
    shared: Arc<Shared>,
}

struct Shared {
    reviewer: Box<dyn Reviewer>,
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reviews {
    /// None yet.
    pub fn new(reviewer: impl Reviewer + 'static) -> Reviews {
        let (turn, games) = Default::default();
        Reviews { shared: Arc::new(Shared { reviewer: Box::new(reviewer), turn, games }) }
    }

    /// Begins the review of a game, in the place of one that goes on.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn start(&self, id: &str, sgf: String, visits: Option<u64>, tell: Tell) -> Result<()> {
        let visits = visits.map(|visits| visits.clamp(1, MAX_VISITS));
        let stop = Arc::new(AtomicBool::new(false));
        let reviewed = Reviewed { stop: stop.clone(), sgf: None };
        if let Some(before) = lock(&self.shared.games).insert(id.to_owned(), reviewed) {
            before.stop.store(true, Ordering::Relaxed);
        }
        let (shared, id) = (self.shared.clone(), id.to_owned());
        let body = move || {
            let _turn = lock(&shared.turn);
            let is_same = |reviewed: &Reviewed| Arc::ptr_eq(&reviewed.stop, &stop);
            // It may have been begun anew, or its game closed, while it waited.
            if !lock(&shared.games).get(&id).is_some_and(is_same) {
                return;
            }
            let wanted = Wanted { sgf: &sgf, visits, stop: &stop, tell: &tell };
            let found = match shared.reviewer.review(&wanted) {
                Ok(found) => found,
                Err(why) => return tell(json!({"error": format!("{why:#}")})),
            };
            // Or meanwhile.
            if let Some(reviewed) = lock(&shared.games).get_mut(&id).filter(|found| is_same(found))
            {
                reviewed.sgf = Some(found.sgf);
                tell(json!({"document": found.document, "ended": true}));
            }
        };
        std::thread::Builder::new().name("review".to_owned()).spawn(body)?;
        Ok(())
    }

    /// The game with the review's comments and variations, if it was reviewed.
    pub fn sgf(&self, id: &str) -> Option<String> {
        lock(&self.shared.games).get(id)?.sgf.clone()
    }

    /// Ends the review of a game with what it has.
    pub fn stop(&self, id: &str) {
        if let Some(reviewed) = lock(&self.shared.games).get(id) {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends it, and forgets what it found: the game is closed.
    pub fn forget(&self, id: &str) {
        if let Some(reviewed) = lock(&self.shared.games).remove(id) {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends all.
    pub fn stop_all(&self) {
        for reviewed in lock(&self.shared.games).values() {
            reviewed.stop.store(true, Ordering::Relaxed);
        }
    }
}
