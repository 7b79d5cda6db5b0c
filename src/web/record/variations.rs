//! All variations of a record, as far as they can be played.

use game_record::{Node, NodeId as RecordNode, Tree as RecordTree};

use super::Loaded;
use super::properties::{keep, sets_up};
use crate::gtp::Color;
use crate::session::Game;
use crate::web::tree::{MAX_COMMENT, MAX_NODES, NodeId, Tree};

/// What was left out.
#[derive(Default)]
struct LeftOut {
    /// Variations that begin with a move that cannot be made.
    unplayable: usize,
    /// Variations that begin with stones put down or taken off.
    set_up: usize,
    /// The record has more positions than a tree.
    rest: bool,
    /// A comment is longer than those of a tree.
    cut: bool,
}

impl LeftOut {
    fn notes(&self) -> Vec<String> {
        let all = |count: usize, why: &str| {
            let (s, are) = if count == 1 { ("", "is") } else { ("s", "are") };
            (count > 0).then(|| format!("{count} variation{s} {why} and {are} left out"))
        };
        let rest = format!("only the first {MAX_NODES} positions of the record are here");
        let cut = format!("of long comments only the first {MAX_COMMENT} characters are here");
        [
            all(self.unplayable, "cannot be played"),
            all(self.set_up, "with stones set up on the way cannot be shown"),
            self.rest.then_some(rest),
            self.cut.then_some(cut),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The move of a node.
fn turn<'a>(node: &Node<'_, 'a>) -> Option<(Color, &'a str)> {
    let sides = [("B", Color::Black), ("W", Color::White)];
    sides.into_iter().find_map(|(name, color)| Some((color, node.value(name)?)))
}

/// Stones that are put down or taken off after the first move of a record's main line, for the first time.
#[derive(Clone, Copy)]
pub struct LaterSetup {
    /// Where.
    node: RecordNode,
    /// Moves before it.
    pub moves: usize,
}

/// Where stones are put down or taken off after the first move of the main line; none where that is never.
pub fn later_setup(record: &RecordTree) -> Option<LaterSetup> {
    let mut moves = 0;
    for node in record.main_line() {
        if moves > 0 && sets_up(&node) {
            return Some(LaterSetup { node: node.id(), moves });
        }
        moves += usize::from(turn(&node).is_some());
    }
    None
}

/// Follows all variations of a record as far as they can be played. Stones that are set up before the first move of the main
/// line stand in the game's root; wherever else, the variation ends before them.
/// Says which variations are left out.
pub fn follow<G: Game>(loaded: &mut Loaded<G>, record: &RecordTree, later: Option<LaterSetup>) {
    let mut left_out = LeftOut::default();
    let before_move = || record.main_line().take_while(|node| turn(node).is_none());
    let last_setup = before_move().filter(sets_up).last();
    let begin = last_setup.map_or(RecordTree::ROOT, |node| node.id());
    for node in before_move().take_while(|node| node.id() != begin) {
        left_out.set_up += node.children().count().saturating_sub(1);
        left_out.cut |= !remember(&mut loaded.tree, Tree::ROOT, &node);
    }
    let mut game = loaded.root.clone();
    let mut open = vec![(begin, Tree::ROOT, game.mark())];
    let mut count = 0;
    while let Some((id, before, mark)) = open.pop() {
        count += 1;
        // Moves that are tried are as many as a tree can have, also where it has them already.
        if count > MAX_NODES {
            left_out.rest = true;
            break;
        }
        game.rewind(mark);
        let node = record.node(id);
        if id != begin && sets_up(&node) {
            // Of the main line more is told elsewhere.
            left_out.set_up += usize::from(later.is_none_or(|later| later.node != id));
            continue;
        }
        let mut at = before;
        if let Some((color, word)) = turn(&node) {
            let steps = game.record_steps(word).filter(|steps| !steps.is_empty());
            let after = steps.and_then(|steps| Some((game.after(color, &steps).ok()?, steps)));
            let Some((after, steps)) = after else {
                left_out.unplayable += 1;
                continue;
            };
            game = after;
            match loaded.tree.add(before, color, &steps) {
                Ok((added, _)) => at = added,
                Err(_) => {
                    left_out.rest = true;
                    break;
                }
            }
        }
        left_out.cut |= !remember(&mut loaded.tree, at, &node);
        // The last to be pushed is the first to be followed.
        let first = open.len();
        open.extend(node.children().map(|child| (child, at, game.mark())));
        open[first..].reverse();
    }
    loaded.notes.extend(left_out.notes());
}

/// Keeps what a node says of the position after it, where others may have said something too. Whether all of it was kept.
fn remember(tree: &mut Tree, at: NodeId, node: &Node) -> bool {
    let Some(kept) = tree.get_mut(at) else { return true };
    keep(&mut kept.properties, node);
    let text = node.text("C").unwrap_or_default();
    let text = text.trim();
    if text.is_empty() || kept.comment == text {
        return true;
    }
    if !kept.comment.is_empty() {
        kept.comment.push_str("\n\n");
    }
    let room = MAX_COMMENT.saturating_sub(kept.comment.chars().count());
    kept.comment.extend(text.chars().take(room));
    text.chars().nth(room).is_none()
}
