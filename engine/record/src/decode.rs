//! From a game's bytes to text: UTF-8, else what `CA[]` names, else Shift_JIS where it is sure, else Latin-1.

use crate::ErrorKind;
use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};
use std::borrow::Cow;

/// How many bytes of a game are searched for its `CA[]`.
const CHARSET_WINDOW: usize = 4096;

/// The encoding that a game's `CA[]` names.
#[derive(Clone, Copy)]
pub(crate) enum Charset<'a> {
    /// No `CA[]`.
    Unnamed,
    /// One that is known.
    Known(&'static Encoding),
    /// One that is not, as written.
    Unknown(&'a [u8]),
}

impl<'a> Charset<'a> {
    /// Finds `CA[]` near the beginning of a game.
    pub(crate) fn find(game: &'a [u8]) -> Self {
        let window = &game[..game.len().min(CHARSET_WINDOW)];
        let Some(start) = window.windows(3).position(|word| word == b"CA[") else {
            return Charset::Unnamed;
        };
        // It belongs to the root: behind a variation's or the next game's beginning it is another game's.
        if window[..start].windows(2).skip(1).any(|two| two == b"(;") {
            return Charset::Unnamed;
        }
        let value = &window[start + 3..];
        let Some(end) = value.iter().position(|&byte| byte == b']') else {
            return Charset::Unnamed;
        };
        let label = value[..end].trim_ascii();
        match Encoding::for_label(label) {
            _ if label.is_empty() => Charset::Unnamed,
            // Its bytes between shifts are plain ASCII brackets: a game's end cannot be found.
            Some(encoding)
                if encoding == ISO_2022_JP || encoding == UTF_16LE || encoding == UTF_16BE =>
            {
                Charset::Unknown(label)
            }
            Some(encoding) => Charset::Known(encoding),
            None => Charset::Unknown(label),
        }
    }

    /// That of a game which is UTF-8.
    pub(crate) fn utf8() -> Charset<'static> {
        Charset::Known(UTF_8)
    }

    /// That of a game which is Shift_JIS.
    pub(crate) fn shift_jis() -> Charset<'static> {
        Charset::Known(SHIFT_JIS)
    }

    /// Whether nothing says what it is.
    pub(crate) fn is_unnamed(&self) -> bool {
        matches!(self, Charset::Unnamed)
    }

    /// Whether the second byte of a character can look like `[`, `\` or `]`.
    pub(crate) fn hides_brackets(&self) -> bool {
        matches!(self, Charset::Known(encoding) if [SHIFT_JIS, GBK, GB18030, BIG5].contains(encoding))
    }

    /// Whether this byte begins a character whose second byte can look like a bracket.
    pub(crate) fn is_lead(&self, byte: u8) -> bool {
        match self {
            // From 0xA1 to 0xDF are katakana of half the width, in one byte.
            Charset::Known(encoding) if *encoding == SHIFT_JIS => {
                matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
            }
            _ => self.hides_brackets() && matches!(byte, 0x81..=0xFE),
        }
    }

    /// The game's text.
    pub(crate) fn decode(&self, game: &'a [u8]) -> Result<Cow<'a, str>, ErrorKind> {
        // A game that is ASCII but for the names is UTF-8 more often than what an old `CA[]` says; but where second bytes can be
        // brackets only the named encoding reads it as it was split: see `is_surely_utf8` for those.
        if (!self.hides_brackets() || game.is_ascii())
            && let Ok(text) = std::str::from_utf8(game)
        {
            return Ok(Cow::Borrowed(text));
        }
        match self {
            Charset::Unnamed => Ok(Cow::Owned(game.iter().map(|&byte| byte as char).collect())),
            Charset::Unknown(label) => {
                Err(ErrorKind::UnknownCharset(String::from_utf8_lossy(label).into_owned()))
            }
            Charset::Known(encoding) => {
                match encoding.decode_without_bom_handling_and_without_replacement(game) {
                    Some(text) => Ok(text),
                    None if *encoding != UTF_8 => std::str::from_utf8(game)
                        .map(Cow::Borrowed)
                        .map_err(|_| ErrorKind::BadEncoding(encoding.name().to_owned())),
                    None => Err(ErrorKind::BadEncoding(encoding.name().to_owned())),
                }
            }
        }
    }
}

/// Whether a game is UTF-8 though its `CA[]` names an encoding of two bytes a character, as after a conversion that left it as it
/// was. Text of pairs is hardly ever valid by chance where most characters would have three bytes or more.
pub(crate) fn is_surely_utf8(game: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(game) else { return false };
    let of_length = |is: fn(usize) -> bool| text.chars().filter(|char| is(char.len_utf8())).count();
    of_length(|bytes| bytes > 2) > of_length(|bytes| bytes == 2)
}

/// Whether a game whose encoding nothing names is Shift_JIS: it can be read so, and two characters of Japanese follow one another
/// that begin with bytes which are no letters in Latin-1, and hardly begin characters in the other encodings of two bytes.
pub(crate) fn is_surely_shift_jis(game: &[u8]) -> bool {
    let is_pair = |at: usize| matches!(game.get(at..at + 2), Some([0x81..=0x9F, 0x40..=0xFC]));
    let (mut at, mut is_found) = (0, false);
    while at < game.len() && !is_found {
        is_found = is_pair(at) && is_pair(at + 2);
        at += if Charset::shift_jis().is_lead(game[at]) { 2 } else { 1 };
    }
    is_found && SHIFT_JIS.decode_without_bom_handling_and_without_replacement(game).is_some()
}
