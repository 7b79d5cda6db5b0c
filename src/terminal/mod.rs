//! A game on a terminal, for people without a board to click on.
//!
//! It is a controller like any other, in the same process: it speaks GTP with the session over pipes, so that every game that has
//! a session can be played, and nothing of the protocol is different for it.
//!
//! - [`controller`] asks the session and reads its answers; [`board`] reads the board from one and draws it in colours.
//! - [`words`] are what a player can type, and the nearest right one for a wrong one.
//! - [`screen`] is the terminal: keys in, lines out; [`player`] is the course of a game.

pub mod board;
pub mod controller;
pub mod player;
pub mod screen;
pub mod told;
pub mod words;

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};

use crate::gtp::{self, Color, Commands};
use crate::session::{Game, Session};
use controller::Controller;
use player::Player;
use screen::Screen;

/// What is different from game to game.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// What the game is called.
    pub title: &'static str,
    /// What the program is called.
    pub name: &'static str,
    /// Who moves first.
    pub first: Color,
    /// Whether a pass is a move.
    pub has_pass: bool,
    /// The side of a board other than the usual one.
    pub other_side: u8,
}

/// Whether a person sits at a terminal that can be drawn on. Programs that start this one behind a terminal of their own say
/// that it is a dumb one.
pub fn is_there() -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Plays with the person at the terminal until they leave.
///
/// # Errors
/// When the terminal cannot be used, or no pipe be made.
pub fn run<G: Game>(commands: &Commands<Session<G>>, session: &mut Session<G>) -> Result<()> {
    let (orders, to_session) = io::pipe().context("cannot make a pipe")?;
    let (from_session, mut answers) = io::pipe().context("cannot make a pipe")?;
    let screen = Screen::open().context("cannot use the terminal")?;
    let traits = Traits {
        title: G::TITLE,
        first: G::FIRST,
        has_pass: G::HAS_PASS,
        name: G::NAME,
        other_side: G::OTHER_SIDE,
    };
    let person = std::thread::spawn(move || {
        let controller = Controller::new(to_session, from_session);
        Player::new(controller, screen, traits).play()
    });
    let served = gtp::run_with_idle(commands, session, orders, &mut answers);
    drop(answers);
    let played =
        person.join().unwrap_or_else(|_| Err(io::Error::other("the player's thread ended")));
    served.context("cannot read the input")?;
    played.context("the terminal")
}
