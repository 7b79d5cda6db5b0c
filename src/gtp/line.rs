//! One line of input: cleaning it as the protocol asks, and taking it apart.

/// The most bytes that are kept of one line after cleaning. The longest honest line, a
/// `gogui-play_sequence` of a whole game, is about ten kilobytes.
pub const LINE_LIMIT: usize = 1 << 16;

/// Gathers the bytes of one line, cleaned while they arrive so that a line of any length costs
/// bounded memory.
///
/// Control characters other than HT are dropped, HT becomes a space, and everything from `#` on is
/// a comment (GTP version 2 draft 2, section 3.1).
#[derive(Debug, Default)]
pub struct LineCleaner {
    text: Vec<u8>,
    comment: Option<Vec<u8>>,
    overlong: bool,
}

/// What a finished line was.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing but space: no answer, but it ends a running analysis.
    Blank,
    /// GoGui's comment line `# interrupt`: the running command should finish soon.
    Interrupt,
    /// Something that wants an answer.
    Request(Request),
}

/// A line that wants an answer, taken apart into id, command and arguments.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request {
    /// The id to repeat in the answer, 0 to 2^31 - 1.
    pub id: Option<u32>,
    /// The command's name; empty when the line had an id only or an impossible id.
    pub command: String,
    /// Everything after the name, without the space around it.
    pub arguments: String,
    /// The line was longer than [`LINE_LIMIT`]: its end is missing.
    pub overlong: bool,
}

impl LineCleaner {
    /// Takes bytes of the current line, which hold no line feed.
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let byte = match byte {
                b'\t' => b' ',
                0..=31 | 127 => continue,
                other => other,
            };
            match &mut self.comment {
                // Long enough to tell `# interrupt` from other comments.
                Some(comment) if comment.len() < 32 => comment.push(byte),
                Some(_) => {}
                None if byte == b'#' => self.comment = Some(Vec::new()),
                None if self.text.len() >= LINE_LIMIT => self.overlong |= byte != b' ',
                // Leading space says nothing, and must not fill the buffer.
                None if byte == b' ' && self.text.is_empty() => {}
                None => self.text.push(byte),
            }
        }
    }

    /// Ends the line and makes ready for the next.
    pub fn finish(&mut self) -> Line {
        let line = std::mem::take(self);
        let text = String::from_utf8_lossy(&line.text);
        // Editors of Windows begin a file with a byte order mark, and its shell what it pipes.
        let text = text.trim_start_matches('\u{feff}').trim_matches(' ');
        if !text.is_empty() {
            Line::Request(Request::parse(text, line.overlong))
        } else if line.comment.is_some_and(|c| c.trim_ascii() == b"interrupt") {
            Line::Interrupt
        } else {
            Line::Blank
        }
    }
}

impl Request {
    /// Takes a cleaned line apart. `text` is not blank and has no space around it.
    fn parse(text: &str, overlong: bool) -> Request {
        let (first, rest) = split_word(text);
        let mut request = Request { overlong, ..Request::default() };
        if !first.bytes().all(|b| b.is_ascii_digit()) {
            request.command = first.to_owned();
            request.arguments = rest.to_owned();
        } else if let Some(id) = first.parse().ok().filter(|&id: &u32| id <= i32::MAX as u32) {
            let (command, arguments) = split_word(rest);
            request.id = Some(id);
            request.command = command.to_owned();
            request.arguments = arguments.to_owned();
        }
        request
    }

    /// Bytes of memory that the request holds, roughly.
    pub(super) fn weight(&self) -> usize {
        std::mem::size_of::<Request>() + self.command.len() + self.arguments.len()
    }
}

/// The first word of a text that begins without space, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(' ') {
        Some((word, rest)) => (word, rest.trim_start_matches(' ')),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(bytes: &[u8]) -> Line {
        let mut cleaner = LineCleaner::default();
        cleaner.push(bytes);
        cleaner.finish()
    }

    fn request(bytes: &[u8]) -> Request {
        match line(bytes) {
            Line::Request(request) => request,
            other => panic!("{other:?} is no request"),
        }
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        for text in [&b""[..], b"  ", b"\t\r", b"# a comment", b"  \x01#", b"\0\x7f"] {
            assert_eq!(line(text), Line::Blank, "{text:?}");
        }
        assert_eq!(line(b"# interrupt"), Line::Interrupt);
        assert_eq!(line(b" #interrupt \r"), Line::Interrupt);
        assert_eq!(line(b"# interrupted"), Line::Blank);
    }

    #[test]
    fn ids_commands_and_arguments() {
        let asked = request(b"  7\tplay  b \tD4\r # a move");
        assert_eq!((asked.id, &*asked.command, &*asked.arguments), (Some(7), "play", "b  D4"));
        let asked = request(b"na\x01me");
        assert_eq!((asked.id, &*asked.command, &*asked.arguments), (None, "name", ""));
        assert_eq!(request(b"2147483647 name").id, Some(i32::MAX as u32));
        let asked = request(b"2147483648 name");
        assert_eq!((asked.id, &*asked.command), (None, ""));
        let asked = request(b"12");
        assert_eq!((asked.id, &*asked.command), (Some(12), ""));
        assert_eq!(request(b"12x name").command, "12x");
    }

    #[test]
    fn a_long_line_is_cut_and_a_long_comment_is_not_kept() {
        let mut cleaner = LineCleaner::default();
        for _ in 0..1000 {
            cleaner.push(&[b'a'; 4096]);
        }
        assert!(cleaner.text.len() <= LINE_LIMIT);
        let Line::Request(asked) = cleaner.finish() else { panic!() };
        assert!(asked.overlong);

        let mut text = b"name #".to_vec();
        text.resize(1 << 20, b'x');
        let asked = request(&text);
        assert_eq!((&*asked.command, asked.overlong), ("name", false));

        let mut text = vec![b' '; 1 << 20];
        text.extend_from_slice(b"name");
        assert_eq!(request(&text).command, "name");
    }
}
