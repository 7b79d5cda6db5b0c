//! What was learned, as bytes: how it is shipped inside the program and written by `train`.

use crate::book::Book;
use crate::eval::features::CLASSES;
use crate::eval::net::{HIDDEN, Net};
use crate::policy::{PATTERNS, Policy, mirrored};
use crate::search::Knowledge;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"C6WEIGH1";
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

/// Knowledge as bytes.
pub fn encode(knowledge: &Knowledge) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut put =
        |x: f32| bytes.extend(((x * UNIT).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes());
    for weights in &knowledge.policy.weights {
        canonical().for_each(|(p, _)| put(weights[p]));
    }
    let net = &knowledge.net;
    net.rows.iter().flatten().flatten().for_each(|&x| put(x));
    net.bias.iter().chain(&net.out).for_each(|&x| put(x));
    put(net.out_bias);
    bytes.extend(knowledge.book.encode());
    bytes
}

/// Knowledge from bytes.
///
/// # Errors
/// What is wrong with them.
pub fn decode(bytes: &[u8]) -> Result<Knowledge, WeightsError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Magic)?;
    let expected = 2 * (2 * canonical().count() + 2 * CLASSES * HIDDEN + 2 * HIDDEN + 1);
    if rest.len() < expected {
        return Err(WeightsError::Length(rest.len(), expected));
    }
    let (rest, book) = rest.split_at(expected);
    let mut numbers =
        rest.chunks_exact(2).map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / UNIT);
    let mut next = || numbers.next().unwrap_or(0.0);
    let mut policy = Policy::default();
    for weights in &mut policy.weights {
        for (p, m) in canonical() {
            weights[p] = next();
            weights[m] = weights[p];
        }
    }
    let mut net = Net::default();
    net.rows.iter_mut().flatten().flatten().for_each(|x| *x = next());
    net.bias.iter_mut().for_each(|x| *x = next());
    net.out.iter_mut().for_each(|x| *x = next());
    net.out_bias = next();
    Ok(Knowledge { policy, net, book: Book::decode(book) })
}
