//! Counting what is played in corners.
//!
//! All threads count into shares of one table; sums do not depend on their order, and states are sorted by their keys at the
//! end, so that the same games give the same counts. Counts of parts of the games can be kept in files and added up.

use super::canonical::Key;
use super::corner::{Place, Places, SIDE};
use super::ladder::Ladder;
use super::learner::Settings;
use super::sequence::{Cut, Event, Sequences};
use super::state::{Turns, count_sum, read_count};
use super::stones::CornerPosition;
use crate::Unhashed;
use crate::file::{FileError, Reader, Writer};
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// What was counted in games of one board size.
pub struct Counts {
    /// The board's side; 0 without a game.
    pub side: u8,
    /// How many games.
    pub games: u64,
    /// Where sequences end.
    pub cut: Cut,
    /// Games from this year on are recent.
    pub recent_since: u16,
    /// By their keys.
    pub(super) states: Vec<StateStats>,
}

/// Why counts cannot be added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parts were not counted alike: board size, --moves, --opening, --patience or --recent-since differ"
)]
pub struct CountedOtherwise;

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
pub(super) struct StateStats {
    pub key: Key,
    pub seen: CornerPosition,
    pub shared: bool,
    pub turns: Turns,
    pub recent: u32,
    pub moves: Vec<MoveStats>,
}

/// What was found of a move in it.
#[derive(Clone, Copy)]
pub(super) struct MoveStats {
    pub place: Place,
    pub count: u32,
    pub recent: u32,
    pub answers: u32,
    pub half_wins: u32,
    pub caught: u32,
    pub escapes: u32,
}

type Share = HashMap<u64, StateStats, Unhashed>;

/// Shares of the table; each is locked for the notes of a piece of the games at a time.
const SHARES: usize = 64;
/// Games that are cut up at a time.
const PIECE: usize = 100;

fn locked(share: &Mutex<Share>) -> MutexGuard<'_, Share> {
    share.lock().unwrap_or_else(|broken| broken.into_inner())
}

const KIND: &[u8; 8] = b"TSJ-JOSC";
const VERSION: u32 = 1;

impl Counts {
    /// Counts what is played in these games, or `None` when it was told to stop. Of the settings, where sequences end and which
    /// games are recent count.
    pub fn of(games: &[Game], settings: &Settings, progress: &dyn Progress) -> Option<Counts> {
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
        let states = shares
            .flat_map(|share| share.unwrap_or_else(|broken| broken.into_inner()).into_values());
        let side = games.first().map_or(0, |game| game.side);
        let (cut, recent_since) = (settings.cut, settings.recent_since);
        Some(Counts { side, games: games.len() as u64, cut, recent_since, states: sorted(states) })
    }

    /// The counts of all games of several parts, of which one is in memory at a time; nothing without parts.
    ///
    /// # Errors
    /// That of a part, or when they were not counted alike.
    pub fn merged<E: From<CountedOtherwise>>(
        parts: impl IntoIterator<Item = Result<Counts, E>>,
    ) -> Result<Option<Counts>, E> {
        let mut table = Share::default();
        let mut all: Option<Counts> = None;
        for part in parts {
            let part = part?;
            let sum = all.get_or_insert(Counts { games: 0, states: Vec::new(), ..part });
            if (sum.side, sum.cut, sum.recent_since) != (part.side, part.cut, part.recent_since) {
                return Err(CountedOtherwise.into());
            }
            sum.games = sum.games.saturating_add(part.games);
            for state in part.states {
                match table.entry(state.key.short()) {
                    std::collections::hash_map::Entry::Vacant(place) => {
                        place.insert(state);
                    }
                    std::collections::hash_map::Entry::Occupied(mut known) => {
                        known.get_mut().merge(&state);
                    }
                }
            }
        }
        Ok(all.map(|all| Counts { states: sorted(table.into_values()), ..all }))
    }

    /// The counts as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.byte(self.side);
        let Cut { moves, opening, patience } = self.cut;
        let numbers = [self.games, moves as u64, opening as u64, patience as u64];
        numbers.into_iter().for_each(|number| out.number(number));
        out.number(u64::from(self.recent_since));
        out.number(self.states.len() as u64);
        for state in &self.states {
            let CornerPosition { own, other, ko } = state.seen;
            out.bytes(&own.bits().to_le_bytes());
            out.bytes(&other.bits().to_le_bytes());
            out.byte(ko.map_or(0, |place| place.index() as u8 + 1));
            out.byte(u8::from(state.shared));
            let Turns { answered, left, returned, rested } = state.turns;
            for number in [answered, left, returned, rested, state.recent] {
                out.number(u64::from(number));
            }
            out.number(state.moves.len() as u64);
            let mut moves = state.moves.clone();
            moves.sort_unstable_by_key(|found| found.place);
            for found in &moves {
                out.byte(found.place.index() as u8);
                found.numbers().into_iter().for_each(|number| out.number(u64::from(number)));
            }
        }
        out.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no such file, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Counts, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let side = file.byte()?;
        if !(SIDE..=25).contains(&side) {
            return Err(FileError::Damaged);
        }
        let games = file.number()?;
        let mut length = || usize::try_from(file.number()?).map_err(|_| FileError::Damaged);
        let cut = Cut { moves: length()?, opening: length()?, patience: length()? };
        let recent_since = u16::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let mut states = Vec::new();
        for _ in 0..file.number()? {
            states.push(read_state(&mut file)?);
        }
        file.end()?;
        Ok(Counts { side, games, cut, recent_since, states })
    }
}

fn sorted(states: impl Iterator<Item = StateStats>) -> Vec<StateStats> {
    let mut states: Vec<StateStats> = states.collect();
    states.par_sort_unstable_by_key(|state| state.key);
    states
}

fn read_state(file: &mut Reader<'_>) -> Result<StateStats, FileError> {
    let place = |index: u8| Place::from_index(usize::from(index)).ok_or(FileError::Damaged);
    let mut places = || {
        let mut bits = [0; 16];
        for byte in &mut bits {
            *byte = file.byte()?;
        }
        Places::from_bits(u128::from_le_bytes(bits)).ok_or(FileError::Damaged)
    };
    let (own, other) = (places()?, places()?);
    let ko = file.byte()?.checked_sub(1).map(place).transpose()?;
    let seen = CornerPosition { own, other, ko };
    let shared = file.byte()? != 0;
    let mut number = || read_count(file);
    let turns =
        Turns { answered: number()?, left: number()?, returned: number()?, rested: number()? };
    let (recent, count) = (number()?, number()?);
    let mut moves: Vec<MoveStats> = Vec::new();
    for _ in 0..count {
        let place = place(file.byte()?)?;
        let mut number = || read_count(file);
        let found = MoveStats {
            place,
            count: number()?,
            recent: number()?,
            answers: number()?,
            half_wins: number()?,
            caught: number()?,
            escapes: number()?,
        };
        let is_next = moves.last().is_none_or(|before| before.place < place);
        let is_free = !own.has(place) && !other.has(place) && ko != Some(place);
        if !is_next || !is_free || !found.is_possible() {
            return Err(FileError::Damaged);
        }
        moves.push(found);
    }
    if recent > turns.played() {
        return Err(FileError::Damaged);
    }
    Ok(StateStats { key: seen.view().key, seen, shared, turns, recent, moves })
}

impl StateStats {
    /// Adds what another part of the games has of a state of this key.
    fn merge(&mut self, other: &StateStats) {
        self.shared |= other.shared || self.seen != other.seen;
        self.turns.merge(other.turns);
        self.recent = count_sum(self.recent, other.recent);
        for found in &other.moves {
            match self.moves.iter_mut().find(|known| known.place == found.place) {
                Some(known) => known.merge(found),
                None => self.moves.push(*found),
            }
        }
    }
}

impl MoveStats {
    /// What is counted, in the order of the file.
    fn numbers(&self) -> [u32; 6] {
        [self.count, self.recent, self.answers, self.half_wins, self.caught, self.escapes]
    }

    fn merge(&mut self, other: &MoveStats) {
        let sum = count_sum;
        self.count = sum(self.count, other.count);
        self.recent = sum(self.recent, other.recent);
        self.answers = sum(self.answers, other.answers);
        self.half_wins = sum(self.half_wins, other.half_wins);
        self.caught = sum(self.caught, other.caught);
        self.escapes = sum(self.escapes, other.escapes);
    }

    /// Whether the parts of a count are no more than the whole.
    fn is_possible(&self) -> bool {
        let parts = [self.recent, self.answers, self.caught, self.escapes];
        parts.into_iter().all(|part| part <= self.count) && self.half_wins <= 2 * self.count
    }
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
