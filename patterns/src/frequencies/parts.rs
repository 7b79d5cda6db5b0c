//! Learning shared out: what was played and what could have been is counted in parts of the games, and the parts are added up.
//!
//! Two steps, as when all is learned at once: chances are counted of what was played in any part, so the first step of all
//! parts comes before the second of any. All patterns are counted in one round; what is kept in memory are those of one part,
//! and in the second step those of all.

use super::counts::{Count, CountTable, Part, Totals, add_to_totals};
use super::learner::{
    LearnError, Learned, Looks, count_chances, count_played, look_at, max_patterns,
};
use super::response::{ResponseCounts, ResponsePatterns};
use super::square5::Square5;
use super::tally::Counting;
use super::template::{Name, TEMPLATES};
use super::timing::Timing;
use crate::file::{FileError, Reader, Writer};
use crate::game::Game;
use crate::progress::Progress;
use game_core::Fnv1a;

/// Everything in one round.
const ALL: Part = Part { round: 0, rounds: 1 };

/// Why parts cannot be added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parts were not counted alike: board size, --timing or --min-count differ, or they are not of the same games"
)]
pub struct CountedOtherwise;

/// The first step: how often each pattern was played in some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The side of the board.
    pub side: u8,
    /// How many games.
    pub games: u64,
    /// Stands for the games, in whatever order.
    games_key: u64,
    /// When a pattern is looked at.
    pub timing: Timing,
    /// By name.
    patterns: Vec<(u64, u32)>,
}

/// The second step: the chances of the patterns that were played in any part.
#[derive(Debug)]
pub struct Chances {
    /// Of the patterns in the first step.
    key: u64,
    /// Of the games.
    games_key: u64,
    min_count: u32,
    /// Of each pattern in the order of the names: chances, and the next smaller pattern or 0.
    patterns: Vec<(u64, u64)>,
    responses: ResponseCounts,
    looks: Looks,
}

const PLAYED_KIND: &[u8; 8] = b"TSJ-FRQP";
const CHANCES_KIND: &[u8; 8] = b"TSJ-FRQC";
const VERSION: u32 = 2;

impl Played {
    /// Counts what was played in games of one board size.
    ///
    /// # Errors
    /// When interrupted, or when the memory allowed, in bytes, is too small for all patterns at once.
    pub fn of(
        games: &[Game],
        side: u8,
        timing: Timing,
        max_memory: usize,
        progress: &dyn Progress,
    ) -> Result<Played, LearnError> {
        progress.begin("counting what was played", games.len() as u64);
        let table = count_played(games, timing, ALL, max_patterns(max_memory), progress)?
            .ok_or(LearnError::TooLittleMemory(max_memory))?;
        let mut patterns: Vec<(u64, u32)> =
            table.into_counts().iter().map(|count| (count.name.0, count.played)).collect();
        patterns.sort_unstable();
        let (count, games_key) = (games.len() as u64, games_key(games));
        Ok(Played { side, games: count, games_key, timing, patterns })
    }

    /// Whether it was counted from just these games, in whatever order.
    pub fn is_of(&self, games: &[Game]) -> bool {
        (self.games, self.games_key) == (games.len() as u64, games_key(games))
    }

    /// What was played in all games of several parts, of which one is in memory at a time; nothing without parts.
    ///
    /// # Errors
    /// That of a part, or when they were not counted alike.
    pub fn merged<E: From<CountedOtherwise>>(
        parts: impl IntoIterator<Item = Result<Played, E>>,
    ) -> Result<Option<Played>, E> {
        let mut all: Option<Played> = None;
        for part in parts {
            let part = part?;
            all = Some(match all {
                None => part,
                Some(sum) if (sum.side, sum.timing) != (part.side, part.timing) => {
                    return Err(CountedOtherwise.into());
                }
                Some(sum) => Played {
                    games: sum.games.saturating_add(part.games),
                    games_key: sum.games_key.wrapping_add(part.games_key),
                    patterns: added(&sum.patterns, &part.patterns),
                    ..sum
                },
            });
        }
        Ok(all)
    }

    /// How many different patterns were played.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Stands for the patterns.
    fn key(&self) -> u64 {
        let mut hash = Fnv1a::new();
        for &(name, played) in &self.patterns {
            hash.step(name);
            hash.step(u64::from(played));
        }
        hash.get()
    }

    /// The counts as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(PLAYED_KIND, VERSION);
        out.byte(self.side);
        out.byte(self.timing.index());
        out.number(self.games);
        out.bytes(&self.games_key.to_le_bytes());
        out.number(self.patterns.len() as u64);
        let mut before = 0;
        for &(name, played) in &self.patterns {
            out.number(name - before);
            before = name;
            out.number(u64::from(played));
        }
        out.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no such file, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Played, FileError> {
        let mut file = Reader::open(bytes, PLAYED_KIND, VERSION)?;
        let side = file.byte()?;
        let timing = Timing::from_index(file.byte()?).ok_or(FileError::Damaged)?;
        let (games, games_key) = (file.number()?, read_key(&mut file)?);
        let mut patterns = Vec::new();
        let mut name = 0u64;
        for _ in 0..file.number()? {
            let more = file.number()?;
            name = name.checked_add(more).filter(|_| more > 0).ok_or(FileError::Damaged)?;
            let played = u32::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
            if Name(name).template().index() >= TEMPLATES || played == 0 {
                return Err(FileError::Damaged);
            }
            patterns.push((name, played));
        }
        file.end()?;
        Ok(Played { side, games, games_key, timing, patterns })
    }
}

/// The sums of two lists by name.
fn added(a: &[(u64, u32)], b: &[(u64, u32)]) -> Vec<(u64, u32)> {
    let mut sum = Vec::with_capacity(a.len().max(b.len()));
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(&(x, played)), Some(&(y, more))) if x == y => {
                b.next();
                a.next();
                Some((x, played.saturating_add(more)))
            }
            (Some(&(x, _)), Some(&(y, _))) if x > y => b.next(),
            (Some(_), _) => a.next(),
            (None, _) => b.next(),
        };
        match next {
            Some(next) => sum.push(next),
            None => return sum,
        }
    }
}

impl Chances {
    /// Counts in games of a part the chances of what was played in all parts, and what those patterns look like that were
    /// played at least `min_count` times.
    ///
    /// # Errors
    /// When interrupted.
    pub fn of(
        games: &[Game],
        played: &Played,
        min_count: u32,
        progress: &dyn Progress,
    ) -> Result<Chances, LearnError> {
        let timing = played.timing;
        let mut table = CountTable::with_capacity(played.len());
        for &(name, times) in &played.patterns {
            table.insert(Name(name), times);
        }
        progress.begin("counting what could be played", games.len() as u64);
        let responses = ResponseCounts::new();
        let counting = Counting { timing, part: ALL, table: &table };
        count_chances(games, counting, false, Some(&responses), progress)?;
        let mut counts = table.into_counts();
        counts.sort_unstable_by_key(|count| count.name.0);
        let parent = |count: &Count| count.parent.map_or(0, |parent| parent.0);
        let patterns = counts.iter().map(|count| (count.chances, parent(count))).collect();
        counts.retain(|count| count.played >= min_count);
        progress.begin("what they look like", games.len() as u64);
        let looks = look_at(games, timing, &counts, progress)?;
        let (key, games_key) = (played.key(), games_key(games));
        Ok(Chances { key, games_key, min_count, patterns, responses, looks })
    }

    /// The counts as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(CHANCES_KIND, VERSION);
        out.bytes(&self.key.to_le_bytes());
        out.bytes(&self.games_key.to_le_bytes());
        out.number(u64::from(self.min_count));
        out.number(self.patterns.len() as u64);
        for &(chances, parent) in &self.patterns {
            out.number(chances);
            out.number(parent);
        }
        self.responses.write(&mut out);
        let mut looks: Vec<(u64, u64)> =
            self.looks.iter().map(|(&name, square)| (name, square.bits())).collect();
        looks.sort_unstable();
        out.number(looks.len() as u64);
        for (name, square) in looks {
            out.number(name);
            out.number(square);
        }
        out.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no such file, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Chances, FileError> {
        let mut file = Reader::open(bytes, CHANCES_KIND, VERSION)?;
        let (key, games_key) = (read_key(&mut file)?, read_key(&mut file)?);
        let min_count = u32::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let mut patterns = Vec::new();
        for _ in 0..file.number()? {
            patterns.push((file.number()?, file.number()?));
        }
        let responses = ResponseCounts::read(&mut file)?;
        let mut looks = Looks::default();
        for _ in 0..file.number()? {
            looks.insert(file.number()?, Square5::from_bits(file.number()?));
        }
        file.end()?;
        Ok(Chances { key, games_key, min_count, patterns, responses, looks })
    }
}

/// Stands for games in whatever order.
fn games_key(games: &[Game]) -> u64 {
    games.iter().fold(0, |sum, game| {
        let mut hash = Fnv1a::new();
        game.add_to(&mut hash);
        sum.wrapping_add(game_core::splitmix(hash.get()))
    })
}

fn read_key(file: &mut Reader<'_>) -> Result<u64, FileError> {
    let mut key = [0; 8];
    for byte in &mut key {
        *byte = file.byte()?;
    }
    Ok(u64::from_le_bytes(key))
}

/// What was learned of the games of all parts, from both steps. One part of the second is in memory at a time.
///
/// # Errors
/// That of a part, or when the parts do not belong together.
pub fn learned<E: From<CountedOtherwise>>(
    played: Played,
    parts: impl IntoIterator<Item = Result<Chances, E>>,
    min_count: u32,
) -> Result<Learned, E> {
    let key = played.key();
    let mut patterns = vec![(0u64, 0u64); played.len()];
    let (responses, mut looks, mut games_key) = (ResponseCounts::new(), Looks::default(), 0u64);
    for part in parts {
        let part = part?;
        if (part.key, part.min_count, part.patterns.len()) != (key, min_count, played.len()) {
            return Err(CountedOtherwise.into());
        }
        games_key = games_key.wrapping_add(part.games_key);
        for ((chances, parent), (more, other)) in patterns.iter_mut().zip(part.patterns) {
            *chances = chances.saturating_add(more);
            // The same wherever it is known.
            *parent = other.max(*parent);
        }
        responses.merge(&part.responses);
        looks.extend(part.looks);
    }
    if games_key != played.games_key {
        return Err(CountedOtherwise.into());
    }
    let mut totals = [Totals::default(); TEMPLATES];
    let mut counts = Vec::new();
    for (&(name, times), (chances, parent)) in played.patterns.iter().zip(patterns) {
        let parent = Some(parent).filter(|&parent| parent != 0).map(Name);
        if parent.map(Name::template) != Name(name).template().smaller() {
            return Err(CountedOtherwise.into());
        }
        let square = looks.get(&name).copied();
        let count = Count { name: Name(name), played: times, chances, parent, square };
        add_to_totals(&mut totals, &count);
        if times >= min_count {
            counts.push(count);
        }
    }
    counts.sort_unstable_by_key(|count: &Count| (count.name.template(), count.name));
    let responses: ResponsePatterns = responses.finish();
    Ok(Learned { counts, min_count, timing: played.timing, totals, responses })
}
