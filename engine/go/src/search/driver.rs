//! Watching over the threads of a search: what each does in turn, when all stop, and what is told
//! meanwhile.

use super::policy::{Evaluator, Priors};
use super::shared::Shared;
use super::value::{Leaf, LeafValue, Scoring};
use super::worker::Worker;
use super::{MoveStatus, ProgressCallback, Report, Stats};
use crate::game::AnyBoard;
use crate::{Color, Site, rng::Rng, with_board};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tree_search::stop::cannot_be_caught;

/// What is counted over all playouts of a position.
#[derive(Default, Clone)]
pub(super) struct Totals {
    /// Sum of each site's ownership.
    pub ownership: Vec<f64>,
    /// Sum of Black's margins.
    pub score_sum: f64,
    /// Playouts counted here (not those that a proof cut short).
    pub playouts: u64,
    /// Longest way down the tree.
    pub max_depth: usize,
}

/// What the threads of a search ask, behind one type for all: the search itself is compiled once, and its
/// threads where what they ask is known.
pub(super) trait Guide: Send + Sync {
    /// What a thread does until the search is over.
    fn work(&self, shared: &Shared, root: &AnyBoard, stream: u64, totals: &Mutex<Totals>);

    /// See [`Priors::policy`].
    fn policy(&self, board: &AnyBoard, color: Color, last: [Site; 2]) -> Vec<(Site, f32)>;

    /// Values a position so many times, each from its start.
    fn evaluate(
        &self,
        board: &AnyBoard,
        to_move: Color,
        scoring: &Scoring,
        rng: &mut Rng,
        times: u64,
        visit: &mut dyn FnMut(&LeafValue),
    );
}

/// Priors and an evaluator.
pub(super) struct Guides<P, E>(pub P, pub E);

impl<P: Priors, E: Evaluator> Guide for Guides<P, E> {
    fn work(&self, shared: &Shared, root: &AnyBoard, stream: u64, totals: &Mutex<Totals>) {
        with_board!(root, root => {
            work(shared, &mut Worker::new(shared, (&self.0, &self.1), root, stream), totals);
        });
    }

    fn policy(&self, board: &AnyBoard, color: Color, last: [Site; 2]) -> Vec<(Site, f32)> {
        with_board!(board, board => self.0.policy(board, color, last))
    }

    fn evaluate(
        &self,
        board: &AnyBoard,
        to_move: Color,
        scoring: &Scoring,
        rng: &mut Rng,
        times: u64,
        visit: &mut dyn FnMut(&LeafValue),
    ) {
        with_board!(board, start => {
            let (mut board, mut moves) = (start.clone(), Vec::new());
            let (mut scratch, mut value) = (E::Scratch::default(), LeafValue::default());
            for _ in 0..times {
                board.clone_from(start);
                moves.clear();
                let last = [Site::PASS; 2];
                let (board, rng, moves) = (&mut *board, &mut *rng, &mut moves);
                let leaf = Leaf { board, to_move, last, scoring, rng, moves };
                self.1.evaluate(leaf, &mut scratch, &mut value);
                visit(&value);
            }
        });
    }
}

/// Playouts between two looks at the clock.
const CLOCK_EVERY: u64 = 16;
/// Playouts between two looks at whether the move can still change.
const EARLY_EVERY: u64 = 256;
/// How often the waiting thread asks whether it was interrupted.
const POLL_EVERY: Duration = Duration::from_millis(5);

fn work<P: Priors, E: Evaluator, const N: usize, const W: usize>(
    shared: &Shared,
    worker: &mut Worker<P, E, N, W>,
    totals: &Mutex<Totals>,
) {
    let max = shared.limits.playouts.unwrap_or(u64::MAX).min(Stats::MAX_VISITS);
    while !shared.is_over() {
        let ticket = shared.playouts.fetch_add(1, Relaxed);
        if ticket >= max {
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
            worker.flush_stats(totals);
            if shared.limits.stop_early && cannot_change(shared, max - done, done) {
                shared.stop.store(true, Relaxed);
            }
        }
    }
    worker.flush_stats(totals);
}

/// Waits for the threads, asks for interruptions, tells the progress.
pub(super) fn wait(
    shared: &Shared,
    ends: &Receiver<()>,
    totals: &Mutex<Totals>,
    progress: &mut Option<ProgressCallback>,
    report: &dyn Fn(&Totals) -> Report,
) {
    let mut told = Instant::now();
    loop {
        match ends.recv_timeout(POLL_EVERY) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return,
        }
        if (shared.limits.interrupted)() {
            shared.stop.store(true, Relaxed);
        }
        if let Some(progress) = progress
            && told.elapsed() >= progress.every
        {
            told = Instant::now();
            let now = totals.lock().map(|t| t.clone()).unwrap_or_default();
            (progress.call)(&report(&now));
        }
    }
}

fn is_time_up(shared: &Shared) -> bool {
    let limits = shared.limits;
    if limits.soft.is_none() && limits.hard.is_none() {
        return false;
    }
    let elapsed = shared.started.elapsed();
    let past = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
    past(limits.hard) || (past(limits.soft) && (limits.hard.is_none() || !is_unsettled(shared)))
}

/// Whether more time might change the move: the most visited is not the best, or is hardly ahead.
fn is_unsettled(shared: &Shared) -> bool {
    let children = shared.tree.children(shared.tree.root());
    let Some(most_visited) = children.iter().max_by_key(|child| child.stats.visits()) else {
        return false;
    };
    let value = most_visited.stats.get().mean_or(0.5);
    let visits = most_visited.stats.visits();
    children.iter().any(|child| {
        !std::ptr::eq(child, most_visited)
            && (child.stats.visits() > visits / 5 * 4
                || (child.stats.visits() > visits / 4 && child.stats.get().mean_or(0.5) > value))
    })
}

/// Whether the rest of the search cannot make another move the most visited, or a proof has
/// settled the matter.
fn cannot_change(shared: &Shared, playouts_left: u64, done: u64) -> bool {
    let children = shared.tree.children(shared.tree.root());
    if children.iter().any(|child| child.proof() == MoveStatus::Win) {
        return true;
    }
    let open = children.iter().filter(|child| child.proof() == MoveStatus::Unknown).count();
    if open == 0 && !children.is_empty() {
        return true;
    }
    if children.len() == 1 {
        return true;
    }
    let new = done.saturating_sub(shared.before).max(1);
    let by_time = shared.limits.hard.or(shared.limits.soft).map(|limit| {
        let elapsed = shared.started.elapsed().as_secs_f64();
        let left = (limit.as_secs_f64() - elapsed).max(0.0);
        (new as f64 / elapsed.max(1e-6) * left) as u64
    });
    let left = playouts_left.min(by_time.unwrap_or(u64::MAX));
    cannot_be_caught(children.iter().map(|child| child.stats.visits()), left)
}
