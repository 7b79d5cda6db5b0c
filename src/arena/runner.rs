//! Plays a schedule: several games at a time, engines kept from game to game, faults dealt with, results written.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::openings::OpeningBook;
use super::report::{self, live, live::LiveLine};
use super::results::{Folder, Line, Results, RunLine, write_whole};
use super::schedule::GameId;
use super::schedule::{Task, number_apart, tasks};
use super::settings::{Settings, SprtBounds};
use super::stats::Tally;
use super::stats::sprt::{Decision, Sprt};
use super::worker::{BrokenOff, Shared, Worker};
use crate::interrupt;
use crate::output::note;
use crate::shard::Shard;

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

impl Finish {
    /// Tells people of an end that comes too early; the program's exit status.
    ///
    /// # Errors
    /// Never; it is what a program's run returns.
    pub fn told(self) -> Result<ExitCode> {
        Ok(match self {
            Finish::Complete | Finish::Decided(_) => ExitCode::SUCCESS,
            Finish::Stopped => {
                note("stopped; the same command goes on from here");
                // As a shell reports a program ended by Ctrl-C.
                ExitCode::from(interrupt::EXIT_CODE)
            }
            Finish::GaveUp(players) => {
                for (player, why) in players {
                    note(format_args!(
                        "{player} could not be started and its games were left out: {why}"
                    ));
                }
                note("the same command plays them once it can be");
                ExitCode::FAILURE
            }
        })
    }
}

/// What is to be played, as far as it is known, and what is made of the results.
pub trait Plan {
    /// Games that can be begun now and were not handed out before.
    fn next(&mut self, results: &Results) -> Vec<Task>;

    /// Whether all games have been handed out.
    fn is_exhausted(&self) -> bool;

    /// Why it is over though games are left, if it is.
    fn finish(&self, results: &Results) -> Option<Finish>;

    /// Tells people of a line that has come.
    fn say(&mut self, line: &Line);

    /// Tells them how far all is. Called several times a second.
    fn draw(&mut self, results: &Results);

    /// Writes what is told of the results into the folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn report(&self, results: &Results) -> Result<()>;
}

/// What is known of these games in a folder, where they are of this match, and the line of a run that goes on with them.
fn known(
    settings: &Settings,
    openings: &OpeningBook,
    path: &Path,
    also: BTreeMap<String, Value>,
) -> Result<(Results, RunLine)> {
    let results = Results::read(path)?;
    let mut run = RunLine::new(settings, openings)?;
    run.settings.extend(also);
    for earlier in &results.runs {
        run.check_continues(earlier).with_context(|| {
            format!(
                "{} holds games of another match; name another folder with --dir, or remove it",
                path.display()
            )
        })?;
    }
    Ok((results, run))
}

/// The same without a run: nothing is written, and something has to be there.
///
/// # Errors
/// When the folder has no games, or those of another match.
pub fn look(settings: &Settings, path: &Path, also: BTreeMap<String, Value>) -> Result<Results> {
    let (results, _) = known(settings, &OpeningBook::new(settings)?, path, also)?;
    ensure!(
        !results.runs.is_empty(),
        "{} holds no games; name their folder with --dir",
        path.display()
    );
    Ok(results)
}

/// Games in their folder, with what was played of them already.
pub struct Run<'a> {
    settings: &'a Settings,
    path: &'a Path,
    folder: Folder,
    openings: OpeningBook,
    shard: Option<Shard>,
    /// What is known of the games.
    pub results: Results,
}

impl<'a> Run<'a> {
    /// Opens the folder, for this run or this part of all alone. `also` is what makes the games what they are beside the
    /// settings.
    ///
    /// # Errors
    /// When the folder cannot be used, or holds games of another match.
    pub fn open(
        settings: &'a Settings,
        path: &'a Path,
        also: BTreeMap<String, Value>,
        shard: Option<Shard>,
    ) -> Result<Run<'a>> {
        let mut folder = Folder::open(path, shard)?;
        let openings = OpeningBook::new(settings)?;
        let (results, run) = known(settings, &openings, path, also)?;
        if results.broken_lines > 0 {
            tracing::warn!(
                "{} unreadable lines in the results are passed over; their games are played again",
                results.broken_lines
            );
        }
        folder.append(&Line::Run(run))?;
        write_whole(&path.join("match.toml"), &settings.to_toml()?)?;
        Ok(Run { settings, path, folder, openings, shard, results })
    }

    /// Plays what a plan says, `window` games of which are looked at for one whose players a worker has running.
    ///
    /// # Errors
    /// When the results or the reports cannot be written.
    pub fn play(
        &mut self,
        plan: &mut dyn Plan,
        stop: &AtomicBool,
        window: usize,
    ) -> Result<Finish> {
        let mut finish = plan.finish(&self.results);
        let first = plan.next(&self.results);
        if finish.is_none() && !(first.is_empty() && plan.is_exhausted()) {
            let (openings, broken_off) = (self.openings.clone(), broken_off(&self.results));
            let shared = Shared::new(self.settings, self.path, openings, broken_off, window);
            let is_all = plan.is_exhausted();
            let workers = if is_all { first.len() } else { usize::MAX };
            shared.add(first, is_all);
            finish = self.play_all(&shared, plan, stop, workers.min(self.settings.concurrency))?;
            let given_up = shared.given_up();
            if finish.is_none() && !given_up.is_empty() {
                finish = Some(Finish::GaveUp(given_up));
            }
        }
        plan.report(&self.results)?;
        Ok(finish.unwrap_or(Finish::Complete))
    }

    /// Runs the workers and takes in their results. Returns why the run ended early, if it did.
    fn play_all(
        &mut self,
        shared: &Shared,
        plan: &mut dyn Plan,
        stop: &AtomicBool,
        count: usize,
    ) -> Result<Option<Finish>> {
        let mut workers = Vec::new();
        for number in 1..=count {
            let part = self.shard.map_or_else(String::new, |shard| format!("{}-", shard.words()));
            let logs = shared.path.join("logs").join(format!("{part}{number}"));
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
            let taken = self.take_lines(&lines, shared, plan, stop);
            shared.stop();
            // Workers that are just handing over a line must not wait for ever. Once the test has decided nothing may be
            // added that could change its mind.
            while let Ok(line) = lines.recv() {
                if matches!(taken, Ok(Some(Finish::Stopped))) {
                    self.take(line)?;
                }
            }
            taken
        })
    }

    fn take_lines(
        &mut self,
        lines: &Receiver<Line>,
        shared: &Shared,
        plan: &mut dyn Plan,
        stop: &AtomicBool,
    ) -> Result<Option<Finish>> {
        let mut reported = Instant::now();
        loop {
            match lines.recv_timeout(REDRAW_EVERY) {
                Ok(line) => {
                    plan.say(&line);
                    self.take(line)?;
                    if let Some(finish) = plan.finish(&self.results) {
                        return Ok(Some(finish));
                    }
                    let more = plan.next(&self.results);
                    shared.add(more, plan.is_exhausted());
                    if reported.elapsed() > REPORT_EVERY {
                        plan.report(&self.results)?;
                        reported = Instant::now();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
            plan.draw(&self.results);
            if stop.load(Ordering::Relaxed) {
                return Ok(Some(Finish::Stopped));
            }
        }
    }

    /// Writes a line to the disk and counts it.
    fn take(&mut self, line: Line) -> Result<()> {
        self.folder.append(&line)?;
        match line {
            Line::Game(game) => self.results.games.push(*game),
            Line::Fault(fault) => self.results.faults.push(fault),
            Line::Run(_) => {}
        }
        Ok(())
    }
}

/// Plays what is left of the match in its folder, or of one part of it: other parts are played at the same time, in the same
/// folder.
///
/// # Errors
/// When the folder cannot be used, holds games of another match, or cannot be written to any more.
pub fn run(
    settings: &Settings,
    path: &Path,
    stop: &AtomicBool,
    shard: Option<Shard>,
) -> Result<Finish> {
    let mut run = Run::open(settings, path, BTreeMap::new(), shard)?;
    let mut all = tasks(settings);
    let window = all.iter().filter(|task| task.pair() == 0).count();
    let games = run.results.games.iter();
    let done: HashMap<_, _> = games.map(|game| (game.game.clone(), game.number)).collect();
    number_apart(&mut all, &done);
    let mut pairs = 0;
    all.retain(|task| {
        // Both games of a pair are of one part.
        pairs += u64::from(task.id.n % 2 == 0);
        shard.is_none_or(|shard| shard.has(pairs - 1))
    });
    let scheduled = all.len();
    let left: Vec<Task> = all.into_iter().filter(|task| !done.contains_key(&task.id)).collect();
    let played = scheduled - left.len();
    let live = LiveLine::new(settings.concurrency, scheduled, played);
    let mut plan = Schedule { settings, path, shard, left: Some(left), played, live };
    let finish = run.play(&mut plan, stop, window)?;
    plan.live.finish();
    Ok(finish)
}

/// The games of a match, all known from the start.
struct Schedule<'a> {
    settings: &'a Settings,
    path: &'a Path,
    shard: Option<Shard>,
    /// Until they are handed out.
    left: Option<Vec<Task>>,
    /// How many of the schedule's games, or of the part's, are played.
    played: usize,
    live: LiveLine,
}

impl Plan for Schedule<'_> {
    fn next(&mut self, _: &Results) -> Vec<Task> {
        self.left.take().unwrap_or_default()
    }

    fn is_exhausted(&self) -> bool {
        self.left.is_none()
    }

    fn finish(&self, results: &Results) -> Option<Finish> {
        match self.shard {
            None => decided(self.settings, results).map(Finish::Decided),
            Some(_) => self.decided_by_all().map(Finish::Decided),
        }
    }

    fn say(&mut self, line: &Line) {
        self.played += usize::from(matches!(line, Line::Game(_)));
        self.live.say(line);
    }

    fn draw(&mut self, results: &Results) {
        self.live.draw(self.played, || live::state(self.settings, results));
    }

    /// Of a part's run nobody sees the whole; the reports are written when all is merged.
    fn report(&self, results: &Results) -> Result<()> {
        match self.shard {
            None => report::write_all(self.settings, results, self.path),
            Some(_) => Ok(()),
        }
    }
}

/// The file by which one part tells the others that the test has decided, and how.
const DECIDED: &str = "decided";

impl Schedule<'_> {
    /// The test's decision on the games of all parts so far. Once there is one it stays, whatever games come after it.
    fn decided_by_all(&self) -> Option<Decision> {
        let bounds = self.settings.sprt.as_ref()?;
        let file = self.path.join(DECIDED);
        // That of a test with other bounds is nothing to this one.
        if let Ok(text) = fs::read_to_string(&file)
            && let Some(decision) = [Decision::Elo0, Decision::Elo1]
                .into_iter()
                .find(|decision| text == decision_words(*decision, bounds))
        {
            return Some(decision);
        }
        // What cannot be read now is read after the next game.
        let decision = decided(self.settings, &Results::read(self.path).ok()?)?;
        if let Err(error) = write_whole(&file, &decision_words(decision, bounds)) {
            tracing::warn!("the other parts cannot be told of the decision: {error:#}");
        }
        Some(decision)
    }
}

/// A decision of a test with these bounds, as it stands in its file.
fn decision_words(decision: Decision, bounds: &SprtBounds) -> String {
    let word = match decision {
        Decision::Elo0 => "elo0",
        Decision::Elo1 => "elo1",
    };
    let SprtBounds { elo0, elo1, alpha, beta } = bounds;
    format!("{word} of {elo0},{elo1},{alpha},{beta}\n")
}

/// The test's decision on the games so far.
fn decided(settings: &Settings, results: &Results) -> Option<Decision> {
    let bounds = settings.sprt.as_ref()?;
    let [first, second] = settings.players.as_slice() else { return None };
    Sprt::new(bounds, &Tally::between(&first.name, &second.name, &results.games).pairs).decision()
}

/// How often each game was broken off in earlier runs.
fn broken_off(results: &Results) -> HashMap<GameId, BrokenOff> {
    let mut counts: HashMap<GameId, BrokenOff> = HashMap::new();
    for line in &results.faults {
        counts.entry(line.game.clone()).or_default().count(line.fault.kind);
    }
    counts
}
