//! Counting what is played in corners, and building the book of what is not rare.
//!
//! All threads count into shares of one table; sums do not depend on their order, and states are
//! sorted by their keys at the end, so that the same games give the same book.

use super::book::{JosekiBook, Need, State, StateId, Transition, Turns};
use super::canonical::Key;
use super::continuation::mark_later_needs;
use super::corner::Place;
use super::ladder::Ladder;
use super::sequence::{Cut, Event, Sequences};
use super::stones::CornerPosition;
use crate::Unhashed;
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

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
    /// How many times as much a recent game counts.
    pub recent_weight: f32,
}

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

/// A turn, ready to be counted.
struct Note {
    key: Key,
    seen: CornerPosition,
    place: Option<Place>,
    answering: bool,
    recent: bool,
    half_wins: u8,
    ladder: Ladder,
}

/// What was found of a state.
struct StateStats {
    key: Key,
    seen: CornerPosition,
    shared: bool,
    turns: Turns,
    recent: u32,
    moves: Vec<MoveStats>,
}

#[derive(Clone, Copy)]
struct MoveStats {
    place: Place,
    count: u32,
    recent: u32,
    answers: u32,
    half_wins: u32,
    caught: u32,
    escapes: u32,
}

type Share = HashMap<u64, StateStats, Unhashed>;

/// Shares of the table; each is locked for the notes of a piece of the games at a time.
const SHARES: usize = 64;
/// Games that are cut up at a time.
const PIECE: usize = 100;

fn locked(share: &Mutex<Share>) -> MutexGuard<'_, Share> {
    share.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Learns a book from games of one board size, or `None` when it was told to stop.
pub fn learn(games: &[Game], settings: &Settings, progress: &dyn Progress) -> Option<Learned> {
    let table: Vec<Mutex<Share>> = (0..SHARES).map(|_| Mutex::default()).collect();
    progress.begin("counting", games.len() as u64);
    games.par_chunks(PIECE).for_each(|piece| {
        if progress.stopped() {
            return;
        }
        let mut notes: Vec<Vec<Note>> = (0..SHARES).map(|_| Vec::new()).collect();
        for game in piece {
            with_layout!(game.side, note_turns(game, settings, &mut notes));
        }
        for (share, notes) in table.iter().zip(notes) {
            let mut share = locked(share);
            notes.into_iter().for_each(|note| count(&mut share, note));
        }
        progress.advance(piece.len() as u64);
    });
    if progress.stopped() {
        return None;
    }
    let shares = table.into_iter().map(|share| share.into_inner());
    let mut found: Vec<StateStats> = shares
        .flat_map(|share| share.unwrap_or_else(|broken| broken.into_inner()).into_values())
        .collect();
    found.par_sort_unstable_by_key(|found| found.key);
    let side = games.first().map_or(0, |game| game.side);
    let learned = Learned {
        turns: found.iter().map(|f| turns(&f.turns)).sum(),
        moves: found.iter().map(|f| u64::from(f.turns.played())).sum(),
        states: found.len() as u64,
        shared_keys: found.iter().filter(|f| f.shared).count() as u64,
        book: build(found, (side, games.len() as u64), settings, progress),
    };
    (!progress.stopped()).then_some(learned)
}

/// Notes the turns of a game in the shares of their states.
fn note_turns<const N: usize, const W: usize>(
    game: &Game,
    settings: &Settings,
    notes: &mut [Vec<Note>],
) {
    Sequences::walk::<N, W>(settings.cut, game, |event, corners, board, site| {
        let ladder = match event.place {
            Some(_) => Ladder::after(board, site, event.mover),
            None => Ladder::default(),
        };
        let seen = corners.seen(board, event.corner, event.mover);
        let note = note(event, seen, ladder, game, settings.recent_since);
        notes[event.view.key.short() as usize % SHARES].push(note);
    });
}

fn turns(turns: &Turns) -> u64 {
    [turns.answered, turns.left, turns.returned, turns.rested].into_iter().map(u64::from).sum()
}

fn note(
    event: &Event,
    seen: CornerPosition,
    ladder: Ladder,
    game: &Game,
    recent_since: u16,
) -> Note {
    let view = event.view;
    let half_wins = match game.winner {
        Some(winner) if winner == event.mover => 2,
        Some(_) => 0,
        None => 1,
    };
    Note {
        key: view.key,
        seen: if view.flipped { seen.flipped() } else { seen },
        place: event.place.map(|place| view.move_name(place)),
        answering: event.answering,
        recent: game.year.is_some_and(|year| year >= recent_since),
        half_wins,
        ladder,
    }
}

fn count(share: &mut Share, note: Note) {
    let found = share.entry(note.key.short()).or_insert_with(|| StateStats {
        key: note.key,
        seen: note.seen,
        shared: false,
        turns: Turns::default(),
        recent: 0,
        moves: Vec::new(),
    });
    // The part of the key that names the entry is compared with all of the position: what is never
    // shared by two positions in this table is not shared as a whole key either.
    found.shared |= found.seen != note.seen;
    let turns = &mut found.turns;
    *match (note.place.is_some(), note.answering) {
        (true, true) => &mut turns.answered,
        (true, false) => &mut turns.returned,
        (false, true) => &mut turns.left,
        (false, false) => &mut turns.rested,
    } += 1;
    let Some(place) = note.place else { return };
    found.recent += u32::from(note.recent);
    let at = found.moves.iter().position(|found| found.place == place).unwrap_or_else(|| {
        found.moves.push(MoveStats {
            place,
            count: 0,
            recent: 0,
            answers: 0,
            half_wins: 0,
            caught: 0,
            escapes: 0,
        });
        found.moves.len() - 1
    });
    let found = &mut found.moves[at];
    found.count += 1;
    found.recent += u32::from(note.recent);
    found.answers += u32::from(note.answering);
    found.half_wins += u32::from(note.half_wins);
    found.caught += u32::from(note.ladder.caught);
    found.escapes += u32::from(note.ladder.escapes);
}

/// Drops what is rare, joins states by their moves, and works out what depends on ladders.
fn build(
    found: Vec<StateStats>,
    (side, games): (u8, u64),
    settings: &Settings,
    progress: &dyn Progress,
) -> JosekiBook {
    let kept: Vec<(StateStats, Vec<MoveStats>)> =
        found.into_iter().filter_map(|found| keep(found, settings)).collect();
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
    let mut book =
        JosekiBook::new((side, games), settings.recent_since, settings.recent_weight, parts);
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
