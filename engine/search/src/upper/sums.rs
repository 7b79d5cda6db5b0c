//! What several searches have found, added up.

use super::UpperNode;

/// Upper trees of several searches, added up by where their nodes are: in the order of paths.
#[derive(Clone, Debug, Default)]
pub struct UpperSums(Vec<UpperNode>);

impl UpperSums {
    /// What these searches have found, each in the order of paths.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [UpperNode]>) -> UpperSums {
        let mut parts: Vec<Vec<UpperNode>> = parts.into_iter().map(<[UpperNode]>::to_vec).collect();
        // Two and two, so that each node is looked at as often as the number of searches can be halved.
        while parts.len() > 1 {
            parts = parts
                .chunks(2)
                .map(|pair| merge(&pair[0], pair.get(1).map_or(&[], |b| b)))
                .collect();
        }
        UpperSums(parts.pop().unwrap_or_default())
    }

    /// Adds what a search has found, in the order of paths.
    pub fn add(&mut self, nodes: &[UpperNode]) {
        self.0 = merge(&self.0, nodes);
    }

    /// All of it, in the order of paths.
    pub fn nodes(&self) -> &[UpperNode] {
        &self.0
    }

    /// All but what one of the searches has found.
    ///
    /// ```
    /// use tree_search::upper::{Sums, UpperNode, UpperPath, UpperSums};
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
        for &UpperNode { path, found } in &self.0 {
            while own.next_if(|node| node.path < path).is_some() {}
            let found = match own.next_if(|node| node.path == path) {
                Some(node) => found.less(&node.found),
                None => found,
            };
            if !found.is_empty() {
                rest.push(UpperNode { path, found });
            }
        }
        rest
    }
}

/// Two lists as one, both in the order of paths.
fn merge(left: &[UpperNode], right: &[UpperNode]) -> Vec<UpperNode> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let mut right = right.iter().peekable();
    for &node in left {
        while let Some(&before) = right.next_if(|other| other.path < node.path) {
            all.push(before);
        }
        let mut node = node;
        if let Some(same) = right.next_if(|other| other.path == node.path) {
            node.found.add(&same.found);
        }
        all.push(node);
    }
    all.extend(right);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upper::{Sums, UpperPath};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn nodes(moves: &BTreeMap<u32, u32>) -> Vec<UpperNode> {
        let node = |(&mv, &visits): (&u32, &u32)| UpperNode {
            path: UpperPath::ROOT.then(mv).unwrap(),
            found: Sums { visits, ..Sums::default() },
        };
        moves.iter().map(node).collect()
    }

    proptest! {
        #[test]
        fn searches_add_up_in_any_number_and_one_can_be_left_out(
            parts in prop::collection::vec(prop::collection::btree_map(0u32..20, 1u32..100, 0..12), 1..9),
            left_out in any::<prop::sample::Index>(),
        ) {
            let lists: Vec<Vec<UpperNode>> = parts.iter().map(nodes).collect();
            let sum = |lists: &[&Vec<UpperNode>]| -> Vec<UpperNode> {
                let mut all: BTreeMap<UpperPath, Sums> = BTreeMap::new();
                for node in lists.iter().copied().flatten() {
                    all.entry(node.path).or_default().add(&node.found);
                }
                all.into_iter().map(|(path, found)| UpperNode { path, found }).collect()
            };
            let all = UpperSums::of(lists.iter().map(Vec::as_slice));
            prop_assert_eq!(all.nodes(), sum(&lists.iter().collect::<Vec<_>>()));
            let out = left_out.index(lists.len());
            let others: Vec<&Vec<UpperNode>> =
                lists.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, list)| list).collect();
            prop_assert_eq!(all.without(&lists[out]), sum(&others));
        }
    }
}
