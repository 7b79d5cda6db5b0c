//! Makes room in a tree: what a new root has left behind goes first, then what is below the nodes that were visited least.
//!
//! It is done in parts, so that a search is never held for long, and nothing is moved: places are given back, and taken again
//! by what grows next. Which nodes were visited least is read off a sample of them, and then all are looked at in turn, from
//! where the last part ended, until there is enough room.

/// A tree as it is pruned. Its nodes are told by an index.
pub trait Prunable {
    /// Whether there is a node of this index.
    fn is_node(&self, index: u32) -> bool;

    /// The first node from an index on.
    fn next_node(&self, from: u32) -> Option<u32>;

    /// One more than the maximum index there may be.
    fn end(&self) -> u32;

    /// The visits of a node and the bytes of what is directly below it; none when nothing is, or it has to stay.
    fn below(&self, node: u32) -> Option<(u32, usize)>;

    /// Bytes that are taken.
    fn bytes(&self) -> usize;

    /// Cuts off what is below a node, for [`Prunable::collect`] to give back.
    fn cut(&mut self, node: u32);

    /// Gives back what was cut off, about so many nodes of it. Whether that was all.
    fn collect(&mut self, nodes: usize) -> bool;

    /// Lets what was given back be taken again. Whether that is enough to search on.
    fn gather(&mut self) -> bool;
}

/// Where a tree's pruning stands.
#[derive(Clone, Debug, Default)]
pub struct Pruner {
    /// The node to look at next.
    hand: u32,
    circle: Option<Circle>,
}

/// Once around all nodes.
#[derive(Clone, Debug)]
struct Circle {
    /// Nodes with fewer visits are cut.
    min_visits: u32,
    /// Indices that are still to be looked at.
    left: u32,
    has_cut: bool,
}

/// Nodes that are given back in one part. On the machine it was measured on, some ten nanoseconds each.
const MAX_COLLECTED: usize = 1 << 18;
/// Indices that are looked at in one part: a nanosecond or two each.
const MAX_LOOKED_AT: u32 = 1 << 20;
/// Bytes that are let go of in one part.
const MAX_CUT: usize = 8 << 20;
/// Nodes that are looked at to learn which were visited least.
const SAMPLE: u32 = 1 << 15;
/// Fraction of the tree's bytes in its least visited nodes, which a pass of the pruner cuts.
const SHARE: f64 = 0.25;

impl Pruner {
    /// Does a part of the work, which is to make room for so many bytes. False when there is nothing left to cut, and not
    /// enough room either.
    pub fn step(&mut self, tree: &mut impl Prunable, wanted: usize) -> bool {
        let collected = tree.collect(MAX_COLLECTED);
        if tree.gather() || !collected {
            return true;
        }
        let mut circle = self.circle.take().unwrap_or_else(|| Circle {
            min_visits: min_visits_kept(tree),
            left: tree.end(),
            has_cut: false,
        });
        let (before, mut looked_at, mut is_collected) = (tree.bytes(), 0, true);
        let goal = before.saturating_sub(wanted.min(MAX_CUT));
        while circle.left > 0 && looked_at < MAX_LOOKED_AT && tree.bytes() > goal && is_collected {
            let next = tree.next_node(self.hand).unwrap_or(tree.end());
            let passed = (next + 1).min(tree.end()) - self.hand;
            circle.left = circle.left.saturating_sub(passed);
            looked_at += passed;
            self.hand += passed;
            if self.hand >= tree.end() {
                self.hand = 0;
            }
            let below = if next < tree.end() { tree.below(next) } else { None };
            if below.is_some_and(|(visits, _)| visits < circle.min_visits) {
                tree.cut(next);
                circle.has_cut = true;
                // Whatever is below was visited less.
                is_collected = tree.collect(MAX_COLLECTED);
            }
        }
        let has_cut = circle.has_cut;
        if circle.left > 0 {
            self.circle = Some(circle);
        }
        has_cut || self.circle.is_some()
    }
}

/// The number of visits that so many nodes have fewer of that a certain share of the tree is below them; at least of one node.
fn min_visits_kept(tree: &impl Prunable) -> u32 {
    let stride = tree.end().div_ceil(SAMPLE).max(1);
    let indices = (0..tree.end()).step_by(stride as usize);
    let nodes = indices.filter(|&index| tree.is_node(index));
    let mut sample: Vec<(u32, usize)> = nodes.filter_map(|node| tree.below(node)).collect();
    sample.sort_unstable();
    let all: usize = sample.iter().map(|(_, bytes)| bytes).sum();
    let mut bytes = 0.0;
    let enough = sample.iter().find(|found| {
        bytes += found.1 as f64;
        bytes >= all as f64 * SHARE
    });
    enough.map_or(u32::MAX, |(visits, _)| visits.saturating_add(1))
}
