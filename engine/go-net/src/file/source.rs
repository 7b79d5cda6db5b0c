//! The bytes of a file, unpacked, as words and rows of numbers.

use super::{NetworkError, Problem};
use flate2::bufread::MultiGzDecoder;
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

/// How far weights may expand. Floats hardly shrink at all, text to a half; what goes beyond this is made to fill memory.
const MAX_EXPANSION: u64 = 24;
/// What may expand further: headers and biases of zeros in a small network.
const FREE_BYTES: u64 = 1 << 20;
/// The longest word that a file may have.
const MAX_WORD: usize = 200;
/// Most weights of one layer: 3x3 of 2,048 channels.
const MAX_LAYER: u64 = 1 << 26;
/// Most weights in all. The largest published networks have some 110 million.
const MAX_WEIGHTS: u64 = 160_000_000;
/// Numbers for which memory is taken at a time.
const STEP: usize = 1 << 16;
/// What a row of numbers in binary begins with.
const MARK: &[u8] = b"@BIN@";
/// White space that may stand before a word or a row.
const MAX_SPACE: usize = 100;

/// Counts the bytes that were read from a file, before they are unpacked.
struct Counted<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

/// The bytes of a file, unpacked.
pub(super) struct Source<'a> {
    bytes: Box<dyn BufRead + 'a>,
    /// Bytes of the file itself that were read so far; none where nothing is unpacked.
    packed: Option<Rc<Cell<u64>>>,
    unpacked: u64,
    weights: u64,
    /// Where in the file this is, in words.
    place: Vec<String>,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: impl Read + 'a) -> Result<Source<'a>, NetworkError> {
        let count = Rc::new(Cell::new(0));
        let mut raw =
            BufReader::with_capacity(1 << 15, Counted { inner: file, count: count.clone() });
        let start = Source::at_start();
        let begins = raw.fill_buf().map_err(|error| start.failed(&error))?;
        let is_gzip = begins.starts_with(&[0x1f, 0x8b]);
        let (bytes, packed): (Box<dyn BufRead>, _) = if is_gzip {
            (Box::new(BufReader::with_capacity(1 << 15, MultiGzDecoder::new(raw))), Some(count))
        } else {
            (Box::new(raw), None)
        };
        Ok(Source { bytes, packed, ..start })
    }

    fn at_start() -> Source<'a> {
        let place = vec!["the header".to_owned()];
        Source { bytes: Box::new(std::io::empty()), packed: None, unpacked: 0, weights: 0, place }
    }

    /// Does something at a place that errors will name.
    pub(super) fn at<T>(
        &mut self,
        place: impl Into<String>,
        then: impl FnOnce(&mut Self) -> Result<T, NetworkError>,
    ) -> Result<T, NetworkError> {
        self.place.push(place.into());
        let done = then(self)?;
        // After an error the place stays, and nothing is read any more.
        self.place.pop();
        Ok(done)
    }

    /// Says more of where this is, until the present place is left.
    pub(super) fn name_place(&mut self, name: &str) {
        if let Some(place) = self.place.last_mut() {
            *place = format!("{place} {:?}", name);
        }
    }

    /// An error here.
    pub(super) fn error(&self, problem: Problem) -> NetworkError {
        let inner = if self.place.len() > 1 { &self.place[1..] } else { &self.place[..] };
        NetworkError::At { place: inner.join(", "), problem }
    }

    fn failed(&self, error: &std::io::Error) -> NetworkError {
        self.error(match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Problem::Cut,
            _ => Problem::Damaged(error.to_string()),
        })
    }

    /// What can be read without waiting; nothing at the end.
    fn fill(&mut self) -> Result<&[u8], NetworkError> {
        if let Err(error) = self.bytes.fill_buf() {
            return Err(self.failed(&error));
        }
        if let Some(packed) = &self.packed
            && self.unpacked > FREE_BYTES + MAX_EXPANSION * packed.get()
        {
            return Err(self.error(Problem::Bomb(MAX_EXPANSION)));
        }
        match self.bytes.fill_buf() {
            Ok(bytes) => Ok(bytes),
            Err(_) => Ok(&[]),
        }
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
        self.unpacked += count as u64;
    }

    /// The next byte, which is not taken.
    fn peek(&mut self) -> Result<Option<u8>, NetworkError> {
        Ok(self.fill()?.first().copied())
    }

    /// The next word; white space before it is passed over, and one byte of white space after it.
    pub(super) fn word(&mut self) -> Result<String, NetworkError> {
        self.skip_space(MAX_SPACE)?;
        let mut word = Vec::new();
        loop {
            match self.peek()? {
                Some(byte) if !byte.is_ascii_whitespace() => {
                    if word.len() == MAX_WORD || !(0x20..0x7f).contains(&byte) && byte < 0x80 {
                        let found = shortened(&word);
                        return Err(self.error(Problem::Unexpected { expected: "a word", found }));
                    }
                    word.push(byte);
                    self.consume(1);
                }
                _ if word.is_empty() => return Err(self.error(Problem::Cut)),
                _ => break,
            }
        }
        String::from_utf8(word).map_err(|error| {
            let found = shortened(error.as_bytes());
            self.error(Problem::Unexpected { expected: "a word", found })
        })
    }

    fn skip_space(&mut self, max: usize) -> Result<(), NetworkError> {
        for _ in 0..max {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.consume(1),
                _ => break,
            }
        }
        Ok(())
    }

    fn parse<T: std::str::FromStr>(&mut self, expected: &'static str) -> Result<T, NetworkError> {
        let word = self.word()?;
        word.parse().map_err(|_| {
            let found = shortened(word.as_bytes());
            self.error(Problem::Unexpected { expected, found })
        })
    }

    /// A whole number in a range; `what` says of what, for errors.
    pub(super) fn number(
        &mut self,
        what: &'static str,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<usize, NetworkError> {
        let found = self.parse(what)?;
        if range.contains(&found) {
            return Ok(found as usize);
        }
        let (min, max) = (*range.start(), *range.end());
        Err(self.error(Problem::Range { what, found, min, max }))
    }

    /// A single number in words.
    pub(super) fn float(&mut self, what: &'static str) -> Result<f32, NetworkError> {
        let number: f32 = self.parse(what)?;
        if number.is_finite() { Ok(number) } else { Err(self.error(Problem::NotFinite(0))) }
    }

    /// A row of so many numbers, as many as the product of some sizes, in binary or as text.
    pub(super) fn floats(&mut self, sizes: &[usize]) -> Result<Vec<f32>, NetworkError> {
        let count = sizes
            .iter()
            .try_fold(1u64, |product, &size| product.checked_mul(size as u64))
            .filter(|&count| count <= MAX_LAYER)
            .ok_or_else(|| self.error(Problem::TooLarge(MAX_LAYER)))?;
        self.weights += count;
        if self.weights > MAX_WEIGHTS {
            return Err(self.error(Problem::TooLarge(MAX_WEIGHTS)));
        }
        let count = count as usize;
        self.skip_space(MAX_SPACE)?;
        let numbers = match self.peek()? {
            Some(b'@') => self.binary(count)?,
            _ => (0..count).map(|_| self.parse("a number")).collect::<Result<Vec<f32>, _>>()?,
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(self.error(Problem::NotFinite(at))),
            None => Ok(numbers),
        }
    }

    fn binary(&mut self, count: usize) -> Result<Vec<f32>, NetworkError> {
        let mut mark = [0; MARK.len()];
        self.exact(&mut mark)?;
        if mark != MARK {
            let found = shortened(&mark);
            return Err(self.error(Problem::Unexpected { expected: "a row of numbers", found }));
        }
        let mut numbers = Vec::new();
        let mut bytes = vec![0; 4 * STEP.min(count)];
        while numbers.len() < count {
            let bytes = &mut bytes[..4 * STEP.min(count - numbers.len())];
            self.exact(bytes)?;
            numbers.extend(
                bytes
                    .chunks_exact(4)
                    .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])),
            );
        }
        Ok(numbers)
    }

    fn exact(&mut self, mut bytes: &mut [u8]) -> Result<(), NetworkError> {
        while !bytes.is_empty() {
            let there = self.fill()?;
            let count = there.len().min(bytes.len());
            if count == 0 {
                return Err(self.error(Problem::Cut));
            }
            let (now, later) = bytes.split_at_mut(count);
            now.copy_from_slice(&there[..count]);
            self.consume(count);
            bytes = later;
        }
        Ok(())
    }

    /// Sees to it that nothing but white space is left, which makes gzip check its sums.
    pub(super) fn end(&mut self) -> Result<(), NetworkError> {
        self.skip_space(MAX_SPACE)?;
        match self.peek()? {
            Some(_) => Err(self.error(Problem::Trailing)),
            None => Ok(()),
        }
    }
}

/// The beginning of a word, fit to be shown.
pub(super) fn shortened(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(40)]).into_owned()
}
