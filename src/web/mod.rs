//! `tesuji web`: a board in the browser to play, analyse, review and watch.
//!
//! The parts, from the game outwards:
//!
//! - `engine` is a session in a thread, spoken to in GTP; `tree` the variations of a game, `record` records of them;
//!   `timer` the clocks.
//! - `room` is a game with all of that and the pages that look on; `message` is what pages ask; [`review`] reviews it.
//! - `hub` is the table of games; `watch` tells of matches; `socket` is one page's connection.
//! - `security` says who may ask at all, `server` listens, and `page` is what a browser gets.
//!
//! A game needs [`WebGame`]: its commands and a way to make a session of it. The page knows no rules: what can be played, how
//! it ends and what is thought comes from the session.

pub mod cli;
mod engine;
mod hub;
mod message;
mod page;
mod record;
pub mod review;
mod room;
mod security;
mod server;
mod socket;
mod timer;
mod tree;
mod watch;

use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;

use crate::gtp::Commands;
use crate::session::{Game, Session};
use review::Reviews;

pub use cli::{Hosted, WebArgs};

/// What the page offers first for a new game, where the command line says so; else it is what was chosen last.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Offer {
    /// Side of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// Name of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// Points that White gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub komi: Option<f64>,
    /// The opponent's level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Visits of each of the opponent's turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
}

/// What the server has to know of a game.
pub struct WebGame<G: Game> {
    /// The table of its commands.
    pub commands: fn() -> Commands<Session<G>>,
    /// Makes the session of a game.
    pub session: Arc<dyn Fn() -> Result<Session<G>> + Send + Sync>,
    /// Commands that each session gets first: turns are to be told whole.
    pub first_commands: &'static [&'static str],
    /// What reviews its games.
    pub reviews: Arc<Reviews>,
    /// What the page offers first.
    pub offer: Offer,
}
