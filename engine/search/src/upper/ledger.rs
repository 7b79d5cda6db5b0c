//! Which part of what is in a tree was found by whom.

use super::{Expansion, MAX_UPPER_DEPTH, Sums, UpperNode, UpperPath, UpperTree};
use ahash::{AHashMap, AHashSet};

/// Which nodes are told of.
#[derive(Clone, Copy, Debug)]
pub struct UpperLimits {
    /// The longest path, up to [`MAX_UPPER_DEPTH`].
    pub depth: usize,
    /// The share of the root's visits from which on what is below a node is told.
    pub min_share: f64,
    /// The maximum number of nodes.
    pub nodes: usize,
}

/// The nodes on the way from the root to one of them, for going to one after the other in the order of paths.
struct Way<'a> {
    tree: &'a dyn UpperTree,
    nodes: [Option<u32>; MAX_UPPER_DEPTH + 1],
    /// To which path they belong.
    at: UpperPath,
}

impl<'a> Way<'a> {
    fn new(tree: &'a dyn UpperTree) -> Self {
        let mut nodes = [None; MAX_UPPER_DEPTH + 1];
        nodes[0] = Some(tree.root());
        Way { tree, nodes, at: UpperPath::ROOT }
    }

    /// The node at the end of a path, made now if need be. None where one before it has no such move.
    fn to(&mut self, path: UpperPath) -> Option<u32> {
        let mut depth = path.shared(&self.at);
        for mv in path.moves().skip(depth) {
            self.nodes[depth + 1] = self.nodes[depth].and_then(|node| self.tree.child(node, mv));
            depth += 1;
        }
        self.at = path;
        self.nodes[depth]
    }
}

/// What at a node is not a search's own: all of it, and of that what came from others since it began.
#[derive(Clone, Copy, Debug, Default)]
struct Foreign {
    all: Sums,
    imported: Sums,
}

/// What in a tree is not a search's own: what was there before it began, and what came from others since.
#[derive(Debug, Default)]
pub struct Ledger {
    foreign: AHashMap<UpperPath, Foreign>,
    /// Nodes that were visited too seldom before for what is below them to be told of, and to be noted: when it is first told
    /// of, all that is there then counts as not its own.
    unnoted: AHashSet<UpperPath>,
    /// Where everybody knows what the node was expanded with.
    expanded: AHashSet<UpperPath>,
}

impl Ledger {
    /// That of a search which begins now, and is to tell of such nodes.
    pub fn new(tree: &dyn UpperTree, limits: &UpperLimits) -> Ledger {
        let mut ledger = Ledger::default();
        let min_visits = f64::from(tree.found(tree.root()).visits) * limits.min_share;
        ledger.note_before(tree, (tree.root(), UpperPath::ROOT), (min_visits, limits.depth));
        ledger
    }

    fn note_before(
        &mut self,
        tree: &dyn UpperTree,
        (node, path): (u32, UpperPath),
        (min_visits, depth): (f64, usize),
    ) {
        let found = tree.found(node);
        if !found.is_empty() {
            self.foreign.entry(path).or_default().all = found;
        }
        if path.depth() >= depth {
            return;
        }
        if f64::from(found.visits) >= min_visits {
            self.note_below(tree, (node, path), (min_visits, depth));
        } else if found.visits > 0 {
            self.unnoted.insert(path);
        }
    }

    fn note_below(
        &mut self,
        tree: &dyn UpperTree,
        (node, path): (u32, UpperPath),
        limits: (f64, usize),
    ) {
        tree.children(node, &mut |mv, child| {
            if let Some(path) = path.then(mv) {
                self.note_before(tree, (child, path), limits);
            }
        });
    }

    /// What of a node's statistics the search has found itself.
    fn own_of(&mut self, path: UpperPath, found: &Sums) -> Sums {
        let Some(foreign) = self.foreign.get(&path) else { return *found };
        found.beyond(&foreign.all).unwrap_or_else(|| {
            // The node was let go of for want of room, and made again: what was in it is not there any more.
            self.foreign.remove(&path);
            *found
        })
    }

    /// What the search has found itself, in the order of paths.
    pub fn own(&mut self, tree: &dyn UpperTree, limits: &UpperLimits) -> Vec<UpperNode> {
        let mut min_share = limits.min_share;
        loop {
            let mut nodes = Vec::new();
            let min_visits = f64::from(tree.found(tree.root()).visits) * min_share;
            let depth = limits.depth.min(MAX_UPPER_DEPTH);
            self.gather(tree, (tree.root(), UpperPath::ROOT), (min_visits, depth), &mut nodes);
            if nodes.len() <= limits.nodes || min_share > 1.0 {
                nodes.truncate(limits.nodes);
                nodes.sort_unstable_by_key(|node| node.path);
                return nodes;
            }
            min_share = (min_share * 2.0).max(0.01);
        }
    }

    fn gather(
        &mut self,
        tree: &dyn UpperTree,
        (node, path): (u32, UpperPath),
        (min_visits, depth): (f64, usize),
        nodes: &mut Vec<UpperNode>,
    ) {
        let all = tree.found(node);
        let found = self.own_of(path, &all);
        if !found.is_empty() {
            nodes.push(UpperNode { path, found });
        }
        if path.depth() < depth && f64::from(all.visits) >= min_visits {
            if self.unnoted.remove(&path) {
                self.note_below(tree, (node, path), (min_visits, depth));
            }
            tree.children(node, &mut |mv, child| {
                if let Some(path) = path.then(mv) {
                    self.gather(tree, (child, path), (min_visits, depth), nodes);
                }
            });
        }
    }

    /// What those of the nodes were expanded with of which that was not told yet.
    pub fn expansions(&mut self, tree: &dyn UpperTree, nodes: &[UpperNode]) -> Vec<Expansion> {
        let mut way = Way::new(tree);
        let mut found = Vec::new();
        // Each search expands the root itself.
        for &UpperNode { path, .. } in nodes.iter().filter(|node| node.path != UpperPath::ROOT) {
            if self.expanded.contains(&path) {
                continue;
            }
            if let Some((value, moves)) = way.to(path).and_then(|node| tree.expansion(node)) {
                self.expanded.insert(path);
                found.push(Expansion { path, value, moves: moves.into() });
            }
        }
        found
    }

    /// Whether it is new that a node was expanded; it is not from then on.
    pub fn is_news(&mut self, expansion: &Expansion) -> bool {
        self.expanded.insert(expansion.path)
    }

    /// Brings what others have found, all of it since the search began, into the tree; how many nodes took something. What
    /// this tree has no node for yet comes into it another time.
    pub fn import(&mut self, tree: &dyn UpperTree, others: &[UpperNode]) -> usize {
        let mut way = Way::new(tree);
        let mut count = 0;
        for UpperNode { path, found } in others {
            let Some(node) = way.to(*path) else { continue };
            let known = self.foreign.get(path).map(|known| known.imported).unwrap_or_default();
            let more = found.beyond(&known).filter(|more| !more.is_empty());
            let added = more.map(|more| tree.add(node, &more)).filter(|added| !added.is_empty());
            if let Some(added) = added {
                let foreign = self.foreign.entry(*path).or_default();
                foreign.all.add(&added);
                foreign.imported.add(&added);
                count += 1;
            }
        }
        count
    }
}

/// Expands nodes as others have, in the order of their paths.
pub fn expand_all<'e>(tree: &dyn UpperTree, expansions: impl IntoIterator<Item = &'e Expansion>) {
    let mut way = Way::new(tree);
    for expansion in expansions {
        if let Some(node) = way.to(expansion.path) {
            tree.expand(node, expansion);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    /// A tree of two moves a node, three deep, and the values of nodes that were expanded.
    #[derive(Default)]
    struct Toy(RefCell<BTreeMap<u32, Sums>>, RefCell<BTreeMap<u32, f32>>);

    impl Toy {
        /// A visit of a leaf, by its number.
        fn visit(&self, leaf: u32, value: f64) {
            let leaf = 8 | leaf & 7;
            let mut nodes = self.0.borrow_mut();
            (0..=3).for_each(|up| {
                nodes.entry(leaf >> up).or_default().add(&one(value));
            });
        }

        fn visits(&self) -> u32 {
            self.found(1).visits
        }
    }

    fn one(value: f64) -> Sums {
        let mut one = Sums { visits: 1, ..Sums::default() };
        one.sums[0] = value;
        one
    }

    impl UpperTree for Toy {
        fn root(&self) -> u32 {
            1
        }

        fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32)) {
            for mv in 0..2 {
                if self.0.borrow().contains_key(&(node * 2 + mv)) {
                    call(mv, node * 2 + mv);
                }
            }
        }

        fn child(&self, node: u32, mv: u32) -> Option<u32> {
            (node < 8 && mv < 2).then_some(node * 2 + mv)
        }

        fn found(&self, node: u32) -> Sums {
            self.0.borrow().get(&node).copied().unwrap_or_default()
        }

        fn add(&self, node: u32, more: &Sums) -> Sums {
            self.0.borrow_mut().entry(node).or_default().add(more);
            *more
        }

        fn expansion(&self, node: u32) -> Option<(f32, Vec<(u32, u32)>)> {
            self.1.borrow().get(&node).map(|&value| (value, vec![(0, 5), (1, 6)]))
        }

        fn expand(&self, node: u32, with: &Expansion) {
            self.1.borrow_mut().entry(node).or_insert(with.value);
        }
    }

    const ALL: UpperLimits = UpperLimits { depth: 3, min_share: 0.0, nodes: 99 };

    fn sum(parts: &[&[UpperNode]]) -> Vec<UpperNode> {
        let mut all: BTreeMap<UpperPath, Sums> = BTreeMap::new();
        for UpperNode { path, found } in parts.iter().copied().flatten() {
            all.entry(*path).or_default().add(found);
        }
        all.into_iter().map(|(path, found)| UpperNode { path, found }).collect()
    }

    proptest! {
        /// Whatever messages are lost or come twice, in the end everybody has everything once.
        #[test]
        fn nothing_is_counted_twice_and_nothing_is_lost(
            before in prop::collection::vec((0usize..3, 0u32..8), 0..30),
            steps in prop::collection::vec((0usize..3, 0u32..8, 0u8..4), 0..200),
        ) {
            let trees = [(); 3].map(|()| Toy::default());
            before.iter().for_each(|&(rank, leaf)| trees[rank].visit(leaf, 0.25));
            let known: Vec<u32> = trees.iter().map(Toy::visits).collect();
            let mut ledgers = [0, 1, 2].map(|rank| Ledger::new(&trees[rank], &ALL));
            let mut told = [(); 3].map(|()| Vec::new());
            let mut wins = 0;
            for &(rank, leaf, what) in &steps {
                match what {
                    0 | 1 => {
                        trees[rank].visit(leaf, f64::from(what));
                        wins += u32::from(what);
                    }
                    2 => told[rank] = ledgers[rank].own(&trees[rank], &ALL),
                    _ => {
                        let others = sum(&[&told[(rank + 1) % 3], &told[(rank + 2) % 3]]);
                        ledgers[rank].import(&trees[rank], &others);
                    }
                }
            }
            let own = [0, 1, 2].map(|rank| ledgers[rank].own(&trees[rank], &ALL));
            let visited = steps.iter().filter(|step| step.2 < 2).count() as u32;
            for rank in 0..3 {
                let others = sum(&[&own[(rank + 1) % 3], &own[(rank + 2) % 3]]);
                ledgers[rank].import(&trees[rank], &others);
                let root = trees[rank].found(1);
                prop_assert_eq!(root.visits, known[rank] + visited);
                let expected = f64::from(known[rank]) * 0.25 + f64::from(wins);
                prop_assert!((root.sums[0] - expected).abs() < 1e-6);
                prop_assert_eq!(root.visits, trees[rank].found(2).visits + trees[rank].found(3).visits);
                prop_assert_eq!(&ledgers[rank].own(&trees[rank], &ALL), &own[rank]);
            }
        }
    }

    #[test]
    fn only_what_was_visited_often_is_told() {
        let tree = Toy::default();
        let mut ledger = Ledger::new(&tree, &ALL);
        (0..90).for_each(|_| tree.visit(0, 1.0));
        (0..10).for_each(|_| tree.visit(7, 0.0));
        let depths = |nodes: Vec<UpperNode>| -> Vec<usize> {
            nodes.iter().map(|node| node.path.depth()).collect()
        };
        let limits = |min_share, nodes| UpperLimits { depth: 3, min_share, nodes };
        assert_eq!(depths(ledger.own(&tree, &limits(0.0, 99))), [0, 1, 2, 3, 1, 2, 3]);
        assert_eq!(depths(ledger.own(&tree, &limits(0.2, 99))), [0, 1, 2, 3, 1]);
        assert_eq!(depths(ledger.own(&tree, &limits(0.0, 5))), [0, 1, 2, 3, 1]);
        assert_eq!(depths(ledger.own(&tree, &limits(0.0, 2))), [0]);
    }

    /// Of a large tree that is kept only the upper part is noted.
    #[test]
    fn what_was_visited_seldom_is_noted_when_it_is_first_told_of() {
        let tree = Toy::default();
        let limits = UpperLimits { min_share: 0.2, ..ALL };
        (0..90).for_each(|_| tree.visit(0, 1.0));
        (0..10).for_each(|_| tree.visit(7, 1.0));
        let mut ledger = Ledger::new(&tree, &limits);
        assert_eq!(ledger.foreign.len(), 5, "nothing below the second move");
        let node =
            |moves: &[u32]| moves.iter().try_fold(UpperPath::ROOT, |path, &mv| path.then(mv));
        let (child, grandchild) = (node(&[1]).unwrap(), node(&[1, 1]).unwrap());
        // Another search tells of what was not noted.
        let told = |visits| {
            let found = Sums { visits, ..Sums::default() };
            vec![UpperNode { path: grandchild, found }]
        };
        assert_eq!(ledger.import(&tree, &told(3)), 1);
        let own = |ledger: &mut Ledger| {
            let own = ledger.own(&tree, &limits);
            let of = |path| own.iter().find(|node| node.path == path).map(|node| node.found.visits);
            (of(child), of(grandchild))
        };
        (0..40).for_each(|_| tree.visit(7, 1.0));
        assert_eq!(own(&mut ledger), (Some(40), None));
        (0..5).for_each(|_| tree.visit(7, 1.0));
        assert_eq!(own(&mut ledger), (Some(45), Some(5)));
        assert_eq!(ledger.import(&tree, &told(3)), 0, "it is known");
        assert_eq!(ledger.import(&tree, &told(4)), 1);
        assert_eq!(
            (own(&mut ledger), tree.found(7).visits),
            ((Some(45), Some(5)), 10 + 40 + 5 + 4)
        );
    }

    #[test]
    fn expansions_are_told_once_and_known_when_they_were_heard() {
        let trees = [Toy::default(), Toy::default()];
        let mut ledgers = [0, 1].map(|rank| Ledger::new(&trees[rank], &ALL));
        trees.iter().for_each(|tree| tree.visit(0, 1.0));
        trees[0].1.borrow_mut().extend([(1, 0.5), (2, 0.25), (4, 0.75)]);
        let mut told = |rank: usize| {
            let own = ledgers[rank].own(&trees[rank], &ALL);
            let expansions = ledgers[rank].expansions(&trees[rank], &own);
            let news = expansions.iter().filter(|one| ledgers[1].is_news(one)).count();
            (news, expansions)
        };
        let (news, first) = told(0);
        let values: Vec<(usize, f32)> =
            first.iter().map(|one| (one.path.depth(), one.value)).collect();
        assert_eq!((news, values), (2, vec![(1, 0.25), (2, 0.75)]), "all but the root");
        assert_eq!(told(0), (0, Vec::new()));
        expand_all(&trees[1], &first);
        assert_eq!(*trees[1].1.borrow(), [(2, 0.25), (4, 0.75)].into());
        assert_eq!(told(1), (0, Vec::new()), "what came from others");
        trees[1].1.borrow_mut().insert(8, 1.0);
        assert_eq!(told(1).1.len(), 1);
    }

    #[test]
    fn a_node_that_was_made_again_is_counted_from_its_start() {
        let tree = Toy::default();
        (0..50).for_each(|_| tree.visit(0, 1.0));
        let mut ledger = Ledger::new(&tree, &ALL);
        tree.0.borrow_mut().remove(&2);
        (0..3).for_each(|_| tree.visit(1, 1.0));
        let own = ledger.own(&tree, &ALL);
        assert_eq!((own[0].found.visits, own[1].found.visits), (3, 3));
    }
}
