//! Workers, each a thread with something of its own, that do what waits for them: the most urgent first, of what is equally
//! urgent the first that came.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What may wait at most.
pub const MAX_WAITING: usize = 1 << 18;

/// What a worker does with what it has, until it is done or the flag is raised.
type Task<S> = Box<dyn FnOnce(&mut S, &AtomicBool) + Send>;

/// Workers and what waits for them. When it is dropped nothing new is begun, and what goes on is told to end.
///
/// ```
/// use std::sync::mpsc::channel;
/// use tesuji::go::positions::Pool;
/// let pool = Pool::new(2, |worker| worker);
/// let (sender, receiver) = channel();
/// for number in 0..10 {
///     let sender = sender.clone();
///     pool.submit(0, move |_, _| sender.send(number).unwrap()).unwrap();
/// }
/// pool.wait();
/// drop(sender);
/// assert_eq!(receiver.iter().sum::<i32>(), 45);
/// ```
pub struct Pool<S> {
    shared: Arc<Shared<S>>,
    threads: Vec<JoinHandle<()>>,
}

/// A place in the order: urgency, then arrival.
type Turn = (Reverse<i64>, u64);

struct Shared<S> {
    state: Mutex<State<S>>,
    /// Told when something waits, is done, or all is to end.
    changed: Condvar,
}

struct State<S> {
    waiting: BTreeMap<Turn, (Task<S>, Arc<AtomicBool>)>,
    /// The flag of what each worker does.
    running: Vec<Option<Arc<AtomicBool>>>,
    arrived: u64,
    is_closed: bool,
}

impl<S> Shared<S> {
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// More waits than there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{MAX_WAITING} positions are waiting already")]
pub struct QueueFull;

/// What became of something that was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// It was waiting, and will never be done.
    Waiting,
    /// It had begun, and is told to end soon; or it was over.
    Begun,
}

/// Something that waits, is done, or was.
pub struct Ticket<S> {
    turn: Turn,
    flag: Arc<AtomicBool>,
    shared: Arc<Shared<S>>,
}

impl<S> Clone for Ticket<S> {
    fn clone(&self) -> Self {
        Ticket { turn: self.turn, flag: self.flag.clone(), shared: self.shared.clone() }
    }
}

impl<S> Ticket<S> {
    /// Takes it off what waits, or tells it to end.
    pub fn cancel(&self) -> Cancelled {
        self.flag.store(true, Ordering::Relaxed);
        // What a task holds is dropped when the lock is free again: it may come back here.
        let taken = self.shared.lock().waiting.remove(&self.turn);
        match taken {
            Some(_) => {
                // It may have been the last that somebody waited for.
                self.shared.changed.notify_all();
                Cancelled::Waiting
            }
            None => Cancelled::Begun,
        }
    }
}

impl<S: 'static> Pool<S> {
    /// So many workers, each with what `make` gives for its number: at the start, and again when what it did has panicked.
    pub fn new(workers: usize, make: impl Fn(usize) -> S + Send + Sync + 'static) -> Pool<S> {
        let workers = workers.max(1);
        let state = State {
            waiting: BTreeMap::new(),
            running: vec![None; workers],
            arrived: 0,
            is_closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let make = Arc::new(make);
        let threads = (0..workers).map(|number| {
            let (shared, make) = (shared.clone(), make.clone());
            std::thread::spawn(move || work(&shared, number, &*make))
        });
        Pool { threads: threads.collect(), shared }
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.threads.len()
    }

    /// Lets a worker do this in its turn: with what it has, and a flag that is raised when it is to end. Higher priorities
    /// come first.
    ///
    /// # Errors
    /// When [`MAX_WAITING`] are waiting.
    pub fn submit(
        &self,
        priority: i64,
        task: impl FnOnce(&mut S, &AtomicBool) + Send + 'static,
    ) -> Result<Ticket<S>, QueueFull> {
        let mut state = self.shared.lock();
        if state.waiting.len() >= MAX_WAITING {
            return Err(QueueFull);
        }
        let turn = (Reverse(priority), state.arrived);
        state.arrived += 1;
        let flag = Arc::new(AtomicBool::new(false));
        state.waiting.insert(turn, (Box::new(task), flag.clone()));
        drop(state);
        self.shared.changed.notify_all();
        Ok(Ticket { turn, flag, shared: self.shared.clone() })
    }

    /// How many are waiting.
    pub fn waiting(&self) -> usize {
        self.shared.lock().waiting.len()
    }

    /// Waits until nothing waits and nothing is being done.
    pub fn wait(&self) {
        let is_busy = |state: &mut State<S>| {
            !state.waiting.is_empty() || state.running.iter().any(Option::is_some)
        };
        let state = self.shared.changed.wait_while(self.shared.lock(), is_busy);
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes off everything that waits, and tells everything that goes on to end.
    pub fn cancel_all(&self) {
        let waiting = {
            let mut state = self.shared.lock();
            let running = state.running.iter().flatten();
            running.for_each(|flag| flag.store(true, Ordering::Relaxed));
            std::mem::take(&mut state.waiting)
        };
        for (_, flag) in waiting.values() {
            flag.store(true, Ordering::Relaxed);
        }
        drop(waiting);
        self.shared.changed.notify_all();
    }
}

impl<S> Drop for Pool<S> {
    fn drop(&mut self) {
        let waiting = {
            let mut state = self.shared.lock();
            state.is_closed = true;
            let running = state.running.iter().flatten();
            running.for_each(|flag| flag.store(true, Ordering::Relaxed));
            std::mem::take(&mut state.waiting)
        };
        drop(waiting);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A worker does not panic: its tasks are caught.
            let _ = thread.join();
        }
    }
}

/// A worker's whole life.
fn work<S>(shared: &Shared<S>, number: usize, make: &dyn Fn(usize) -> S) {
    let mut own = make(number);
    while let Some((task, flag)) = next(shared, number) {
        if catch_unwind(AssertUnwindSafe(|| task(&mut own, &flag))).is_err() {
            tracing::error!("the search of a position failed; the next ones go on");
            own = make(number);
        }
        shared.lock().running[number] = None;
        shared.changed.notify_all();
    }
}

/// What is to be done next, once there is something; nothing at the end.
fn next<S>(shared: &Shared<S>, number: usize) -> Option<(Task<S>, Arc<AtomicBool>)> {
    let is_idle = |state: &mut State<S>| state.waiting.is_empty() && !state.is_closed;
    let state = shared.changed.wait_while(shared.lock(), is_idle);
    let mut state = state.unwrap_or_else(PoisonError::into_inner);
    if state.is_closed {
        return None;
    }
    let (_, (task, flag)) = state.waiting.pop_first()?;
    state.running[number] = Some(flag.clone());
    Some((task, flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// One worker that is busy until the sender is dropped, or it is told to end.
    fn busy_pool() -> (Pool<()>, Sender<()>, Ticket<()>) {
        let pool = Pool::new(1, |_| ());
        let (sender, receiver): (_, Receiver<()>) = channel();
        let (begun, has_begun) = channel();
        let ticket = pool.submit(0, move |(), flag| {
            begun.send(()).unwrap();
            let patience = std::time::Duration::from_millis(1);
            while !flag.load(Ordering::Relaxed)
                && receiver.recv_timeout(patience)
                    != Err(std::sync::mpsc::RecvTimeoutError::Disconnected)
            {}
        });
        has_begun.recv().unwrap();
        (pool, sender, ticket.unwrap())
    }

    #[test]
    fn urgent_ones_come_first_then_those_that_came_first() {
        let (pool, busy, _) = busy_pool();
        let (sender, receiver) = channel();
        for (number, priority) in [0, 5, -3, 5, i64::MAX, 0, i64::MIN].into_iter().enumerate() {
            let sender = sender.clone();
            pool.submit(priority, move |(), _| sender.send(number).unwrap()).unwrap();
        }
        assert_eq!(pool.waiting(), 7);
        drop((busy, sender));
        pool.wait();
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [4, 1, 3, 0, 5, 2, 6]);
    }

    #[test]
    fn what_waits_is_taken_off_and_what_goes_on_is_told() {
        let (pool, busy, running) = busy_pool();
        let (sender, receiver) = channel::<u8>();
        let ticket = pool.submit(0, move |(), _| sender.send(1).unwrap()).unwrap();
        assert_eq!(ticket.cancel(), Cancelled::Waiting);
        assert!(receiver.recv().is_err(), "what it held is gone at once");
        assert_eq!(ticket.cancel(), Cancelled::Begun);
        assert_eq!(running.cancel(), Cancelled::Begun);
        pool.wait();
        drop(busy);
    }

    #[test]
    fn who_waits_hears_of_what_is_taken_off() {
        // The worker is not ready before the sender is dropped.
        let (sender, receiver) = channel::<()>();
        let receiver = Mutex::new(receiver);
        let pool = Arc::new(Pool::new(1, move |_| {
            let _ = receiver.lock().unwrap().recv();
        }));
        let ticket = pool.submit(0, |(), _| unreachable!("it is taken off")).unwrap();
        let (done, is_done) = channel();
        let waiting = pool.clone();
        std::thread::spawn(move || {
            waiting.wait();
            done.send(()).unwrap();
        });
        let patience = std::time::Duration::from_millis(100);
        assert!(is_done.recv_timeout(patience).is_err());
        assert_eq!(ticket.cancel(), Cancelled::Waiting);
        assert_eq!(is_done.recv_timeout(50 * patience), Ok(()));
        drop(sender);
    }

    #[test]
    fn all_is_cancelled_at_once_and_the_pool_goes_on() {
        let (pool, _busy, _) = busy_pool();
        let (sender, receiver) = channel::<u8>();
        for _ in 0..3 {
            let sender = sender.clone();
            pool.submit(0, move |(), _| sender.send(1).unwrap()).unwrap();
        }
        pool.cancel_all();
        pool.wait();
        pool.submit(0, move |(), _| sender.send(2).unwrap()).unwrap();
        pool.wait();
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_panic_is_the_task_s_alone() {
        let pool = Pool::new(1, |_| 0);
        pool.submit(0, |own, _| {
            *own = 7;
            panic!("a test of what panics");
        })
        .unwrap();
        let (sender, receiver) = channel();
        pool.submit(0, move |own, _| sender.send(*own).unwrap()).unwrap();
        assert_eq!(receiver.recv(), Ok(0), "it begins with something new");
    }

    #[test]
    fn dropped_with_work_left_it_ends() {
        let (pool, _busy, _) = busy_pool();
        pool.submit(0, |(), _| unreachable!("nothing new is begun")).unwrap();
        drop(pool);
    }
}
