//! From a file's bytes to its games, one at a time.

use crate::decode::{Charset, is_surely_shift_jis, is_surely_utf8};
use crate::{ErrorKind, RecordError};
use std::borrow::Cow;

/// Bounds on one game, so that a hostile file costs little and says what is wrong with it.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Deepest nesting of variations.
    pub nesting: usize,
    /// Most nodes in one game.
    pub nodes: usize,
    /// Most bytes in one game.
    pub bytes: usize,
}

impl Default for Limits {
    /// Room for the largest joseki dictionaries, many times over: 1,000 deep, two million nodes, 64 MiB.
    fn default() -> Self {
        Limits { nesting: 1_000, nodes: 2_000_000, bytes: 64 << 20 }
    }
}

/// One game's text, cut out of its file and decoded.
#[derive(Debug, Clone)]
pub struct GameText<'a> {
    /// The text, from `(` to `)`.
    pub text: Cow<'a, str>,
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// The byte of the file where the game begins.
    pub offset: usize,
    /// The line of the file where the game begins, from 1.
    pub line: usize,
}

impl GameText<'_> {
    /// An error at a byte of this game's text.
    pub(crate) fn error(&self, at: usize, kind: ErrorKind) -> RecordError {
        let at = at.min(self.text.len());
        RecordError {
            game: self.number,
            line: self.line + newlines(&self.text.as_bytes()[..at]),
            offset: self.offset + if matches!(self.text, Cow::Borrowed(_)) { at } else { 0 },
            kind,
        }
    }
}

/// The games of a file, in order. A game that is damaged is an error, and the walk goes on with the next.
///
/// Text before, between and after games is skipped. Memory does not grow with the file.
///
/// ```
/// use game_record::Games;
/// let file = b"(;B[aa]W[bb])\n(;GM[1];B[cut\n(;GM[1];B[cc])";
/// let found: Vec<bool> = Games::new(file).map(|game| game.is_ok()).collect();
/// assert_eq!(found, [true, false, true]);
/// ```
pub struct Games<'a> {
    file: &'a [u8],
    limits: Limits,
    /// Where to look for the next game.
    cursor: usize,
    /// How many games have been yielded, good and bad.
    count: usize,
    /// Lines before `counted_to`, so that lines are counted once.
    lines: usize,
    counted_to: usize,
    /// Bytes that damaged games were searched through for their ends.
    searched: usize,
}

/// How many times its length a file is searched through for the ends of damaged games. Beyond that a line that begins with a
/// root begins a game, also where a text may quote it: else a hostile file of unclosed texts would be searched through for each.
const MAX_SEARCHES: usize = 8;

impl<'a> Games<'a> {
    /// The games of a file's bytes, within the default [`Limits`].
    pub fn new(file: &'a [u8]) -> Self {
        Self::with_limits(file, Limits::default())
    }

    /// The games of a file's bytes, within the limits given; a game of 4 GiB or more is always refused.
    pub fn with_limits(file: &'a [u8], limits: Limits) -> Self {
        let bytes = limits.bytes.min(u32::MAX as usize);
        Games {
            file,
            limits: Limits { bytes, ..limits },
            cursor: 0,
            count: 0,
            lines: 0,
            counted_to: 0,
            searched: 0,
        }
    }

    /// The byte of the file up to which it has been read: for a progress bar.
    pub fn position(&self) -> usize {
        self.cursor
    }

    /// The line, from 1, that holds this byte; to be asked in rising order.
    fn line_of(&mut self, offset: usize) -> usize {
        if offset > self.counted_to {
            self.lines += newlines(&self.file[self.counted_to..offset]);
            self.counted_to = offset;
        }
        self.lines + 1
    }

    fn error(&mut self, start: usize, at: usize, kind: ErrorKind) -> RecordError {
        let line = self.line_of(start) + newlines(&self.file[start..at]);
        RecordError { game: self.count, line, offset: at, kind }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<GameText<'a>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.count == 0 && is_wide(self.file) {
            (self.count, self.cursor) = (1, self.file.len());
            return Some(Err(self.error(0, 0, ErrorKind::WideText)));
        }
        let Some(start) = next_game(self.file, self.cursor) else {
            self.cursor = self.file.len();
            if self.count > 0 {
                return None;
            }
            self.count = 1;
            return Some(Err(self.error(0, 0, ErrorKind::NoGame)));
        };
        self.count += 1;
        let rest = &self.file[start..];
        let mut charset = Charset::find(rest);
        let may_quote = self.searched / MAX_SEARCHES <= self.file.len();
        // Taken for pairs of bytes, a character of three would hide the bracket behind it, and with it the next move.
        if charset.hides_brackets()
            && measure(rest, &Charset::utf8(), &self.limits, may_quote)
                .is_ok_and(|length| is_surely_utf8(&rest[..length]))
        {
            charset = Charset::utf8();
        }
        let mut measured = measure(rest, &charset, &self.limits, may_quote);
        if charset.is_unnamed()
            && !measured.as_ref().is_ok_and(|&length| std::str::from_utf8(&rest[..length]).is_ok())
            && let Ok(length) = measure(rest, &Charset::shift_jis(), &self.limits, may_quote)
            && is_surely_shift_jis(&rest[..length])
        {
            (charset, measured) = (Charset::shift_jis(), Ok(length));
        }
        match measured {
            Ok(length) => {
                self.cursor = start + length;
                let line = self.line_of(start);
                match charset.decode(&rest[..length]) {
                    Ok(text) => {
                        Some(Ok(GameText { text, number: self.count, offset: start, line }))
                    }
                    Err(kind) => Some(Err(self.error(start, start, kind))),
                }
            }
            Err((at, kind)) => {
                self.searched += at;
                self.cursor = next_root(self.file, start + 1);
                Some(Err(self.error(start, start + at, kind)))
            }
        }
    }
}

/// Newlines in these bytes.
fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Whether the file begins as UTF-16 or UTF-32 does: with their byte-order marks, or with `(` in a wide unit.
fn is_wide(file: &[u8]) -> bool {
    file.starts_with(&[0xFF, 0xFE])
        || file.starts_with(&[0xFE, 0xFF])
        || file.starts_with(b"(\0")
        || file.starts_with(b"\0")
}

/// The next `(` whose first other character is `;`.
fn next_game(file: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(step) = file[at..].iter().position(|&byte| byte == b'(') {
        at += step;
        let mut ahead = at + 1;
        while ahead < file.len() && file[ahead].is_ascii_whitespace() {
            ahead += 1;
        }
        if file.get(ahead) == Some(&b';') {
            return Some(at);
        }
        at = ahead;
    }
    None
}

/// Whether a game's root node begins here: `(;` and a property that only roots have. Some servers begin a line with it.
fn is_root(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"(;") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    [b"GM[", b"FF[", b"SZ[", b"CA[", b"AP[", b"ST["]
        .iter()
        .any(|property| rest.starts_with(*property))
}

/// Where to go on after a damaged game: at the next line that begins with a root, else at the end.
fn next_root(file: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(step) = file[at..].iter().position(|&byte| byte == b'\n') {
        at += step + 1;
        if is_root(&file[at..]) {
            return at;
        }
    }
    file.len()
}

/// The length of the game that begins at the first byte, or where and why it is refused. Texts may quote games, or may not.
fn measure(
    bytes: &[u8],
    charset: &Charset<'_>,
    limits: &Limits,
    may_quote: bool,
) -> Result<usize, (usize, ErrorKind)> {
    let (mut depth, mut nodes, mut at) = (0, 0, 0);
    // The property that the next value belongs to, to tell text, which may quote a game, from other values.
    let mut ident = 0..0;
    while at < bytes.len() {
        if at >= limits.bytes {
            return Err((at, ErrorKind::TooLong(limits.bytes)));
        }
        match bytes[at] {
            b'(' => {
                if depth > 0 && is_root(&bytes[at..]) {
                    return Err((at, ErrorKind::Truncated("another game begins inside it")));
                }
                depth += 1;
                if depth > limits.nesting {
                    return Err((at, ErrorKind::TooDeep(limits.nesting)));
                }
            }
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
            }
            b';' => {
                nodes += 1;
                if nodes > limits.nodes {
                    return Err((at, ErrorKind::TooManyNodes(limits.nodes)));
                }
            }
            b'[' => {
                let is_text = may_quote && matches!(&bytes[ident.clone()], b"C" | b"GC");
                at = skip_value(bytes, at + 1, is_text, charset, limits)?;
                continue;
            }
            letter if letter.is_ascii_alphabetic() => {
                let start = at;
                while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                    at += 1;
                }
                ident = start..at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Err((bytes.len(), ErrorKind::Truncated("it is not closed by ')'")))
}

/// The byte after the `]` that closes the value which begins at `from`.
fn skip_value(
    bytes: &[u8],
    from: usize,
    is_text: bool,
    charset: &Charset<'_>,
    limits: &Limits,
) -> Result<usize, (usize, ErrorKind)> {
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b']' => return Ok(at + 1),
            b'\\' => at += 1,
            b'\n' if !is_text && is_root(&bytes[at + 1..]) => {
                return Err((at, ErrorKind::Truncated("a value is not closed by ']'")));
            }
            lead if lead >= 0x81 && charset.is_lead(lead) => at += 1,
            _ => {}
        }
        at += 1;
        if at >= limits.bytes {
            return Err((at.min(bytes.len()), ErrorKind::TooLong(limits.bytes)));
        }
    }
    Err((bytes.len(), ErrorKind::Truncated("a value is not closed by ']'")))
}
