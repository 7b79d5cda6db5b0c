//! The session behind a room: the game's own commands, and what a page needs beside them.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::super::WebGame;
use super::super::record;
use super::super::tree::Tree;
use crate::gtp::{Commands, Failure};
use crate::session::{self, Game, Session};

/// What is handed to a session and back that is no line of words.
#[derive(Default)]
pub struct Exchange {
    /// A record's bytes.
    pub record: Vec<u8>,
    /// Variations.
    pub tree: Tree,
    /// The players' names.
    pub names: [String; 2],
    /// The result as records have it.
    pub result: String,
    /// What was left out of a record, in words.
    pub notes: Vec<String>,
    /// The game as SGF.
    pub sgf: String,
}

/// Makes the session in its own thread.
pub fn make<G: Game>(
    game: &WebGame<G>,
    exchange: Arc<Mutex<Exchange>>,
) -> impl FnOnce() -> Result<(Commands<Session<G>>, Session<G>)> + Send + use<G> {
    let (commands, new_session) = (game.commands, game.session.clone());
    move || {
        let mut commands = commands();
        // A person is told why a move is forbidden, a controller only that it is.
        commands.add("play", |session, call| {
            session::play(session, call).map_err(Failure::with_reason)
        });
        let with = exchange.clone();
        commands.add("web-load", move |session, _| {
            let mut exchange = with.lock().unwrap_or_else(PoisonError::into_inner);
            let bytes = std::mem::take(&mut exchange.record);
            let loaded = record::read(&session.game, &bytes);
            let loaded = loaded.map_err(|why| Failure::new(format!("{why:#}")))?;
            exchange.tree = loaded.tree;
            exchange.names = loaded.names;
            exchange.result = loaded.result;
            exchange.notes = loaded.notes;
            session.replace(loaded.root);
            Ok(String::new())
        });
        commands.add("web-save", move |session, _| {
            let mut exchange = exchange.lock().unwrap_or_else(PoisonError::into_inner);
            let Exchange { tree, names, result, .. } = &*exchange;
            exchange.sgf = record::write(&session.game, tree, names, result);
            Ok(String::new())
        });
        Ok((commands, new_session()?))
    }
}

/// What the game can draw or say, of the kinds that a page shows: the kind, and the command.
pub fn shows<G: Game>() -> Vec<(String, String)> {
    let kinds = ["gfx", "dboard", "plist", "string", "hstring"];
    let split = |row: &&str| {
        let mut parts = row.splitn(3, '/');
        let (kind, _, command) = (parts.next()?, parts.next()?, parts.next()?);
        (kinds.contains(&kind) && !command.contains('%'))
            .then(|| (kind.to_owned(), command.to_owned()))
    };
    G::ANALYZE_COMMANDS.iter().filter_map(split).collect()
}
