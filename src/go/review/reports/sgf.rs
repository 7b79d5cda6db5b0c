//! The record with the review written into it: everything that was in it stays, but an earlier review.
//!
//! What a review adds to a node is named in a property of its own, [`ADDED`], so that the next review can take its place.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::Result;
use game_record::{Node, NodeId, Property, Tree, escape_text};
use go_engine::Move;

use super::words;
use crate::go::record::sgf_point;
use crate::go::review::document::{Document, MoveEntry};
use crate::go::review::game::ReviewGame;
use crate::go::review::loss::Grade;

/// Names what a review added to its node: properties, or that the node begins a branch of a better variation.
const ADDED: &str = "TSJ";
/// Stands there for such a branch.
const BRANCH: &str = "branch";
/// What reviews add beside comments.
const REPLACED: [&str; 4] = ["V", "TE", "DO", "BM"];

/// What comes next of the text.
enum Part {
    Node(NodeId),
    Text(String),
}

/// The record with comments, values, marks of moves, and the better variations as branches after those that it has.
///
/// # Errors
/// When the record is not what it was.
pub fn annotated(game: &ReviewGame, document: &Document) -> Result<String> {
    let tree = Tree::parse(&game.text)?;
    let height = game.first().board().height();
    let main = main_line(&tree);
    let mut text = String::from("(");
    let mut parts = vec![Part::Node(Tree::ROOT)];
    while let Some(part) = parts.pop() {
        let id = match part {
            Part::Text(more) => {
                text += &more;
                continue;
            }
            Part::Node(id) => id,
        };
        let node = tree.node(id);
        let entry = main.get(&id).and_then(|&made| document.moves.get(made.checked_sub(1)?));
        write_node(&mut text, node, &added(node, id, entry, document));
        let is_kept = |child: &NodeId| !was_added(tree.node(*child), BRANCH);
        let children: Vec<NodeId> = node.children().filter(is_kept).collect();
        // What is better than the main line's next move stands beside it.
        let next = children.first().and_then(|next| main.get(next));
        let next = next.and_then(|&made| document.moves.get(made.checked_sub(1)?));
        let better = next.and_then(|next| variation(next, height));
        if let ([only], None) = (children.as_slice(), &better) {
            parts.push(Part::Node(*only));
            continue;
        }
        // What is pushed last comes first.
        parts.extend(better.map(Part::Text));
        for &child in children.iter().rev() {
            parts.extend([
                Part::Text(")".to_owned()),
                Part::Node(child),
                Part::Text("\n(".to_owned()),
            ]);
        }
    }
    text += ")\n";
    Ok(text)
}

/// The nodes of the main line that have a move, each with the number of its last.
fn main_line(tree: &Tree<'_>) -> HashMap<NodeId, usize> {
    let mut made = 0;
    let mut main = HashMap::new();
    for node in tree.main_line() {
        let moves = node.properties().filter(|p| p.is("B") || p.is("W")).count();
        made += moves;
        if moves > 0 {
            main.insert(node.id(), made);
        }
    }
    main
}

/// Whether an earlier review added this to the node.
fn was_added(node: Node<'_, '_>, what: &str) -> bool {
    let added = node.properties().find(|property| property.is(ADDED));
    added.is_some_and(|added| added.values.contains(&what))
}

/// A comment, as it is written, without what an earlier review added: its last paragraph.
fn without_review(comment: &str) -> &str {
    let end = ["\n\n", "\r\n\r\n"].iter().filter_map(|blank| comment.rfind(blank)).max();
    comment[..end.unwrap_or(0)].trim_end()
}

/// What is added to a node.
#[derive(Default)]
struct Added {
    comment: String,
    /// Properties with their values, as they are written.
    properties: Vec<(&'static str, String)>,
    is_root: bool,
}

fn added(node: Node<'_, '_>, id: NodeId, entry: Option<&MoveEntry>, document: &Document) -> Added {
    let mut added = Added { is_root: id == Tree::ROOT, ..Added::default() };
    let mut comments = Vec::new();
    if added.is_root {
        comments.push(words::game_comment(document));
    }
    if let Some(entry) = entry {
        comments.push(words::move_comment(entry));
        let has = |name| node.property(name).is_some() && !was_added(node, name);
        if let (Some(value), false) = (entry.black, has("V")) {
            added.properties.push(("V", value.lead.to_string()));
        }
        let is_assessed = ["TE", "BM", "DO", "IT"].into_iter().any(has);
        if let (Some(assessment), false) = (&entry.assessment, is_assessed) {
            let mark = match assessment.grade {
                Grade::Good if assessment.is_tesuji => Some(("TE", "1")),
                Grade::Good => None,
                Grade::Doubtful => Some(("DO", "")),
                Grade::Bad => Some(("BM", "1")),
                Grade::Blunder => Some(("BM", "2")),
            };
            added.properties.extend(mark.map(|(name, value)| (name, value.to_owned())));
        }
    }
    comments.retain(|comment| !comment.is_empty());
    added.comment = comments.join("\n");
    added
}

/// A node as it was, with what is added.
fn write_node(text: &mut String, node: Node<'_, '_>, added: &Added) {
    text.push(';');
    let mut comment = Some(added.comment.as_str()).filter(|comment| !comment.is_empty());
    // Once: a node may have many properties.
    let replaced = REPLACED.map(|name| was_added(node, name));
    let has_old_comment = was_added(node, "C");
    let mut has_charset = false;
    for Property { ident, values } in node.properties() {
        let is = |name| Property { ident, values }.is(name);
        let is_reviews = REPLACED.into_iter().zip(replaced).any(|(name, was)| was && is(name));
        let kept = values.iter().map(|&value| match () {
            // The text was converted.
            () if is("CA") && added.is_root => "UTF-8",
            () if is("C") && has_old_comment => without_review(value),
            () => value,
        });
        if is_reviews || is(ADDED) || is("C") && kept.clone().all(str::is_empty) {
            continue;
        }
        has_charset |= is("CA");
        let mut written = String::new();
        for value in kept {
            let _ = write!(written, "[{value}");
            if let Some(comment) = comment.take_if(|_| is("C")) {
                let _ = write!(written, "\n\n{}", escape_text(comment));
            }
            written.push(']');
        }
        let _ = write!(text, "{ident}{written}");
    }
    if added.is_root && !has_charset {
        *text += "CA[UTF-8]";
    }
    for (name, value) in &added.properties {
        let _ = write!(text, "{name}[{value}]");
    }
    if let Some(comment) = comment {
        let _ = write!(text, "C[{}]", escape_text(comment));
    }
    let mut names: Vec<&str> = added.properties.iter().map(|(name, _)| *name).collect();
    names.extend((!added.comment.is_empty()).then_some("C"));
    if !names.is_empty() {
        let _ = write!(text, "{ADDED}[{}]", names.join("]["));
    }
}

/// The better moves in the place of one, as a branch.
fn variation(entry: &MoveEntry, height: u8) -> Option<String> {
    let better = entry.assessment.as_ref()?.correction()?;
    let mut color = words::color_of(&entry.color);
    let mut text = String::from("\n(");
    for (at, &mv) in better.line.iter().enumerate() {
        let point = sgf_point(mv, height).and_then(|point| point.to_sgf()).unwrap_or_default();
        let _ = write!(text, ";{}[{point}]", color.initial());
        if at == 0 {
            let instead = match entry.mv {
                Move::Pass => "a pass".to_owned(),
                mv => mv.to_string(),
            };
            let comment = format!("Better than {instead}. {}.", words::promise(better));
            let _ = write!(text, "V[{}]C[{}]{ADDED}[{BRANCH}]", better.lead, escape_text(&comment));
        }
        color = color.other();
    }
    text.push(')');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::review::document::Made;
    use crate::go::review::game::Assumed;
    use crate::go::review::loss;
    use crate::go::review::position_analysis::{MoveAnalysis, PositionAnalysis};
    use game_record::{Games, Record};
    use go_engine::Point;

    /// The record of a game whose second move of three is bad, reviewed.
    fn reviewed(sgf: &[u8]) -> String {
        let text = Games::new(sgf).next().unwrap().unwrap();
        let game = ReviewGame::read(&text, &Assumed::default()).unwrap();
        let found = |lead: f64| PositionAnalysis {
            visits: 100,
            winrate: 0.5,
            lead,
            moves: vec![MoveAnalysis {
                mv: Move::Play(Point::new(6, 6)),
                visits: 90,
                winrate: 0.5,
                lead,
                line: vec![Move::Play(Point::new(6, 6)), Move::Pass],
            }],
            expected: None,
        };
        let all: Vec<Option<PositionAnalysis>> =
            [0.0, -1.0, 9.0, 9.0].into_iter().map(|lead| Some(found(lead))).collect();
        let moves = loss::review(&game.moves, &all, 81, 9);
        let made = Made { key: "", finished: true, file: "f", playouts: None, network: None };
        annotated(&game, &Document::new(&made, &game, &all, &moves)).unwrap()
    }

    #[test]
    fn what_was_in_the_record_stays_and_the_review_stands_beside_it() {
        let sgf = reviewed(
            b"(;GM[1]SZ[9]PB[a\\]b]XX[own][two];B[cc]C[old: \\] comment]LB[aa:1](;W[ee]BM[1];B[ef])(;W[ff]C[other]))",
        );
        let root = "(;GM[1]SZ[9]PB[a\\]b]XX[own][two]CA[UTF-8]C[Reviewed by Tesuji";
        assert!(sgf.starts_with(root), "{sgf}");
        assert!(
            sgf.contains(
                ";B[cc]C[old: \\] comment\n\nBlack wins 50%; White leads by 1.0.]LB[aa:1]V[-1]TSJ[V][C]"
            ),
            "{sgf}"
        );
        // Its own mark of the move, not another one; the other variation; and the better one after it.
        assert!(sgf.contains("(;W[ee]BM[1]V[9]C["), "{sgf}");
        assert!(sgf.contains("loses 10.0 points: blunder"), "{sgf}");
        let ending = "\n(;W[ff]C[other])\n(;W[gc]V[-1]C[Better than E5. Black wins 50%, White leads by 1.0.]TSJ[branch];B[]))\n";
        assert!(sgf.ends_with(ending), "{sgf}");
    }

    #[test]
    fn a_second_review_takes_the_place_of_the_first() {
        for before in [
            "(;SZ[9];B[cc];W[ee];B[ef])",
            "(;SZ[9]C[mine];B[cc]C[two\n\nparagraphs]V[3](;W[ee]C[];B[ef])(;W[ff]C[other]))",
        ] {
            let once = reviewed(before.as_bytes());
            assert_eq!(reviewed(once.as_bytes()), once);
            // Some editors end lines as Windows does.
            let elsewhere = once.replace('\n', "\r\n");
            let again = reviewed(elsewhere.as_bytes());
            assert_eq!(again.matches("Reviewed by").count(), 1, "{again}");
            assert_eq!(again.matches("Black wins").count(), once.matches("Black wins").count());
        }
    }

    #[test]
    fn the_main_line_is_read_again_as_it_was_and_marks_are_written() {
        let before = b"(;SZ[9]CA[GB2312]PB[\xb0\xa2];B[cc];W[ee];B[])";
        let sgf = reviewed(before);
        assert!(sgf.contains("CA[UTF-8]PB[\u{963f}]"), "{sgf}");
        assert!(sgf.contains("BM[2]"), "{sgf}");
        let read = |sgf: &[u8]| Record::read(&Games::new(sgf).next().unwrap().unwrap()).unwrap();
        assert_eq!(read(sgf.as_bytes()), read(before));
    }

    /// Each of these was once compared with all the others.
    #[test]
    fn a_node_of_many_properties_is_written_in_time() {
        let sgf = format!("(;SZ[9];B[cc]{};W[ee];B[ef])", "V[1]".repeat(100_000));
        let written = reviewed(sgf.as_bytes());
        assert_eq!(written.matches("V[1]").count(), 100_000);
    }

    #[test]
    fn deep_trees_are_written_too() {
        let mut sgf = String::from("(;SZ[9];B[cc];W[ee];B[ef]");
        for _ in 0..900 {
            sgf += "(;W[];B[])(;W[aa]";
        }
        sgf += &")".repeat(901);
        // Only the first three moves are looked at here.
        let written = reviewed(sgf.as_bytes());
        assert_eq!(written.matches("(;W[aa]").count(), 900);
    }
}
