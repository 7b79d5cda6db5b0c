//! Plays a schedule: several games at a time, engines kept from game to game, faults dealt with, results written.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::fault::FaultKind;
use super::openings::OpeningBook;
use super::report::{self, live::LiveLine};
use super::results::{Folder, Line, Results, RunLine, write_whole};
use super::schedule::GameId;
use super::schedule::{Task, tasks};
use super::settings::Settings;
use super::stats::Tally;
use super::stats::sprt::{Decision, Sprt};
use super::worker::{Shared, Worker};

/// While games are played the reports on the disk are renewed this often.
const REPORT_EVERY: Duration = Duration::from_secs(10);
/// And the live line is redrawn this often.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// Why a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Every game has been played.
    Complete,
    /// The test has decided.
    Decided(Decision),
    /// Somebody stopped it.
    Stopped,
    /// Players that could not be started, with the reason; their games are left unplayed.
    GaveUp(Vec<(String, String)>),
}

/// Plays what is left of the match in its folder.
///
/// # Errors
/// When the folder cannot be used, holds games of another match, or cannot be written to any more.
pub fn run(settings: &Settings, path: &Path, stop: &Arc<AtomicBool>) -> Result<Finish> {
    let mut folder = Folder::open(path)?;
    let mut results = Results::read(path)?;
    let openings = OpeningBook::new(settings)?;
    let run = RunLine::new(settings, &openings)?;
    if let Some(earlier) = &results.run {
        run.check_continues(earlier).with_context(|| {
            format!(
                "{} holds games of another match; name another folder with --dir, or remove it",
                path.display()
            )
        })?;
    }
    if results.broken_lines > 0 {
        tracing::warn!(
            "{} unreadable lines in the results are passed over; their games are played again",
            results.broken_lines
        );
    }
    folder.append(&Line::Run(run))?;
    write_whole(&path.join("match.toml"), &settings.to_toml()?)?;

    let all = tasks(settings);
    let done: HashSet<_> = results.games.iter().map(|game| game.game.clone()).collect();
    let left: VecDeque<Task> =
        all.iter().filter(|task| !done.contains(&task.id)).cloned().collect();
    let scheduled = all.len();
    let mut live = LiveLine::new(settings, scheduled, results.games.len().min(scheduled));
    let mut finish = decided(settings, &results).map(Finish::Decided);
    if finish.is_none() && !left.is_empty() {
        let window = all.iter().filter(|task| task.pair() == 0).count();
        let shared = Shared::new(settings, path, openings, broken_off(&results), left, window);
        finish = play_all(&shared, stop, &mut folder, &mut results, &mut live)?;
        let given_up = shared.given_up();
        if finish.is_none() && !given_up.is_empty() {
            finish = Some(Finish::GaveUp(given_up));
        }
    }
    live.finish();
    report::write_all(settings, &results, path)?;
    Ok(finish.unwrap_or(Finish::Complete))
}

/// Runs the workers and takes in their results. Returns why the run ended early, if it did.
fn play_all(
    shared: &Shared,
    stop: &AtomicBool,
    folder: &mut Folder,
    results: &mut Results,
    live: &mut LiveLine,
) -> Result<Option<Finish>> {
    let settings = shared.settings;
    let mut workers = Vec::new();
    for number in 1..=settings.concurrency.min(shared.games_left()) {
        let logs = shared.path.join("logs").join(number.to_string());
        fs::create_dir_all(&logs)
            .with_context(|| format!("cannot make the folder {}", logs.display()))?;
        workers.push(Worker::new(shared, logs));
    }
    thread::scope(|scope| {
        // A worker goes on only once its line has been taken: no room is left for lines that wait.
        let (sender, lines) = sync_channel(0);
        for worker in workers {
            let sender = sender.clone();
            scope.spawn(move || worker.work(&sender));
        }
        drop(sender);
        let taken = take_lines(&lines, shared, stop, folder, results, live);
        shared.stop.store(true, Ordering::Relaxed);
        // Workers that are just handing over a line must not wait for ever. Once the test has decided nothing may be
        // added that could change its mind.
        while let Ok(line) = lines.recv() {
            if matches!(taken, Ok(Some(Finish::Stopped))) {
                take(line, folder, results)?;
            }
        }
        taken
    })
}

fn take_lines(
    lines: &Receiver<Line>,
    shared: &Shared,
    stop: &AtomicBool,
    folder: &mut Folder,
    results: &mut Results,
    live: &mut LiveLine,
) -> Result<Option<Finish>> {
    let settings = shared.settings;
    let mut reported = Instant::now();
    loop {
        match lines.recv_timeout(REDRAW_EVERY) {
            Ok(line) => {
                live.say(&line);
                take(line, folder, results)?;
                if let Some(decision) = decided(settings, results) {
                    return Ok(Some(Finish::Decided(decision)));
                }
                if reported.elapsed() > REPORT_EVERY {
                    report::write_all(settings, results, shared.path)?;
                    reported = Instant::now();
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
        live.draw(settings, results);
        if stop.load(Ordering::Relaxed) {
            return Ok(Some(Finish::Stopped));
        }
    }
}

/// Writes a line to the disk and counts it.
fn take(line: Line, folder: &mut Folder, results: &mut Results) -> Result<()> {
    folder.append(&line)?;
    match line {
        Line::Game(game) => results.games.push(*game),
        Line::Fault(fault) => results.faults.push(fault),
        Line::Run(_) => {}
    }
    Ok(())
}

/// The test's decision on the games so far.
fn decided(settings: &Settings, results: &Results) -> Option<Decision> {
    let bounds = settings.sprt.as_ref()?;
    let [first, second] = settings.players.as_slice() else { return None };
    Sprt::new(bounds, &Tally::between(&first.name, &second.name, &results.games).pairs).decision()
}

/// How often each game was broken off in earlier runs. Failed starts are left out: they say nothing about the game.
fn broken_off(results: &Results) -> HashMap<GameId, u32> {
    let mut counts = HashMap::new();
    for line in results.faults.iter().filter(|line| line.fault.kind != FaultKind::Start) {
        *counts.entry(line.game.clone()).or_default() += 1;
    }
    counts
}
