//! A game's nodes and raw properties.
//!
//! Tried instead: sgf-parse 4.2.8, given each game's text as `split.rs` has bounded it. It loads all 73,979
//! games tried, with the same nodes, but takes 31.1 s for the 60,427 professional games on 19x19 where this module
//! takes 2.4 s (13 times as long; 10 times on 9x9), more than the three times that learning could bear. It makes a tree of
//! owned values, keeps no place for error messages, and its recursion needs a stack that grows with the game (16,000 nodes
//! overflow 2 MiB, an abort). So it stays what the tests compare this module with.

use crate::{ErrorKind, GameText, RecordError};
use std::borrow::Cow;
use std::ops::Range;

/// Names a node of a [`Tree`]; the root is [`Tree::ROOT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// A game's tree of nodes, borrowed from its text.
///
/// ```
/// use game_record::{Games, Tree};
/// let game = Games::new(b"(;GM[40];W[j4-g7/d7](;B[a7-b6/e6])(;B[j10-e5/e9]C[also \\] good]))").next().unwrap().unwrap();
/// let tree = Tree::parse(&game).unwrap();
/// let first = tree.node(tree.node(Tree::ROOT).children().next().unwrap());
/// assert_eq!(first.value("W"), Some("j4-g7/d7"));
/// let second = tree.node(first.children().nth(1).unwrap());
/// assert_eq!(second.text("C").unwrap(), "also ] good");
/// ```
#[derive(Debug)]
pub struct Tree<'a> {
    game: &'a GameText<'a>,
    nodes: Vec<NodeData>,
    properties: Vec<PropertyData<'a>>,
    values: Vec<&'a str>,
}

#[derive(Debug)]
struct NodeData {
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    properties: Range<u32>,
    offset: u32,
}

#[derive(Debug)]
struct PropertyData<'a> {
    ident: &'a str,
    values: Range<u32>,
}

impl<'a> Tree<'a> {
    /// The first node of every game.
    pub const ROOT: NodeId = NodeId(0);

    /// Reads a game's nodes.
    ///
    /// # Errors
    /// What the format does not allow, with its place: a variation without a node, a property without a value, stray characters.
    /// A comment or a mark without a value is passed over.
    pub fn parse(game: &'a GameText<'a>) -> Result<Self, RecordError> {
        let mut tree = Tree { game, nodes: Vec::new(), properties: Vec::new(), values: Vec::new() };
        tree.fill(&game.text).map_err(|(at, kind)| game.error(at, kind))?;
        Ok(tree)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Node<'_, 'a> {
        Node { tree: self, id }
    }

    /// How many nodes the game has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// False: every tree has its root. Here because a length asks for it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The root, its first child, that one's first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_, 'a>> {
        std::iter::successors(Some(self.node(Self::ROOT)), |node| {
            node.children().next().map(|id| self.node(id))
        })
    }

    fn fill(&mut self, text: &'a str) -> Result<(), (usize, ErrorKind)> {
        let bytes = text.as_bytes();
        // The last node read in each open variation, and the last child of every node, to append siblings.
        let mut open: Vec<Option<NodeId>> = Vec::new();
        let mut last_child: Vec<Option<NodeId>> = Vec::new();
        let mut current: Option<NodeId> = None;
        // Where no property may come: before a variation's first node, and behind a variation, whose node has all of its own.
        let (mut fresh, mut closed) = (false, false);
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'(' => {
                    if fresh {
                        return Err((at, ErrorKind::EmptyVariation));
                    }
                    open.push(current);
                    fresh = true;
                }
                b')' => {
                    if fresh {
                        return Err((at, ErrorKind::EmptyVariation));
                    }
                    current = open.pop().ok_or((at, ErrorKind::Unexpected(')')))?;
                    closed = true;
                }
                b';' => {
                    (fresh, closed) = (false, false);
                    let id = NodeId(self.nodes.len() as u32);
                    let start = self.properties.len() as u32;
                    self.nodes.push(NodeData {
                        parent: current,
                        first_child: None,
                        next_sibling: None,
                        properties: start..start,
                        offset: at as u32,
                    });
                    last_child.push(None);
                    if let Some(parent) = current {
                        match last_child[parent.0 as usize].replace(id) {
                            Some(sibling) => self.nodes[sibling.0 as usize].next_sibling = Some(id),
                            None => self.nodes[parent.0 as usize].first_child = Some(id),
                        }
                    }
                    current = Some(id);
                }
                byte if byte.is_ascii_alphabetic() => {
                    let (Some(node), false) = (current, fresh || closed) else {
                        return Err((at, ErrorKind::Unexpected(byte as char)));
                    };
                    at = self.property(node, text, at)?;
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    return Err((
                        at,
                        ErrorKind::Unexpected(text[at..].chars().next().unwrap_or('?')),
                    ));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Reads `IDENT[value][value]` and returns the byte after it.
    fn property(
        &mut self,
        node: NodeId,
        text: &'a str,
        from: usize,
    ) -> Result<usize, (usize, ErrorKind)> {
        let bytes = text.as_bytes();
        let mut at = from;
        while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
            at += 1;
        }
        let ident = &text[from..at];
        let first = self.values.len() as u32;
        loop {
            let mut next = at;
            while next < bytes.len() && bytes[next].is_ascii_whitespace() {
                next += 1;
            }
            if bytes.get(next) != Some(&b'[') {
                break;
            }
            let start = next + 1;
            at = start;
            loop {
                match bytes.get(at) {
                    Some(b']') => break,
                    Some(b'\\') => at += 2,
                    Some(_) => at += 1,
                    None => {
                        return Err((start, ErrorKind::Truncated("a value is not closed by ']'")));
                    }
                }
            }
            self.values.push(&text[start..at]);
            at += 1;
        }
        let last = self.values.len() as u32;
        if first == last {
            // What is only drawn or said changes no position: a record is good without it.
            return match is_annotation(ident) {
                true => Ok(at),
                false => Err((from, ErrorKind::NoValue(ident.to_owned()))),
            };
        }
        self.properties.push(PropertyData { ident, values: first..last });
        self.nodes[node.0 as usize].properties.end = self.properties.len() as u32;
        Ok(at)
    }
}

/// A node of a game.
#[derive(Debug, Clone, Copy)]
pub struct Node<'t, 'a> {
    tree: &'t Tree<'a>,
    id: NodeId,
}

impl<'t, 'a> Node<'t, 'a> {
    fn data(&self) -> &'t NodeData {
        &self.tree.nodes[self.id.0 as usize]
    }

    /// This node's name.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The node before this one, or `None` at the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.data().parent
    }

    /// The nodes after this one, the main variation first.
    pub fn children(&self) -> impl Iterator<Item = NodeId> + use<'t, 'a> {
        let tree = self.tree;
        std::iter::successors(self.data().first_child, move |child| {
            tree.nodes[child.0 as usize].next_sibling
        })
    }

    /// The node's properties, in the order written.
    pub fn properties(&self) -> impl Iterator<Item = Property<'t, 'a>> + use<'t, 'a> {
        let tree = self.tree;
        let range = self.data().properties.clone();
        tree.properties[range.start as usize..range.end as usize].iter().map(move |property| {
            Property {
                ident: property.ident,
                values: &tree.values[property.values.start as usize..property.values.end as usize],
            }
        })
    }

    /// The first property of this name. Small letters in a file's own names are ignored, as FF\[3\] had them (`BlackPlayer` is `BP`).
    pub fn property(&self, ident: &str) -> Option<Property<'t, 'a>> {
        self.properties().find(|property| property.is(ident))
    }

    /// The first value of a property, as written.
    pub fn value(&self, ident: &str) -> Option<&'a str> {
        self.property(ident).and_then(|property| property.values.first().copied())
    }

    /// The first value of a property as text: escapes and soft line breaks resolved.
    pub fn text(&self, ident: &str) -> Option<Cow<'a, str>> {
        self.value(ident).map(unescape)
    }

    /// An error about this node.
    pub fn error(&self, kind: ErrorKind) -> RecordError {
        self.tree.game.error(self.data().offset as usize, kind)
    }
}

/// A property of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property<'t, 'a> {
    /// The name as written.
    pub ident: &'a str,
    /// The values as written, with their escapes; at least one.
    pub values: &'t [&'a str],
}

impl Property<'_, '_> {
    /// Whether it has this name, small letters of the file's own name left out.
    pub fn is(&self, ident: &str) -> bool {
        self.ident == ident
            || (self.ident.len() > ident.len()
                && self.ident.bytes().filter(u8::is_ascii_uppercase).eq(ident.bytes()))
    }
}

/// Properties that draw on a position, or say something about it.
const ANNOTATIONS: [&str; 24] = [
    "AR", "BM", "C", "CR", "DD", "DM", "DO", "FG", "GB", "GW", "HO", "IT", "LB", "LN", "MA", "N",
    "PM", "SL", "SQ", "TE", "TR", "UC", "V", "VW",
];

fn is_annotation(ident: &str) -> bool {
    ANNOTATIONS.contains(&ident)
}

/// Text as SGF means it: `\` makes the next character plain, and with a line break both vanish; other white space is a space.
fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\\', '\r', '\t', '\u{b}']) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(char) = chars.next() {
        let escaped = char == '\\';
        let char = if escaped { chars.next().unwrap_or('\\') } else { char };
        match char {
            '\n' | '\r' => {
                // A line break is one of LF, CR, CR LF, LF CR.
                if chars.peek().is_some_and(|&next| next != char && (next == '\n' || next == '\r'))
                {
                    chars.next();
                }
                if !escaped {
                    text.push('\n');
                }
            }
            '\t' | '\u{b}' => text.push(' '),
            plain => text.push(plain),
        }
    }
    Cow::Owned(text)
}
