//! The tree of a game's variations: what was played, and what was tried instead.

use serde_json::{Value, json};

use crate::gtp::{Color, Failure, Step};
use crate::session::position_words;

/// Names a node. The root, which is the position before the first turn, is [`Tree::ROOT`].
pub type NodeId = u32;

/// Nodes that a tree may have.
pub const MAX_NODES: usize = 20_000;
/// Characters that a comment may have.
pub const MAX_COMMENT: usize = 20_000;

/// A property of a record that means nothing here: its name, and its values in their brackets as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// In capital letters.
    pub name: String,
    /// One or more.
    pub values: String,
}

/// A turn, and the position after it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position before it; none of the root.
    pub parent: Option<NodeId>,
    /// Whose turn it was.
    pub color: Color,
    /// What was played.
    pub steps: Vec<Step>,
    /// What is said about it.
    pub comment: String,
    /// What its record has beside.
    pub properties: Vec<Property>,
    /// What follows, the main line first.
    pub children: Vec<NodeId>,
}

/// A tree of turns.
#[derive(Clone, Debug)]
pub struct Tree {
    /// By their numbers; those taken out are gone.
    nodes: Vec<Option<Node>>,
    count: usize,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// The position before the first turn.
    pub const ROOT: NodeId = 0;

    /// A game that nothing was played of.
    pub fn new() -> Tree {
        let root = Node {
            parent: None,
            color: Color::Black,
            steps: Vec::new(),
            comment: String::new(),
            properties: Vec::new(),
            children: Vec::new(),
        };
        Tree { nodes: vec![Some(root)], count: 1 }
    }

    /// A node that is there.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)?.as_ref()
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id as usize)?.as_mut()
    }

    /// What follows a node, the main line first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.get(id).map_or(&[], |node| &node.children)
    }

    /// The turn after a node, a new one where it was not tried yet; whether it is new.
    ///
    /// # Errors
    /// When the tree is full, or there is no such node.
    pub fn add(
        &mut self,
        parent: NodeId,
        color: Color,
        steps: &[Step],
    ) -> Result<(NodeId, bool), Failure> {
        let same = |id: &&NodeId| {
            self.get(**id).is_some_and(|node| node.color == color && node.steps == steps)
        };
        if let Some(&id) = self.children(parent).iter().find(same) {
            return Ok((id, false));
        }
        if self.count >= MAX_NODES {
            return Err(Failure::new(format!("a game has at most {MAX_NODES} positions here")));
        }
        let id = self.nodes.len() as NodeId;
        let before =
            self.get_mut(parent).ok_or_else(|| Failure::new("there is no such position"))?;
        before.children.push(id);
        self.nodes.push(Some(Node {
            parent: Some(parent),
            color,
            steps: steps.to_vec(),
            comment: String::new(),
            properties: Vec::new(),
            children: Vec::new(),
        }));
        self.count += 1;
        Ok((id, true))
    }

    /// Takes a node out with everything behind it, and tells which ones that were. The root stays.
    pub fn remove(&mut self, id: NodeId) -> Vec<NodeId> {
        let Some(parent) = self.get(id).and_then(|node| node.parent) else { return Vec::new() };
        if let Some(parent) = self.get_mut(parent) {
            parent.children.retain(|&child| child != id);
        }
        let mut removed = vec![id];
        let mut at = 0;
        while let Some(&next) = removed.get(at) {
            removed.extend_from_slice(self.children(next));
            at += 1;
        }
        for &gone in &removed {
            self.nodes[gone as usize] = None;
        }
        self.count -= removed.len();
        removed
    }

    /// The nodes from the root to this one, the root left out.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parent = |&id: &NodeId| self.get(id).and_then(|node| node.parent);
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The nodes from the root along the first of what follows each, the root left out.
    pub fn main_line(&self) -> Vec<NodeId> {
        let next = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(next(&Tree::ROOT), next).collect()
    }

    /// Whether there is more than the turns of the main line: other variations, or comments on them.
    pub fn is_annotated(&self) -> bool {
        let turns = || self.nodes.iter().skip(1).flatten();
        self.count > self.main_line().len() + 1 || turns().any(|node| !node.comment.is_empty())
    }

    /// A node as the page has it.
    pub fn node_json(&self, id: NodeId) -> Value {
        let Some(node) = self.get(id) else { return Value::Null };
        let mut told = json!({
            "id": id,
            "parent": node.parent,
            "color": node.color.letter(),
            "steps": position_words(&node.steps),
        });
        if !node.comment.is_empty() {
            told["comment"] = node.comment.as_str().into();
        }
        told
    }

    /// All nodes, parents before children, siblings in their order.
    pub fn json(&self) -> Value {
        let mut open = vec![Tree::ROOT];
        let mut all = Vec::new();
        while let Some(id) = open.pop() {
            all.push(self.node_json(id));
            open.extend(self.children(id).iter().rev());
        }
        Value::Array(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(word: &str) -> Vec<Step> {
        vec![Step::At(word.parse().unwrap())]
    }

    #[test]
    fn a_turn_that_was_tried_is_not_another_variation() {
        let mut tree = Tree::new();
        let (first, is_new) = tree.add(Tree::ROOT, Color::Black, &at("D4")).unwrap();
        assert!(is_new);
        assert_eq!(tree.add(Tree::ROOT, Color::Black, &at("D4")).unwrap(), (first, false));
        let (second, _) = tree.add(first, Color::White, &at("Q16")).unwrap();
        let (other, _) = tree.add(first, Color::White, &at("Q4")).unwrap();
        assert_eq!(tree.path(other), [first, other]);
        assert_eq!(tree.main_line(), [first, second]);
        assert_eq!(tree.json().as_array().unwrap().len(), 4);
        assert_eq!(tree.remove(first), [first, second, other]);
        assert!(tree.get(other).is_none() && tree.main_line().is_empty());
        assert!(tree.remove(Tree::ROOT).is_empty());
        assert!(tree.add(first, Color::Black, &at("A1")).is_err());
    }
}
