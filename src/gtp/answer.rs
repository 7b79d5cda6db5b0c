//! Answer: what a handler gives back, and how it is written.

use std::fmt;
use std::io::{self, Write};

/// What a handler gives back: the text of the answer, which may have several rows, or a failure.
pub type Reply = Result<String, Failure>;

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The text behind the question mark. Controllers compare it, so it is exact.
    Message(String),
    /// The rules forbid the move, and why; a controller is told that it is illegal.
    Forbidden(String),
    /// A file cannot be loaded, and why; a controller is told that it cannot.
    Unreadable(String),
    /// The output is closed: nobody is there to answer to.
    OutputClosed,
}

/// What a controller is told of a move that cannot be made.
const ILLEGAL: &str = "illegal move";
/// And of a file that cannot be loaded.
const UNREADABLE: &str = "cannot load file";

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Failure {
        Failure::Message(text.into())
    }

    /// The failure of a command whose arguments are missing or of the wrong form.
    pub fn syntax() -> Failure {
        Failure::new("syntax error")
    }

    /// The failure of a word that is no colour or no point.
    pub fn bad_coordinate() -> Failure {
        Failure::new("invalid color or coordinate")
    }

    /// The failure of a move that the rules forbid.
    pub fn illegal_move() -> Failure {
        Failure::new(ILLEGAL)
    }

    /// The failure of a move that the rules forbid for this reason.
    pub fn forbidden(why: impl fmt::Display) -> Failure {
        tracing::debug!("{why}");
        Failure::Forbidden(why.to_string())
    }

    /// The same with the reason as its text: what a person is told.
    pub fn with_reason(self) -> Failure {
        match self {
            Failure::Forbidden(why) | Failure::Unreadable(why) => Failure::Message(why),
            other => other,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(text) | Failure::Forbidden(text) | Failure::Unreadable(text) => {
                f.write_str(text)
            }
            Failure::OutputClosed => f.write_str("the output is closed"),
        }
    }
}

impl std::error::Error for Failure {}

/// Writes one answer and flushes it.
pub(super) struct Answer<'w> {
    output: &'w mut dyn Write,
    id: Option<u32>,
    /// The first row of the present answer is written already; info lines follow it.
    streaming: bool,
}

impl<'w> Answer<'w> {
    /// An answer to the request with this id.
    pub(super) fn new(output: &'w mut dyn Write, id: Option<u32>) -> Answer<'w> {
        Answer { output, id, streaming: false }
    }

    fn head(&self, sign: char) -> String {
        match self.id {
            Some(id) => format!("{sign}{id} "),
            None => format!("{sign} "),
        }
    }

    /// Writes one row of an answer that is not finished.
    pub(super) fn stream(&mut self, row: &str) -> io::Result<()> {
        let mut text = String::new();
        if !self.streaming {
            text = self.head('=') + "\n";
            self.streaming = true;
        }
        push_rows(&mut text, row);
        self.put(&text)
    }

    /// Writes the answer, or what is left of it.
    pub(super) fn finish(&mut self, reply: &Reply) -> io::Result<()> {
        let mut text = String::new();
        match reply {
            Err(Failure::OutputClosed) => return Err(io::ErrorKind::BrokenPipe.into()),
            // The sign is out already and cannot be taken back.
            Err(failure) if self.streaming => {
                tracing::warn!("failed in the middle of its answer: {failure}");
            }
            Err(failure) => {
                text = self.head('?');
                match failure {
                    Failure::Forbidden(_) => push_rows(&mut text, ILLEGAL),
                    Failure::Unreadable(why) => {
                        tracing::warn!("{why}");
                        push_rows(&mut text, UNREADABLE);
                    }
                    other => push_rows(&mut text, &other.to_string()),
                }
            }
            Ok(answer) => {
                if !self.streaming {
                    text = self.head('=');
                }
                push_rows(&mut text, answer);
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push('\n');
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

/// Appends rows without the empty ones, which would end the answer, and without control characters.
fn push_rows(text: &mut String, rows: &str) {
    for row in rows.split(['\n', '\r']) {
        if row.chars().all(|c| c == ' ' || c.is_control()) {
            continue;
        }
        text.extend(
            row.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()),
        );
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(id: Option<u32>, reply: Reply) -> String {
        let mut output = Vec::new();
        Answer::new(&mut output, id).finish(&reply).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn an_answer_ends_with_its_only_empty_line() {
        assert_eq!(written(None, Ok(String::new())), "= \n\n");
        assert_eq!(written(Some(0), Ok("D4".into())), "=0 D4\n\n");
        assert_eq!(written(Some(3), Ok("\n\na\n\n \nb\n\n".into())), "=3 a\nb\n\n");
        assert_eq!(written(None, Ok("a\tb\x07\r\nc".into())), "= a b\nc\n\n");
        assert_eq!(written(Some(4), Err(Failure::new("illegal move"))), "?4 illegal move\n\n");
        assert_eq!(written(None, Err(Failure::new(""))), "? \n\n");
    }

    #[test]
    fn a_streamed_answer_keeps_its_form() {
        let mut output = Vec::new();
        let mut answer = Answer::new(&mut output, Some(9));
        answer.stream("info move A1").unwrap();
        answer.stream("info move B1\n\n").unwrap();
        answer.finish(&Ok("play B1".into())).unwrap();
        let mut answer = Answer::new(&mut output, None);
        answer.stream("info").unwrap();
        answer.finish(&Err(Failure::new("lost"))).unwrap();
        let expected = "=9 \ninfo move A1\ninfo move B1\nplay B1\n\n= \ninfo\n\n";
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
