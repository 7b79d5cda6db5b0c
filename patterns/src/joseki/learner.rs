//! Building the book of what is not rare from what was counted.

use super::book::JosekiBook;
use super::continuation::mark_later_needs;
use super::counts::{Counts, MoveStats, StateStats};
use super::ladder::Ladder;
use super::sequence::Cut;
use super::state::{Need, State, StateId, Transition, Turns};
use super::stones::CornerPosition;
use crate::game::Game;
use crate::progress::Progress;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// How a book is learned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Where sequences end.
    pub cut: Cut,
    /// Moves played less often in a state are dropped at the end.
    pub min_count: u32,
    /// So are moves that are a smaller share of the state's moves, 0 to 1.
    pub min_share: f32,
    /// States with fewer moves made in them are dropped.
    pub min_state: u32,
    /// Games from this year on are recent.
    pub recent_since: u16,
    /// How many times as much a recent game counts, of [`RECENT_WEIGHTS`].
    pub recent_weight: f32,
}

/// What recent games may weigh.
pub const RECENT_WEIGHTS: RangeInclusive<f32> = 0.01..=1000.0;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cut: Cut::default(),
            min_count: 2,
            min_share: 0.005,
            min_state: 3,
            // From this year on professionals learned from programs.
            recent_since: 2017,
            recent_weight: 3.0,
        }
    }
}

/// What learning came to.
pub struct Learned {
    /// The book.
    pub book: JosekiBook,
    /// Turns of a corner that were counted.
    pub turns: u64,
    /// Moves among them.
    pub moves: u64,
    /// Different states before anything was dropped.
    pub states: u64,
    /// Keys that two different positions of the games share. Their states are left out.
    pub shared_keys: u64,
}

/// Learns a book from games of one board size, or `None` when it was told to stop.
pub fn learn(games: &[Game], settings: &Settings, progress: &dyn Progress) -> Option<Learned> {
    Counts::of(games, settings, progress)?.learn(settings, progress)
}

impl Counts {
    /// Makes the book of what was counted, or `None` when it was told to stop. What is said of the counting in the settings
    /// is not looked at any more.
    pub fn learn(self, settings: &Settings, progress: &dyn Progress) -> Option<Learned> {
        let found = &self.states;
        let (turns, moves) = (found.iter().map(|f| turns(&f.turns)), found.iter());
        let (turns, states) = (turns.sum(), found.len() as u64);
        let moves = moves.map(|f| u64::from(f.turns.played())).sum();
        let shared_keys = found.iter().filter(|f| f.shared).count() as u64;
        let book = build(self, settings, progress);
        (!progress.stopped()).then_some(Learned { book, turns, moves, states, shared_keys })
    }
}

fn turns(turns: &Turns) -> u64 {
    [turns.answered, turns.left, turns.returned, turns.rested].into_iter().map(u64::from).sum()
}

/// Drops what is rare, joins states by their moves, and works out what depends on ladders.
fn build(counts: Counts, settings: &Settings, progress: &dyn Progress) -> JosekiBook {
    let (side, games, recent_since) = (counts.side, counts.games, counts.recent_since);
    let kept: Vec<(StateStats, Vec<MoveStats>)> =
        counts.states.into_iter().filter_map(|found| keep(found, settings)).collect();
    let id = |seen: CornerPosition| {
        let key = seen.view().key;
        let at = kept.binary_search_by_key(&key, |(found, _)| found.key).ok()?;
        Some(StateId(at as u32))
    };
    progress.begin("reading ladders", kept.len() as u64);
    let parts: Vec<(State, Vec<Transition>)> = kept
        .par_iter()
        .map(|(found, moves)| {
            let transition = |found_move: &MoveStats| Transition {
                place: found_move.place,
                count: found_move.count,
                recent: found_move.recent,
                answers: found_move.answers,
                half_wins: found_move.half_wins,
                need: need(found.seen, found_move),
                next: id(found.seen.played(found_move.place)),
            };
            let stopped = progress.stopped();
            let moves = moves.iter().filter(|_| !stopped).map(transition).collect();
            progress.advance(1);
            (State::new(found.key, found.turns, found.recent, id(found.seen.passed())), moves)
        })
        .collect();
    let mut book = JosekiBook::new((side, games), recent_since, settings.recent_weight, parts);
    mark_later_needs(&mut book);
    book
}

/// The moves of a state that are not rare, the most played first; `None` when the state is.
fn keep(mut found: StateStats, settings: &Settings) -> Option<(StateStats, Vec<MoveStats>)> {
    let all = found.turns.played();
    if found.shared || all < settings.min_state {
        return None;
    }
    let min_count = (settings.min_count as f32).max(settings.min_share * all as f32);
    let mut moves = std::mem::take(&mut found.moves);
    moves.retain(|found| found.count as f32 >= min_count);
    let weight = |found: &MoveStats| {
        found.count as f32 + (settings.recent_weight - 1.0) * found.recent as f32
    };
    moves.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.place.cmp(&b.place)));
    (!moves.is_empty()).then_some((found, moves))
}

/// What a move asks of ladders: that they turn out as in the games where it was played, if they
/// depend on the rest of the board at all, and turned out alike in three games of four or more.
fn need(seen: CornerPosition, found: &MoveStats) -> Need {
    if !Ladder::depends_on_outside(seen, found.place) {
        return Need::default();
    }
    Need {
        safe: found.caught * 4 <= found.count,
        deadly: found.escapes * 4 <= found.count,
        later: false,
    }
}
