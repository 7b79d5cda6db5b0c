//! What a search does for other searches of the same position, in other processes.

use crate::driver::Driver;
use crate::upper::UpperTree;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Shares what a search finds with others, and brings what they find into its tree. Everything is called by the thread that
/// waits for the searching ones.
pub trait Exchange: Send {
    /// A search begins, whose tree is that of its position now.
    fn begin(&mut self, tree: &dyn UpperTree);

    /// After how many visits the search is to pause next: a search of so many visits at most, of which so many are done.
    fn pause_after(&self, limit: Option<u64>, done: u64) -> Option<u64>;

    /// All threads pause, after so many visits. Whoever waits for others here does so at the expense of the search.
    fn pause(&mut self, tree: &dyn UpperTree, visits: u64, deadline: Option<Instant>);

    /// Every few milliseconds, while threads search.
    fn tick(&mut self, tree: &dyn UpperTree, visits: u64);

    /// The search has ended.
    fn end(&mut self, tree: &dyn UpperTree);

    /// How many other searches take part: so many times as much as this one still will they find, too.
    fn others(&self) -> u64;
}

/// Those with whom a search shares what it finds.
#[derive(Clone)]
pub struct Partners {
    exchange: Arc<Mutex<dyn Exchange>>,
    turns: Arc<Turns>,
}

/// Searches that share take turns, as it were: each makes one visit of as many as there are searches.
///
/// Between two times that they share, what others visit is not known, but can be expected: they choose by the same rule from
/// nearly the same numbers. A search that counts those visits as made, without a value, does not look where others are looking
/// (Liu and others, "Watch the Unobserved: A Simple Approach to Parallelizing Monte Carlo Tree Search", 2020).
#[derive(Debug, Default)]
pub struct Turns {
    place: AtomicU32,
    count: AtomicU32,
    shares: AtomicU32,
}

impl Turns {
    /// Says which place of how many a search has; of 0 it expects nothing.
    pub fn set(&self, place: u32, count: u32) {
        self.place.store(place, Relaxed);
        self.count.store(count, Relaxed);
    }

    /// Says that what others have found is in the tree: what was expected has come, or is not expected any more.
    pub fn end(&self) {
        self.shares.fetch_add(1, Relaxed);
    }

    /// The number of visits by others that come before each own one, and that of those which come behind.
    pub fn others(&self) -> (u32, u32) {
        let place = self.place.load(Relaxed);
        (place, self.count.load(Relaxed).saturating_sub(place + 1))
    }

    /// Changes whenever what was expected is not expected any more.
    pub fn shares(&self) -> u32 {
        self.shares.load(Relaxed)
    }
}

impl fmt::Debug for Partners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Partners")
    }
}

impl Partners {
    /// Those behind an exchange, which says when whose turn it is.
    pub fn new(exchange: Arc<Mutex<dyn Exchange>>, turns: Arc<Turns>) -> Partners {
        Partners { exchange, turns }
    }

    /// Lets the exchange do something; an answer from it.
    pub fn with<T>(&self, act: impl FnOnce(&mut dyn Exchange) -> T) -> T {
        act(&mut *self.exchange.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a search does at each step for its partners, if it has any.
#[derive(Clone, Copy, Debug)]
pub struct Sharing<'a>(pub Option<&'a Partners>);

impl<'a> Sharing<'a> {
    fn act(self, act: impl FnOnce(&mut dyn Exchange)) {
        if let Some(partners) = self.0 {
            partners.with(act);
        }
    }

    /// Before the first round.
    pub fn begin(self, tree: &dyn UpperTree) {
        self.act(|exchange| exchange.begin(tree));
    }

    /// Before each round.
    pub fn before_round(self, driver: &mut Driver<'_>) {
        self.act(|exchange| {
            let pause = exchange.pause_after(driver.limits().visits, driver.visits());
            driver.pause_after(pause);
        });
    }

    /// Every few milliseconds of a round.
    pub fn tick(self, driver: &Driver<'_>, tree: &dyn UpperTree) {
        self.act(|exchange| exchange.tick(tree, driver.visits()));
    }

    /// After each round.
    pub fn after_round(self, driver: &Driver<'_>, tree: &dyn UpperTree) {
        if driver.is_paused() {
            self.act(|exchange| exchange.pause(tree, driver.visits(), driver.limits().deadline));
        }
    }

    /// After the last round.
    pub fn end(self, tree: &dyn UpperTree) {
        self.act(|exchange| exchange.end(tree));
    }

    /// Whose turn it is when, where there are others.
    pub fn turns(&self) -> Option<&'a Turns> {
        self.0.map(|partners| &*partners.turns)
    }

    /// Visits of all searches that there still may be, where this one still may make so many.
    pub fn visits_left(self, own: u64) -> u64 {
        let others = self.0.map_or(0, |partners| partners.with(|exchange| exchange.others()));
        own.saturating_mul(1 + others)
    }
}
