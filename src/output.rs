//! What tools say: their reports on standard output, and words about the work on standard error.
//!
//! The macros of the standard library panic where nobody reads any more. A report's reader that has seen enough (`| head`) is
//! no error, and words about the work are never worth ending it for.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};

use anyhow::{Context, Result};

/// Prints a report, or a part of one.
///
/// # Errors
/// When it cannot be written, as on a full disk.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Prints a line of a report.
///
/// # Errors
/// As [`print()`].
pub fn say(line: &str) -> Result<()> {
    print(&format!("{line}\n"))
}

/// Tells whoever looks on how the work goes, in a line on standard error.
pub fn note(words: impl Display) {
    // In one piece, so that lines of several threads or programs do not mix.
    let _ = io::stderr().write_all(format!("{words}\n").as_bytes());
}
