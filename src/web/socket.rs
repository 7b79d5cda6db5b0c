//! One page's connection: it shows one game at a time, asks, and is told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc};

use super::hub::{Hub, Page};
use super::message::{Answer, Request, Setup, Update};
use super::room::{RoomHandle, Start};

/// What a page asks of the server rather than of a game.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
enum HubRequest {
    /// Shows a game from now on; none to show nothing.
    Open { game: Option<String> },
    /// Begins a game.
    New { setup: Box<Setup> },
    /// Ends a game.
    Close { game: String },
    /// A match that is watched.
    Match { name: String },
    /// Begins a game from the record of a match's game.
    Replay { name: String, game: u32 },
}

/// Requests of a page in a second, beyond which it is cut off.
const MAX_RATE: u32 = 200;
/// Answers that a page may have to wait for at a time.
const MAX_WAITING: usize = 64;
/// A page that takes nothing for so long is gone.
const STALLED: Duration = Duration::from_secs(20);
/// How often a page is asked whether it is there.
const PING: Duration = Duration::from_secs(15);
/// The list of games is told at most this often.
const LIST_EVERY: Duration = Duration::from_millis(250);

/// Serves a page until it goes.
pub async fn serve(socket: WebSocket, hub: Arc<Hub>, _place: Page) {
    let (outgoing, answers) = mpsc::channel(MAX_WAITING);
    let mut connection = Connection {
        socket,
        hub,
        room: None,
        updates: None,
        outgoing,
        second: (Instant::now(), 0),
    };
    connection.run(answers).await;
}

struct Connection {
    socket: WebSocket,
    hub: Arc<Hub>,
    room: Option<RoomHandle>,
    updates: Option<broadcast::Receiver<Update>>,
    /// Answers on their way.
    outgoing: mpsc::Sender<Value>,
    /// The present second, and how many requests came in it.
    second: (Instant, u32),
}

/// The page is gone, or cut off.
struct Gone;

impl Connection {
    async fn run(&mut self, mut answers: mpsc::Receiver<Value>) {
        let mut changes = self.hub.changes();
        let mut ping = tokio::time::interval(PING);
        let mut list = tokio::time::interval(LIST_EVERY);
        list.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut is_changed = false;
        let games = self.hub.games();
        if self.send(games.to_string().into()).await.is_err() {
            return;
        }
        loop {
            let done = tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => self.heard(&text).await,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Gone),
                    Some(Ok(Message::Binary(_))) => Err(Gone),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                },
                Some(answer) = answers.recv() => self.send(answer.to_string().into()).await,
                update = next(&mut self.updates) => match update {
                    Some(update) => self.send(update).await,
                    None => self.catch_up().await,
                },
                changed = changes.changed() => {
                    is_changed = true;
                    changed.map_err(|_| Gone)
                }
                // A page that shows a game does not show the list.
                _ = list.tick(), if is_changed && self.room.is_none() => {
                    is_changed = false;
                    let games = self.hub.games();
                    self.send(games.to_string().into()).await
                }
                _ = ping.tick() => self.socket.send(Message::Ping(Vec::new().into())).await.map_err(|_| Gone),
            };
            if done.is_err() {
                return;
            }
        }
    }

    async fn send(&mut self, text: Update) -> Result<(), Gone> {
        let sent = self.socket.send(Message::Text((&*text).into()));
        tokio::time::timeout(STALLED, sent).await.map_err(|_| Gone)?.map_err(|_| Gone)
    }

    /// The page was told too much to keep up with, or the game is closed: it is told how things stand.
    async fn catch_up(&mut self) -> Result<(), Gone> {
        let Some(room) = self.room.clone() else {
            self.updates = None;
            return Ok(());
        };
        match room.ask(Request::Snapshot).await {
            Ok(snapshot) => {
                self.send(json!({"type": "snapshot", "data": snapshot}).to_string().into()).await
            }
            Err(_) => {
                (self.room, self.updates) = (None, None);
                self.send(json!({"type": "closed"}).to_string().into()).await
            }
        }
    }

    async fn heard(&mut self, text: &str) -> Result<(), Gone> {
        if self.second.0.elapsed() > Duration::from_secs(1) {
            self.second = (Instant::now(), 0);
        }
        self.second.1 += 1;
        if self.second.1 > MAX_RATE {
            tracing::warn!("a page that asks too much is cut off");
            return Err(Gone);
        }
        let asked: Value = match serde_json::from_str(text) {
            Ok(asked) => asked,
            Err(why) => {
                return self.answer(Value::Null, Err(format!("this is no JSON: {why}"))).await;
            }
        };
        let id = asked.get("id").filter(|id| id.is_u64()).cloned().unwrap_or_default();
        let what = asked.get("do").and_then(Value::as_str).unwrap_or_default();
        if ["open", "new", "close", "match", "replay"].contains(&what) {
            let answer = match HubRequest::deserialize(&asked) {
                Ok(request) => self.of_hub(request).await,
                Err(why) => Err(why.to_string()),
            };
            return self.answer(id, answer).await;
        }
        let request = match Request::deserialize(&asked) {
            Ok(request) => request,
            Err(why) => return self.answer(id, Err(why.to_string())).await,
        };
        let Some(room) = self.room.clone() else {
            return self.answer(id, Err("no game is shown".to_owned())).await;
        };
        // The page is heard on while the game works at it.
        let Ok(place) = self.outgoing.clone().try_reserve_owned() else {
            return self.answer(id, Err("too much is asked at a time".to_owned())).await;
        };
        tokio::spawn(async move {
            let answer = room.ask(request).await;
            place.send(told(id, answer));
        });
        Ok(())
    }

    async fn answer(&mut self, id: Value, answer: Answer) -> Result<(), Gone> {
        self.send(told(id, answer).to_string().into()).await
    }

    async fn of_hub(&mut self, request: HubRequest) -> Answer {
        match request {
            HubRequest::Open { game: None } => {
                (self.room, self.updates) = (None, None);
                Ok(Value::Null)
            }
            HubRequest::Open { game: Some(game) } => {
                let room = self
                    .hub
                    .room(&game)
                    .ok_or_else(|| "there is no such game any more".to_owned())?;
                self.updates = Some(room.updates.subscribe());
                let snapshot = room.ask(Request::Snapshot).await;
                self.room = Some(room);
                snapshot
            }
            HubRequest::New { setup } => {
                let game = self.hub.begin(Start::New(*setup)).await?;
                Ok(json!({"game": game}))
            }
            HubRequest::Close { game } => match self.hub.close(&game) {
                true => Ok(Value::Null),
                false => Err("there is no such game any more".to_owned()),
            },
            HubRequest::Match { name } => {
                let hub = self.hub.clone();
                beside(move || hub.matches.told(&name)).await
            }
            HubRequest::Replay { name, game } => {
                let hub = self.hub.clone();
                let (bytes, title) = beside(move || hub.matches.record(&name, game)).await?;
                let game = self.hub.begin(Start::Record(bytes, title)).await?;
                Ok(json!({"game": game}))
            }
        }
    }
}

/// Does what takes long, such as reading the files of a match, in a thread of its own: all pages share one.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|why| Err(why.to_string()))
}

/// The next update of the game that is shown; none when some were missed, or the game is closed. Waits for ever where no
/// game is shown.
async fn next(updates: &mut Option<broadcast::Receiver<Update>>) -> Option<Update> {
    match updates {
        Some(updates) => updates.recv().await.ok(),
        None => std::future::pending().await,
    }
}

fn told(id: Value, answer: Answer) -> Value {
    match answer {
        Ok(data) => json!({"type": "answer", "id": id, "data": data}),
        Err(why) => json!({"type": "error", "id": id, "error": why}),
    }
}
