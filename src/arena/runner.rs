//! Plays a schedule: several games at a time, engines kept from game to game, faults dealt with, results written.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::engine::Engine;
use super::fault::{Fault, FaultKind, Remedy};
use super::game::{self, End, How, Played, Table};
use super::judge::{Color, Spelling, spell_steps};
use super::openings::OpeningBook;
use super::referee::RefereeProgram;
use super::report::{self, live::LiveLine};
use super::results::{
    FaultLine, FaultNote, Folder, GameLine, Line, Results, RunLine, now, write_whole,
};
use super::schedule::{Task, tasks};
use super::settings::Settings;
use super::sgf;
use super::stats::Tally;
use super::stats::sprt::{Decision, Sprt};
use super::transcript::Transcript;

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
    write_whole(&path.join("match.toml"), &toml::to_string(settings).context("the settings")?)?;

    let all = tasks(settings);
    let done: HashSet<_> = results.games.iter().map(|game| game.game.clone()).collect();
    let left: VecDeque<Task> =
        all.iter().filter(|task| !done.contains(&task.id)).cloned().collect();
    let scheduled = all.len();
    let mut live = LiveLine::new(settings, scheduled, results.games.len().min(scheduled));
    let mut finish = decided(settings, &results).map(Finish::Decided);
    if finish.is_none() && !left.is_empty() {
        let shared = Shared {
            settings,
            path,
            openings,
            window: all.iter().filter(|task| task.pair() == 0).count(),
            broken_off: broken_off(&results),
            queue: Mutex::new(Queue { left, ..Queue::default() }),
            // The workers have a stop of their own, set when the test has decided too.
            stop: Arc::new(AtomicBool::new(false)),
        };
        finish = play_all(&shared, stop, &mut folder, &mut results, &mut live)?;
        let given_up: Vec<_> = shared
            .queue()
            .given_up
            .iter()
            .map(|(&player, why)| (settings.players[player].name.clone(), why.clone()))
            .collect();
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
    let workers = settings.concurrency.min(shared.queue().left.len());
    thread::scope(|scope| {
        // A worker goes on only once its line has been taken: no room is left for lines that wait.
        let (sender, lines) = sync_channel(0);
        for worker in 0..workers {
            let sender = sender.clone();
            scope.spawn(move || Worker::new(shared, worker).work(&sender));
        }
        drop(sender);
        let taken = take_lines(&lines, shared, stop, folder, results, live);
        shared.stop.store(true, Ordering::Relaxed);
        // Workers that are just handing over a line must not wait for ever; what is dropped here is played again.
        while lines.recv().is_ok() {}
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
                folder.append(&line)?;
                live.say(&line);
                match line {
                    Line::Game(game) => results.games.push(*game),
                    Line::Fault(fault) => results.faults.push(fault),
                    Line::Run(_) => {}
                }
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

/// The test's decision on the games so far.
fn decided(settings: &Settings, results: &Results) -> Option<Decision> {
    let bounds = settings.sprt.as_ref()?;
    let [first, second] = settings.players.as_slice() else { return None };
    Sprt::new(bounds, &Tally::between(&first.name, &second.name, &results.games).pairs).decision()
}

/// How often each game was broken off in earlier runs. Failed starts are left out: they say nothing about the game.
fn broken_off(results: &Results) -> HashMap<(String, String, u32), u32> {
    let mut counts = HashMap::new();
    for line in results.faults.iter().filter(|line| line.fault.kind != FaultKind::Start) {
        *counts.entry((line.game.a.clone(), line.game.b.clone(), line.game.n)).or_default() += 1;
    }
    counts
}

/// What the workers share.
struct Shared<'a> {
    settings: &'a Settings,
    path: &'a Path,
    openings: OpeningBook,
    /// How far ahead in the queue a worker looks for a game of players it has running.
    window: usize,
    broken_off: HashMap<(String, String, u32), u32>,
    queue: Mutex<Queue>,
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct Queue {
    left: VecDeque<Task>,
    /// Failed starts in a row, by player.
    failed_starts: HashMap<usize, u32>,
    /// Players that are not tried any more, and why.
    given_up: HashMap<usize, String>,
}

impl Shared<'_> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A worker that panicked has left the queue as it was between two whole changes.
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next game: one between `held` players when one is near, else the first that can be played.
    fn next(&self, held: &[usize]) -> Option<Task> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut queue = self.queue();
        let Queue { left, given_up, .. } = &mut *queue;
        left.retain(|task| {
            !given_up.contains_key(&task.first) && !given_up.contains_key(&task.second)
        });
        let at = left
            .iter()
            .take(self.window)
            .position(|task| held.contains(&task.first) && held.contains(&task.second));
        left.remove(at.unwrap_or(0))
    }

    fn has_given_up(&self, task: &Task) -> bool {
        let queue = self.queue();
        queue.given_up.contains_key(&task.first) || queue.given_up.contains_key(&task.second)
    }
}

/// One of the threads that play games.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    logs: PathBuf,
    engines: HashMap<usize, Engine>,
    referee: Option<RefereeProgram>,
}

/// What is known of a player for the record: its program and version.
type Programs = [String; 2];

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>, number: usize) -> Worker<'a> {
        let logs = shared.path.join("logs").join(format!("{}", number + 1));
        Worker {
            shared,
            logs,
            engines: HashMap::new(),
            referee: RefereeProgram::new(shared.settings),
        }
    }

    fn work(mut self, lines: &SyncSender<Line>) {
        if let Err(e) = fs::create_dir_all(&self.logs) {
            tracing::error!("cannot make the folder {}: {e}", self.logs.display());
            return;
        }
        loop {
            let held: Vec<usize> = self.engines.keys().copied().collect();
            let Some(task) = self.shared.next(&held) else { break };
            self.dismiss_all_but(&[task.first, task.second]);
            self.play_until_final(&task, lines);
        }
        self.dismiss_all_but(&[]);
        if let Some(referee) = self.referee {
            referee.quit(self.shared.settings);
        }
    }

    /// Plays a game, again where a fault asks for it, until it counts or is given up.
    fn play_until_final(&mut self, task: &Task, lines: &SyncSender<Line>) {
        let key = (task.id.a.clone(), task.id.b.clone(), task.id.n);
        let mut attempts = self.shared.broken_off.get(&key).copied().unwrap_or(0);
        loop {
            match self.attempt(task, attempts) {
                Some(line @ Line::Fault(_)) => {
                    attempts += 1;
                    if lines.send(line).is_err() || self.shared.has_given_up(task) {
                        return;
                    }
                }
                Some(line) => return drop(lines.send(line)),
                None => return,
            }
        }
    }

    /// Plays a game once. Nothing comes of it when the run is being stopped.
    fn attempt(&mut self, task: &Task, attempts: u32) -> Option<Line> {
        let settings = self.shared.settings;
        let seed = task.seed(settings);
        let first_color = settings.game.first();
        let black = if first_color == Color::Black {
            [task.first, task.second]
        } else {
            [task.second, task.first]
        };
        let transcript = self.transcript(task, attempts);
        let started = now();
        let played = match self.seat(&black, seed, &transcript) {
            Ok(()) => self.play(task, &black, seed, transcript),
            Err((color, fault)) => Played::not_begun(Some(color), fault),
        };
        if matches!(&played.end, End::Fault(_, fault) if fault.kind == FaultKind::Stopped) {
            return None;
        }
        Some(self.conclude(task, &black, attempts, seed, started, played))
    }

    fn transcript(&self, task: &Task, attempts: u32) -> Transcript {
        if !self.shared.settings.gtp_log {
            return Transcript::default();
        }
        let folder = self.shared.path.join("gtp");
        let created = fs::create_dir_all(&folder).and_then(|()| {
            Transcript::create(&folder.join(format!("{}.log", file_stem(task, attempts))))
        });
        created.unwrap_or_else(|e| {
            tracing::warn!("no GTP log of game {}: {e}", task.number);
            Transcript::default()
        })
    }

    /// Starts those of the two players that are not running.
    fn seat(
        &mut self,
        by_color: &[usize; 2],
        seed: u64,
        transcript: &Transcript,
    ) -> Result<(), (Color, Fault)> {
        let settings = self.shared.settings;
        for (&player, color) in by_color.iter().zip([Color::Black, Color::White]) {
            if settings.players[player].restart {
                self.dismiss(player);
            }
            match self.engines.get_mut(&player) {
                Some(engine) => engine.log_to(transcript.clone()),
                None => {
                    let engine = Engine::start(
                        &settings.players[player],
                        settings,
                        seed,
                        &self.logs,
                        transcript.clone(),
                        self.shared.stop.clone(),
                    )
                    .map_err(|fault| (color, fault))?;
                    self.engines.insert(player, engine);
                }
            }
        }
        Ok(())
    }

    fn play(
        &mut self,
        task: &Task,
        by_color: &[usize; 2],
        seed: u64,
        transcript: Transcript,
    ) -> Played {
        let mut table = Table {
            settings: self.shared.settings,
            opening: self.shared.openings.of_pair(task.pair()),
            seed,
            referee: self.referee.as_mut(),
            logs: &self.logs,
            transcript,
            stop: self.shared.stop.clone(),
        };
        // Both were seated just now; two entries of a map cannot be borrowed at once, so they are taken out.
        let (Some(mut black), Some(mut white)) =
            (self.engines.remove(&by_color[0]), self.engines.remove(&by_color[1]))
        else {
            unreachable!("both players were seated")
        };
        let played = game::play(&mut table, [&mut black, &mut white]);
        self.engines.insert(by_color[0], black);
        self.engines.insert(by_color[1], white);
        played
    }

    /// Turns a game that was played, wholly or in part, into its line; records it; sees to the engines.
    fn conclude(
        &mut self,
        task: &Task,
        by_color: &[usize; 2],
        attempts: u32,
        seed: u64,
        started: String,
        played: Played,
    ) -> Line {
        let settings = self.shared.settings;
        let name = |color: Color| settings.players[by_color[color as usize]].name.clone();
        let mut faults = self.notes(by_color, &played);
        let mut waiting =
            self.referee.as_mut().map_or(Duration::ZERO, RefereeProgram::take_waiting);
        let programs: Programs = by_color.map(|player| {
            self.engines.get_mut(&player).map_or(String::new(), |engine| {
                waiting += engine.take_waiting();
                format!("{} {}", engine.program, engine.version)
            })
        });
        let (winner, margin, how, remedy) = match &played.end {
            End::Result(verdict, how) => (verdict.winner, verdict.margin, *how, None),
            End::Fault(blamed, fault) => {
                let remedy = self.remedy(fault, *blamed, by_color, attempts);
                faults.push(FaultNote {
                    player: blamed.map(name),
                    kind: fault.kind,
                    detail: fault.detail.clone(),
                    remedy,
                });
                match (remedy, blamed) {
                    (Remedy::Forfeit, Some(color)) => {
                        (Some(color.other()), None, How::Forfeit, Some(remedy))
                    }
                    _ => (None, None, How::Void, Some(remedy)),
                }
            }
        };
        self.retire_faulty(by_color, &played.end);
        let result = sgf::result_word(winner, margin, how);
        let file = format!(
            "games/{}.sgf",
            file_stem(task, if remedy == Some(Remedy::Replay) { attempts + 1 } else { 0 })
        );
        let mut remarks = vec![format!("Seed: {seed}")];
        for (color, claim) in [Color::Black, Color::White].iter().zip(&played.claims) {
            if !claim.is_empty() {
                remarks.push(format!("{color} says: {claim}"));
            }
        }
        remarks.extend(faults.iter().map(|fault| {
            format!(
                "Fault of {}: {} ({})",
                fault.player.as_deref().unwrap_or("nobody"),
                fault.kind,
                fault.detail
            )
        }));
        let heading = sgf::Heading {
            settings,
            names: [&name(Color::Black), &name(Color::White)],
            programs,
            result: &result,
            started: &started,
            title: format!("{} {}", settings.title, task.number).trim().to_string(),
            remarks,
        };
        let mut sgf_file = file.clone();
        if let Err(e) = write_whole(&self.shared.path.join(&file), &sgf::write(&heading, &played)) {
            // A record that cannot be written must not cost the game its result.
            tracing::error!("{e:#}");
            sgf_file.clear();
        }
        if remedy == Some(Remedy::Replay) {
            let fault = faults.pop().unwrap_or_else(|| unreachable!("a replay has a fault"));
            return Line::Fault(FaultLine {
                game: task.id.clone(),
                at: now(),
                fault,
                sgf: sgf_file,
            });
        }
        let thinking = played.thinking.map(|time| millis(time) / 1000.0);
        let opening: Vec<String> = played
            .turns
            .iter()
            .filter(|turn| turn.time.is_none())
            .map(|turn| spell_steps(&turn.steps, Spelling::Turns))
            .collect();
        Line::Game(Box::new(GameLine {
            game: task.id.clone(),
            number: task.number,
            black: name(Color::Black),
            white: name(Color::White),
            first: settings.players[task.first].name.clone(),
            winner: winner.map(name),
            result,
            how,
            turns: played.turns.len() as u32,
            opening: opening.join(", "),
            seed,
            started,
            seconds: millis(played.elapsed) / 1000.0,
            black_seconds: thinking[0],
            white_seconds: thinking[1],
            runner_ms: millis(played.elapsed.saturating_sub(waiting)),
            black_says: played.claims[0].clone(),
            white_says: played.claims[1].clone(),
            faults,
            sgf: sgf_file,
        }))
    }

    /// Faults that did not end the game: stray output, and a result that a player sees otherwise.
    fn notes(&mut self, by_color: &[usize; 2], played: &Played) -> Vec<FaultNote> {
        let settings = self.shared.settings;
        let mut notes = Vec::new();
        for &player in by_color {
            if let Some(stray) = self
                .engines
                .get_mut(&player)
                .map(Engine::take_stray)
                .filter(|stray| stray.lines > 0)
            {
                let detail =
                    format!("{} lines outside of answers, the first: {}", stray.lines, stray.first);
                notes.push(FaultNote {
                    player: Some(settings.players[player].name.clone()),
                    kind: FaultKind::Stray,
                    detail,
                    remedy: Remedy::Ignore,
                });
            }
        }
        if played.disputed
            && let End::Result(verdict, _) = &played.end
        {
            let wrong: Vec<usize> = (0..2)
                .filter(|&i| {
                    super::judge::Verdict::parse(&played.claims[i])
                        .is_some_and(|claim| claim.winner != verdict.winner)
                })
                .collect();
            for i in wrong {
                let detail = format!("it says {} where the result is {verdict}", played.claims[i]);
                let player = Some(settings.players[by_color[i]].name.clone());
                notes.push(FaultNote {
                    player,
                    kind: FaultKind::Disagreement,
                    detail,
                    remedy: Remedy::Ignore,
                });
            }
        }
        notes
    }

    /// What follows from a fault that ended a game.
    fn remedy(
        &mut self,
        fault: &Fault,
        blamed: Option<Color>,
        by_color: &[usize; 2],
        attempts: u32,
    ) -> Remedy {
        let policy = &self.shared.settings.faults;
        let remedy = policy.remedy(fault.kind);
        if let (FaultKind::Start, Some(color)) = (fault.kind, blamed) {
            let player = by_color[color as usize];
            let mut queue = self.shared.queue();
            let failures = queue.failed_starts.entry(player).or_default();
            *failures += 1;
            if remedy == Remedy::Replay && policy.give_up_after > 0 {
                if *failures >= policy.give_up_after {
                    queue.given_up.insert(player, fault.detail.clone());
                }
                return Remedy::Replay;
            }
        }
        match remedy {
            Remedy::Replay if attempts < policy.max_replays => Remedy::Replay,
            Remedy::Replay | Remedy::Forfeit if blamed.is_some() => Remedy::Forfeit,
            _ => Remedy::Void,
        }
    }

    /// After a fault the engine to blame is ended at once, and any other that is of no more use.
    fn retire_faulty(&mut self, by_color: &[usize; 2], end: &End) {
        if let End::Fault(Some(color), _) = end {
            self.engines.remove(&by_color[*color as usize]);
        } else {
            let mut queue = self.shared.queue();
            queue.failed_starts.retain(|player, _| !by_color.contains(player));
        }
        self.engines.retain(|_, engine| engine.is_usable());
    }

    /// Ends the engines of all other players.
    fn dismiss_all_but(&mut self, kept: &[usize]) {
        let others: Vec<usize> =
            self.engines.keys().copied().filter(|player| !kept.contains(player)).collect();
        let engines: Vec<Engine> =
            others.iter().filter_map(|player| self.engines.remove(player)).collect();
        // All at once: a slow one must not make the others wait.
        let settings = self.shared.settings;
        thread::scope(|scope| {
            for engine in engines {
                scope.spawn(move || quit(engine, settings));
            }
        });
    }

    fn dismiss(&mut self, player: usize) {
        if let Some(engine) = self.engines.remove(&player) {
            quit(engine, self.shared.settings);
        }
    }
}

fn quit(engine: Engine, settings: &Settings) {
    let name = engine.player().name.clone();
    if !engine.quit(settings.quit_timeout.0) {
        tracing::warn!("{name} had not ended {} after quit and was killed", settings.quit_timeout);
    }
}

fn millis(time: Duration) -> f64 {
    // Microseconds are as fine as these figures mean anything.
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The name of a game's files; those of attempts that were broken off have a letter more.
fn file_stem(task: &Task, attempts: u32) -> String {
    match attempts {
        0 => format!("{:06}", task.number),
        n => format!("{:06}-broken-off-{n}", task.number),
    }
}
