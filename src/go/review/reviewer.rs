//! A game searched: the passes of its review, run on the workers.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use go_patterns::progress::Progress as Watch;

use super::game::ReviewGame;
use super::loss;
use super::plan::{self, Pass};
use super::position_analysis::{Expected, PositionAnalysis};
use super::progress::Progress;
use crate::go::positions::{Pool, PositionQuery, PositionSearcher};

/// How much is looked at a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// So many playouts of a position in the second pass.
    Playouts(u64),
    /// As many as this time allows, and what the first pass looks at.
    Time(Duration, u64),
}

/// How often it is looked whether all is to end.
const LOOKING: Duration = Duration::from_millis(20);
/// Share of the time that is left for the passes after the first: what is left over is for writing.
const SPENT: f64 = 0.95;

/// What reviews games: workers, and where it is told how far they are.
pub struct Reviewer<'a> {
    /// The workers.
    pub pool: &'a Pool<PositionSearcher>,
    /// Where it is told how far it is, and who says that all is to end.
    pub bar: &'a dyn Watch,
    /// Keeps what was found so far: every so often, and at the end of each pass.
    pub keep: &'a dyn Fn(&Progress) -> Result<()>,
    /// How often.
    pub keep_every: Duration,
}

/// One review as it goes on.
struct Running<'a> {
    reviewer: &'a Reviewer<'a>,
    game: &'a Arc<ReviewGame>,
    progress: &'a mut Progress,
    /// Seconds before this start, and when it started.
    before: f64,
    started: Instant,
    deadline: Option<Instant>,
}

impl Reviewer<'_> {
    /// Searches a game on from where its progress is. Whether it came to its end; what was found is kept in any case.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn review(
        &self,
        game: &Arc<ReviewGame>,
        effort: Effort,
        progress: &mut Progress,
    ) -> Result<bool> {
        let (started, before) = (Instant::now(), progress.seconds);
        let deadline = match effort {
            Effort::Playouts(_) => None,
            Effort::Time(time, _) => {
                started.checked_add(time.saturating_sub(Duration::from_secs_f64(before)))
            }
        };
        let mut running = Running { reviewer: self, game, progress, before, started, deadline };
        running.passes(effort)
    }
}

impl Running<'_> {
    /// All passes; false when it was told to stop. The end of the time is the end of the review.
    fn passes(&mut self, effort: Effort) -> Result<bool> {
        let positions = self.game.positions.len();
        let (Effort::Playouts(playouts) | Effort::Time(_, playouts)) = effort;
        let quick = plan::quick(positions, playouts);
        if !self.pass(0, &quick)? {
            return Ok(self.is_late());
        }
        let playouts = match (self.progress.playouts, effort) {
            (Some(playouts), _) | (None, Effort::Playouts(playouts)) => playouts,
            (None, Effort::Time(time, _)) => {
                let rate = quick.cost() as f64 / self.seconds().max(1e-3);
                let left = (time.as_secs_f64() - self.seconds()).max(0.0) * SPENT;
                let cost = plan::cost_of_playout(self.game.moves.len()) as f64;
                ((rate * left / cost) as u64).max(1)
            }
        };
        self.progress.playouts = Some(playouts);
        if !self.pass(1, &plan::main(positions, playouts))? {
            return Ok(self.is_late());
        }
        // What the last pass looks at follows from the others, not from a part of itself.
        let passes = self.progress.passes[..2].to_vec();
        let found = Progress { passes, ..Progress::default() }.found(positions);
        let reviewed = self.game.reviewed(&found);
        let losses: Vec<f64> = reviewed.iter().map(loss::MoveReview::loss).collect();
        Ok(self.pass(2, &plan::deep(&losses, playouts))? || self.is_late())
    }

    /// What is left of a pass; whether it came to its end.
    fn pass(&mut self, number: usize, pass: &Pass) -> Result<bool> {
        let (sender, receiver) = channel();
        let bar = self.reviewer.bar;
        let done = self.progress.pass(number);
        for run in &pass.runs {
            if done.get(&run.start).is_some_and(|found| found.len() == run.len()) {
                bar.advance(run.len() as u64 * pass.visits);
                continue;
            }
            let (sender, game, visits) = (sender.clone(), self.game.clone(), pass.visits);
            let run = run.clone();
            self.reviewer.pool.submit(0, move |searcher: &mut PositionSearcher, stop| {
                let found = search_run(searcher, &game, run.clone(), visits, number == 0, stop);
                // Nobody listens any more when all was stopped.
                let _ = sender.send((run, found));
            })?;
        }
        drop(sender);
        let mut saved = Instant::now();
        let mut is_stopped = false;
        loop {
            match receiver.recv_timeout(LOOKING) {
                Ok((run, found)) => {
                    bar.advance(run.len() as u64 * pass.visits);
                    // A part of a run, cut off by the end of the time, is worth more than what was known before; cut off by
                    // a person it is done again, so that what comes out is the same.
                    if found.len() == run.len() || self.is_late() {
                        self.progress.pass(number).insert(run.start, found);
                    }
                    if saved.elapsed() > self.reviewer.keep_every {
                        self.save()?;
                        saved = Instant::now();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !is_stopped && (bar.stopped() || self.is_late()) {
                is_stopped = true;
                self.reviewer.pool.cancel_all();
            }
        }
        self.save()?;
        let done = self.progress.pass(number);
        let is_done =
            |run: &Range<usize>| done.get(&run.start).is_some_and(|found| found.len() == run.len());
        let is_complete = pass.runs.iter().all(is_done);
        if !is_complete && !is_stopped {
            bail!("the search of a position failed");
        }
        Ok(is_complete)
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    fn save(&mut self) -> Result<()> {
        self.progress.seconds = self.seconds();
        (self.reviewer.keep)(self.progress)
    }
}

/// Searches positions one after the other until each has so many visits; fewer positions when it is told to stop.
fn search_run(
    searcher: &mut PositionSearcher,
    game: &ReviewGame,
    run: Range<usize>,
    visits: u64,
    asks_experts: bool,
    stop: &AtomicBool,
) -> Vec<PositionAnalysis> {
    let mut all = Vec::new();
    for at in run.clone() {
        let (position, played) = (&game.positions[at], game.moves.get(at).map(|played| played.mv));
        let query = PositionQuery {
            visits: Some(visits),
            keeps_tree: at > run.start,
            ..PositionQuery::new(position)
        };
        let mut search = |query: &PositionQuery<'_>| searcher.search(query, stop, &mut |_| {});
        let mut report = match query.keeps_tree {
            false => search(&query),
            // A visit tells what was handed on.
            true => search(&PositionQuery { visits: Some(1), ..query }),
        };
        if report.visits < visits {
            let left = Some(visits - report.visits);
            report = search(&PositionQuery { visits: left, keeps_tree: true, ..query });
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let color = position.to_play();
        let expected = || Expected::of(&searcher.engine().legal_policy(position, color), played?);
        let expected = if asks_experts { expected() } else { None };
        all.push(PositionAnalysis { expected, ..PositionAnalysis::of(&report, color, played) });
    }
    all
}
