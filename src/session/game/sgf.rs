//! SGF for games that have no form of their own.

use anyhow::{Context, bail};
use game_core::Outcome;
use game_record::{Games, Tree};

use super::Game;
use crate::gtp::Color;

/// A game as SGF whose turns are words, one a node.
pub fn sgf<G: Game>(game: &G, black: &str, white: &str) -> String {
    let (columns, rows) = game.size();
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let mut text = format!("(;{}SZ[{size}]", game.sgf_head());
    for (ident, name) in [("PB", black), ("PW", white)] {
        if !name.is_empty() {
            text += &format!("{ident}[{}]", name.replace('\\', "\\\\").replace(']', "\\]"));
        }
    }
    match game.outcome() {
        Outcome::Win(color) => text += &format!("RE[{}+]", color.initial()),
        Outcome::Draw => text += "RE[0]",
        Outcome::Open => {}
    }
    text += &game.sgf_setup();
    for (number, (color, turn)) in game.turns().iter().enumerate() {
        if number % 8 == 0 {
            text.push('\n');
        }
        text += &format!(";{}[{turn}]", color.initial());
    }
    text + ")\n"
}

/// The bytes of a record behind the byte order mark that some editors put there.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Whether the bytes of a record, without a byte order mark, are SGF, and not moves in a row.
pub fn is_sgf(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(')
}

/// Reads the first game in the bytes of a file.
///
/// # Errors
/// What is wrong with the file, or with what `read` makes of it.
pub fn read_first<T>(
    bytes: &[u8],
    read: impl FnOnce(&Tree<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let text = Games::new(bytes).next().context("there is no game in the file")??;
    read(&Tree::parse(&text)?)
}

/// A word of a record's main line.
pub struct Word<'a> {
    /// Whose.
    pub color: Color,
    /// A point that was set up (`AB`, `AW`), not a move.
    pub is_setup: bool,
    /// The move or the point, in the words of the game's records.
    pub text: &'a str,
}

/// The moves and the points set up in a record's main line, in their order.
pub fn words<'t>(tree: &'t Tree<'_>) -> Vec<Word<'t>> {
    let mut words = Vec::new();
    for node in tree.main_line() {
        for property in node.properties() {
            let kinds = [
                ("B", Color::Black),
                ("W", Color::White),
                ("AB", Color::Black),
                ("AW", Color::White),
            ];
            let Some(&(ident, color)) = kinds.iter().find(|kind| property.is(kind.0)) else {
                continue;
            };
            let texts = property.values.iter().map(|value| value.trim());
            // Little Golem ends some records with a resignation.
            let texts =
                texts.filter(|text| !text.is_empty() && !text.eq_ignore_ascii_case("resign"));
            words.extend(texts.map(|text| Word { color, is_setup: ident.len() > 1, text }));
        }
    }
    words
}

/// Columns and rows of a record, `default` where it does not say.
///
/// # Errors
/// When the size is none.
pub fn size(tree: &Tree<'_>, default: u8) -> anyhow::Result<(u8, u8)> {
    let Some(text) = tree.node(Tree::ROOT).value("SZ") else { return Ok((default, default)) };
    let sides: Option<Vec<u8>> = text.split(':').map(|n| n.trim().parse::<u8>().ok()).collect();
    match sides.as_deref() {
        Some(&[side]) => Ok((side, side)),
        Some(&[columns, rows]) => Ok((columns, rows)),
        _ => bail!("{:?} is no size of a board", text.chars().take(40).collect::<String>()),
    }
}

/// The game of a record that [`sgf`] has written.
pub(super) fn load<G: Game>(like: &G, bytes: &[u8], moves: Option<usize>) -> anyhow::Result<G> {
    read_first(bytes, |tree| {
        let (columns, rows) = size(tree, like.size().0)?;
        let game = like.resized(columns, rows);
        let mut game =
            game.with_context(|| format!("a board of {columns}x{rows} is not played on here"))?;
        for (number, word) in words(tree).iter().enumerate().take(moves.unwrap_or(usize::MAX)) {
            let place = || format!("move {}: {:?}", number + 1, word.text);
            let (steps, _) = game.read(word.text).with_context(place)?;
            game = game.after(word.color, &steps).with_context(place)?;
        }
        Ok(game)
    })
}
