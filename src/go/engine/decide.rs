//! What to do with what a search found: play, pass or resign.

use std::time::Instant;

use go_engine::endgame::{self, EndgamePolicy};
use go_engine::search;
use go_engine::{Color, Game, Move};

use super::GoEngine;
use crate::go::estimate::gogui::estimate;
use crate::go::level::Level;
use crate::session::{Decision, Purpose, Query};

/// Where a search had no time for so many, nothing is said of whose the points are: a pass or a resignation would be
/// guesswork.
const MIN_PLAYOUTS_TO_JUDGE: u64 = 32;
/// Playouts without which nobody resigns, and evaluations by a network.
const MIN_PLAYOUTS_TO_RESIGN: u32 = 100;
const MIN_EVALUATIONS_TO_RESIGN: u32 = 10;
/// Visits of a second look at the end, however few the search for a move was given.
const MIN_SECOND_LOOK: u64 = 100;

impl GoEngine {
    /// What to do after a search of so many visits, or at a level: a move, a pass where nothing is left to do, or to resign.
    /// `second` is when a second look at the end has to be over.
    pub(super) fn decide(
        &self,
        query: &Query<Game>,
        found: &search::Report,
        (visits, level): (Option<u64>, Option<Level>),
        second: Option<Instant>,
    ) -> Decision<Move> {
        // A network's first word is enough.
        let (min_counted, min_visits) = match self.network(query.game) {
            Some(_) => (1, MIN_EVALUATIONS_TO_RESIGN),
            None => (MIN_PLAYOUTS_TO_JUDGE, MIN_PLAYOUTS_TO_RESIGN),
        };
        let is_cut_short = |found: &search::Report| {
            visits.is_none_or(|visits| found.counted < visits) && found.counted < min_counted
        };
        let best = found.best().map_or(Move::Pass, |best| best.mv);
        if is_cut_short(found) {
            return Decision::Move(best);
        }
        // A level that looks at less than that would never resign.
        let min_visits = level.map_or(min_visits, |level| {
            min_visits.min(u32::try_from(level.visits).unwrap_or(u32::MAX))
        });
        let cleanup = query.purpose == Purpose::Cleanup;
        let policy = EndgamePolicy { resign_below: query.resign_below, min_visits, cleanup };
        let max_visits = self.estimate_visits(query.game);
        let playouts =
            visits.map_or(max_visits, |n| n.clamp(max_visits.min(MIN_SECOND_LOOK), max_visits));
        let mut re_search = |game: &Game, color| {
            let mut found = self.look(game, color, playouts, second, query.stop);
            if is_cut_short(&found) {
                // Nothing is known to be anybody's.
                found.ownership.fill(0.0);
            }
            found
        };
        match endgame::decide(query.game, query.color, found, policy, &mut re_search) {
            endgame::Decision::Play(mv) => Decision::Move(match level {
                Some(level) if !cleanup => {
                    let policy = || self.legal_policy(query.game, query.color);
                    level.choose((query.game, query.color), mv, found, policy, self.seed())
                }
                _ => mv,
            }),
            endgame::Decision::Resign if self.may_resign(query, found) => Decision::Resign,
            endgame::Decision::Resign => Decision::Move(best),
        }
    }

    /// Whether a player who has hardly a chance is to give up: White not while no further behind than the handicap
    /// explains, nobody against the estimate without search.
    fn may_resign(&self, query: &Query<Game>, found: &search::Report) -> bool {
        let play = &self.tunables.play;
        let handicap = query.game.handicap() as f32 * play.resign_handicap;
        if query.color == Color::White && found.score < handicap {
            return false;
        }
        // A network knows better than the estimate.
        !play.resign_needs_influence
            || self.network(query.game).is_some()
            || estimate(query.game).is_none_or(|estimate| match query.color {
                Color::Black => estimate.lead < 0.0,
                Color::White => estimate.lead > 0.0,
            })
    }
}
