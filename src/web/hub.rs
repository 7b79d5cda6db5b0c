//! The table of games, and how many pages there are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use super::Offer;
use super::room::{Event, RoomHandle, Start};
use super::watch::Matches;

/// Games at a time.
pub const MAX_GAMES: usize = 32;
/// Pages at a time.
pub const MAX_PAGES: usize = 64;

/// Begins a game under a name; the last is called whenever it has changed.
type Open = Box<
    dyn Fn(
            &str,
            Start,
            Arc<dyn Fn() + Send + Sync>,
        ) -> Result<(RoomHandle, oneshot::Receiver<Result<(), String>>)>
        + Send
        + Sync,
>;

/// What a page is told of the program.
pub struct About {
    /// The game's name.
    pub title: &'static str,
    /// The side of its usual board.
    pub side: u8,
    /// What it offers first for a new game.
    pub offer: Offer,
}

/// All games of a server.
pub struct Hub {
    about: About,
    open: Open,
    rooms: Mutex<BTreeMap<String, RoomHandle>>,
    /// Counts up with each change of a game.
    changes: Arc<watch::Sender<u64>>,
    /// Connections of pages.
    pages: AtomicUsize,
    pages_changed: watch::Sender<usize>,
    /// Matches that are watched.
    pub matches: Matches,
}

impl Hub {
    /// No game yet.
    pub fn new(about: About, open: Open, matches: Matches) -> Hub {
        Hub {
            about,
            open,
            rooms: Mutex::default(),
            changes: Arc::new(watch::Sender::new(0)),
            pages: AtomicUsize::new(0),
            pages_changed: watch::Sender::new(0),
            matches,
        }
    }

    fn rooms(&self) -> MutexGuard<'_, BTreeMap<String, RoomHandle>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a game, and gives its name.
    ///
    /// # Errors
    /// When there are too many, or it cannot be begun.
    pub async fn begin(&self, start: Start) -> Result<String, String> {
        let id = format!("{:010x}", rand::random::<u64>() >> 24);
        let changes = self.changes.clone();
        let changed = Arc::new(move || changes.send_modify(|count| *count += 1));
        let ready = {
            let mut rooms = self.rooms();
            rooms.retain(|_, room| !room.is_closed());
            if rooms.len() >= MAX_GAMES {
                return Err(format!("there are {MAX_GAMES} games already: close one of them"));
            }
            let (room, ready) =
                (self.open)(&id, start, changed).map_err(|why| format!("{why:#}"))?;
            rooms.insert(id.clone(), room);
            ready
        };
        let begun = ready.await.unwrap_or_else(|_| Err("the game could not be begun".to_owned()));
        if let Err(why) = begun {
            self.close(&id);
            return Err(why);
        }
        self.changes.send_modify(|count| *count += 1);
        Ok(id)
    }

    /// A game.
    pub fn room(&self, id: &str) -> Option<RoomHandle> {
        self.rooms().get(id).filter(|room| !room.is_closed()).cloned()
    }

    /// Ends a game; whether there was one.
    pub fn close(&self, id: &str) -> bool {
        let room = self.rooms().remove(id);
        self.changes.send_modify(|count| *count += 1);
        // It may have ended by itself.
        room.map(|room| room.events.send(Event::Close)).is_some()
    }

    /// Ends all games.
    pub fn close_all(&self) {
        for room in std::mem::take(&mut *self.rooms()).into_values() {
            let _ = room.events.send(Event::Close);
        }
    }

    /// What a page is told when it comes, and whenever a game has changed.
    pub fn games(&self) -> Value {
        let rooms = self.rooms();
        let open = rooms.values().filter(|room| !room.is_closed());
        let games: Vec<Value> = open.map(RoomHandle::summary).collect();
        drop(rooms);
        json!({
            "type": "games",
            "title": self.about.title,
            "side": self.about.side,
            "offer": self.about.offer,
            "version": crate::session::VERSION,
            "games": games.into_iter().filter(|game| !game.is_null()).collect::<Vec<_>>(),
            "matches": self.matches.names(),
        })
    }

    /// Sees when a game changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A page comes; none when there are too many. It goes when what is given is dropped.
    pub fn enter(self: &Arc<Hub>) -> Option<Page> {
        let is_room = |pages| (pages < MAX_PAGES).then_some(pages + 1);
        self.pages.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_room).ok()?;
        self.tell_pages();
        Some(Page(self.clone()))
    }

    /// Sees how many pages there are.
    pub fn pages(&self) -> watch::Receiver<usize> {
        self.pages_changed.subscribe()
    }

    fn tell_pages(&self) {
        self.pages_changed.send_replace(self.pages.load(Ordering::SeqCst));
    }
}

/// A page's place among those there can be.
pub struct Page(Arc<Hub>);

impl Drop for Page {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::SeqCst);
        self.0.tell_pages();
    }
}
