//! The search tree as SGF.

use std::path::Path;

use game_record::{Ident, SgfWriter};

use super::Go;
use super::engine::Branch;
use super::record;
use crate::files;
use crate::gtp::{Call, Failure, Reply};

/// Nodes with fewer playouts are left out unless another number is given.
const DEFAULT_LEAST: u64 = 10;
/// Variations are cut off here: no reader needs more, and some cannot take it.
const DEEPEST: usize = 200;

/// `tesuji-search_tree [VISITS]`: nodes with at least so many playouts.
pub(super) fn show(go: &mut Go, call: &mut Call) -> Reply {
    let least = if call.args.is_empty() { DEFAULT_LEAST } else { call.args.parse()? };
    text(go, least)
}

/// `tesuji-save_search_tree FILE`.
pub(super) fn save(go: &mut Go, call: &mut Call) -> Reply {
    let path = call.args.rest();
    if path.is_empty() {
        return Err(Failure::syntax());
    }
    files::replace(Path::new(path), text(go, DEFAULT_LEAST)?.as_bytes())
        .map_err(|error| record::cannot_save(path, &error))?;
    Ok(String::new())
}

fn text(go: &Go, least: u64) -> Reply {
    if go.engine.findings().is_none() {
        return Err(Failure::new("no search has been made yet"));
    }
    let branches = go.engine.tree(least.max(1));
    // The search began before the move that came of it.
    let mut game = go.game.clone();
    if let (Some(last), Some(first)) = (game.last(), branches.first())
        && last.color == first.color
    {
        game.undo_to(game.moves().len() - 1);
    }
    let height = game.board().height();
    let mut writer = SgfWriter::new();
    record::begin_position(&mut writer, &game);
    let single = branches.len() == 1;
    for branch in &branches {
        write(&mut writer, branch, height, single, DEEPEST);
    }
    writer.end_game();
    Ok(writer.finish())
}

fn write(writer: &mut SgfWriter, branch: &Branch, height: u8, single: bool, depth: usize) {
    if !single {
        writer.begin_variation();
    }
    let point = record::sgf_point(branch.mv, height);
    let comment = format!("{} playouts, wins {:.1}%", branch.visits, 100.0 * branch.winrate);
    writer.node().play(record::sgf_color(branch.color), point).text(Ident::COMMENT, &comment);
    if depth > 0 {
        let single = branch.children.len() == 1;
        for child in &branch.children {
            write(writer, child, height, single, depth - 1);
        }
    }
    if !single {
        writer.end_variation();
    }
}
