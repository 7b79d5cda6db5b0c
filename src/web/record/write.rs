//! A game with its variations as SGF.

use game_record::{Games, Tree as RecordTree, escape_text};

use crate::session::Game;
use crate::web::tree::{NodeId, Tree};

/// The game with all its variations as SGF; `game` is any position of it.
pub fn write<G: Game>(game: &G, tree: &Tree, names: &[String; 2], result: &str) -> String {
    let mut root = game.clone();
    if let Some(&first) = root.marks().first() {
        root.rewind(first);
    }
    let head = root.sgf(&names[0], &names[1]);
    let mut text = head.trim_end().trim_end_matches(')').to_owned();
    let written = names_in_root(&head);
    if !result.is_empty() && !written.iter().any(|name| name == "RE") {
        text += &format!("RE[{}]", escape_text(result));
    }
    annotate(&mut text, tree, Tree::ROOT, &written);
    // What is still to be written: a node, or the end of a variation.
    enum Part {
        Node(NodeId),
        Begin,
        End,
    }
    let follow = |open: &mut Vec<Part>, id: NodeId| match tree.children(id) {
        [only] => open.push(Part::Node(*only)),
        children => {
            for &child in children.iter().rev() {
                open.extend([Part::End, Part::Node(child), Part::Begin]);
            }
        }
    };
    let mut open = Vec::new();
    follow(&mut open, Tree::ROOT);
    while let Some(part) = open.pop() {
        match part {
            Part::Begin => text += "\n(",
            Part::End => text.push(')'),
            Part::Node(id) => {
                let Some(node) = tree.get(id) else { continue };
                text += &format!(";{}[{}]", node.color.initial(), root.record_word(&node.steps));
                annotate(&mut text, tree, id, &[]);
                follow(&mut open, id);
            }
        }
    }
    text + ")\n"
}

/// The names of the properties in a record's root.
fn names_in_root(record: &str) -> Vec<String> {
    let Some(Ok(game)) = Games::new(record.as_bytes()).next() else { return Vec::new() };
    let Ok(tree) = RecordTree::parse(&game) else { return Vec::new() };
    tree.node(RecordTree::ROOT).properties().map(|property| property.ident.to_owned()).collect()
}

/// What a node has beside its move, but for the properties that are there already.
fn annotate(text: &mut String, tree: &Tree, id: NodeId, written: &[String]) {
    let Some(node) = tree.get(id) else { return };
    for property in node.properties.iter().filter(|property| !written.contains(&property.name)) {
        *text += &format!("{}{}", property.name, property.values);
    }
    if !node.comment.is_empty() {
        *text += &format!("C[{}]\n", escape_text(&node.comment));
    }
}
