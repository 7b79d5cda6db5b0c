//! The file of a joseki book.

use super::book::JosekiBook;
use super::canonical::Key;
use super::corner::{Place, REGION, SIDE};
use super::learner::RECENT_WEIGHTS;
use super::state::{Need, State, StateId, Transition, Turns, read_count};
use crate::file::{FileError, Reader, Writer};

const KIND: &[u8; 8] = b"TSJ-JSKI";
const VERSION: u32 = 1;

impl JosekiBook {
    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.byte(self.side);
        out.number(self.games);
        out.number(u64::from(self.recent_since));
        out.float(self.recent_weight);
        out.number(self.states().len() as u64);
        let target = |id: Option<StateId>| id.map_or(0, |id| u64::from(id.0) + 1);
        for state in self.states() {
            state.key.0.to_be_bytes().into_iter().for_each(|byte| out.byte(byte));
            let Turns { answered, left, returned, rested } = state.turns;
            for number in [answered, left, returned, rested, state.recent, state.n] {
                out.number(u64::from(number));
            }
            out.number(target(state.passed));
            for t in self.moves(state) {
                out.byte(t.place.index() as u8);
                for number in [t.count, t.recent, t.answers, t.half_wins] {
                    out.number(u64::from(number));
                }
                // Needs are rare: most targets take no byte more for them.
                out.number(target(t.next) << 1 | u64::from(t.need != Need::NONE));
                if t.need != Need::NONE {
                    out.byte(t.need.bits());
                }
            }
        }
        out.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no such file, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<JosekiBook, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let side = file.byte()?;
        let games = file.number()?;
        let recent_since = u16::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let recent_weight = file.float()?;
        let n_states = u32::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        if !RECENT_WEIGHTS.contains(&recent_weight) || !(SIDE..=25).contains(&side) {
            return Err(FileError::Damaged);
        }
        let mut parts: Vec<(State, Vec<Transition>)> = Vec::new();
        for _ in 0..n_states {
            let part = read_state(&mut file, n_states)?;
            if parts.last().is_some_and(|(last, _)| last.key >= part.0.key) {
                return Err(FileError::Damaged);
            }
            parts.push(part);
        }
        file.end()?;
        Ok(JosekiBook::new((side, games), recent_since, recent_weight, parts))
    }
}

fn read_state(file: &mut Reader<'_>, n_states: u32) -> Result<(State, Vec<Transition>), FileError> {
    let target = |number: u64| match u32::try_from(number) {
        Ok(0) => Ok(None),
        Ok(number) if number <= n_states => Ok(Some(StateId(number - 1))),
        _ => Err(FileError::Damaged),
    };
    let mut key = [0; 16];
    for byte in &mut key {
        *byte = file.byte()?;
    }
    let turns = Turns {
        answered: read_count(file)?,
        left: read_count(file)?,
        returned: read_count(file)?,
        rested: read_count(file)?,
    };
    let recent = read_count(file)?;
    let n = read_count(file)?;
    if n as usize > REGION {
        return Err(FileError::Damaged);
    }
    let passed = target(file.number()?)?;
    let mut transitions = Vec::new();
    for _ in 0..n {
        let place = Place::from_index(usize::from(file.byte()?)).ok_or(FileError::Damaged)?;
        let (count, recent, answers, half_wins) =
            (read_count(file)?, read_count(file)?, read_count(file)?, read_count(file)?);
        let next = file.number()?;
        let need = if next & 1 != 0 { Need::of_bits(file.byte()?) } else { Some(Need::NONE) };
        let need = need.ok_or(FileError::Damaged)?;
        let next = target(next >> 1)?;
        if recent > count || answers > count || half_wins > 2 * count {
            return Err(FileError::Damaged);
        }
        transitions.push(Transition { place, count, recent, answers, half_wins, need, next });
    }
    if recent > turns.played() {
        return Err(FileError::Damaged);
    }
    Ok((State::new(Key(u128::from_be_bytes(key)), turns, recent, passed), transitions))
}
