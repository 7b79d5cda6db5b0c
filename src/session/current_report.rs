//! What the last search found, and whether that still belongs to the position on the board.

use std::time::{Duration, Instant};

use game_core::Report;

use super::Session;
use super::game::engine::{Engine, Pace, Purpose, Query};
use super::game::{Filter, Game};
use super::live_gfx::LiveGfx;
use crate::gtp::{Call, Color, Failure};

/// What a search found about a position.
pub struct PositionReport<M> {
    /// For whom.
    pub color: Color,
    /// What it found.
    pub report: Report<M>,
    /// The position.
    fingerprint: String,
}

/// A search that is made only to show something ends at the latest after this.
const SHORT: Duration = Duration::from_secs(2);

impl<G: Game> Session<G> {
    /// Keeps what a search found about a game, with the side that it thought for to move. Where moves were left out, or
    /// nothing was found, there is nothing to be shown.
    pub(super) fn keep(&mut self, game: &G, filter: &Filter, report: Report<G::Move>) {
        let is_whole = *filter == Filter::default() && report.best().is_some();
        self.last_report = is_whole.then(|| PositionReport {
            color: game.to_move(),
            report,
            fingerprint: game.fingerprint(),
        });
    }

    /// What was found about the present position: by the last search, if it was about that, else by a short one now.
    ///
    /// # Errors
    /// When there is nothing to be found.
    pub fn current_report(&mut self, call: &Call) -> Result<&PositionReport<G::Move>, Failure> {
        self.current_report_for(call, self.game.to_move())
    }

    /// The same with this side to move.
    ///
    /// # Errors
    /// When there is nothing to be found.
    pub fn current_report_for(
        &mut self,
        call: &Call,
        color: Color,
    ) -> Result<&PositionReport<G::Move>, Failure> {
        let mut game = self.game.clone();
        game.set_to_move(color);
        if self.last_report.as_ref().is_none_or(|found| found.fingerprint != game.fingerprint()) {
            self.search_briefly(call, game)?;
        }
        self.last_report.as_ref().ok_or_else(nothing)
    }

    /// Searches the present position for a short time, whatever was found about it.
    ///
    /// # Errors
    /// When there is nothing to be found.
    pub fn re_search(&mut self, call: &Call) -> Result<(), Failure> {
        self.search_briefly(call, self.game.clone())
    }

    fn search_briefly(&mut self, call: &Call, game: G) -> Result<(), Failure> {
        if game.outcome().is_over() {
            return Err(Failure::new("the game is over"));
        }
        let interrupt = call.interrupt();
        let began = Instant::now();
        let mut live = LiveGfx::new(self.config.live_gfx);
        let query = Query {
            game: &game,
            color: game.to_move(),
            purpose: Purpose::Analysis,
            visits: Some(self.config.visits.unwrap_or(self.engine.default_visits(&self.game))),
            deadlines: None,
            filter: &Filter::default(),
            stop: &|| interrupt.is_raised() || began.elapsed() > SHORT,
            resign_below: 0.0,
            pace: live.interval().map(Pace::from),
        };
        let report = self.engine.search(&query, &mut |report| live.draw(&game, report));
        live.clear();
        self.keep(&game, &Filter::default(), report);
        self.last_report.is_some().then_some(()).ok_or_else(nothing)
    }
}

fn nothing() -> Failure {
    Failure::new("the search finds no move here")
}
