//! GoGui's live graphics: what a search thinks, drawn on the board while it goes on.
//!
//! GoGui reads drawing commands from standard error: the row `gogui-gfx:`, commands as an answer of type `gfx` has them,
//! and an empty row (GoGui's documentation, chapter "Live Graphics"). They are for GoGui only, so they are off unless
//! the parameter `live_gfx` is on.

use std::io::Write;
use std::time::{Duration, Instant};

use game_core::Report;

use super::display::best_moves;
use super::game::Game;

/// How often the drawing changes.
const INTERVAL: Duration = Duration::from_millis(400);

/// Drawing during one search.
pub(super) struct LiveGfx {
    is_on: bool,
    drawn: Option<Instant>,
}

impl LiveGfx {
    /// Drawing that is on or off.
    pub fn new(is_on: bool) -> LiveGfx {
        LiveGfx { is_on, drawn: None }
    }

    /// How often the search has to tell what it found; never when this is off.
    pub fn interval(&self) -> Option<Duration> {
        self.is_on.then_some(INTERVAL)
    }

    /// Draws what was found, unless it was drawn a moment ago.
    pub fn draw<G: Game>(&mut self, game: &G, report: &Report<G::Move>) {
        let is_due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= INTERVAL);
        if self.is_on && is_due && report.best().is_some() {
            self.drawn = Some(Instant::now());
            write(&format!("gogui-gfx:\n{}\n\n", best_moves::<G>(game.to_move(), report)));
        }
    }

    /// Takes the drawing off the board, which GoGui asks for before a command is answered.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            write("gogui-gfx: CLEAR\n");
        }
    }
}

/// Writes in one piece, so that no row of the log falls in between. A closed standard error is ignored.
fn write(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
