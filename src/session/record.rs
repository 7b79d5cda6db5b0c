//! Game records: `loadsgf`, `savesgf` and `printsgf`.

use std::path::Path;

use super::Session;
use super::game::Game;
use crate::files;
use crate::gtp::{Call, Color, Commands, Failure, Reply};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("loadsgf", load_sgf)
        .add("printsgf", |session, call| {
            let text = text(session);
            if call.args.is_empty() { Ok(text) } else { save(call, &text) }
        })
        .add("savesgf", |session, call| save(call, &text(session)))
        .add("gomill-savesgf", |session, call| save(call, &text(session)));
}

/// `loadsgf FILE [MOVE]`: the position before that move, or after the last.
pub(super) fn load_sgf<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let text = call.args.rest();
    if text.is_empty() {
        return Err(Failure::syntax());
    }
    let (name, number) = files::named_with_number(text);
    let moves = number.map(|number| number.saturating_sub(1));
    let loaded = files::read_record(name).map_err(anyhow::Error::from);
    let loaded = loaded.and_then(|bytes| session.game.load(&bytes, moves));
    let loaded =
        loaded.map_err(|why| Failure::Unreadable(format!("cannot load {name:?}: {why:#}")));
    session.replace(loaded?);
    Ok(String::new())
}

/// Writes a text to the file that a command names.
///
/// # Errors
/// Without a file, and when it cannot be written.
pub fn save(call: &mut Call, text: &str) -> Reply {
    let path = files::unquoted(call.args.rest());
    if path.is_empty() {
        return Err(Failure::syntax());
    }
    files::replace(Path::new(path), text.as_bytes())
        .map_err(|error| Failure::new(format!("cannot save file: {error}")))?;
    Ok(String::new())
}

fn text<G: Game>(session: &Session<G>) -> String {
    // Nobody says which player this program is; the last move that it made does.
    let name = |color| match session.own {
        Some(own) if own == color => G::NAME,
        Some(_) => session.opponent.as_str(),
        None => "",
    };
    session.game.sgf(name(Color::Black), name(Color::White))
}
