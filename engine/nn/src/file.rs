//! The bytes in which networks are kept: a head with version, kind and form, the parameters, and a checksum.
//!
//! All numbers are little-endian: eight letters that name the format; its version, the kind, residual blocks and channels
//! (0 where there are none), each of 32 bits; how many parameters follow, 64 bits; the parameters as 32-bit floats; and the
//! FNV-1a hash of everything before it, 64 bits.
//!
//! ```
//! use nn::file::{Form, Format};
//! let format = Format { letters: *b"TSJHEXNN", version: 1 };
//! let form = Form { kind: 0, blocks: 2, channels: 16 };
//! let bytes = format.write(form, &[0.5, -1.0]);
//! // The reader says how many parameters a form has, if it knows it.
//! let count = |form: Form| (form.kind == 0).then_some(2);
//! assert_eq!(format.read(&bytes, count).unwrap(), (form, vec![0.5, -1.0]));
//! assert_eq!(format.read(&bytes, |_| Some(3)).unwrap_err().to_string(), "48 bytes instead of 52");
//! ```

use crate::parameters::ParameterError;
use game_core::Fnv1a;

/// Bytes before the parameters.
const HEAD: usize = 8 + 4 * 4 + 8;

/// A format of files: whose networks it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// What files begin with.
    pub letters: [u8; 8],
    /// The version that is written, and the only one that is read.
    pub version: u32,
}

/// What a head says of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Which of a game's architectures.
    pub kind: u32,
    /// Residual blocks.
    pub blocks: u32,
    /// Channels of the trunk.
    pub channels: u32,
}

/// Why bytes hold no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// They begin otherwise.
    #[error("no network of this program: it does not begin with {0}")]
    Letters(String),
    /// Another version.
    #[error("version {found} of the format, and this program knows only {expected}")]
    Version {
        /// The file's.
        found: u32,
        /// The program's.
        expected: u32,
    },
    /// A kind or form that makes no sense.
    #[error("a network of kind {} with {} blocks and {} channels is not known", .0.kind, .0.blocks, .0.channels)]
    Form(Form),
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

impl Format {
    /// The bytes of parameters.
    pub fn write(&self, form: Form, parameters: &[f32]) -> Vec<u8> {
        let mut bytes = self.letters.to_vec();
        for number in [self.version, form.kind, form.blocks, form.channels] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend((parameters.len() as u64).to_le_bytes());
        bytes.extend(parameters.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// What parameters bytes hold, and of what. `count` says how many parameters a form has, or that it is not known; it
    /// bounds what is read, so it has to refuse forms beyond all sense.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(
        &self,
        bytes: &[u8],
        count: impl FnOnce(Form) -> Option<usize>,
    ) -> Result<(Form, Vec<f32>), FileError> {
        if !bytes.starts_with(&self.letters) {
            return Err(FileError::Letters(String::from_utf8_lossy(&self.letters).into_owned()));
        }
        let length = |expected| FileError::Length { found: bytes.len(), expected };
        let Some(head) = bytes.get(8..HEAD - 8) else { return Err(length(HEAD)) };
        let mut numbers = [0u32; 4];
        for (number, four) in numbers.iter_mut().zip(head.chunks_exact(4)) {
            *number = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        }
        let [found, kind, blocks, channels] = numbers;
        if found != self.version {
            return Err(FileError::Version { found, expected: self.version });
        }
        let form = Form { kind, blocks, channels };
        let count = count(form).ok_or(FileError::Form(form))?;
        let expected = HEAD + 4 * count + 8;
        if bytes.len() != expected {
            return Err(length(expected));
        }
        let (body, sum) = bytes.split_at(expected - 8);
        let counted = &body[HEAD - 8..HEAD];
        if sum != checksum(body).to_le_bytes() || counted != (count as u64).to_le_bytes() {
            return Err(FileError::Checksum);
        }
        let parameters = body[HEAD..]
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect();
        Ok((form, parameters))
    }
}

/// FNV-1a over bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.bytes(bytes);
    hash.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { letters: *b"TSJTESTS", version: 2 };

    fn count(form: Form) -> Option<usize> {
        (form.kind == 0 && form.blocks <= 1 && form.channels <= 99)
            .then_some(form.channels as usize)
    }

    #[test]
    fn bytes_are_read_back_and_damage_is_seen() {
        let form = Form { kind: 0, blocks: 1, channels: 9 };
        let parameters: Vec<f32> = (0..9).map(|at| at as f32 - 4.5).collect();
        let bytes = FORMAT.write(form, &parameters);
        assert_eq!(FORMAT.read(&bytes, count), Ok((form, parameters)));
        // Whatever is cut off or changed is an error, never a panic.
        for length in 0..bytes.len() {
            assert!(FORMAT.read(&bytes[..length], count).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            assert!(FORMAT.read(&damaged, count).is_err(), "{at}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(matches!(FORMAT.read(&long, count), Err(FileError::Length { .. })));
        let mut later = bytes;
        later[8] = 3;
        let version = FileError::Version { found: 3, expected: 2 };
        assert_eq!(FORMAT.read(&later, count), Err(version));
        let letters = FORMAT.read(b"weights", count).expect_err("no network").to_string();
        assert!(letters.ends_with("begin with TSJTESTS"), "{letters}");
    }

    #[test]
    fn unknown_forms_are_refused() {
        let form = Form { kind: 7, blocks: 0, channels: 0 };
        let found = FORMAT.read(&FORMAT.write(form, &[]), count).expect_err("an unknown kind");
        assert_eq!(found, FileError::Form(form));
        let expected = "a network of kind 7 with 0 blocks and 0 channels is not known";
        assert_eq!(found.to_string(), expected);
    }
}
