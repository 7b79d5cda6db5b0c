//! Watching over the threads of a search: what each does in turn, when all stop, and what is told
//! meanwhile.

use super::knowledge::Knowledge;
use super::shared::Shared;
use super::worker::Worker;
use super::{Proof, Report, Stats, Watcher};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What is counted over all playouts of a position.
#[derive(Default, Clone)]
pub(super) struct Totals {
    /// Playouts in which Black and White owned each site.
    pub owned: Vec<[u32; 2]>,
    /// Sum of Black's margins.
    pub score_sum: f64,
    /// Playouts counted here (not those that a proof cut short).
    pub playouts: u64,
    /// Longest way down the tree.
    pub deepest: usize,
}

/// Playouts between two looks at the clock.
const CLOCK_EVERY: u64 = 16;
/// Playouts between two looks at whether the move can still change.
const EARLY_EVERY: u64 = 256;
/// How often the waiting thread asks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(5);

/// What a thread does until the search is over.
pub(super) fn work<K: Knowledge, const N: usize, const W: usize>(
    shared: &Shared<K>,
    worker: &mut Worker<K, N, W>,
    totals: &Mutex<Totals>,
) {
    let most = shared.limits.playouts.unwrap_or(u64::MAX).min(Stats::MOST_VISITS);
    while !shared.is_over() {
        let ticket = shared.playouts.fetch_add(1, Relaxed);
        if ticket >= most {
            shared.playouts.fetch_sub(1, Relaxed);
            shared.stop.store(true, Relaxed);
            break;
        }
        worker.simulate();
        let done = ticket + 1;
        if done.is_multiple_of(CLOCK_EVERY) && is_time_up(shared) {
            shared.stop.store(true, Relaxed);
        }
        if done.is_multiple_of(EARLY_EVERY) {
            worker.hand_in(totals);
            if shared.limits.stop_early && cannot_change(shared, most - done, done) {
                shared.stop.store(true, Relaxed);
            }
        }
    }
    worker.hand_in(totals);
}

/// Waits for the threads, asks for interruptions, tells the watcher.
pub(super) fn wait<K>(
    shared: &Shared<K>,
    ends: &Receiver<()>,
    totals: &Mutex<Totals>,
    watcher: &mut Option<Watcher>,
    report: impl Fn(&Totals) -> Report,
) {
    let mut told = Instant::now();
    loop {
        match ends.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return,
        }
        if (shared.limits.interrupted)() {
            shared.stop.store(true, Relaxed);
        }
        if let Some(watcher) = watcher
            && told.elapsed() >= watcher.every
        {
            told = Instant::now();
            let now = totals.lock().map(|t| t.clone()).unwrap_or_default();
            (watcher.call)(&report(&now));
        }
    }
}

fn is_time_up<K>(shared: &Shared<K>) -> bool {
    let limits = shared.limits;
    if limits.soft.is_none() && limits.hard.is_none() {
        return false;
    }
    let elapsed = shared.started.elapsed();
    let past = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
    past(limits.hard) || (past(limits.soft) && (limits.hard.is_none() || !is_unsettled(shared)))
}

/// Whether more time might change the move: the most visited is not the best, or is hardly ahead.
fn is_unsettled<K>(shared: &Shared<K>) -> bool {
    let children = shared.tree.children(shared.tree.root());
    let Some(most) = children.iter().max_by_key(|child| child.own.visits()) else { return false };
    let value = most.own.get().mean_or(0.5);
    let visits = most.own.visits();
    children.iter().any(|child| {
        !std::ptr::eq(child, most)
            && (child.own.visits() > visits / 5 * 4
                || (child.own.visits() > visits / 4 && child.own.get().mean_or(0.5) > value))
    })
}

/// Whether the rest of the search cannot make another move the most visited, or a proof has
/// settled the matter.
fn cannot_change<K>(shared: &Shared<K>, playouts_left: u64, done: u64) -> bool {
    let children = shared.tree.children(shared.tree.root());
    if children.iter().any(|child| child.proof() == Proof::Won) {
        return true;
    }
    let open = children.iter().filter(|child| child.proof() == Proof::Open).count();
    if open == 0 && !children.is_empty() {
        return true;
    }
    let mut visits: Vec<u32> = children.iter().map(|child| child.own.visits()).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    let [first, second, ..] = visits[..] else { return children.len() == 1 };
    let lead = u64::from(first - second);
    let new = done.saturating_sub(shared.before).max(1);
    let by_time = shared.limits.hard.or(shared.limits.soft).map(|limit| {
        let elapsed = shared.started.elapsed().as_secs_f64();
        let left = (limit.as_secs_f64() - elapsed).max(0.0);
        (new as f64 / elapsed.max(1e-6) * left) as u64
    });
    lead > playouts_left.min(by_time.unwrap_or(u64::MAX))
}
