//! The engine plays from an opening book.

use std::path::Path;
use std::time::Instant;

use game_core::{Report, mix64};
use go_engine::{Game, Move};

use super::{EngineConfig, GoEngine};
use crate::go::book::{self, Books};
use crate::session::{Decision, Filter, Purpose, Query};

/// Evaluations that a processor of today makes in a second for each thread, to tell a book's visits from those of a search
/// that time limits.
const EVALUATIONS_A_SECOND: f64 = 3_000.0;

impl GoEngine {
    /// Plays from now on from the opening books inside the program (`built-in`), from none (`off`), or from one of a file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no book.
    pub fn use_book(&mut self, name: &Path) -> anyhow::Result<()> {
        self.books = Books::open(name)?;
        Ok(())
    }

    /// The opening books that it plays from.
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The move of the opening book, when the move is to be played at full strength and as much stands behind it as a search
    /// would find.
    pub(super) fn book_move(
        &mut self,
        query: &Query<Game>,
    ) -> Option<(Decision<Move>, Report<Move>)> {
        let is_asked = query.purpose == Purpose::Play && *query.filter == Filter::NONE;
        if !is_asked || self.config.level.is_some() || query.color != query.game.to_play() {
            return None;
        }
        let position = self.books.position(query.game)?;
        let play = &self.tunables.play;
        if position.value.visits
            < f64::from(play.book_visits) * visits_of_search(query, &self.config)
        {
            return None;
        }
        let random = mix64(self.seed() ^ query.game.board().key());
        let number = book::draw(&position, f64::from(play.book_margin), random)?;
        let report = book::report(&position, number);
        let mv = report.best()?.mv;
        // Nothing was searched, and what was searched before is of another position.
        self.last = None;
        Some((Decision::Move(mv), report))
    }
}

/// Visits that a search would make for the query, about.
fn visits_of_search(query: &Query<Game>, config: &EngineConfig) -> f64 {
    match (query.visits, query.deadlines) {
        (Some(visits), _) => visits as f64,
        (None, Some(deadlines)) => {
            let time = deadlines.soft.saturating_duration_since(Instant::now());
            time.as_secs_f64() * EVALUATIONS_A_SECOND * config.threads as f64
        }
        (None, None) => 0.0,
    }
}
