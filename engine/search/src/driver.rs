//! The threads of a search: started, ended at a limit, and held while room is made in a full tree.

use game_core::{Control, SearchLimits, StopSignal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// A tree of bounded memory.
pub trait Bounded: Sync {
    /// Whether something found no room in it, or its counters come near what they can hold: it is not searched on before
    /// [`Bounded::make_room`] has put that right.
    fn is_full(&self) -> bool;

    /// Does a part of what puts that right, a few milliseconds' worth of it however large the tree is: lets go of what was
    /// visited least. False when there is nothing to let go of.
    fn make_room(&mut self) -> bool;
}

/// What one thread does.
pub trait Worker: Send {
    /// One visit; false when there is nothing left to find out.
    fn visit(&mut self) -> bool;

    /// Brings visits to their end that wait for more to come.
    fn finish(&mut self) {}
}

impl<W: Worker + ?Sized> Worker for Box<W> {
    fn visit(&mut self) -> bool {
        (**self).visit()
    }

    fn finish(&mut self) {
        (**self).finish();
    }
}

/// How often the waiting thread looks whether to go on.
const PATIENCE: Duration = Duration::from_millis(4);
/// The longest that a part of making room should take, on a busy machine too: with less time than this until the deadline
/// none is made.
const ROOM_TIME: Duration = Duration::from_millis(20);
/// How fast visits come is known once they have come for this share of the time that is left.
const MEASURED_SHARE: f64 = 1.0 / 16.0;

/// One search, from its limits to its end, in as many rounds as room has to be made in its tree.
#[derive(Debug)]
pub struct Driver<'a> {
    limits: &'a SearchLimits,
    stop: Arc<AtomicBool>,
    /// Visits begun.
    begun: AtomicU64,
    since: Instant,
    /// Time since then in which nothing was searched.
    paused: Duration,
    /// There is no time to make room before the deadline, or none can be made: the tree is searched on as it is.
    stays_full: bool,
    /// Visits after which a round ends although no limit is reached.
    pause: Option<u64>,
}

impl<'a> Driver<'a> {
    /// A search with these limits.
    pub fn new(limits: &'a SearchLimits) -> Driver<'a> {
        Driver {
            limits,
            stop: Arc::new(AtomicBool::new(false)),
            begun: AtomicU64::new(0),
            since: Instant::now(),
            paused: Duration::ZERO,
            stays_full: false,
            pause: None,
        }
    }

    /// Raised when all is to end, at the deadline at the latest, for what one visit does that takes long.
    pub fn stop_signal(&self) -> StopSignal {
        StopSignal { deadline: self.limits.deadline, flag: Some(Arc::clone(&self.stop)) }
    }

    /// Ends all threads.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The limits.
    pub fn limits(&self) -> &'a SearchLimits {
        self.limits
    }

    /// Visits begun so far, in all rounds.
    pub fn visits(&self) -> u64 {
        self.begun.load(Relaxed).min(self.max_visits())
    }

    fn max_visits(&self) -> u64 {
        let limit = self.limits.visits.unwrap_or(u64::MAX);
        limit.min(self.pause.unwrap_or(u64::MAX))
    }

    /// Ends the next rounds after so many visits in all, until [`Driver::goes_on`] lifts that.
    pub fn pause_after(&mut self, visits: Option<u64>) {
        self.pause = visits;
    }

    /// Whether a round has ended for a pause.
    pub fn is_paused(&self) -> bool {
        self.pause.is_some_and(|pause| self.begun.load(Relaxed) >= pause)
    }

    /// How many visits there may still be before a limit, when they go on to come as fast as they did; none where that cannot
    /// be told: without a limit, or while there were only few.
    pub fn visits_left(&self) -> Option<u64> {
        let done = self.visits();
        let by_visits = self.limits.visits.map(|max| max - done);
        let by_time = self.limits.deadline.map(|end| {
            let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
            let searched = self.since.elapsed().saturating_sub(self.paused).as_secs_f64();
            (searched >= left * MEASURED_SHARE).then(|| (done as f64 * left / searched) as u64)
        });
        match (by_visits, by_time) {
            (Some(left), Some(in_time)) => Some(in_time.map_or(left, |in_time| in_time.min(left))),
            (Some(left), None) => Some(left),
            (None, in_time) => in_time.flatten(),
        }
    }

    /// Lets the workers search, a thread each, until a limit, a full tree or `look` ends it, which is asked every few
    /// milliseconds. Each makes a visit at least, whatever the clock says, so that there is something to play; but in a full
    /// tree only `look` is asked.
    pub fn round(
        &self,
        tree: &impl Bounded,
        workers: impl IntoIterator<Item = impl Worker>,
        look: &mut dyn FnMut() -> Control,
    ) {
        if tree.is_full() && !self.stays_full {
            if look() == Control::Stop {
                self.stop();
            }
            return;
        }
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            for mut worker in workers {
                let sender = sender.clone();
                spawn(scope, move || {
                    self.work(tree, &mut worker);
                    drop(sender);
                });
            }
            drop(sender);
            self.watch(&receiver, look);
        });
    }

    fn work(&self, tree: &impl Bounded, worker: &mut impl Worker) {
        let max_visits = self.max_visits();
        // The first visit is made also when the stop comes before the thread has begun.
        while self.begun.fetch_add(1, Relaxed) < max_visits
            && worker.visit()
            && !self.stop.load(Relaxed)
            && (self.stays_full || !tree.is_full())
            && self.limits.deadline.is_none_or(|end| Instant::now() < end)
        {}
        worker.finish();
    }

    /// Waits until nobody can send any more, and asks meanwhile whether to stop.
    fn watch(&self, running: &Receiver<()>, look: &mut dyn FnMut() -> Control) {
        while running.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            if look() == Control::Stop {
                self.stop();
            }
        }
    }

    /// Does what takes long and is no row of visits, a solver's work say, in a thread of its own, while `look` is asked as
    /// it is in a round. The work should end when [`Driver::stop_signal`] rises.
    pub fn alone<T: Send>(
        &self,
        look: &mut dyn FnMut() -> Control,
        work: impl FnOnce() -> T + Send,
    ) -> T {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let thread = spawn(scope, move || {
                let _ends_the_wait = sender;
                work()
            });
            self.watch(&receiver, look);
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Whether another round is due, since the last ended for a pause or for want of room. Makes a part of that room, unless it could take
    /// longer than until the deadline or none can be made: then the search goes on in what there is.
    pub fn goes_on(&mut self, tree: &mut impl Bounded) -> bool {
        if self.stop.load(Relaxed) {
            return false;
        }
        if self.is_paused() {
            // Threads that found no more to begin have counted too.
            *self.begun.get_mut() = self.visits();
            self.pause = None;
            if self.visits() < self.max_visits() {
                return true;
            }
        }
        if self.stays_full || !tree.is_full() {
            return false;
        }
        let began = Instant::now();
        let in_time = self.limits.deadline.is_none_or(|end| began + ROOM_TIME < end);
        self.stays_full = !(in_time && tree.make_room());
        self.paused += began.elapsed();
        true
    }
}

/// Starts a thread that has the name of the one that it works for: whoever is told of a panic knows whose it is.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    let builder = match thread::current().name() {
        Some(name) => thread::Builder::new().name(name.to_owned()),
        None => thread::Builder::new(),
    };
    builder.spawn_scoped(scope, work).expect("the system gives a thread")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree that is full after every hundred visits.
    #[derive(Default)]
    struct Counter {
        visits: AtomicU64,
        rooms: u64,
        /// The most rooms that can be made.
        max_rooms: u64,
    }

    impl Bounded for Counter {
        fn is_full(&self) -> bool {
            self.visits.load(Relaxed) >= 100 * (self.rooms + 1)
        }

        fn make_room(&mut self) -> bool {
            let has_room = self.rooms < self.max_rooms;
            self.rooms += u64::from(has_room);
            has_room
        }
    }

    struct Visitor<'a>(&'a Counter);

    impl Worker for Visitor<'_> {
        fn visit(&mut self) -> bool {
            self.0.visits.fetch_add(1, Relaxed);
            true
        }
    }

    fn search(max_rooms: u64, limits: &SearchLimits, look: &mut dyn FnMut() -> Control) -> Counter {
        let mut tree = Counter { max_rooms, ..Counter::default() };
        let mut driver = Driver::new(limits);
        loop {
            driver.round(&tree, [Visitor(&tree), Visitor(&tree)], look);
            if !driver.goes_on(&mut tree) {
                return tree;
            }
        }
    }

    #[test]
    fn visits_are_counted_over_all_rounds() {
        for max_rooms in [100, 3] {
            let limits = SearchLimits { visits: Some(1050), ..SearchLimits::default() };
            let tree = search(max_rooms, &limits, &mut || Control::Continue);
            assert_eq!((tree.visits.into_inner(), tree.rooms), (1050, max_rooms.min(10)));
        }
    }

    #[test]
    fn pauses_are_made_where_they_are_asked_for() {
        let limits = SearchLimits { visits: Some(1050), ..SearchLimits::default() };
        let mut tree = Counter { max_rooms: 100, ..Counter::default() };
        let (mut driver, mut pauses) = (Driver::new(&limits), Vec::new());
        loop {
            driver.pause_after(Some((driver.visits() / 300 + 1) * 300));
            driver.round(&tree, [Visitor(&tree), Visitor(&tree)], &mut || Control::Continue);
            if driver.is_paused() {
                pauses.push(driver.visits());
            }
            if !driver.goes_on(&mut tree) {
                break;
            }
        }
        assert_eq!((tree.visits.into_inner(), pauses), (1050, vec![300, 600, 900]));
    }

    #[test]
    fn no_room_is_made_that_would_outlast_the_clock() {
        let begun = Instant::now();
        let deadline = Some(begun + ROOM_TIME * 4 / 5);
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let tree = search(100, &limits, &mut || Control::Continue);
        assert_eq!(tree.rooms, 0);
        assert!(tree.visits.into_inner() > 1000, "it goes on in what there is");
        assert!(begun.elapsed() >= ROOM_TIME * 4 / 5);
    }

    #[test]
    fn the_caller_ends_it() {
        let mut looks = 0;
        let tree = search(u64::MAX, &SearchLimits::default(), &mut || {
            looks += 1;
            if looks < 3 { Control::Continue } else { Control::Stop }
        });
        assert!(looks >= 3 && tree.visits.into_inner() > 0);
    }

    #[test]
    fn a_visit_is_made_however_early_the_stop_comes() {
        let limits = SearchLimits { deadline: Some(Instant::now()), ..SearchLimits::default() };
        let (driver, tree) = (Driver::new(&limits), Counter::default());
        driver.stop();
        driver.round(&tree, [Visitor(&tree)], &mut || Control::Stop);
        assert_eq!(tree.visits.into_inner(), 1);
    }

    #[test]
    fn lonely_work_hears_the_caller_and_the_clock() {
        let wait = |limits: &SearchLimits, looks: u32| {
            let driver = Driver::new(limits);
            let (signal, mut left) = (driver.stop_signal(), looks);
            let mut look = || {
                left = left.saturating_sub(1);
                if left > 0 { Control::Continue } else { Control::Stop }
            };
            driver.alone(&mut look, || {
                while !signal.is_raised() {
                    std::thread::yield_now();
                }
                7
            })
        };
        assert_eq!(wait(&SearchLimits::default(), 3), 7);
        let deadline = Some(Instant::now() + Duration::from_millis(10));
        assert_eq!(wait(&SearchLimits { deadline, ..SearchLimits::default() }, u32::MAX), 7);
    }

    #[test]
    fn how_many_visits_are_left_is_told_once_it_is_known() {
        let visits = |visits, seconds: Option<f64>| {
            let deadline = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
            SearchLimits { visits, deadline, ..SearchLimits::default() }
        };
        let told = |limits: &SearchLimits| {
            let driver = Driver { begun: AtomicU64::new(1000), ..Driver::new(limits) };
            let since = Instant::now().checked_sub(Duration::from_secs(1)).expect("a second ago");
            Driver { since, ..driver }.visits_left()
        };
        assert_eq!(told(&visits(None, None)), None);
        assert_eq!(told(&visits(Some(1500), None)), Some(500));
        assert_eq!(told(&visits(None, Some(3600.0))), None, "too early");
        assert!((1900..=2000).contains(&told(&visits(None, Some(2.0))).expect("known")));
        assert_eq!(told(&visits(Some(1500), Some(2.0))), Some(500));
    }
}
