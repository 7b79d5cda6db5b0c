//! The frame of learned files: a kind, a version, the contents, a checksum.

use game_core::Fnv1a;

/// Why a learned file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The first bytes are not those of this kind of file.
    #[error("not a {0} file")]
    Foreign(String),
    /// Written by another version of the program.
    #[error("version {found} of the file format; this program reads version {expected}")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// Cut short.
    #[error("the file is cut short")]
    Truncated,
    /// The checksum does not fit, or a number is out of range.
    #[error("the file is damaged: its contents do not fit its checksum")]
    Damaged,
}

/// The length of kind and version, and of the checksum at the end.
const HEAD: usize = 12;
const TAIL: usize = 8;

/// FNV-1a, eight bytes at a time where they last, the halves folded after each word.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    let (words, rest) = bytes.as_chunks::<8>();
    for &word in words {
        hash.step(u64::from_le_bytes(word));
        hash = Fnv1a::starting_at(hash.get() ^ hash.get() >> 32);
    }
    hash.bytes(rest);
    hash.get()
}

/// A learned file with the checksum that belongs to its contents, for tests of what lies behind that check. What is too
/// short for one is as it was.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    match bytes.len().checked_sub(TAIL) {
        Some(end) => [&bytes[..end], &checksum(&bytes[..end]).to_le_bytes()].concat(),
        None => bytes.to_vec(),
    }
}

/// Writes a learned file.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(kind: &[u8; 8], version: u32) -> Writer {
        let mut bytes = kind.to_vec();
        bytes.extend(version.to_le_bytes());
        Writer(bytes)
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn float(&mut self, value: f32) {
        self.0.extend(value.to_le_bytes());
    }

    /// A whole number, seven bits to a byte, the low ones first (LEB128).
    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 128 {
            self.0.push(value as u8 | 128);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.0);
        self.0.extend(sum.to_le_bytes());
        self.0
    }
}

/// Reads a learned file.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Checks the frame.
    pub(crate) fn open(
        bytes: &'a [u8],
        kind: &[u8; 8],
        expected: u32,
    ) -> Result<Reader<'a>, FileError> {
        let begins = &bytes[..bytes.len().min(kind.len())];
        if !kind.starts_with(begins) || begins.is_empty() {
            return Err(FileError::Foreign(String::from_utf8_lossy(kind).into_owned()));
        }
        if bytes.len() < HEAD + TAIL {
            return Err(FileError::Truncated);
        }
        let (contents, sum) = bytes.split_at(bytes.len() - TAIL);
        let found = u32::from_le_bytes([contents[8], contents[9], contents[10], contents[11]]);
        if found != expected {
            return Err(FileError::Version { found, expected });
        }
        if sum != checksum(contents).to_le_bytes() {
            return Err(FileError::Damaged);
        }
        Ok(Reader(&contents[HEAD..]))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, FileError> {
        let (&byte, rest) = self.0.split_first().ok_or(FileError::Truncated)?;
        self.0 = rest;
        Ok(byte)
    }

    pub(crate) fn float(&mut self) -> Result<f32, FileError> {
        let (word, rest) = self.0.split_first_chunk().ok_or(FileError::Truncated)?;
        self.0 = rest;
        let value = f32::from_le_bytes(*word);
        // What was learned is finite: what is not would make all that is computed with it no number.
        if value.is_finite() { Ok(value) } else { Err(FileError::Damaged) }
    }

    pub(crate) fn number(&mut self) -> Result<u64, FileError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(FileError::Damaged)
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(crate) fn end(self) -> Result<(), FileError> {
        if self.0.is_empty() { Ok(()) } else { Err(FileError::Damaged) }
    }
}
