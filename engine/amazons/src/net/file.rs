//! The bytes in which networks are kept: a head with version, kind and form, the parameters, and a checksum.
//!
//! All numbers are little-endian: the eight letters `TSJAMNET`; the version, the kind (0 lean, 1 the patent's two
//! networks), residual blocks and channels (0 where there are none), each of 32 bits; how many parameters follow, 64 bits;
//! the parameters as 32-bit floats; and the FNV-1a hash of everything before it, 64 bits.

use super::ParameterError;
use super::lean::{Form, Lean};
use super::literal::{Kind, Network};

const LETTERS: &[u8; 8] = b"TSJAMNET";
/// 2 since the lean network's numbers are cut off and its value is made otherwise.
const VERSION: u32 = 2;
const HEAD: usize = 8 + 4 * 4 + 8;
/// More than any form that makes sense.
const MOST: u32 = 1024;

/// A network of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Net {
    /// The lean one.
    Lean(Box<Lean>),
    /// The patent's Move-Net and Arrow-Net.
    Literal(Box<[Network; 2]>),
}

/// What parameters belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A lean network.
    Lean(Form),
    /// The patent's networks, Move-Net's parameters first, then Arrow-Net's, the shared ones in both.
    Literal,
}

impl Class {
    /// Weights and biases.
    pub fn parameters(self) -> usize {
        match self {
            Class::Lean(form) => form.parameters(),
            Class::Literal => Kind::Move.parameters() + Kind::Arrow.parameters(),
        }
    }

    /// The network of these parameters.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn network(self, parameters: &[f32]) -> Result<Net, ParameterError> {
        ParameterError::check(parameters, self.parameters())?;
        Ok(match self {
            Class::Lean(form) => Net::Lean(Box::new(Lean::new(form, parameters)?)),
            Class::Literal => {
                let (queen, arrow) = parameters.split_at(Kind::Move.parameters());
                let queen = Network::new(Kind::Move, queen)?;
                Net::Literal(Box::new([queen, Network::new(Kind::Arrow, arrow)?]))
            }
        })
    }
}

/// Why bytes hold no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// They begin otherwise.
    #[error("no network of this program: it does not begin with TSJAMNET")]
    Letters,
    /// Another version.
    #[error("version {0} of the format, and this program knows only {VERSION}")]
    Version(u32),
    /// A kind or form that makes no sense.
    #[error("a network of kind {kind} with {blocks} blocks and {channels} channels is not known")]
    Kind {
        /// The kind's number.
        kind: u32,
        /// Residual blocks.
        blocks: u32,
        /// Channels.
        channels: u32,
    },
    /// Too few or too many bytes.
    #[error("{found} bytes instead of {expected}")]
    Length {
        /// Bytes that are there.
        found: usize,
        /// Bytes that there should be.
        expected: usize,
    },
    /// The checksum is not that of the bytes.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The parameters are no network's.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
}

/// The bytes of parameters.
pub fn write(class: Class, parameters: &[f32]) -> Vec<u8> {
    let (kind, blocks, channels) = match class {
        Class::Lean(form) => (0u32, form.blocks as u32, form.channels as u32),
        Class::Literal => (1, 0, 0),
    };
    let mut bytes = LETTERS.to_vec();
    for number in [VERSION, kind, blocks, channels] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((parameters.len() as u64).to_le_bytes());
    bytes.extend(parameters.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// What parameters bytes hold, and of what.
///
/// # Errors
/// What is wrong with the bytes.
pub fn read(bytes: &[u8]) -> Result<(Class, Vec<f32>), FileError> {
    if !bytes.starts_with(LETTERS) {
        return Err(FileError::Letters);
    }
    let length = |expected| FileError::Length { found: bytes.len(), expected };
    let Some(head) = bytes.get(8..HEAD - 8) else { return Err(length(HEAD)) };
    let mut numbers = [0u32; 4];
    for (number, four) in numbers.iter_mut().zip(head.chunks_exact(4)) {
        *number = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    }
    let [version, kind, blocks, channels] = numbers;
    if version != VERSION {
        return Err(FileError::Version(version));
    }
    let class = match (kind, blocks, channels) {
        (0, 0..=MOST, 1..=MOST) => {
            Class::Lean(Form { blocks: blocks as usize, channels: channels as usize })
        }
        (1, 0, 0) => Class::Literal,
        _ => return Err(FileError::Kind { kind, blocks, channels }),
    };
    let count = class.parameters();
    let expected = HEAD + 4 * count + 8;
    if bytes.len() != expected {
        return Err(length(expected));
    }
    let (body, sum) = bytes.split_at(expected - 8);
    if sum != checksum(body).to_le_bytes() || body[HEAD - 8..HEAD] != (count as u64).to_le_bytes() {
        return Err(FileError::Checksum);
    }
    let parameters = body[HEAD..]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect();
    Ok((class, parameters))
}

/// The network that bytes hold.
///
/// # Errors
/// What is wrong with the bytes.
pub fn network(bytes: &[u8]) -> Result<Net, FileError> {
    let (class, parameters) = read(bytes)?;
    Ok(class.network(&parameters)?)
}

/// FNV-1a over bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back_and_damage_is_seen() {
        let form = Form { blocks: 1, channels: 4 };
        let (class, parameters) = (Class::Lean(form), Lean::first_parameters(form, 5));
        let bytes = write(class, &parameters);
        assert_eq!(read(&bytes), Ok((class, parameters)));
        // Whatever is cut off or changed is an error, never a panic.
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            assert!(read(&damaged).is_err(), "{at}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(matches!(read(&long), Err(FileError::Length { .. })));
        let mut later = bytes;
        later[8] = 3;
        assert_eq!(read(&later), Err(FileError::Version(3)));
        assert_eq!(read(b"weights"), Err(FileError::Letters));
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        let form = Form { blocks: 0, channels: 1 };
        let mut parameters = Lean::first_parameters(form, 5);
        parameters[3] = f32::INFINITY;
        let bytes = write(Class::Lean(form), &parameters);
        assert_eq!(network(&bytes), Err(FileError::Parameters(ParameterError::NotFinite(3))));
    }
}
