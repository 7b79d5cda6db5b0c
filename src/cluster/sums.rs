//! What all ranks have found, added up.

use std::collections::BTreeMap;

use tree_search::upper::{Sums, UpperNode, UpperPath};

/// Upper trees of several searches, added up by where their nodes are.
#[derive(Clone, Debug, Default)]
pub struct UpperSums(BTreeMap<UpperPath, Sums>);

impl UpperSums {
    /// Adds what a search has found.
    pub fn add(&mut self, nodes: &[UpperNode]) {
        for UpperNode { path, found } in nodes {
            self.0.entry(*path).or_default().add(found);
        }
    }

    /// All of it, in the order of paths.
    pub fn nodes(&self) -> Vec<UpperNode> {
        self.0.iter().map(|(&path, &found)| UpperNode { path, found }).collect()
    }

    /// All but what one of the searches has found.
    ///
    /// ```
    /// use tesuji::cluster::UpperSums;
    /// use tree_search::upper::{Sums, UpperNode, UpperPath};
    ///
    /// let nodes = |visits| {
    ///     let found = Sums { visits, ..Sums::default() };
    ///     vec![UpperNode { path: UpperPath::ROOT, found }]
    /// };
    /// let mut all = UpperSums::default();
    /// all.add(&nodes(30));
    /// all.add(&nodes(12));
    /// assert_eq!(all.without(&nodes(12)), nodes(30));
    /// ```
    pub fn without(&self, nodes: &[UpperNode]) -> Vec<UpperNode> {
        let mut own = nodes.iter().peekable();
        let mut rest = Vec::with_capacity(self.0.len());
        for (&path, found) in &self.0 {
            while own.next_if(|node| node.path < path).is_some() {}
            let found = match own.next_if(|node| node.path == path) {
                Some(node) => found.less(&node.found),
                None => *found,
            };
            if !found.is_empty() {
                rest.push(UpperNode { path, found });
            }
        }
        rest
    }
}
