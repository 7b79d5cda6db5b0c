//! The threads of a search: started, ended at a limit, and held while room is made in a full tree.

use game_core::{Control, SearchLimits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A tree of bounded memory.
pub trait Bounded: Sync {
    /// Whether something found no room in it.
    fn is_full(&self) -> bool;

    /// Bytes that it takes.
    fn bytes(&self) -> usize;

    /// Lets go of what was visited least, so that there is room again.
    fn make_room(&mut self);
}

/// What one thread does.
pub trait Worker: Send {
    /// One visit; false when there is nothing left to find out.
    fn visit(&mut self) -> bool;
}

impl<W: Worker + ?Sized> Worker for Box<W> {
    fn visit(&mut self) -> bool {
        (**self).visit()
    }
}

/// How often the waiting thread looks whether to go on.
const PATIENCE: Duration = Duration::from_millis(4);
/// The longest that making room should take, for each byte of the tree. It takes a quarter of this with two other programs on
/// two cores; more of them leave it less of a core, and a clock does not wait.
const ROOM_TIME_PER_BYTE: Duration = Duration::from_nanos(12);

/// One search, from its limits to its end, in as many rounds as room has to be made in its tree.
#[derive(Debug)]
pub struct Driver<'a> {
    limits: &'a SearchLimits,
    stop: Arc<AtomicBool>,
    /// Visits begun.
    begun: AtomicU64,
    /// There is no time to make room before the deadline: the tree is searched on as it is.
    stays_full: bool,
}

impl<'a> Driver<'a> {
    /// A search with these limits.
    pub fn new(limits: &'a SearchLimits) -> Driver<'a> {
        let stop = Arc::new(AtomicBool::new(false));
        Driver { limits, stop, begun: AtomicU64::new(0), stays_full: false }
    }

    /// Set when all threads are to end, for what they do that takes long.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Ends all threads.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The limits.
    pub fn limits(&self) -> &SearchLimits {
        self.limits
    }

    /// Visits begun so far, in all rounds.
    pub fn visits(&self) -> u64 {
        self.begun.load(Relaxed).min(self.max_visits())
    }

    fn max_visits(&self) -> u64 {
        self.limits.visits.unwrap_or(u64::MAX)
    }

    /// Lets the workers search, a thread each, until a limit, a full tree or `look` ends it, which is asked every few
    /// milliseconds. Each makes a visit at least, whatever the clock says, so that there is something to play.
    pub fn round(
        &self,
        tree: &impl Bounded,
        workers: impl IntoIterator<Item = impl Worker>,
        look: &mut dyn FnMut() -> Control,
    ) {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            for mut worker in workers {
                let sender = sender.clone();
                scope.spawn(move || {
                    self.work(tree, &mut worker);
                    drop(sender);
                });
            }
            drop(sender);
            while receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if look() == Control::Stop {
                    self.stop();
                }
            }
        });
    }

    fn work(&self, tree: &impl Bounded, worker: &mut impl Worker) {
        let max_visits = self.max_visits();
        while !self.stop.load(Relaxed)
            && (self.stays_full || !tree.is_full())
            && self.begun.fetch_add(1, Relaxed) < max_visits
            && worker.visit()
            && self.limits.deadline.is_none_or(|end| Instant::now() < end)
        {}
    }

    /// Whether another round is due, since the last ended for want of room. Makes that room, unless it could take longer than
    /// until the deadline: then the search goes on in what there is.
    pub fn goes_on(&mut self, tree: &mut impl Bounded) -> bool {
        if self.stop.load(Relaxed) || self.stays_full || !tree.is_full() {
            return false;
        }
        self.stays_full = !make_room_before(self.limits.deadline, tree);
        true
    }
}

/// Makes room in a tree, unless it could take longer than until a deadline; whether it did.
pub fn make_room_before(deadline: Option<Instant>, tree: &mut impl Bounded) -> bool {
    let time = ROOM_TIME_PER_BYTE.saturating_mul(tree.bytes().min(u32::MAX as usize) as u32);
    let in_time = deadline.is_none_or(|end| Instant::now() + time < end);
    if in_time {
        tree.make_room();
    }
    in_time
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree that is full after every hundred visits.
    #[derive(Default)]
    struct Counter {
        visits: AtomicU64,
        rooms: u64,
    }

    impl Bounded for Counter {
        fn is_full(&self) -> bool {
            self.visits.load(Relaxed) >= 100 * (self.rooms + 1)
        }

        fn bytes(&self) -> usize {
            1 << 30
        }

        fn make_room(&mut self) {
            self.rooms += 1;
        }
    }

    struct Visitor<'a>(&'a Counter);

    impl Worker for Visitor<'_> {
        fn visit(&mut self) -> bool {
            self.0.visits.fetch_add(1, Relaxed);
            true
        }
    }

    fn search(limits: &SearchLimits, look: &mut dyn FnMut() -> Control) -> Counter {
        let (mut tree, mut driver) = (Counter::default(), Driver::new(limits));
        loop {
            driver.round(&tree, [Visitor(&tree), Visitor(&tree)], look);
            if !driver.goes_on(&mut tree) {
                return tree;
            }
        }
    }

    #[test]
    fn visits_are_counted_over_all_rounds() {
        let limits = SearchLimits { visits: Some(1050), ..SearchLimits::default() };
        let tree = search(&limits, &mut || Control::Continue);
        assert_eq!((tree.visits.into_inner(), tree.rooms), (1050, 10));
    }

    #[test]
    fn no_room_is_made_that_would_outlast_the_clock() {
        let begun = Instant::now();
        let deadline = Some(begun + Duration::from_millis(30));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let tree = search(&limits, &mut || Control::Continue);
        assert_eq!(tree.rooms, 0);
        assert!(tree.visits.into_inner() > 1000, "it goes on in what there is");
        assert!(begun.elapsed() >= Duration::from_millis(30));
    }

    #[test]
    fn the_caller_ends_it() {
        let mut looks = 0;
        let tree = search(&SearchLimits::default(), &mut || {
            looks += 1;
            if looks < 3 { Control::Continue } else { Control::Stop }
        });
        assert!(looks >= 3 && tree.visits.into_inner() > 0);
    }
}
