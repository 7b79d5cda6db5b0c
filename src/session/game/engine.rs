//! What a session asks of whatever plays: one narrow interface between words and search.

use std::time::{Duration, Instant};

use game_core::{Control, MoveReport, Proven, Report, SearchLimits};

use super::{Filter, Game};
use crate::gtp::Color;
use crate::gtp::params::Params;
use crate::session::clock::Deadlines;

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A move to be played.
    Play,
    /// A move to be played, where dead stones have to be taken off before a pass.
    Cleanup,
    /// A move to be told only, the same every time, whatever was searched before.
    Regression,
    /// To tell what is found, until told to stop.
    Analysis,
    /// To be ahead of the opponent's answer, until told to stop.
    Ponder,
}

/// A position to think about, and how long.
pub struct Query<'a, G> {
    /// The game so far.
    pub game: &'a G,
    /// Whose move is wanted.
    pub color: Color,
    /// What for.
    pub purpose: Purpose,
    /// Visits after which to stop, if there is such a limit.
    pub visits: Option<u64>,
    /// When to stop, if time is limited.
    pub deadlines: Option<Deadlines>,
    /// Moves left out of consideration.
    pub filter: &'a Filter,
    /// Ends the search when it says true. Asked often, from several threads.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Below which chance of winning to resign, from 0, never, to 1; a proved loss is below all others.
    pub resign_below: f32,
    /// When to report.
    pub pace: Option<Pace>,
}

/// When a search tells what it has found so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// For the first time after so long.
    pub first: Duration,
    /// Then as often as this.
    pub every: Duration,
}

impl From<Duration> for Pace {
    /// Always after the same time.
    fn from(every: Duration) -> Pace {
        Pace { first: every, every }
    }
}

impl<G> Query<'_, G> {
    /// The best of the moves that were found, unless the game is given up.
    pub fn decide<M: Clone>(&self, report: &Report<M>) -> Decision<M> {
        match report.best() {
            Some(best) if self.resigns(best, report.proven) => Decision::Resign,
            Some(best) => Decision::Move(best.mv.clone()),
            None => Decision::Pass,
        }
    }

    /// Whether to give the game up for which this is the best move.
    fn resigns<M>(&self, best: &MoveReport<M>, proven: Proven) -> bool {
        let is_hopeless = best.visits >= MIN_VISITS_TO_RESIGN && best.winrate < self.resign_below;
        self.resign_below > 0.0 && (proven == Proven::Loss || is_hopeless)
    }

    /// The limits of its search: time, or else visits, which go on for as long as the clock can bear.
    pub fn limits(&self) -> SearchLimits {
        let soft = self.deadlines.filter(|_| self.visits.is_none()).map(|deadlines| deadlines.soft);
        let deadline = self.deadlines.map(|deadlines| deadlines.hard);
        SearchLimits { visits: self.visits, soft, deadline }
    }

    /// What a search asks every few milliseconds: reports at its pace, and says when to stop.
    pub fn control<R>(&self, mut report: impl FnMut(&R)) -> impl FnMut(&dyn Fn() -> R) -> Control {
        let mut last = Instant::now();
        let mut due = self.pace.map(|pace| pace.first);
        move |look| {
            if due.is_some_and(|due| last.elapsed() >= due) {
                report(&look());
                last = Instant::now();
                due = self.pace.map(|pace| pace.every);
            }
            if (self.stop)() { Control::Stop } else { Control::Continue }
        }
    }
}

/// Below this number of visits of the best move nobody resigns, unless the loss is proved.
const MIN_VISITS_TO_RESIGN: u32 = 100;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision<M> {
    /// A turn, which may be a pass where the game knows one.
    Move(M),
    /// Nothing can be played.
    Pass,
    /// The game is lost.
    Resign,
}

/// What is called with what a search has found, at the pace asked for.
pub type Watch<'a, M> = &'a mut dyn FnMut(&Report<M>);

/// What a session does with an engine between searches.
pub trait Upkeep: Params {
    /// Forgets everything about the game so far.
    fn new_game(&mut self);

    /// Threads that search together.
    fn threads(&self) -> usize;

    /// Draws from this seed from now on, where it draws anything at random.
    fn reseed(&mut self, _: u64) {}
}

/// Whatever plays a game.
pub trait Engine<G: Game>: Upkeep {
    /// Visits for a turn when neither time nor the user sets a limit.
    const DEFAULT_VISITS: u64;

    /// The same as the engine is set up now.
    fn default_visits(&self, _: &G) -> u64 {
        Self::DEFAULT_VISITS
    }

    /// Takes the tunables that are best on the board of this game, where they differ by size.
    fn fit(&mut self, _: &G) {}

    /// Thinks about a position within the limits of the query.
    fn search(&mut self, query: &Query<G>, watch: Watch<G::Move>) -> Report<G::Move>;

    /// Chooses a turn, and tells what it was chosen by.
    fn choose(
        &mut self,
        query: &Query<G>,
        watch: Watch<G::Move>,
    ) -> (Decision<G::Move>, Report<G::Move>) {
        let report = self.search(query, watch);
        (query.decide(&report), report)
    }

    /// Does once what the first search would have to do beside searching: tables are read, memory is touched. Nothing that is
    /// known of the game is forgotten, and nothing that will be chosen changes.
    fn warm_up(&mut self, game: &G);

    /// What makes a report ready to be shown, for the whole of an analysis.
    fn showing(
        &self,
        _: &G,
        _: Color,
    ) -> impl Fn(&Report<G::Move>) -> Report<G::Move> + use<Self, G> {
        Report::clone
    }
}
