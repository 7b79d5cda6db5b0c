//! A game as the server keeps it: its session, its variations, who plays, the clocks, and the pages that look on.
//!
//! A room is a thread of its own that hears two things in one queue: what pages ask, and what the session says. Everything
//! about rules and thinking is asked of the session in GTP, so that there is one of each.

mod engine_turns;
mod navigate;
mod requests;
mod score;
mod session;
mod state;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Map, Value};
use tokio::sync::{broadcast, oneshot};

use super::WebGame;
use super::engine::{Engine, Said};
use super::message::{Answer, Player, Request, Setup, Update};
use super::review::Reviews;
use super::timer::Timer;
use super::tree::{NodeId, Tree};
use crate::gtp::Color;
use crate::session::Game;
pub use session::Exchange;

/// Updates that a page may be behind before it is told everything anew.
const BEHIND: usize = 64;

/// How a game comes to be.
pub enum Start {
    /// From the first move.
    New(Setup),
    /// From a record, with what it is called.
    Record(Vec<u8>, String),
}

/// What a room hears.
pub enum Event {
    /// A page asks something.
    Asked(Request, oneshot::Sender<Answer>),
    /// The session says something.
    Said(Said),
    /// A review has come further.
    Reviewed(Value),
    /// The game is closed.
    Close,
}

/// What others know of a room.
#[derive(Clone)]
pub struct RoomHandle {
    /// What it hears.
    pub events: Sender<Event>,
    /// What it tells to all pages that show it.
    pub updates: broadcast::Sender<Update>,
    /// A line for the list of games.
    pub summary: Arc<Mutex<Value>>,
    /// There as long as the room's thread.
    alive: Weak<()>,
}

impl RoomHandle {
    /// Asks something of the game.
    pub async fn ask(&self, request: Request) -> Answer {
        let (reply, answer) = oneshot::channel();
        let closed = || "the game is closed".to_owned();
        self.events.send(Event::Asked(request, reply)).map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Whether it has ended by itself.
    pub fn is_closed(&self) -> bool {
        self.alive.strong_count() == 0
    }

    /// The line for the list of games.
    pub fn summary(&self) -> Value {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What the session is doing beside answering at once.
enum Busy {
    /// Nothing.
    Idle,
    /// Looking for a move of a side.
    Thinking { id: u32, color: Color, played: Option<String> },
    /// Telling what it thinks.
    Analysing { id: u32 },
    /// Making a drawing or a text that a page waits for.
    Showing { id: u32, kind: String, reply: oneshot::Sender<Answer> },
}

/// A game and everything about it.
struct Room {
    id: String,
    kind: &'static str,
    /// What can be drawn: the kind, and the command.
    shows: Vec<(String, String)>,
    has_pass: bool,
    engine: Engine,
    events: Receiver<Event>,
    own: Sender<Event>,
    /// Heard while an answer was waited for.
    deferred: VecDeque<Event>,
    /// What is asked of the session, and waits until the engine has moved.
    waiting: Vec<(Request, oneshot::Sender<Answer>)>,
    updates: broadcast::Sender<Update>,
    summary: Arc<Mutex<Value>>,
    changed: Arc<dyn Fn() + Send + Sync>,
    exchange: Arc<Mutex<Exchange>>,
    reviews: Arc<Reviews>,

    tree: Tree,
    /// The position that is shown, which is also the session's.
    at: NodeId,
    /// As the session tells it.
    position: Map<String, Value>,
    players: [Player; 2],
    names: [String; 2],
    timer: Timer,
    /// The game goes on: clocks run, and the engine answers.
    live: bool,
    /// Of the game that is played, or of the record as long as nobody goes on with it.
    result: String,
    /// The loaded record's own, which stays in it.
    recorded: String,
    notes: Vec<String>,
    analysing: bool,
    /// Rows of the analysis that nobody has seen.
    unseen: u32,
    busy: Busy,
    score: Option<Value>,
    review: Option<Value>,
    /// The visits and level that the session was last told.
    strength: Option<Player>,
    is_closed: bool,
    /// Goes with the room.
    _alive: Arc<()>,
}

/// Begins a game in a thread of its own; the answer comes when it stands, or cannot be begun.
///
/// # Errors
/// When there can be no more threads.
pub fn open<G: Game>(
    id: &str,
    game: &WebGame<G>,
    start: Start,
    changed: Arc<dyn Fn() + Send + Sync>,
) -> Result<(RoomHandle, oneshot::Receiver<Result<(), String>>)> {
    let (events, heard) = channel();
    let (updates, _) = broadcast::channel(BEHIND);
    let summary = Arc::new(Mutex::new(Value::Null));
    let exchange = Arc::new(Mutex::new(Exchange::default()));
    let alive = Arc::new(());
    let to_room = events.clone();
    let make = session::make(game, exchange.clone());
    let engine = Engine::start(make, move |said| {
        // The room may be gone before its session.
        let _ = to_room.send(Event::Said(said));
    })?;
    let mut room = Room {
        id: id.to_owned(),
        kind: G::TITLE,
        shows: session::shows::<G>(),
        has_pass: G::HAS_PASS,
        engine,
        events: heard,
        own: events.clone(),
        deferred: VecDeque::new(),
        waiting: Vec::new(),
        updates: updates.clone(),
        summary: summary.clone(),
        changed,
        exchange,
        reviews: game.reviews.clone(),
        tree: Tree::new(),
        at: Tree::ROOT,
        position: Map::new(),
        players: Default::default(),
        names: Default::default(),
        timer: Timer::default(),
        live: false,
        result: String::new(),
        recorded: String::new(),
        notes: Vec::new(),
        analysing: false,
        unseen: 0,
        busy: Busy::Idle,
        score: None,
        review: None,
        strength: None,
        is_closed: false,
        _alive: alive.clone(),
    };
    let (ready, is_ready) = oneshot::channel();
    let commands = game.first_commands;
    std::thread::Builder::new().name("room".to_owned()).spawn(move || {
        let begun = room.begin(start, commands);
        let is_begun = begun.is_ok();
        // Who asked may have gone away.
        let _ = ready.send(begun);
        if is_begun {
            room.run();
        }
    })?;
    let alive = Arc::downgrade(&alive);
    Ok((RoomHandle { events, updates, summary, alive }, is_ready))
}

impl Room {
    /// Hears until the game is closed.
    fn run(&mut self) {
        self.go_on();
        while !self.is_closed {
            let next = match self.deferred.pop_front() {
                Some(event) => Ok(event),
                None => match self.timer.until_flag() {
                    Some(left) => self.events.recv_timeout(left.max(Duration::from_millis(1))),
                    None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                },
            };
            match next {
                Ok(event) => self.hear(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if let Some(loser) = self.timer.flagged() {
                self.lose(loser, 'T');
            }
        }
        // Pages that show it hold a sender of their own, and would never see this one go.
        self.tell("closed", &Value::Null);
        self.reviews.forget(&self.id);
        self.engine.interrupt();
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Asked(request, reply) => self.asked(request, reply),
            Event::Said(said) => self.said(said),
            Event::Reviewed(review) => {
                self.tell("review", &review);
                self.review = Some(review);
            }
            Event::Close => self.is_closed = true,
        }
    }

    /// What the session says of what goes on beside.
    fn said(&mut self, said: Said) {
        match (said, &mut self.busy) {
            (Said::Row(id, row), Busy::Analysing { id: of }) if id == *of => {
                self.tell_analysis(&row);
                self.end_unseen_analysis();
            }
            (Said::Row(id, row), Busy::Thinking { id: of, played, .. }) if id == *of => {
                match row.strip_prefix("play ") {
                    Some(words) => *played = Some(words.to_owned()),
                    None if self.analysing => self.tell_analysis(&row),
                    None => {}
                }
            }
            (Said::Done(id, reply), Busy::Analysing { id: of }) if id == *of => {
                self.busy = Busy::Idle;
                if let Err(why) = reply {
                    self.analysing = false;
                    self.warn(&why);
                    self.tell_state();
                }
            }
            (Said::Done(id, reply), Busy::Thinking { id: of, .. }) if id == *of => {
                self.thought(reply);
            }
            (Said::Done(id, reply), Busy::Showing { id: of, .. }) if id == *of => self.shown(reply),
            (Said::Ended, _) => {
                self.warn("the game's engine has ended");
                self.is_closed = true;
            }
            // What was ended for something else.
            _ => {}
        }
    }

    /// Asks the session, and waits for its answer; what pages ask meanwhile waits. An analysis ends by it.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        if matches!(self.busy, Busy::Analysing { .. }) {
            self.busy = Busy::Idle;
        }
        let asked = self.engine.ask(command);
        loop {
            match self.events.recv() {
                Ok(Event::Said(Said::Done(id, reply))) if id == asked => return reply,
                Ok(Event::Said(Said::Ended)) | Err(_) => {
                    self.is_closed = true;
                    return Err("the game's engine has ended".to_owned());
                }
                Ok(Event::Said(_)) => {}
                Ok(event) => self.deferred.push_back(event),
            }
        }
    }

    fn exchange(&self) -> std::sync::MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
