//! Commands about a record's file: `loadsgf FILE [MOVE]` and `savesgf FILE`.

use super::answer::{Failure, Reply};
use super::commands::Call;
use crate::files;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// What `read` makes of the file named, and of how many moves to make when one is named to stop before.
///
/// # Errors
/// Without a file, and when it cannot be read; the log says why.
pub fn load<T, E: Display + From<io::Error>>(
    call: &mut Call,
    read: impl FnOnce(&[u8], Option<usize>) -> Result<T, E>,
) -> Result<T, Failure> {
    let text = call.args.rest();
    if text.is_empty() {
        return Err(Failure::syntax());
    }
    let (name, number) = files::named_with_number(text);
    let moves = number.map(|number| number.saturating_sub(1));
    let loaded = files::read_record(name).map_err(E::from).and_then(|bytes| read(&bytes, moves));
    loaded.map_err(|why| {
        tracing::warn!("cannot load {name:?}: {why}");
        Failure::new("cannot load file")
    })
}

/// Writes a text to the file named.
///
/// # Errors
/// Without a file, and when it cannot be written.
pub fn save(call: &mut Call, text: &str) -> Reply {
    let path = call.args.rest();
    if path.is_empty() {
        return Err(Failure::syntax());
    }
    files::replace(Path::new(path), text.as_bytes()).map_err(|error| {
        tracing::warn!("cannot save {path:?}: {error}");
        Failure::new(format!("cannot save file: {error}"))
    })?;
    Ok(String::new())
}
