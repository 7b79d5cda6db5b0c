//! What was learned, as bytes: how it is shipped inside the program and written by `train`.

use crate::book::Book;
use crate::eval::features::CLASSES;
use crate::eval::net::{HIDDEN, Net};
use crate::eval::points::{DEEP, WIDTH};
use crate::pattern::{PATTERNS, mirrored};
use crate::search::Knowledge;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"C6WEIGH2";
/// Units of a stored number: a step of 1/2048, from -16 to 16.
const UNIT: f32 = 2048.0;

/// Why bytes are not weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// They begin with something else.
    #[error("these are not Connect6 weights of this version")]
    Magic,
    /// There are too few.
    #[error("weights of {0} bytes where at least {1} are expected")]
    Length(usize, usize),
    /// Behind the numbers and the turns of the book there is a rest.
    #[error("{0} bytes after the book's last turn: the file is damaged")]
    Rest(usize),
}

static SHIPPED: &[u8] = include_bytes!("../weights/connect6.bin");

/// The knowledge shipped inside the program.
pub fn shipped() -> Arc<Knowledge> {
    static KNOWLEDGE: OnceLock<Arc<Knowledge>> = OnceLock::new();
    // The bytes are part of the program and are tested; were they wrong, the engine would still play.
    Arc::clone(KNOWLEDGE.get_or_init(|| Arc::new(decode(SHIPPED).unwrap_or_default())))
}

/// A pattern stands for itself and its mirror image: the lower number of the two is stored.
fn canonical() -> impl Iterator<Item = (usize, usize)> {
    (0..PATTERNS as u16).map(|p| (p as usize, mirrored(p) as usize)).filter(|(p, m)| p <= m)
}

/// The numbers of a network that are not rows of patterns, in their order.
fn others(net: &mut Net, mut visit: impl FnMut(&mut f32)) {
    let points = &mut net.points;
    points.bias.iter_mut().for_each(&mut visit);
    points.mix.iter_mut().flatten().for_each(&mut visit);
    points.mix_bias.iter_mut().for_each(&mut visit);
    points.moves.iter_mut().flatten().for_each(&mut visit);
    net.pool.iter_mut().flatten().for_each(&mut visit);
    net.lines.iter_mut().flatten().flatten().for_each(&mut visit);
    net.bias.iter_mut().for_each(&mut visit);
    net.out.iter_mut().for_each(&mut visit);
    visit(&mut net.out_bias);
}

/// How many numbers those are.
const OTHERS: usize = WIDTH
    + WIDTH * DEEP
    + DEEP
    + 2 * DEEP
    + 2 * DEEP * HIDDEN
    + 2 * CLASSES * HIDDEN
    + 2 * HIDDEN
    + 1;

/// Knowledge as bytes.
pub fn encode(knowledge: &Knowledge) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut put =
        |x: f32| bytes.extend(((x * UNIT).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes());
    let mut net = knowledge.net.clone();
    for rows in &net.points.rows {
        canonical().flat_map(|(p, _)| rows[p]).for_each(&mut put);
    }
    others(&mut net, |x| put(*x));
    bytes.extend(knowledge.book.encode());
    bytes
}

/// Knowledge from bytes.
///
/// # Errors
/// What is wrong with them.
pub fn decode(bytes: &[u8]) -> Result<Knowledge, WeightsError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Magic)?;
    let expected = 2 * (2 * canonical().count() * WIDTH + OTHERS);
    if rest.len() < expected {
        return Err(WeightsError::Length(rest.len(), expected));
    }
    let (rest, book) = rest.split_at(expected);
    match book.len() % Book::TURN_BYTES {
        0 => {}
        more => return Err(WeightsError::Rest(more)),
    }
    let mut numbers =
        rest.chunks_exact(2).map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / UNIT);
    let mut next = || numbers.next().unwrap_or(0.0);
    let mut net = Net::default();
    for rows in &mut net.points.rows {
        for (p, m) in canonical() {
            rows[p].fill_with(&mut next);
            rows[m] = rows[p];
        }
    }
    others(&mut net, |x| *x = next());
    Ok(Knowledge { net, book: Book::decode(book) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_whole_are_refused() {
        assert_eq!(encode(&decode(SHIPPED).unwrap()), SHIPPED);
        let numbers = SHIPPED.len() - shipped().book.encode().len();
        assert!(decode(&SHIPPED[..numbers]).unwrap().book.is_empty());
        assert_eq!(
            decode(&SHIPPED[..numbers - 1]).unwrap_err(),
            WeightsError::Length(numbers - 9, numbers - 8)
        );
        for more in [1, 15] {
            let long = [SHIPPED, &[0; 15][..more]].concat();
            assert_eq!(decode(&long).unwrap_err(), WeightsError::Rest(more));
        }
        assert_eq!(decode(b"weights").unwrap_err(), WeightsError::Magic);
    }
}
