//! The upper part of a tree as sums that can be added over several searches of one position.
//!
//! Searches of the same position in several processes each grow a tree of their own, and a few times a second tell each other
//! what they found at the root and at the nodes below it that were visited most: "slow tree parallelisation" (Bourki and
//! others, "Scalability and Parallelization of Monte-Carlo Tree Search", 2010; Gelly and others, "The Parallelization of
//! Monte-Carlo Planning", 2008).
//!
//! What is told are not differences since the last time but all that a search has found itself since it began: its tree less
//! what was there before and less what came from others. So a message that is lost or comes twice does no harm, and nothing
//! comes back to who sent it. A [`Ledger`] keeps those books.
//!
//! Where it is dear to give a node its moves, because a network has to be asked, they are told as well ([`Expansion`]), once: a
//! search that hears of them searches on below, and does not ask again what another has been told.

use ahash::{AHashMap, AHashSet};

/// The longest way from the root to a node whose statistics are told.
pub const MAX_UPPER_DEPTH: usize = 12;
/// How many sums there are beside the visits.
pub const UPPER_SUMS: usize = 6;

/// The moves that lead from the root to a node. Paths are ordered so that a node comes before what is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UpperPath([u32; MAX_UPPER_DEPTH]);

impl UpperPath {
    /// That of the root.
    pub const ROOT: UpperPath = UpperPath([0; MAX_UPPER_DEPTH]);

    /// How many moves it has.
    pub fn depth(&self) -> usize {
        self.0.iter().take_while(|&&mv| mv != 0).count()
    }

    /// Its last move; none at the root.
    pub fn last(&self) -> Option<u32> {
        self.depth().checked_sub(1).map(|at| self.0[at] - 1)
    }

    /// The path with a move more; none when that is too long, or the move is no number of 30 bits.
    pub fn then(&self, mv: u32) -> Option<UpperPath> {
        let mut next = *self;
        *next.0.get_mut(self.depth()).filter(|_| mv < 1 << 30)? = mv + 1;
        Some(next)
    }

    /// Its first moves, so many.
    pub fn up_to(&self, depth: usize) -> UpperPath {
        let mut first = *self;
        first.0.iter_mut().skip(depth).for_each(|mv| *mv = 0);
        first
    }
}

/// What was found at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Finished visits.
    pub visits: u32,
    /// Sums over them: what each one is, the tree knows. The first is that of the values, 0 to 1 each.
    pub sums: [f64; UPPER_SUMS],
}

/// Differences that come of rounding.
const ROUNDING: f64 = 1e-6;

impl Sums {
    /// What of this is not in the other. None when the other has more visits: they are not of the same node's.
    fn beyond(&self, other: &Sums) -> Option<Sums> {
        let visits = self.visits.checked_sub(other.visits)?;
        let mut sums = self.sums;
        sums.iter_mut().zip(&other.sums).for_each(|(sum, less)| *sum -= less);
        Some(Sums { visits, sums })
    }

    /// Adds another.
    pub fn add(&mut self, other: &Sums) {
        self.visits = self.visits.saturating_add(other.visits);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// This without another that is a part of it.
    pub fn less(&self, other: &Sums) -> Sums {
        let part = Sums { visits: self.visits.min(other.visits), ..*other };
        self.beyond(&part).unwrap_or_default()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.visits == 0 && self.sums.iter().all(|sum| sum.abs() < ROUNDING)
    }
}

/// What was found at one node of the upper tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpperNode {
    /// Where it is.
    pub path: UpperPath,
    /// What was found there.
    pub found: Sums,
}

/// What a node was expanded with.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// Where it is.
    pub path: UpperPath,
    /// What its position is worth by itself, as the tree counts.
    pub value: f32,
    /// Its moves, each with what was estimated of it: which bits say that, the tree knows.
    pub moves: Vec<(u32, u32)>,
}

/// A tree whose upper part can be read, and added to, while threads search it.
pub trait UpperTree {
    /// The root's index.
    fn root(&self) -> u32;

    /// Calls for each node that there is below one, with the move that leads to it and its index.
    fn children(&self, node: u32, call: &mut dyn FnMut(u32, u32));

    /// The node behind a move, made now if need be. None when the node has no such move, or has no moves yet.
    fn child(&self, node: u32, mv: u32) -> Option<u32>;

    /// What was found at a node.
    fn found(&self, node: u32) -> Sums;

    /// Adds to what was found at a node, as much as it can be added without doing harm. What was added.
    fn add(&self, node: u32, more: &Sums) -> Sums;

    /// The value and the moves that a node was expanded with. None when it has none yet, or when any search finds them quickly.
    fn expansion(&self, _node: u32) -> Option<(f32, Vec<(u32, u32)>)> {
        None
    }

    /// Expands a node that was not, with what another search found.
    fn expand(&self, _node: u32, _with: &Expansion) {}
}

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
        let depth = path.depth();
        let same = (0..=depth).rev().find(|&d| self.at.up_to(d) == path.up_to(d)).unwrap_or(0);
        for d in same.min(self.at.depth())..depth {
            let mv = path.up_to(d + 1).last();
            self.nodes[d + 1] =
                self.nodes[d].zip(mv).and_then(|(node, mv)| self.tree.child(node, mv));
        }
        self.at = path;
        self.nodes[depth]
    }
}

/// What in a tree is not a search's own: what was there before it began, and what came from others since.
#[derive(Debug, Default)]
pub struct Ledger {
    before: AHashMap<UpperPath, Sums>,
    imported: AHashMap<UpperPath, Sums>,
    /// Where everybody knows what the node was expanded with.
    expanded: AHashSet<UpperPath>,
}

impl Ledger {
    /// That of a search which begins now.
    pub fn new(tree: &dyn UpperTree, depth: usize) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.note_before(tree, tree.root(), UpperPath::ROOT, depth);
        ledger
    }

    fn note_before(&mut self, tree: &dyn UpperTree, node: u32, path: UpperPath, depth: usize) {
        let found = tree.found(node);
        if !found.is_empty() {
            self.before.insert(path, found);
        }
        if path.depth() < depth {
            tree.children(node, &mut |mv, child| {
                if let Some(path) = path.then(mv) {
                    self.note_before(tree, child, path, depth);
                }
            });
        }
    }

    /// What of a node's statistics the search has found itself.
    fn own_of(&mut self, path: UpperPath, found: &Sums) -> Sums {
        let mut foreign = self.before.get(&path).copied().unwrap_or_default();
        if let Some(imported) = self.imported.get(&path) {
            foreign.add(imported);
        }
        found.beyond(&foreign).unwrap_or_else(|| {
            // The node was let go of for want of room, and made again: what was in it is not there any more.
            self.before.remove(&path);
            self.imported.remove(&path);
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
                found.push(Expansion { path, value, moves });
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
            let known = self.imported.get(path).copied().unwrap_or_default();
            let more = found.beyond(&known).filter(|more| !more.is_empty());
            let added = more.map(|more| tree.add(node, &more)).filter(|added| !added.is_empty());
            if let Some(added) = added {
                self.imported.entry(*path).or_default().add(&added);
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
            let mut ledgers = [0, 1, 2].map(|rank| Ledger::new(&trees[rank], 3));
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
        let mut ledger = Ledger::new(&tree, 3);
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

    #[test]
    fn expansions_are_told_once_and_known_when_they_were_heard() {
        let trees = [Toy::default(), Toy::default()];
        let mut ledgers = [0, 1].map(|rank| Ledger::new(&trees[rank], 3));
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
        let mut ledger = Ledger::new(&tree, 3);
        tree.0.borrow_mut().remove(&2);
        (0..3).for_each(|_| tree.visit(1, 1.0));
        let own = ledger.own(&tree, &ALL);
        assert_eq!((own[0].found.visits, own[1].found.visits), (3, 3));
    }
}
