//! Counting: a first pass finds what was played, a second counts the chances of that, a third looks
//! at what is kept.

use super::counts::{
    AllTotals, BYTES_PER_PATTERN, Count, CountTable, Distinct, Part, Totals, add_to_totals,
};
use super::incremental_codes::IncrementalCodes;
use super::response::{ResponseCounts, ResponsePatterns};
use super::square5::{PARTS, Square5};
use super::tally::{Counting, Tally};
use super::template::{Name, TEMPLATES, Template};
use super::timing::Timing;
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes that may be used, the games not counted; with too little for everything at once the
    /// games are gone through several times.
    pub max_memory: usize,
    /// Also count the distinct patterns that could have been played, which takes longer.
    pub distinct_playable: bool,
    /// When a pattern is looked at.
    pub timing: Timing,
}

/// What was learned.
#[derive(Debug)]
pub struct Learned {
    /// The patterns played at least so often as was asked, by name.
    pub counts: Vec<Count>,
    /// How often that is.
    pub min_count: u32,
    /// When a pattern was looked at.
    pub timing: Timing,
    /// Sums over all patterns, rare ones too.
    pub totals: AllTotals,
    /// Responses beside the last move.
    pub responses: ResponsePatterns,
}

/// Learning was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LearnError {
    /// [`Progress::stopped`] said so.
    #[error("interrupted")]
    Interrupted,
    /// Even in many rounds a pass needs more memory than allowed.
    #[error("{0} bytes are too little memory to learn in")]
    TooLittleMemory(usize),
}

/// Most rounds that a lack of memory is met with.
const MAX_ROUNDS: u64 = 256;
/// Games handled as one piece of work.
const PIECE: usize = 32;
const SHARDS: usize = 64;

type Shard = HashMap<u64, u32, crate::Unhashed>;
/// What a pattern looks like, by name.
pub(super) type Looks = HashMap<u64, Square5, crate::Unhashed>;

/// Counts C_A and C_N of all patterns in these games, of one board size, and keeps those played at least
/// `min_count` times.
///
/// C_A counts the patterns about the moves played. C_N counts, for every move of every game, the pattern about every
/// move that was possible instead (no simple ko, no suicide). Patterns that were never played are not kept.
///
/// # Errors
/// When interrupted, or when the memory allowed is far too small.
pub fn learn(
    games: &[Game],
    min_count: u32,
    settings: Settings,
    progress: &dyn Progress,
) -> Result<Learned, LearnError> {
    let max_patterns = max_patterns(settings.max_memory);
    // In how many rounds the patterns are counted: doubled until a round's share fits the memory.
    let mut wanted = 1;
    'rounds: loop {
        let rounds = wanted;
        let mut counts = Vec::new();
        let mut totals = [Totals::default(); TEMPLATES];
        let responses = ResponseCounts::new();
        for round in 0..rounds {
            let part = Part { round, rounds };
            let what = |pass: u32| format!("round {} of {rounds}, pass {pass} of 2", round + 1);
            progress.begin(&what(1), games.len() as u64);
            let Some(table) = count_played(games, settings.timing, part, max_patterns, progress)?
            else {
                wanted *= 2;
                if wanted > MAX_ROUNDS {
                    return Err(LearnError::TooLittleMemory(settings.max_memory));
                }
                continue 'rounds;
            };
            progress.begin(&what(2), games.len() as u64);
            let counting = Counting { timing: settings.timing, part, table: &table };
            let distinct = settings.distinct_playable && round == 0;
            let counted = (round == 0).then_some(&responses);
            let distinct = count_chances(games, counting, distinct, counted, progress)?;
            if round == 0 {
                for (totals, distinct) in totals.iter_mut().zip(distinct) {
                    totals.distinct_playable = distinct;
                }
            }
            for count in table.into_counts() {
                add_to_totals(&mut totals, &count);
                if count.played >= min_count {
                    counts.push(count);
                }
            }
        }
        progress.begin("what they look like", games.len() as u64);
        let squares = look_at(games, settings.timing, &counts, progress)?;
        for count in &mut counts {
            count.square = squares.get(&count.name.0).copied();
        }
        counts.par_sort_unstable_by_key(|count: &Count| (count.name.template(), count.name));
        let (responses, timing) = (responses.finish(), settings.timing);
        return Ok(Learned { counts, min_count, timing, totals, responses });
    }
}

/// How many patterns have room in so many bytes.
pub(super) fn max_patterns(max_memory: usize) -> usize {
    max_memory / BYTES_PER_PATTERN
}

/// The first pass: the patterns that were played. `None` when there are more than `max_patterns`.
pub(super) fn count_played(
    games: &[Game],
    timing: Timing,
    part: Part,
    max_patterns: usize,
    progress: &dyn Progress,
) -> Result<Option<CountTable>, LearnError> {
    let shards: Vec<Mutex<Shard>> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let full = std::sync::atomic::AtomicBool::new(false);
    games.par_chunks(PIECE).try_for_each(|piece| {
        if progress.stopped() {
            return Err(LearnError::Interrupted);
        }
        if full.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(());
        }
        let mut found: Vec<Vec<u64>> = vec![Vec::new(); SHARDS];
        for game in piece {
            with_layout!(game.side, played_in(game, timing, part, &mut found));
        }
        let mut patterns = 0;
        for (shard, names) in shards.iter().zip(found) {
            let mut shard = shard.lock().unwrap_or_else(|broken| broken.into_inner());
            for name in names {
                *shard.entry(name).or_insert(0) += 1;
            }
            patterns += shard.len();
        }
        full.fetch_or(patterns > max_patterns, std::sync::atomic::Ordering::Relaxed);
        progress.advance(piece.len() as u64);
        Ok(())
    })?;
    if full.into_inner() {
        return Ok(None);
    }
    let shards: Vec<Shard> =
        shards.into_iter().map(|s| s.into_inner().unwrap_or_else(|b| b.into_inner())).collect();
    let mut table = CountTable::with_capacity(shards.iter().map(HashMap::len).sum());
    for shard in shards {
        for (name, played) in shard {
            table.insert(Name(name), played);
        }
    }
    Ok(Some(table))
}

/// Adds the names of what was played in a game to their shards.
fn played_in<const N: usize, const W: usize>(
    game: &Game,
    timing: Timing,
    part: Part,
    found: &mut [Vec<u64>],
) {
    let Some(mut tracker) = IncrementalCodes::<N, W>::new(game) else { return };
    while let Some((mover, site)) = tracker.replay.upcoming() {
        if !site.is_pass() {
            let board = &tracker.replay.board;
            let names = tracker.codes.names_of_move(board, site, mover, timing);
            for name in part.names(names.into_iter()) {
                found[(name.0 >> 58) as usize % SHARDS].push(name.0);
            }
        }
        tracker.advance();
    }
}

/// The second pass: the chances of what was played. Returns the distinct playable patterns by
/// template, or zeros.
pub(super) fn count_chances(
    games: &[Game],
    counting: Counting<'_>,
    distinct: bool,
    responses: Option<&ResponseCounts>,
    progress: &dyn Progress,
) -> Result<[u64; TEMPLATES], LearnError> {
    let all: Vec<Mutex<Distinct>> =
        Template::all().filter(|_| distinct).map(|_| Mutex::new(Distinct::new())).collect();
    games.par_chunks(PIECE).try_for_each(|piece| {
        if progress.stopped() {
            return Err(LearnError::Interrupted);
        }
        let mut seen: Vec<Distinct> = all.iter().map(|_| Distinct::new()).collect();
        for game in piece {
            with_layout!(game.side, chances_in(game, counting, &mut seen, responses));
        }
        for (all, seen) in all.iter().zip(&seen) {
            all.lock().unwrap_or_else(|broken| broken.into_inner()).merge(seen);
        }
        progress.advance(piece.len() as u64);
        Ok(())
    })?;
    let mut estimates = [0; TEMPLATES];
    for (estimate, all) in estimates.iter_mut().zip(all) {
        *estimate = all.into_inner().unwrap_or_else(|broken| broken.into_inner()).estimate();
    }
    Ok(estimates)
}

fn chances_in<const N: usize, const W: usize>(
    game: &Game,
    counting: Counting<'_>,
    seen: &mut [Distinct],
    responses: Option<&ResponseCounts>,
) {
    if let Some(tracker) = IncrementalCodes::<N, W>::new(game) {
        Tally::new(tracker, counting, seen).run(responses);
    }
}

/// What the patterns counted look like, up to the 5x5: a name does not tell.
pub(super) fn look_at(
    games: &[Game],
    timing: Timing,
    counts: &[Count],
    progress: &dyn Progress,
) -> Result<Looks, LearnError> {
    let known: HashSet<u64, crate::Unhashed> = counts
        .iter()
        .filter(|count| count.name.template() <= Template::SQUARE_5)
        .map(|count| count.name.0)
        .collect();
    let seen = Mutex::new(HashMap::default());
    games.par_chunks(PIECE).try_for_each(|piece| {
        if progress.stopped() {
            return Err(LearnError::Interrupted);
        }
        let mut found: Looks = HashMap::default();
        for game in piece {
            with_layout!(game.side, looks_in(game, timing, &known, &mut found));
        }
        // The same whoever saw it, so the order does not matter.
        seen.lock().unwrap_or_else(|broken| broken.into_inner()).extend(found);
        progress.advance(piece.len() as u64);
        Ok(())
    })?;
    Ok(seen.into_inner().unwrap_or_else(|broken| broken.into_inner()))
}

fn looks_in<const N: usize, const W: usize>(
    game: &Game,
    timing: Timing,
    known: &HashSet<u64, crate::Unhashed>,
    found: &mut Looks,
) {
    let Some(mut replay) = game.replay::<N, W>() else { return };
    while let Some((mover, site)) = replay.upcoming() {
        if !site.is_pass() {
            let square = Square5::of_move(&replay.board, site, mover, timing);
            let names = square.names(&PARTS, Template::ALL[0], Template::SQUARE_5);
            for name in names.take_while(|name| known.contains(&name.0)) {
                let look = || square.within(name.template()).canonical();
                found.entry(name.0).or_insert_with(look);
            }
        }
        replay.advance();
    }
}
