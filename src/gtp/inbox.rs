//! The reader thread and what it has read: requests that wait, and signals to commands that run.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::line::{Line, LineCleaner, Request};

/// The reader stops reading while requests of this many bytes wait.
const QUEUE_LIMIT: usize = 16 << 20;

/// Requests in the order of their arrival, filled by a thread of its own so that a running command
/// can see what comes in behind it.
#[derive(Debug, Default)]
pub struct Inbox {
    queue: Mutex<Queue>,
    arrived: Condvar,
    taken: Condvar,
    /// The number of the newest line, blank ones counted too.
    newest: AtomicU64,
    /// Every request up to this number has been asked to finish soon.
    interrupted: AtomicU64,
}

#[derive(Debug, Default)]
struct Queue {
    /// Requests with their numbers and when they came.
    waiting: VecDeque<(u64, Instant, Request)>,
    bytes: usize,
    closed: bool,
}

impl Inbox {
    /// Starts the thread that reads `input` to its end.
    pub fn read(input: impl Read + Send + 'static) -> io::Result<Arc<Inbox>> {
        let inbox = Arc::new(Inbox::default());
        let filled = Arc::clone(&inbox);
        std::thread::Builder::new().name("gtp-reader".to_owned()).spawn(move || {
            filled.fill(BufReader::with_capacity(1 << 16, input));
            filled.close();
        })?;
        Ok(inbox)
    }

    /// Reads lines until the end of the input. A last line without a line feed counts.
    fn fill(&self, mut input: impl BufRead) {
        let mut cleaner = LineCleaner::default();
        let mut pending = false;
        loop {
            let bytes = match input.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    tracing::warn!("cannot read the input: {error}");
                    break;
                }
            };
            let end = bytes.iter().position(|&b| b == b'\n');
            cleaner.push(&bytes[..end.unwrap_or(bytes.len())]);
            let used = end.map_or(bytes.len(), |at| at + 1);
            input.consume(used);
            pending = end.is_none();
            if end.is_some() {
                self.deliver(cleaner.finish());
            }
        }
        if pending && let line @ Line::Request(_) = cleaner.finish() {
            self.deliver(line);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, line: Line) {
        let now = Instant::now();
        let mut queue = self.lock();
        let number = self.newest.load(Ordering::Relaxed) + 1;
        match line {
            Line::Blank => {}
            Line::Interrupt => self.interrupted.store(number, Ordering::Release),
            Line::Request(request) => {
                while queue.bytes > QUEUE_LIMIT {
                    queue = self.taken.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
                queue.bytes += request.weight();
                queue.waiting.push_back((number, now, request));
            }
        }
        self.newest.store(number, Ordering::Release);
        self.arrived.notify_all();
    }

    fn close(&self) {
        let mut queue = self.lock();
        queue.closed = true;
        self.newest.fetch_add(1, Ordering::Release);
        self.arrived.notify_all();
    }

    /// The next request with its number and when it came, waiting for it; none at the end of the input.
    pub fn take(&self) -> Option<(u64, Instant, Request)> {
        let mut queue = self.lock();
        loop {
            if let Some(next) = queue.waiting.pop_front() {
                queue.bytes -= next.2.weight();
                self.taken.notify_all();
                return Some(next);
            }
            if queue.closed {
                return None;
            }
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A signal that rises with the next line, if no request waits already and the input is open.
    pub fn idle(self: &Arc<Self>) -> Option<Signal> {
        let queue = self.lock();
        let after = self.newest.load(Ordering::Acquire);
        (queue.waiting.is_empty() && !queue.closed).then(|| Signal {
            inbox: Arc::clone(self),
            number: after,
            rises: Rises::AnyLine,
        })
    }

    /// The number of the newest line.
    pub(super) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Acquire)
    }

    /// A signal for the request with this number.
    pub fn signal(self: &Arc<Self>, number: u64, rises: Rises) -> Signal {
        Signal { inbox: Arc::clone(self), number, rises }
    }
}

/// What makes a [`Signal`] rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rises {
    /// The comment line `# interrupt` that came behind the command.
    Interrupt,
    /// Any line behind the command, a blank one too, or the end of the input.
    AnyLine,
}

/// Tells a running command that it should come to an end. Cheap to ask, from any thread.
#[derive(Debug, Clone)]
pub struct Signal {
    inbox: Arc<Inbox>,
    number: u64,
    rises: Rises,
}

impl Signal {
    /// Whether the command should come to an end.
    pub fn is_raised(&self) -> bool {
        match self.rises {
            Rises::Interrupt => self.inbox.interrupted.load(Ordering::Acquire) >= self.number,
            Rises::AnyLine => self.inbox.newest.load(Ordering::Acquire) > self.number,
        }
    }

    /// Waits until the signal rises, `timeout` at most (a year at most); says whether it has risen.
    pub fn wait(&self, timeout: Duration) -> bool {
        let end = Instant::now() + timeout.min(Duration::from_secs(366 * 86_400));
        let mut queue = self.inbox.lock();
        while !self.is_raised() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.inbox.arrived.wait_timeout(queue, left);
            queue = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(input: &'static [u8]) -> Vec<String> {
        let inbox = Inbox::read(input).unwrap();
        std::iter::from_fn(|| inbox.take()).map(|(.., request)| request.command).collect()
    }

    #[test]
    fn the_last_line_needs_no_line_feed() {
        assert_eq!(names(b"name\n\nversion"), ["name", "version"]);
        assert_eq!(names(b"name\n # x"), ["name"]);
        assert!(names(b"").is_empty());
    }

    #[test]
    fn an_interrupt_reaches_what_came_before_it_only() {
        let inbox = Inbox::read(&b"one\n# interrupt\ntwo\n"[..]).unwrap();
        let (one, ..) = inbox.take().unwrap();
        let (two, ..) = inbox.take().unwrap();
        let end = inbox.signal(two, Rises::AnyLine);
        assert!(end.wait(Duration::from_secs(5)), "the end of the input is a signal");
        assert!(inbox.signal(one, Rises::Interrupt).is_raised());
        assert!(!inbox.signal(two, Rises::Interrupt).is_raised());
        assert!(inbox.signal(one, Rises::AnyLine).is_raised());
        assert!(inbox.idle().is_none());
    }

    #[test]
    fn a_flood_waits_outside() {
        let line = [vec![b'a'; 60_000], b"\n".to_vec()].concat();
        let inbox = Inbox::read(std::io::Cursor::new(line.repeat(600))).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert!(inbox.lock().bytes <= QUEUE_LIMIT + 70_000);
        assert_eq!(std::iter::from_fn(|| inbox.take()).count(), 600);
    }
}
