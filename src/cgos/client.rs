//! The conversation with the server: log in, play, come back after a broken line, leave when told to.

use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use go_engine::Move;

use super::account::{Account, Plan};
use super::engine::{Choice, EngineThread, Order, Report};
use super::game::ServerGame;
use super::journal::Journal;
use super::line::{self, Arrival};
use super::message::{Message, Setup, winner};
use crate::session::VERSION;

/// The first wait before the server is tried again; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// While a game may be running, nobody waits longer: the clock runs.
const MAX_WAIT_IN_GAME: Duration = Duration::from_secs(5);
/// A server that takes the connection and does not get through with the login in this time is tried again.
const LOGIN_LIMIT: Duration = Duration::from_secs(30);
/// After the password, a game that is to go on is there at once; one that is not after so long has ended meanwhile.
const RESUME_LIMIT: Duration = Duration::from_secs(5);
/// An engine that still thinks about a game that is over is given so long when the next one begins.
const OBSOLETE_LIMIT: Duration = Duration::from_secs(2);
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
    /// The number of the last search that was ordered, and the one that is awaited: its answer goes to the server.
    ticket: u64,
    awaited: Option<Awaited>,
    /// What that search found while the line was broken.
    held: Option<Found>,
    /// A search is still going on that nobody awaits, and when it is to be broken off.
    obsolete: Option<(u64, Option<Instant>)>,
    stopping: bool,
    said_away: bool,
}

/// A search whose answer is due.
#[derive(Clone, Copy, Debug)]
struct Awaited {
    ticket: u64,
    /// How many moves had been played.
    moves: usize,
    /// Whether the server has asked on this connection; after a broken line it asks again.
    asked: bool,
    /// Milliseconds that were left.
    left: i64,
}

/// What a search found.
#[derive(Debug)]
struct Found {
    choice: Choice,
    analysis: Option<String>,
    time: Duration,
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
            State::Away(retry) if now >= retry => self.connect(),
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

    fn connect(&mut self) {
        self.connection += 1;
        let number = self.connection;
        self.state = State::LoggingIn(Instant::now());
        self.evicted = false;
        line::open(&self.plan.server, self.sender.clone(), move |arrival| {
            Event::Server(number, arrival)
        });
    }

    fn disconnect(&mut self) {
        if let Some(stream) = self.stream.take() {
            line::close(&stream);
        }
        self.connection += 1;
    }

    /// The connection is of no more use: it is tried again after a wait.
    fn lose(&mut self, why: &str) {
        self.disconnect();
        let wait = match &self.game {
            Some(_) => self.wait.min(MAX_WAIT_IN_GAME),
            None => self.wait,
        };
        // Two clients that lost their server at the same moment need not come back at the same moment.
        let wait = wait.mul_f64(rand::random_range(0.75..1.25)).min(self.plan.max_wait);
        self.wait = (self.wait * 2).min(self.plan.max_wait);
        self.state = State::Away(Instant::now() + wait);
        if let Some(awaited) = &mut self.awaited {
            awaited.asked = false;
        }
        let text = format!("{why}; trying again in {:.1} s", wait.as_secs_f64());
        // A server that is away for a night does not fill the screen.
        if self.said_away {
            self.journal.note(&format!("-- {text}"));
        } else {
            self.journal.say(&text);
        }
        self.said_away = true;
    }

    fn send(&mut self, text: &str) {
        let shown = if text == self.account.password { "(the password)" } else { text };
        self.journal.note(&format!("C> {shown}"));
        if let Some(stream) = &mut self.stream
            && let Err(error) = line::send(stream, text)
        {
            self.lose(&format!("the connection broke: {error}"));
        }
    }

    fn on_arrival(&mut self, arrival: Arrival) -> Option<Finish> {
        match arrival {
            Arrival::Connected(stream) => {
                self.stream = Some(stream);
                None
            }
            Arrival::Line(line) => {
                self.heard = Instant::now();
                self.journal.note(&format!("S> {line}"));
                match Message::read(&line) {
                    Ok(message) => self.on_message(message),
                    Err(why) => {
                        // Whatever it was, the setup that follows a login says how things are.
                        let line: String = line.chars().take(80).collect();
                        self.lose(&format!("the server sent {line:?}: {why}"));
                        None
                    }
                }
            }
            Arrival::Closed(_) if self.evicted => Some(Finish::Refused(
                "somebody else has logged in under this name; stop the other program, or take another name".into(),
            )),
            Arrival::Closed(why) => {
                self.lose(&why);
                None
            }
        }
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

    /// The server has taken the login.
    fn calm(&mut self) {
        self.wait = FIRST_WAIT;
        if self.said_away {
            self.journal.say("connected again");
            self.said_away = false;
        }
    }

    fn on_setup(&mut self, setup: &Setup) -> Option<Finish> {
        self.calm();
        let user = &self.account.user;
        let mut game = match ServerGame::new(setup, user) {
            Ok(game) => game,
            Err(why) => {
                self.lose(&format!("the server's setup makes no sense: {why}"));
                return None;
            }
        };
        let goes_on = self.game.as_ref().is_some_and(|known| known.goes_on_as(&game));
        if !goes_on {
            self.forget_game();
        } else if let Some(known) = self.game.take() {
            game.inherit(known);
        }
        self.game = Some(game);
        self.state = State::Playing;
        let game = self.game.as_ref()?;
        let (opponent, moves) = (game.opponent(), game.moves());
        let text = match (goes_on, moves) {
            (true, _) => format!("game {} goes on after {moves} moves", game.id()),
            (false, _) => format!(
                "game {}: {} against {}{}, {}x{}, {:.0} s{}",
                game.id(),
                game.color,
                opponent.name,
                if opponent.rating.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", opponent.rating)
                },
                setup.size,
                setup.size,
                setup.main as f64 / 1000.0,
                if moves > 0 { format!(", taken up after {moves} moves") } else { String::new() },
            ),
        };
        self.journal.say(&text);
        // An engine that still thinks about this very position is not disturbed.
        let thinks_on = goes_on && self.awaited.is_some_and(|awaited| awaited.moves == moves);
        if !thinks_on {
            self.drop_search(Some(OBSOLETE_LIMIT));
            if let Some(game) = &self.game {
                self.order(Order::NewGame(game.for_engine()));
            }
        }
        None
    }

    /// Nobody awaits the running search any more.
    fn drop_search(&mut self, limit: Option<Duration>) {
        if let Some(awaited) = self.awaited.take()
            && self.held.take().is_none()
        {
            self.obsolete = Some((awaited.ticket, None));
        }
        if let (Some((_, deadline)), Some(limit)) = (&mut self.obsolete, limit) {
            *deadline = Some(Instant::now() + limit);
        }
    }

    fn on_genmove(&mut self, left: i64) {
        let Some(game) = &self.game else { return };
        let moves = game.moves();
        if let Some(awaited) = &mut self.awaited {
            // It was asked before the line broke.
            awaited.asked = true;
            awaited.left = left;
            let awaited = *awaited;
            if let Some(found) = self.held.take() {
                self.on_found(awaited, found);
            }
            return;
        }
        self.ticket += 1;
        let ticket = self.ticket;
        self.awaited = Some(Awaited { ticket, moves, asked: true, left });
        let left = Duration::from_millis(left.max(0) as u64);
        let left = left.saturating_sub(self.plan.reserve.min(left / 10));
        let (color, analyze) = (game.color, self.analyze);
        self.order(Order::Genmove { color, left, analyze, ticket });
    }

    fn order(&self, order: Order) {
        if let Some(engine) = &self.engine {
            engine.tell(order);
        }
    }

    fn on_report(&mut self, report: Report) -> Option<Finish> {
        match report {
            Report::Ready(program) => {
                if self.program.is_empty() {
                    self.journal.say(&format!("{} is {program}", self.account.user));
                }
                self.program = program;
            }
            Report::Restarted(fault) => {
                self.journal.say(&format!("the engine was started again: {fault}"));
                if let Some(game) = &mut self.game {
                    game.remarks.push(format!("The engine was started again: {fault}"));
                }
            }
            Report::Chosen { ticket, choice, analysis, time } => {
                if self.obsolete.is_some_and(|(obsolete, _)| obsolete == ticket) {
                    self.obsolete = None;
                }
                let found = Found { choice, analysis, time };
                match self.awaited.filter(|awaited| awaited.ticket == ticket) {
                    Some(awaited) if awaited.asked => self.on_found(awaited, found),
                    // The line broke meanwhile. If the game goes on, the server asks again.
                    Some(_) => self.held = Some(found),
                    None => {}
                }
            }
            Report::Failed(fault) => {
                if self.awaited.is_some_and(|awaited| awaited.asked) {
                    // Nobody has to wait for the clock to run out.
                    self.send("resign");
                }
                let log = self.journal.engine_log(&self.account.user);
                return Some(Finish::Refused(format!(
                    "the engine cannot go on: {fault}; what it says of it is in {}",
                    log.display()
                )));
            }
        }
        None
    }

    fn on_found(&mut self, awaited: Awaited, found: Found) {
        let Found { choice, analysis, time } = found;
        self.awaited = None;
        let Some(game) = &mut self.game else { return };
        let color = game.color;
        let Choice::Move(mut mv) = choice else {
            self.send("resign");
            return;
        };
        // An illegal move loses at once. A pass is always legal.
        let illegal = game.check(color, mv).err();
        if let Some(why) = &illegal {
            let text =
                format!("the engine chose {mv}, which is illegal here ({why}); it passes instead");
            game.remarks.push(text.clone());
            self.journal.say(&text);
            mv = Move::Pass;
        }
        let left = awaited.left - time.as_millis() as i64;
        let comment = analysis.as_deref().map(in_words).unwrap_or_default();
        // It stands in the list of moves that a resumption begins with, should the line break now.
        if game.played(color, mv, Some(left), Some(time), comment).is_err() {
            return;
        }
        match illegal {
            None => self.order(Order::Keep(color, mv)),
            Some(_) => {
                let game = game.for_engine();
                self.order(Order::NewGame(game));
            }
        }
        match analysis.filter(|_| self.analyze) {
            Some(analysis) => self.send(&format!("{mv} {analysis}")),
            None => self.send(&mv.to_string()),
        }
    }

    /// The server says that the game is over. A move that is still being searched is not sent.
    fn on_game_over(&mut self, result: &str, text: &str) -> Option<Finish> {
        self.drop_search(None);
        self.order(Order::GameOver(engine_result(result)));
        if let Some(game) = self.game.take() {
            let outcome = match winner(result) {
                Some(color) if color == game.color => "won",
                Some(_) => "lost",
                None => "over",
            };
            let text = if text.is_empty() { String::new() } else { format!(" ({text})") };
            self.journal.say(&format!(
                "game {} against {} {outcome}: {result}{text}, {} moves",
                game.id(),
                game.opponent().name,
                game.moves()
            ));
            let (user, command) = (&self.account.user, self.account.command());
            self.journal.keep(&game, user, &self.program, &command, Some(result));
            if let Some(games) = &mut self.games {
                *games = games.saturating_sub(1);
            }
        }
        self.state = State::Waiting(Instant::now());
        if self.stopping {
            return Some(Finish::Stopped);
        }
        if self.games == Some(0) {
            return Some(Finish::Played);
        }
        self.send("ready");
        None
    }

    /// The game ended while the line was broken: nobody tells how.
    fn forget_game(&mut self) {
        self.drop_search(None);
        if let Some(game) = self.game.take() {
            self.journal.say(&format!("game {} ended while the line was broken", game.id()));
            let (user, command) = (&self.account.user, self.account.command());
            self.journal.keep(&game, user, &self.program, &command, None);
        }
    }
}

/// The engine's view of a position, as the record has it.
fn in_words(analysis: &str) -> String {
    let told: serde_json::Value = serde_json::from_str(analysis).unwrap_or_default();
    if let Some(comment) = told["comment"].as_str() {
        return comment.to_owned();
    }
    let mut words = Vec::new();
    if let Some(winrate) = told["winrate"].as_f64() {
        words.push(format!("{:.1}%", winrate * 100.0));
    }
    if let Some(score) = told["score"].as_f64() {
        words.push(format!("{score:+.1} points"));
    }
    if let Some(visits) = told["visits"].as_u64() {
        words.push(format!("{visits} visits"));
    }
    words.join(", ")
}

/// The result as engines know it from CGOS clients.
fn engine_result(result: &str) -> String {
    result.replace("Illegal", "Forfeit")
}
