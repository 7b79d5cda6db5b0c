//! One of the threads that play games, and what they share.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use super::arbiter::Color;
use super::conclusion::{GameAttempt, conclude};
use super::engine::Engine;
use super::fault::{Fault, FaultKind, FaultPolicy};
use super::game::{self, GameContext, PlayedGame, Termination};
use super::live_record::LiveRecord;
use super::openings::OpeningBook;
use super::referee::RefereeProgram;
use super::results::{Line, now};
use super::schedule::GameId;
use super::schedule::Task;
use super::settings::Settings;
use super::transcript::Transcript;

/// How often a game was broken off.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrokenOff {
    /// In all: the records of what was played are named by it.
    times: u32,
    /// Without failed starts, which say nothing about the game.
    in_play: u32,
}

impl BrokenOff {
    /// Once more, by a fault of this kind.
    pub fn count(&mut self, kind: FaultKind) {
        self.times += 1;
        self.in_play += u32::from(kind != FaultKind::Start);
    }
}

/// What the workers of a run share.
pub struct Shared<'a> {
    /// The match's settings.
    pub settings: &'a Settings,
    /// The match's folder.
    pub path: &'a Path,
    /// Set when the workers are to stop: by a person, or because the test has decided.
    pub stop: Arc<AtomicBool>,
    openings: OpeningBook,
    /// How often each game was broken off in earlier runs.
    broken_off: HashMap<GameId, BrokenOff>,
    /// How far ahead in the queue a worker looks for a game of players it has running.
    window: usize,
    queue: Mutex<Queue>,
    /// Told of every change of the queue.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    left: VecDeque<Task>,
    /// Nothing will be added: who finds no game is done.
    closed: bool,
    /// Failed starts in a row, by player.
    failed_starts: HashMap<usize, u32>,
    /// Players that are not tried any more, and why.
    given_up: HashMap<usize, String>,
}

impl<'a> Shared<'a> {
    /// What workers need beside games. A worker looks `window` games ahead for one whose players it has running.
    pub fn new(
        settings: &'a Settings,
        path: &'a Path,
        openings: OpeningBook,
        broken_off: HashMap<GameId, BrokenOff>,
        window: usize,
    ) -> Shared<'a> {
        let stop = Arc::new(AtomicBool::new(false));
        let (queue, changed) = (Mutex::default(), Condvar::new());
        Shared { settings, path, stop, openings, broken_off, window, queue, changed }
    }

    /// Adds games that are to be played after those that wait. With `is_last`, no more will come.
    pub fn add(&self, tasks: impl IntoIterator<Item = Task>, is_last: bool) {
        let mut queue = self.queue();
        queue.left.extend(tasks);
        queue.closed |= is_last;
        self.changed.notify_all();
    }

    /// Ends all: no game is begun any more, and those that are played are broken off.
    pub fn stop(&self) {
        // Under the lock, so that nobody is between looking at it and waiting.
        let _queue = self.queue();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The players that were given up, by name, and why.
    pub fn given_up(&self) -> Vec<(String, String)> {
        let queue = self.queue();
        let name = |player: &usize| self.settings.players[*player].name.clone();
        queue.given_up.iter().map(|(player, why)| (name(player), why.clone())).collect()
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A worker that panicked has left the queue as it was between two whole changes.
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next game: one between `held` players when one is near, else the first that can be played. Waits where one may
    /// still be added.
    fn next(&self, held: &[usize]) -> Option<Task> {
        let mut queue = self.queue();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Queue { left, given_up, closed, .. } = &mut *queue;
            // Most runs give nobody up, and a long queue takes its time.
            if !given_up.is_empty() {
                left.retain(|task| {
                    [task.first, task.second].iter().all(|player| !given_up.contains_key(player))
                });
            }
            let near = left.iter().take(self.window);
            let at =
                { near }.position(|task| held.contains(&task.first) && held.contains(&task.second));
            let task = left.remove(at.unwrap_or(0));
            if task.is_some() || *closed || !given_up.is_empty() {
                return task;
            }
            queue = self.changed.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn has_given_up(&self, task: &Task) -> bool {
        let queue = self.queue();
        [task.first, task.second].iter().any(|player| queue.given_up.contains_key(player))
    }

    /// Counts a failed start of a player, and gives it up after too many in a row. False when the settings say never to.
    fn count_failed_start(&self, player: usize, fault: &Fault) -> bool {
        let max_failures = self.settings.faults.give_up_after;
        let mut queue = self.queue();
        let failures = queue.failed_starts.entry(player).or_default();
        *failures += 1;
        if max_failures > 0 && *failures >= max_failures {
            queue.given_up.insert(player, fault.detail.clone());
            self.changed.notify_all();
        }
        max_failures > 0
    }

    /// What follows from a fault that ended a game which was broken off so often before.
    fn policy(&self, fault: &Fault, blamed: Option<usize>, before: BrokenOff) -> FaultPolicy {
        let policies = &self.settings.faults;
        let policy = policies.policy(fault.kind);
        if let (FaultPolicy::Replay, FaultKind::Start, Some(player)) = (policy, fault.kind, blamed)
            && self.count_failed_start(player, fault)
        {
            // However often this game was tried, its player has shown nothing yet.
            return FaultPolicy::Replay;
        }
        let attempts = match fault.kind {
            FaultKind::Start => before.times,
            _ => before.in_play,
        };
        match policy {
            FaultPolicy::Replay if attempts < policies.max_replays => FaultPolicy::Replay,
            FaultPolicy::Replay | FaultPolicy::Forfeit if blamed.is_some() => FaultPolicy::Forfeit,
            _ => FaultPolicy::Void,
        }
    }
}

/// One of the threads that play games, with the engines it keeps running.
pub struct Worker<'a> {
    shared: &'a Shared<'a>,
    logs: PathBuf,
    engines: HashMap<usize, Engine>,
    referee: Option<RefereeProgram>,
}

impl<'a> Worker<'a> {
    /// A worker whose engines' stderr goes to files in the folder `logs`.
    pub fn new(shared: &'a Shared<'a>, logs: PathBuf) -> Worker<'a> {
        let referee = RefereeProgram::new(shared.settings);
        Worker { shared, logs, engines: HashMap::new(), referee }
    }

    /// Plays games until none is left or the run is stopped, and hands over a line for each.
    pub fn work(mut self, lines: &SyncSender<Line>) {
        loop {
            let held: Vec<usize> = self.engines.keys().copied().collect();
            let Some(task) = self.shared.next(&held) else { break };
            self.dismiss(|player| player != task.first && player != task.second);
            self.play_until_final(&task, lines);
        }
        self.dismiss(|_| true);
        if let Some(referee) = self.referee {
            referee.quit(self.shared.settings);
        }
    }

    /// Plays a game, again where a fault asks for it, until it counts or is given up.
    fn play_until_final(&mut self, task: &Task, lines: &SyncSender<Line>) {
        let mut before = self.shared.broken_off.get(&task.id).copied().unwrap_or_default();
        while let Some(line) = self.attempt(task, before) {
            if let Line::Fault(line) = &line {
                before.count(line.fault.kind);
            }
            let is_final = !matches!(line, Line::Fault(_));
            if lines.send(line).is_err() || is_final || self.shared.has_given_up(task) {
                return;
            }
        }
    }

    /// Plays a game once. Nothing comes of it when the run is being stopped.
    fn attempt(&mut self, task: &Task, before: BrokenOff) -> Option<Line> {
        let settings = self.shared.settings;
        let players = match settings.game.first {
            Color::Black => [task.first, task.second],
            Color::White => [task.second, task.first],
        };
        let mut attempt = GameAttempt {
            settings,
            folder: self.shared.path,
            task,
            players,
            attempts: before.times,
            seed: task.seed(settings),
            started: now(),
            programs: Default::default(),
            unexpected: Default::default(),
            waiting: Duration::ZERO,
        };
        self.dismiss(|player| settings.players[player].restart);
        let transcript = self.transcript(&attempt);
        let played = self.play(&mut attempt, transcript);
        let policy = match &played.end {
            Termination::Fault(_, fault) if fault.kind == FaultKind::Stopped => return None,
            Termination::Fault(blamed, fault) => {
                let blamed = blamed.map(|color| players[color.index()]);
                Some(self.shared.policy(fault, blamed, before))
            }
            Termination::Result(..) => None,
        };
        self.retire_faulty(&players, &played.end);
        Some(conclude(&attempt, &played, policy))
    }

    fn transcript(&self, attempt: &GameAttempt) -> Transcript {
        if !self.shared.settings.gtp_log {
            return Transcript::default();
        }
        let file = attempt.gtp_log();
        let created = fs::create_dir_all(self.shared.path.join("gtp"))
            .and_then(|()| Transcript::create(&file));
        created.unwrap_or_else(|e| {
            tracing::warn!("no GTP log {}: {e}", file.display());
            Transcript::default()
        })
    }

    /// Plays the game, and notes in `attempt` what is to be known of the engines.
    fn play(&mut self, attempt: &mut GameAttempt, transcript: Transcript) -> PlayedGame {
        let players = attempt.players;
        let mut black = match self.take_engine(players[0], attempt.seed, &transcript) {
            Ok(engine) => engine,
            Err(fault) => return PlayedGame::not_begun(Some(Color::Black), fault),
        };
        let mut white = match self.take_engine(players[1], attempt.seed, &transcript) {
            Ok(engine) => engine,
            Err(fault) => {
                self.engines.insert(players[0], black);
                return PlayedGame::not_begun(Some(Color::White), fault);
            }
        };
        let mut context = GameContext {
            settings: self.shared.settings,
            opening: self.shared.openings.of_pair(attempt.task.pair()),
            seed: attempt.seed,
            commands: players.map(|player| attempt.task.commands_of(player, attempt.settings)),
            referee: self.referee.as_mut(),
            logs: &self.logs,
            transcript,
            live: LiveRecord::new(
                self.shared.path,
                attempt.task.number,
                players.map(|player| self.shared.settings.players[player].name.clone()),
                &attempt.started,
            ),
            stop: self.shared.stop.clone(),
        };
        let played = game::play(&mut context, [&mut black, &mut white]);
        attempt.waiting =
            self.referee.as_mut().map_or(Duration::ZERO, RefereeProgram::take_waiting);
        for (i, engine) in [&mut black, &mut white].into_iter().enumerate() {
            attempt.programs[i] = format!("{} {}", engine.program, engine.version);
            attempt.unexpected[i] = engine.take_unexpected_output();
            attempt.waiting += engine.take_waiting();
        }
        self.engines.extend([(players[0], black), (players[1], white)]);
        played
    }

    /// A player's engine: the one that is running, or a new one.
    fn take_engine(
        &mut self,
        player: usize,
        seed: u64,
        transcript: &Transcript,
    ) -> Result<Engine, Fault> {
        let settings = self.shared.settings;
        if let Some(mut engine) = self.engines.remove(&player) {
            engine.log_to(transcript.clone());
            return Ok(engine);
        }
        let stop = self.shared.stop.clone();
        Engine::start(
            &settings.players[player],
            settings,
            seed,
            &self.logs,
            transcript.clone(),
            stop,
        )
    }

    /// After a fault the engine to blame is ended at once, and any other that is of no more use.
    fn retire_faulty(&mut self, players: &[usize; 2], end: &Termination) {
        let never_began =
            matches!(end, Termination::Fault(_, fault) if fault.kind == FaultKind::Start);
        if !never_began {
            self.shared.queue().failed_starts.retain(|player, _| !players.contains(player));
        }
        if let Termination::Fault(Some(color), _) = end {
            self.engines.remove(&players[color.index()]);
        }
        self.engines.retain(|_, engine| engine.is_usable());
    }

    /// Ends the engines of the players named, all at once: a slow one must not make the others wait.
    fn dismiss(&mut self, who: impl Fn(usize) -> bool) {
        let settings = self.shared.settings;
        thread::scope(|scope| {
            for (_, engine) in self.engines.extract_if(|&player, _| who(player)) {
                scope.spawn(move || quit(engine, settings));
            }
        });
    }
}

fn quit(engine: Engine, settings: &Settings) {
    let name = engine.player().name.clone();
    if !engine.quit(settings.quit_timeout.0) {
        tracing::warn!("{name} had not ended {} after quit and was killed", settings.quit_timeout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_starts_are_not_counted_among_the_replays_of_a_game() {
        let mut settings = Settings::default();
        settings.faults.crash = FaultPolicy::Replay;
        settings.faults.max_replays = 1;
        let shared =
            Shared::new(&settings, Path::new(""), OpeningBook::default(), HashMap::new(), 1);
        let crash = Fault::new(FaultKind::Crash, "");
        let mut before = BrokenOff::default();
        before.count(FaultKind::Start);
        before.count(FaultKind::Start);
        assert_eq!(shared.policy(&crash, Some(0), before), FaultPolicy::Replay);
        before.count(FaultKind::Crash);
        assert_eq!(shared.policy(&crash, Some(0), before), FaultPolicy::Forfeit);
        assert_eq!(before.times, 3);
    }
}
