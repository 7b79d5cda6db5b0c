//! A game's session in a thread of its own, spoken to in GTP over memory instead of pipes: the same front, table of commands
//! and rules of interruption as every other controller has.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context, Result};

use crate::gtp::{self, Commands};
use crate::session::{Game, Session};

/// Commands whose rows are told as they come have numbers from here on.
const STREAMED: u32 = 1 << 30;

/// What a session says.
#[derive(Debug)]
pub enum Said {
    /// A row of a command that tells as it goes on.
    Row(u32, String),
    /// A command is done: its whole answer, or why it was not carried out.
    Done(u32, Result<String, String>),
    /// Nothing more will come.
    Ended,
}

/// A session that answers.
pub struct Engine {
    input: Sender<Vec<u8>>,
    asked: u32,
}

impl Engine {
    /// Starts a session in its own thread; `hear` is told what it says, in that thread.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn start<G: Game>(
        make: impl FnOnce() -> Result<(Commands<Session<G>>, Session<G>)> + Send + 'static,
        hear: impl Fn(Said) + Send + 'static,
    ) -> Result<Engine> {
        let (input, lines) = channel();
        let body = move || {
            let lines = Lines { lines, rest: Vec::new(), read: 0 };
            let mut answers = Answers { hear, buffer: Vec::new(), answer: None };
            match make() {
                Ok((commands, mut session)) => {
                    let ended = gtp::run_with_idle(&commands, &mut session, lines, &mut answers);
                    tracing::debug!("a game's session has ended: {ended:?}");
                }
                Err(why) => tracing::error!("a game cannot be begun: {why:#}"),
            }
            (answers.hear)(Said::Ended);
        };
        let builder = std::thread::Builder::new().name("game".to_owned());
        builder.spawn(body).context("cannot start a thread for the game")?;
        Ok(Engine { input, asked: 0 })
    }

    /// Asks for something whose whole answer is waited for. A line break would be another command, and is none.
    pub fn ask(&mut self, command: &str) -> u32 {
        self.send(command, 0)
    }

    /// The same of a command that tells as it goes on.
    pub fn ask_streamed(&mut self, command: &str) -> u32 {
        self.send(command, STREAMED)
    }

    fn send(&mut self, command: &str, kind: u32) -> u32 {
        self.asked = (self.asked + 1) % STREAMED;
        let id = self.asked | kind;
        let command = command.replace(['\n', '\r', '#'], " ");
        // A session that has ended says so itself.
        let _ = self.input.send(format!("{id} {command}\n").into_bytes());
        id
    }

    /// Asks a search that goes on to finish soon with what it has.
    pub fn interrupt(&self) {
        let _ = self.input.send(b"# interrupt\n".to_vec());
    }
}

/// What is sent to the session, as it reads it.
struct Lines {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
    read: usize,
}

impl Read for Lines {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.read == self.rest.len() {
            let Ok(next) = self.lines.recv() else { return Ok(0) };
            (self.rest, self.read) = (next, 0);
        }
        let left = &self.rest[self.read..];
        let count = left.len().min(to.len());
        to[..count].copy_from_slice(&left[..count]);
        self.read += count;
        Ok(count)
    }
}

/// What the session writes, taken apart into answers.
struct Answers<H> {
    hear: H,
    buffer: Vec<u8>,
    answer: Option<Answer>,
}

/// An answer that is being written.
struct Answer {
    id: u32,
    is_success: bool,
    rows: Vec<String>,
}

impl<H: Fn(Said)> Answers<H> {
    fn row(&mut self, row: &str) {
        match self.answer.take() {
            None => {
                let Some(sign) = row.chars().next().filter(|c| matches!(c, '=' | '?')) else {
                    return;
                };
                let (id, text) = row[1..].split_once(' ').unwrap_or((&row[1..], ""));
                let Ok(id) = id.parse() else { return };
                let mut answer = Answer { id, is_success: sign == '=', rows: Vec::new() };
                self.add(&mut answer, text);
                self.answer = Some(answer);
            }
            Some(answer) if row.is_empty() => {
                let text = answer.rows.join("\n");
                let reply = if answer.is_success { Ok(text) } else { Err(text) };
                (self.hear)(Said::Done(answer.id, reply));
            }
            Some(mut answer) => {
                self.add(&mut answer, row);
                self.answer = Some(answer);
            }
        }
    }

    fn add(&self, answer: &mut Answer, row: &str) {
        if row.is_empty() {
            return;
        }
        // An analysis may go on for days: its rows are not kept.
        match answer.id & STREAMED != 0 && answer.is_success {
            true => (self.hear)(Said::Row(answer.id, row.to_owned())),
            false => answer.rows.push(row.to_owned()),
        }
    }
}

impl<H: Fn(Said)> Write for Answers<H> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        while let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
            let row: Vec<u8> = self.buffer.drain(..=end).collect();
            let row = String::from_utf8_lossy(&row[..end]).into_owned();
            self.row(&row);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn answers_are_taken_apart_as_they_are_written() {
        let heard = RefCell::new(Vec::new());
        let hear = |said: Said| heard.borrow_mut().push(format!("{said:?}"));
        let mut answers = Answers { hear, buffer: Vec::new(), answer: None };
        let streamed = STREAMED | 3;
        let text = format!("=1 a\nb\n\n?2 illegal move\n\n={streamed} \n{{}}\nplay D4\n\n");
        for bytes in text.as_bytes().chunks(5) {
            answers.write_all(bytes).unwrap();
        }
        let expected = [
            "Done(1, Ok(\"a\\nb\"))".to_owned(),
            "Done(2, Err(\"illegal move\"))".to_owned(),
            format!("Row({streamed}, \"{{}}\")"),
            format!("Row({streamed}, \"play D4\")"),
            format!("Done({streamed}, Ok(\"\"))"),
        ];
        assert_eq!(*heard.borrow(), expected);
    }
}
