//! The search tree as SGF.

use game_record::{Ident, SgfWriter};

use super::Go;
use super::record;
use crate::gtp::{Call, Commands, Failure, Reply};
use crate::session::Game as _;
use crate::session::record::save as write_file;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands.add("tesuji-search_tree", show).add("tesuji-save_search_tree", save);
}

/// Nodes with fewer playouts are left out unless another number is given.
const DEFAULT_MIN_VISITS: u64 = 10;
/// Variations are cut off here: no reader needs more, and some cannot take it.
const MAX_DEPTH: usize = 200;

/// `tesuji-search_tree [VISITS]`: nodes with at least so many playouts.
fn show(go: &mut Go, call: &mut Call) -> Reply {
    let min_visits = if call.args.is_empty() { DEFAULT_MIN_VISITS } else { call.args.parse()? };
    text(go, call, min_visits)
}

/// `tesuji-save_search_tree FILE`.
fn save(go: &mut Go, call: &mut Call) -> Reply {
    if call.args.is_empty() {
        return Err(Failure::syntax());
    }
    let text = text(go, call, DEFAULT_MIN_VISITS)?;
    write_file(call, &text)
}

/// The tree of the present position, which is searched for a short time where it was not.
fn text(go: &mut Go, call: &Call, min_visits: u64) -> Reply {
    go.current_report(call)?;
    if go
        .engine
        .tree(min_visits)
        .is_none_or(|(game, ..)| game.fingerprint() != go.game.fingerprint())
    {
        go.re_search(call)?;
    }
    let tree = go.engine.tree(min_visits.max(1));
    let (game, color, branches) =
        tree.ok_or_else(|| Failure::new("no search has been made yet"))?;
    let height = game.board().height();
    let mut writer = SgfWriter::new();
    record::begin_position(&mut writer, game, color);
    // Each node is a variation of its own, on a row of its own, which closes where the next is no deeper.
    let mut open = 0;
    for branch in branches.iter().filter(|branch| branch.depth <= MAX_DEPTH) {
        while open >= branch.depth {
            writer.end_variation();
            open -= 1;
        }
        let player = if branch.depth % 2 == 1 { color } else { color.other() };
        let comment = format!("{} playouts, wins {:.1}%", branch.visits, 100.0 * branch.value);
        writer
            .end_line()
            .begin_variation()
            .node()
            .play(player, record::sgf_point(branch.mv, height))
            .text(Ident::COMMENT, &comment);
        open += 1;
    }
    writer.end_game();
    Ok(writer.finish())
}
