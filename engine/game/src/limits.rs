//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When a search ends by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits {
    /// Visits of the root in this search.
    pub visits: Option<u64>,
    /// The time after which nothing new is begun.
    pub deadline: Option<Instant>,
    /// The time after which it ends when the best choice cannot be caught or stands out.
    pub soft: Option<Instant>,
}

/// Tells what takes long that it is to end: at a time, when somebody raises a flag, or at whichever comes first. Never, unless
/// it is told otherwise. Asking takes some tens of nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// The time from which on it is raised.
    pub deadline: Option<Instant>,
    /// Raised by another thread.
    pub flag: Option<Arc<AtomicBool>>,
}

impl StopSignal {
    /// Whether to end.
    pub fn is_raised(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// What a caller wants after a look at the progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop now.
    Stop,
}

/// Whether a search that is beyond its soft limit may end, by its choices' visits and the chances to win with them: it goes on
/// only while the one with most visits is not the best by chance, or has no clear lead.
///
/// ```
/// use game_core::stands_out;
///
/// assert!(stands_out([(100, 0.6), (50, 0.5), (3, 0.9)]));
/// assert!(!stands_out([(100, 0.5), (50, 0.6)]));
/// assert!(!stands_out([(100, 0.6), (90, 0.5)]));
/// ```
pub fn stands_out(choices: impl IntoIterator<Item = (u32, f32)>) -> bool {
    let mut best = [(0, 0.0f32); 2];
    for choice in choices {
        if choice.0 > best[0].0 {
            best = [choice, best[0]];
        } else if choice.0 > best[1].0 {
            best[1] = choice;
        }
    }
    best[0].1 >= best[1].1 && f64::from(best[0].0) > 1.3 * f64::from(best[1].0)
}
