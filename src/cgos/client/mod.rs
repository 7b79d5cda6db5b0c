//! The conversation with the server: log in, play, come back after a broken line, leave when told to.

mod connection;
mod games;
mod search;

use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::account::{Account, Plan};
use super::engine::{EngineThread, Order, Report};
use super::game::ServerGame;
use super::journal::Journal;
use super::line::Arrival;
use super::message::Message;
use crate::session::VERSION;
use connection::FIRST_WAIT;
use search::{Awaited, SearchResult};

/// A server that takes the connection and does not get through with the login in this time is tried again.
const LOGIN_LIMIT: Duration = Duration::from_secs(30);
/// After the password, a game that is to go on is there at once; one that is not after so long has ended meanwhile.
const RESUME_LIMIT: Duration = Duration::from_secs(5);
/// Signals and files are looked at so often.
const TICK: Duration = Duration::from_millis(100);

/// How a client came to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Finish {
    /// It has played its games.
    Played,
    /// It was told to stop, and has played its game to the end.
    Stopped,
    /// It was told to stop at once.
    Interrupted,
    /// The server or the engine will not go on, and why.
    Refused(String),
}

enum Event {
    Server(u64, Arrival),
    Engine(Report),
}

#[derive(Debug)]
enum State {
    /// Not connected; to be tried again then.
    Away(Instant),
    /// A connection is being made, or the login is on its way.
    LoggingIn(Instant),
    /// Logged in, no game, since then.
    Waiting(Instant),
    /// A game is on.
    Playing,
}

/// One engine on the server.
pub struct Client<'a> {
    plan: &'a Plan,
    account: &'a Account,
    journal: &'a mut Journal,
    interrupts: &'a AtomicU32,
    /// Games after which it leaves.
    games: Option<u32>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// The connections so far: what comes from an earlier one is passed over.
    connection: u64,
    stream: Option<TcpStream>,
    state: State,
    wait: Duration,
    /// When the server was last heard.
    heard: Instant,
    /// Whether it takes analysis.
    analyze: bool,
    /// The last word of the server was that somebody else logs in under the name.
    evicted: bool,
    game: Option<ServerGame>,
    engine: Option<EngineThread>,
    /// What the engine calls itself.
    program: String,
    /// It has answered since it was first started.
    is_ready: bool,
    /// The number of the last search that was ordered, and the one that is awaited: its answer goes to the server.
    ticket: u64,
    awaited: Option<Awaited>,
    /// What that search found while the line was broken.
    held: Option<SearchResult>,
    /// A search is still going on that nobody awaits, and when it is to be broken off.
    obsolete: Option<(u64, Option<Instant>)>,
    stopping: bool,
    said_away: bool,
}

impl<'a> Client<'a> {
    /// A client that leaves after so many games, if a number is given.
    pub fn new(
        plan: &'a Plan,
        account: &'a Account,
        journal: &'a mut Journal,
        interrupts: &'a AtomicU32,
        games: Option<u32>,
    ) -> Client<'a> {
        let (sender, events) = channel();
        Client {
            plan,
            account,
            journal,
            interrupts,
            games,
            events,
            sender,
            connection: 0,
            stream: None,
            state: State::Away(Instant::now()),
            wait: FIRST_WAIT,
            heard: Instant::now(),
            analyze: false,
            evicted: false,
            game: None,
            engine: None,
            program: String::new(),
            is_ready: false,
            ticket: 0,
            awaited: None,
            held: None,
            obsolete: None,
            stopping: false,
            said_away: false,
        }
    }

    /// Plays until its games are played, it is stopped, or the server or the engine will not go on.
    pub fn run(&mut self) -> Finish {
        let sender = self.sender.clone();
        let log = self.journal.engine_log(&self.account.user);
        let engine = EngineThread::start(self.account.launch.clone(), log, sender, Event::Engine);
        self.engine = Some(engine);
        let ended = self.converse();
        if let Some(game) = &self.game {
            // Whoever wants to know how it ended finds it on the server.
            self.journal.keep(
                game,
                &self.account.user,
                &self.program,
                &self.account.command(),
                None,
            );
        }
        self.disconnect();
        self.engine = None;
        ended
    }

    fn converse(&mut self) -> Finish {
        loop {
            if let Some(finish) = self.on_tick() {
                return finish;
            }
            let finish = match self.events.recv_timeout(TICK) {
                Ok(Event::Server(number, arrival)) if number == self.connection => {
                    self.on_arrival(arrival)
                }
                Ok(Event::Server(..)) => None,
                Ok(Event::Engine(report)) => self.on_report(report),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
            };
            if let Some(finish) = finish {
                return finish;
            }
        }
    }

    /// What time brings: signals, files, waits that are over.
    fn on_tick(&mut self) -> Option<Finish> {
        let interrupts = self.interrupts.load(Ordering::Relaxed);
        if interrupts >= 2 {
            self.journal.say("stopped at once; the game goes on the server, and is lost on time");
            return Some(Finish::Interrupted);
        }
        let killed = self.plan.kill_file.as_ref().is_some_and(|file| file.exists());
        if !self.stopping && (interrupts > 0 || killed) {
            self.stopping = true;
            if self.game.is_some() {
                self.journal.say("stopping after this game; Ctrl-C once more stops at once");
            }
        }
        if self.stopping && self.game.is_none() {
            return Some(Finish::Stopped);
        }
        let now = Instant::now();
        match self.state {
            // The server may pair it at once, and its clock runs: an engine that still starts would lose.
            State::Away(retry) if now >= retry && self.is_ready => self.connect(),
            State::LoggingIn(since) if now > since + LOGIN_LIMIT => {
                self.lose("the server does not answer");
            }
            State::Waiting(since) if self.game.is_some() && now > since + RESUME_LIMIT => {
                self.forget_game();
            }
            State::Waiting(_) | State::Playing if now > self.heard + self.plan.silence => {
                self.lose("the server has been silent for too long");
            }
            _ => {}
        }
        if let (Some((_, Some(deadline))), Some(engine)) = (self.obsolete, &self.engine)
            && now >= deadline
        {
            engine.abandon();
            self.obsolete = None;
        }
        None
    }

    fn on_message(&mut self, message: Message) -> Option<Finish> {
        match message {
            Message::Protocol { takes_analysis } => {
                self.analyze = takes_analysis && self.plan.analysis;
                let analysis = if self.analyze { " genmove_analyze" } else { "" };
                self.send(&format!("e1 Tesuji-cgos {VERSION}{analysis}"));
            }
            Message::Username => self.send(&self.account.user),
            Message::Password => {
                self.send(&self.account.password);
                if matches!(self.state, State::LoggingIn(_)) {
                    self.state = State::Waiting(Instant::now());
                }
            }
            Message::Info(text) => {
                self.calm();
                self.evicted = text.contains("another login");
            }
            Message::Setup(setup) => return self.on_setup(&setup),
            Message::Play { color, mv, left } => {
                let Some(game) = &mut self.game else {
                    self.lose("the server sent a move outside of a game");
                    return None;
                };
                if let Err(why) = game.played(color, mv, left, None, String::new()) {
                    self.lose(&format!("the board is out of step: {why}"));
                    return None;
                }
                self.order(Order::Play(color, mv));
            }
            Message::Genmove { color, left } => match &self.game {
                Some(game) if game.color == color => self.on_genmove(left),
                _ => self.lose("the server asked for a move of the other side"),
            },
            Message::GameOver { result, text, .. } => return self.on_game_over(&result, &text),
            Message::Refusal(why) => {
                let what = match why.to_lowercase() {
                    why if why.contains("password") => {
                        "; put the right password into the file, or take another name"
                    }
                    _ => "",
                };
                return Some(Finish::Refused(format!("the server refuses: {why}{what}")));
            }
            Message::Other => {}
        }
        None
    }
}
