//! Asks the session in its own protocol.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// What comes while an answer is awaited.
pub enum Progress {
    /// A row of the answer.
    Row(String),
    /// Nothing for a while.
    Nothing,
}

/// The session's other side.
pub struct Controller {
    orders: PipeWriter,
    rows: Receiver<String>,
}

impl Controller {
    /// One that writes commands to one pipe and reads answers from the other.
    pub fn new(orders: PipeWriter, answers: PipeReader) -> Controller {
        let (sender, rows) = channel();
        thread::spawn(move || {
            for row in BufReader::new(answers).lines() {
                let Ok(row) = row else { return };
                if sender.send(row).is_err() {
                    return;
                }
            }
        });
        Controller { orders, rows }
    }

    /// Writes a line as it is.
    ///
    /// # Errors
    /// When the session is gone.
    pub fn write(&mut self, line: &str) -> io::Result<()> {
        self.orders.write_all(format!("{line}\n").as_bytes())
    }

    /// The answer to a command: its text, or as an error the words of a refusal.
    ///
    /// # Errors
    /// When the session is gone.
    pub fn ask(&mut self, command: &str) -> io::Result<Result<String, String>> {
        self.ask_with(command, Duration::from_secs(3600), |_, _| Ok(()))
    }

    /// The same; `seen` is called with every row as it comes, and whenever none has come for so long.
    ///
    /// # Errors
    /// When the session is gone, or `seen` fails.
    pub fn ask_with(
        &mut self,
        command: &str,
        patience: Duration,
        mut seen: impl FnMut(&mut Controller, Progress) -> io::Result<()>,
    ) -> io::Result<Result<String, String>> {
        self.write(command)?;
        let mut text = String::new();
        let mut ok = true;
        let mut begun = false;
        loop {
            let row = match self.rows.recv_timeout(patience) {
                Ok(row) => row,
                Err(RecvTimeoutError::Timeout) => {
                    seen(self, Progress::Nothing)?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the session has ended"));
                }
            };
            if begun && row.is_empty() {
                return Ok(if ok { Ok(text) } else { Err(text) });
            }
            if begun {
                text.push('\n');
                text.push_str(&row);
            } else if row.starts_with(['=', '?']) {
                ok = row.starts_with('=');
                row[1..].trim_start().clone_into(&mut text);
                begun = true;
            }
            seen(self, Progress::Row(row))?;
        }
    }
}
