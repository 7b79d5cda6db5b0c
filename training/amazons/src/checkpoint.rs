//! A trainer's state as bytes, to go on from.
//!
//! Little-endian: the eight letters `TSJAMTRN`; the version; a mark of what is trained with which games and options; the
//! steps made; the best loss on the validation part; the curve, its length first; the parameters, the two halves of the
//! optimizer's memory and the best parameters, their common length first; and the FNV-1a hash of all before it.

use amazons_engine::net::file::checksum;

use crate::curve::{COLUMNS, Row};
use crate::optimizer::Memory;

const LETTERS: &[u8; 8] = b"TSJAMTRN";
const VERSION: u64 = 1;

/// What is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub mark: u64,
    pub step: u64,
    pub best_loss: f64,
    pub curve: Vec<Row>,
    pub parameters: Vec<f32>,
    pub memory: Memory,
    pub best: Vec<f32>,
}

/// Why bytes are no checkpoint to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// They are no checkpoint of this version.
    #[error("no checkpoint of this program's")]
    Letters,
    /// Cut short, or damaged.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// It was made with other games, another network or other options.
    #[error("the checkpoint is of other games, another network or other options")]
    Other,
}

/// A state as bytes.
pub(crate) fn write(state: &State) -> Vec<u8> {
    let mut bytes = LETTERS.to_vec();
    let mut number = |number: u64| bytes.extend(number.to_le_bytes());
    number(VERSION);
    number(state.mark);
    number(state.step);
    number(state.best_loss.to_bits());
    number(state.curve.len() as u64);
    for row in &state.curve {
        number(row.step);
        row.numbers.iter().for_each(|value| number(value.to_bits()));
    }
    number(state.parameters.len() as u64);
    for numbers in [&state.parameters, &state.memory.first, &state.memory.second, &state.best] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The state that bytes hold, if its mark is this one.
pub(crate) fn read(bytes: &[u8], mark: u64) -> Result<State, CheckpointError> {
    use CheckpointError::{Damaged, Letters, Other};
    let mut rest = bytes.strip_prefix(LETTERS).ok_or(Letters)?;
    let mut number = || {
        let (first, others) = rest.split_first_chunk::<8>().ok_or(Damaged)?;
        rest = others;
        Ok(u64::from_le_bytes(*first))
    };
    if number()? != VERSION {
        return Err(Letters);
    }
    let body = bytes.len().checked_sub(8).ok_or(Damaged)?;
    if checksum(&bytes[..body]).to_le_bytes() != bytes[body..] {
        return Err(Damaged);
    }
    if number()? != mark {
        return Err(Other);
    }
    let (step, best_loss) = (number()?, f64::from_bits(number()?));
    let mut curve = Vec::new();
    for _ in 0..number()? {
        let mut row = Row { step: number()?, numbers: [0.0; COLUMNS.len()] };
        for value in &mut row.numbers {
            *value = f64::from_bits(number()?);
        }
        curve.push(row);
    }
    let count = usize::try_from(number()?).map_err(|_| Damaged)?;
    if rest.len() != count.saturating_mul(16).saturating_add(8) {
        return Err(Damaged);
    }
    let mut numbers = rest.chunks_exact(4).map(|f| f32::from_le_bytes([f[0], f[1], f[2], f[3]]));
    let mut many = || numbers.by_ref().take(count).collect::<Vec<f32>>();
    let parameters = many();
    let memory = Memory { first: many(), second: many() };
    Ok(State { mark, step, best_loss, curve, parameters, memory, best: many() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back_and_damage_is_seen() {
        let memory = Memory { first: vec![1.0, 2.0], second: vec![3.0, 4.0] };
        let curve = vec![Row { step: 7, numbers: [0.5; COLUMNS.len()] }];
        let (parameters, best) = (vec![5.0, 6.0], vec![7.0, 8.0]);
        let state = State { mark: 9, step: 7, best_loss: 1.5, curve, parameters, memory, best };
        let bytes = write(&state);
        assert_eq!(read(&bytes, 9), Ok(state));
        assert_eq!(read(&bytes, 8), Err(CheckpointError::Other));
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length], 9).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(read(&damaged, 9).is_err(), "{at}");
        }
    }
}
