//! The engine in a thread of its own: what it is told, in order, and what comes back.
//!
//! It knows the game so far, so that an engine that crashes, hangs or talks nonsense is started again and goes on from there.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use go_engine::{Color, Move};

use super::analysis::{self, Dialect};
use crate::arena::connection::{Answer, Connection};
use crate::arena::fault::{Fault, FaultKind};
use crate::arena::link::Link;
use crate::arena::process::Launch;

/// An engine must be ready to play so long after its start.
const START_LIMIT: Duration = Duration::from_secs(120);
/// Every other command but the search for a move must be answered within this time.
const COMMAND_LIMIT: Duration = Duration::from_secs(60);
/// An engine that is later than its clock by more than this is started again.
const LATE_LIMIT: Duration = Duration::from_secs(10);
/// After `quit` an engine is killed when it has not ended within this time.
const QUIT_LIMIT: Duration = Duration::from_secs(5);
/// An engine that fails more often than this in one game is given up.
const MAX_RESTARTS: u32 = 3;

/// The server's rules in KataGo's words: what is dead has to be captured.
const RULES: &str = r#"{"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":false,"hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":false}"#;

/// A game as the engine is told of it.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The board's side.
    pub size: u8,
    /// White's compensation.
    pub komi: f64,
    /// Time for the whole game.
    pub main: Duration,
    /// The opponent's name and rating; the rating is empty where it has none.
    pub opponent: (String, String),
    /// The moves so far.
    pub moves: Vec<(Color, Move)>,
}

/// What the engine is told to do.
#[derive(Debug)]
pub enum Order {
    /// To begin a game.
    NewGame(NewGame),
    /// A move of the opponent's, or one that was played in the place of the engine's own.
    Play(Color, Move),
    /// The engine's own last move stands: it was sent.
    Keep(Color, Move),
    /// To search a move.
    Genmove {
        /// Its colour.
        color: Color,
        /// How long it may take.
        left: Duration,
        /// Whether to say what it thinks of the position.
        analyze: bool,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// That the game is over, with its result.
    GameOver(String),
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A move.
    Move(Move),
    /// To give up.
    Resign,
}

/// What comes from the engine.
#[derive(Debug)]
pub enum Report {
    /// It stands ready: what it calls itself, with its version.
    Ready(String),
    /// It was started again, and why.
    Restarted(Fault),
    /// It chose a move.
    Chosen {
        /// The order's ticket.
        ticket: u64,
        /// The move.
        choice: Choice,
        /// What it thinks of the position, as JSON for the server.
        analysis: Option<String>,
        /// How long it took.
        time: Duration,
    },
    /// It cannot go on, and why.
    Failed(Fault),
}

/// How an engine is asked for a move with analysis, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    Cgos,
    Kata,
    Leela,
    Plain,
}

impl Asking {
    const ALL: [(&'static str, Asking); 3] = [
        ("cgos-genmove_analyze", Asking::Cgos),
        ("kata-genmove_analyze", Asking::Kata),
        ("lz-genmove_analyze", Asking::Leela),
    ];

    fn command(self, color: char) -> String {
        match self {
            Asking::Cgos => format!("cgos-genmove_analyze {color}"),
            // So rarely that only the last line comes.
            Asking::Kata => format!("kata-genmove_analyze {color} ownership true"),
            Asking::Leela => format!("lz-genmove_analyze {color} 100000"),
            Asking::Plain => format!("genmove {color}"),
        }
    }
}

/// A running engine. Dropping it ends it.
#[derive(Debug)]
pub struct EngineThread {
    orders: Option<Sender<Order>>,
    /// Breaks off what it is doing.
    stop: Arc<AtomicBool>,
    /// Nothing is to be done any more.
    leaving: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl EngineThread {
    /// Starts the engine; `wrap` makes its reports into what the channel takes. What it says on standard error goes to `log`.
    pub fn start<T: Send + 'static>(
        launch: Launch,
        log: PathBuf,
        events: Sender<T>,
        wrap: impl Fn(Report) -> T + Send + 'static,
    ) -> EngineThread {
        let (orders, receiver) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let leaving = Arc::new(AtomicBool::new(false));
        let mut worker = Worker {
            launch,
            log,
            stop: stop.clone(),
            leaving: leaving.clone(),
            connection: None,
            commands: HashSet::new(),
            game: None,
            restarts: 0,
            report: Box::new(move |report| {
                // Nobody listens any more when the program ends.
                let _ = events.send(wrap(report));
            }),
        };
        let thread = thread::spawn(move || worker.run(&receiver));
        EngineThread { orders: Some(orders), stop, leaving, thread: Some(thread) }
    }

    /// Gives an order; they are carried out one after another.
    pub fn tell(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // An engine that has failed for good has said so.
            let _ = orders.send(order);
        }
    }

    /// Breaks off what it is doing. The program behind it is started again for the next order.
    pub fn abandon(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        self.abandon();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    launch: Launch,
    log: PathBuf,
    stop: Arc<AtomicBool>,
    leaving: Arc<AtomicBool>,
    connection: Option<Connection>,
    commands: HashSet<String>,
    game: Option<NewGame>,
    /// In this game.
    restarts: u32,
    report: Box<dyn Fn(Report) + Send>,
}

impl Worker {
    fn run(&mut self, orders: &Receiver<Order>) {
        let started = match self.start() {
            Ok(program) => {
                (self.report)(Report::Ready(program));
                true
            }
            Err(fault) => {
                (self.report)(Report::Failed(fault));
                false
            }
        };
        while started && let Ok(order) = orders.recv() {
            if self.leaving.load(Ordering::Relaxed) {
                break;
            }
            // What was to be broken off has ended by itself.
            self.stop.store(false, Ordering::Relaxed);
            if let Err(fault) = self.obey(order) {
                (self.report)(Report::Failed(fault));
                break;
            }
        }
        if let Some(connection) = self.connection.take() {
            connection.quit(QUIT_LIMIT);
        }
    }

    fn obey(&mut self, order: Order) -> Result<(), Fault> {
        match order {
            Order::NewGame(game) => {
                self.game = Some(game);
                self.restarts = 0;
                self.or_set_up(Worker::set_up)
            }
            Order::Play(color, mv) => {
                if let Some(game) = &mut self.game {
                    game.moves.push((color, mv));
                }
                // A move that it refuses it may have refused for a board that is out of step.
                self.or_set_up(|worker| worker.demand(&format!("play {} {mv}", color.letter())))
            }
            Order::Keep(color, mv) => {
                if let Some(game) = &mut self.game {
                    game.moves.push((color, mv));
                }
                Ok(())
            }
            Order::Genmove { color, left, analyze, ticket } => {
                let begin = Instant::now();
                let mut found = None;
                self.or_restart(|worker| {
                    let left = left.saturating_sub(begin.elapsed());
                    found = Some(worker.genmove(color, left, analyze)?);
                    Ok(())
                })?;
                if let Some((choice, analysis)) = found {
                    let time = begin.elapsed();
                    (self.report)(Report::Chosen { ticket, choice, analysis, time });
                }
                Ok(())
            }
            Order::GameOver(result) => {
                self.game = None;
                if self.commands.contains("cgos-gameover") && self.connection.is_some() {
                    let told = self.ask(&format!("cgos-gameover {result}"), COMMAND_LIMIT);
                    if told.is_err() {
                        self.connection = None;
                    }
                }
                Ok(())
            }
        }
    }

    /// Does something with the engine; where that fails the engine is started again, set up, and asked once more. What was
    /// broken off is not done again.
    fn or_restart(
        &mut self,
        mut act: impl FnMut(&mut Worker) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        match self.connection.is_some().then(|| act(self)) {
            Some(Ok(())) => Ok(()),
            failed => self.restart(failed.and_then(Result::err), act),
        }
    }

    /// The same of what is a part of the game as it is set up: in an engine that was started again it is done with that.
    fn or_set_up(
        &mut self,
        act: impl FnOnce(&mut Worker) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        match self.connection.is_some().then(|| act(self)) {
            Some(Ok(())) => Ok(()),
            failed => self.restart(failed.and_then(Result::err), |_| Ok(())),
        }
    }

    /// Starts the engine, again after a fault, sets the game up and does something with it, until all that works or fails too
    /// often.
    fn restart(
        &mut self,
        mut fault: Option<Fault>,
        mut act: impl FnMut(&mut Worker) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        loop {
            self.connection = None;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let Some(fault) = fault.take() {
                self.restarts += 1;
                if self.restarts > MAX_RESTARTS {
                    return Err(fault);
                }
                (self.report)(Report::Restarted(fault));
            }
            // What has been played meanwhile is a part of the game that is set up.
            let again = self.start().and_then(|_| self.set_up());
            match again.and_then(|()| if self.game.is_some() { act(self) } else { Ok(()) }) {
                Ok(()) => return Ok(()),
                Err(again) => fault = Some(again),
            }
        }
    }

    /// Starts the program and asks who it is.
    fn start(&mut self) -> Result<String, Fault> {
        let link = Link::start_process(&self.launch, &self.log)
            .map_err(|error| Fault::new(FaultKind::Start, error.to_string()))?;
        let mut connection = Connection::new(link, "engine", self.stop.clone());
        let mut name = connection.ask("name", START_LIMIT).map_err(Fault::at_start)?;
        if !name.ok {
            // Some small programs take an id for the command.
            connection.without_ids();
            name = connection.ask("name", START_LIMIT).map_err(Fault::at_start)?;
        }
        let version = connection.ask("version", START_LIMIT).map_err(Fault::at_start)?;
        let commands = connection.ask("list_commands", START_LIMIT).map_err(Fault::at_start)?;
        self.commands = commands.text.split_whitespace().map(str::to_owned).collect();
        self.connection = Some(connection);
        let version = if version.ok { version.text } else { String::new() };
        Ok(format!("{} {version}", name.text).trim().to_owned())
    }

    fn ask(&mut self, command: &str, limit: Duration) -> Result<Answer, Fault> {
        match &mut self.connection {
            Some(connection) => connection.ask(command, limit),
            None => Err(Fault::new(FaultKind::Crash, "it does not run")),
        }
    }

    fn demand(&mut self, command: &str) -> Result<(), Fault> {
        let answer = self.ask(command, COMMAND_LIMIT)?;
        if answer.ok {
            return Ok(());
        }
        Err(Fault::new(FaultKind::Refused, format!("`{command}` was answered `? {}`", answer.text)))
    }

    /// Tells it what it need not understand, where it knows the command.
    fn mention(&mut self, command: &str) -> Result<(), Fault> {
        let word = command.split(' ').next().unwrap_or_default();
        if self.commands.contains(word) {
            self.ask(command, COMMAND_LIMIT)?;
        }
        Ok(())
    }

    /// Sets the game up as it stands.
    fn set_up(&mut self) -> Result<(), Fault> {
        let Some(game) = self.game.clone() else { return Ok(()) };
        self.demand(&format!("boardsize {}", game.size))?;
        self.demand(&format!("komi {}", game.komi))?;
        self.mention(&format!("kata-set-rules {RULES}"))?;
        self.mention(&format!("time_settings {} 0 0", game.main.as_secs()))?;
        let (name, rating) = &game.opponent;
        self.mention(&format!("cgos-opponent_name {name}"))?;
        if !rating.is_empty() {
            self.mention(&format!("cgos-opponent_rating {rating}"))?;
        }
        self.demand("clear_board")?;
        for (color, mv) in game.moves {
            self.demand(&format!("play {} {mv}", color.letter()))?;
        }
        Ok(())
    }

    fn genmove(
        &mut self,
        color: Color,
        left: Duration,
        analyze: bool,
    ) -> Result<(Choice, Option<String>), Fault> {
        let letter = color.letter();
        self.mention(&format!("time_left {letter} {} 0", left.as_secs()))?;
        let known = |(word, _): &&(&str, Asking)| self.commands.contains(*word);
        let asking = Asking::ALL.iter().find(known).filter(|_| analyze);
        let asking = asking.map_or(Asking::Plain, |&(_, asking)| asking);
        let command = asking.command(letter);
        let answer = self.ask(&command, left + LATE_LIMIT)?;
        if !answer.ok {
            let detail = format!("`{command}` was answered `? {}`", answer.text);
            return Err(Fault::new(FaultKind::Refused, detail));
        }
        let told = answer.text.lines().rev();
        let (word, analysis) = match asking {
            Asking::Plain => (answer.text.trim(), None),
            _ => {
                let word = told.clone().find_map(|line| line.strip_prefix("play "));
                let mut told = told.skip_while(|line| !line.starts_with("play ")).skip(1);
                let analysis = match asking {
                    Asking::Cgos => {
                        told.find(|line| line.starts_with('{')).and_then(analysis::from_json)
                    }
                    Asking::Kata => told
                        .find(|line| line.starts_with("info "))
                        .and_then(|line| analysis::from_info(line, Dialect::Kata)),
                    _ => told
                        .find(|line| line.starts_with("info "))
                        .and_then(|line| analysis::from_info(line, Dialect::Leela)),
                };
                (word.unwrap_or_default().trim(), analysis)
            }
        };
        let choice = match word {
            word if word.eq_ignore_ascii_case("resign") => Choice::Resign,
            word if word.eq_ignore_ascii_case("pass") => Choice::Move(Move::Pass),
            word => match word.parse() {
                Ok(point) => Choice::Move(Move::Play(point)),
                Err(_) => {
                    let shown: String = answer.text.chars().take(80).collect();
                    let detail = format!("`{command}` was answered {shown:?}, which is no move");
                    return Err(Fault::new(FaultKind::Garbage, detail));
                }
            },
        };
        Ok((choice, analysis))
    }
}
