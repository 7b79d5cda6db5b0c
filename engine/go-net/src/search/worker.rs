//! One thread of a search: walks down the tree, asks the network about a leaf, and carries its value back.

use super::asker::Asker;
use super::cache::Evaluated;
use super::leaf::{Leaf, Visit, ended};
use super::rollout::Rollout;
use super::shared::Shared;
use super::stats::{Means, NodeStats};
use super::twins::merge_twins;
use super::utility::Value;
use crate::position::Position;
use game_core::mix64;
use go_engine::Color;
use go_engine::board::Site;
use go_engine::search::{Owned, Totals};
use tree_search::puct::{Choice, Edge, Node, Stats, Step, Tree, TreeMove};

/// A move in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Play(pub Site);

impl TreeMove for Play {
    type Estimate = f32;
    type Extra = NodeStats;

    fn pack(self) -> u32 {
        u32::from(self.0.0)
    }

    fn unpack(bits: u32) -> Play {
        Play(Site(bits as u16))
    }

    fn ends_turn(self) -> bool {
        true
    }
}

pub(super) type GoTree = Tree<Play>;
pub(super) type GoNode = Node<NodeStats>;

/// How much the spread that counts as usual weighs against what was found, in visits.
const STDEV_PRIOR_VISITS: f32 = 2.0;
/// Visits between two looks at whether the move can still change.
const EARLY_EVERY: u64 = 16;
/// The most nodes that count as lost while another way is looked for.
const MAX_TAKEN: usize = 256;
/// The most nodes at which visits of other searches are expected.
const MAX_EXPECTED: usize = 1 << 16;
/// For so many own visits after searches have shared what they found, each can tell what the others visit. To go on expecting, and
/// to keep away from there, leads it off to moves that are worth nothing.
const PREDICTABLE: u32 = 8;
/// Of moves below the root only so many are put into the tree.
const MAX_EDGES: usize = 80;
/// How likely a move counts as that the network does not expect, where no other is left.
const MIN_PRIOR: f32 = 1e-3;

/// One thread's visits.
pub(super) struct Worker<'a, const N: usize, const W: usize> {
    shared: &'a Shared<'a, N, W>,
    asker: &'a mut Asker<N, W>,
    path: Vec<Step<'a, Play>>,
    /// The keys of the positions on the path.
    keys: Vec<u64>,
    /// Visits that wait until the network is asked about all of them at once.
    waiting: Vec<Visit<'a, N, W>>,
    /// Nodes of ways that led to a position about which another thread was asking.
    taken: Vec<&'a GoNode>,
    choices: Vec<Choice<Play>>,
    owners: Vec<f32>,
    rollout: Rollout<N, W>,
    visits: u64,
    /// Nodes at which visits of other searches are expected, one for each, since they last told what they found.
    expected: Vec<&'a GoNode>,
    shares: u32,
    /// Own visits since then.
    visits_shared: u32,
}

impl<'a, const N: usize, const W: usize> Worker<'a, N, W> {
    /// The thread of this number.
    pub fn new(shared: &'a Shared<'a, N, W>, asker: &'a mut Asker<N, W>, thread: u64) -> Self {
        let (path, keys, waiting, taken, choices) = Default::default();
        let made = u64::from(shared.tree.root().visits()) << 8 | thread;
        let rollout = Rollout::new(mix64(shared.seed ^ made));
        let owners = vec![0.0; N];
        let (expected, visits, shares) = (Vec::new(), 0, 0);
        let visits_shared = 0;
        Worker {
            shared,
            asker,
            path,
            keys,
            waiting,
            taken,
            choices,
            owners,
            rollout,
            visits,
            expected,
            shares,
            visits_shared,
        }
    }

    /// Walks down to a leaf.
    fn select_leaf(&mut self) -> Leaf<'a, N, W> {
        let shared = self.shared;
        let tree = shared.tree;
        let mut position = shared.position.clone();
        let (mut node, mut edge): (&'a GoNode, Option<&'a Edge<Play>>) = (tree.root(), None);
        let (mut own, is_shared) = (true, shared.sharing.0.is_some());
        loop {
            node.add_virtual_loss();
            self.path.push(Step { node, edge, own });
            if edge.is_some() {
                if position.both_passed() {
                    return ended(position);
                }
                if position.is_repeated() {
                    return Leaf::Terminal(Value { win: 0.5, ..Value::default() });
                }
            }
            let ways = shared.transpositions.map(|ways| (ways, position.key()));
            if let Some((ways, key)) = ways {
                self.keys.push(key);
                let found = edge.and_then(|_| ways.more_than(node.visits(), key));
                if let Some(found) = found {
                    return Leaf::Known(found);
                }
            }
            if !node.is_expanded() {
                // Where it was taken over until now what other ways had found, it is as if this node had been expanded at once.
                let known = ways.filter(|_| node.visits() > 0);
                let entry = known.and_then(|(_, key)| shared.cache.get(key));
                if !node.try_expand() {
                    return Leaf::Busy;
                }
                let Some(entry) = entry else { return Leaf::Open(position, Some(node)) };
                self.expand(node, (&position, self.path.len() - 1), &entry);
            }
            let Some(next) = self.select(node, self.path.len() - 1) else {
                return Leaf::Open(position, None);
            };
            let color = position.to_play();
            if is_shared && !position.is_legal(next.mv().0) {
                // Another search takes this for a move, and is of another position then.
                return Leaf::Open(position, None);
            }
            position.play(color, next.mv().0);
            own = !own;
            match tree.child_or_new(next) {
                Some(child) => (node, edge) = (child, Some(next)),
                // The tree is full: the value counts for what is in it.
                None => return Leaf::Open(position, None),
            }
        }
    }

    /// What a position is worth: what the network says, and a playout for a share.
    fn value(&mut self, entry: &Evaluated, position: &Position<N, W>) -> Value {
        let Some(playouts) = &self.shared.playouts else { return entry.value };
        let (share, scoring) = (self.shared.params.network_playout_weight, &self.shared.scoring);
        let outcome = self.rollout.play(playouts, scoring, position);
        let win = entry.value.win + share * (outcome - entry.value.win);
        Value { win, ..entry.value }
    }

    /// Gives a node that was claimed its edges, at so many moves from the root.
    fn expand(
        &mut self,
        node: &GoNode,
        (position, depth): (&Position<N, W>, usize),
        entry: &Evaluated,
    ) {
        let shared = self.shared;
        let plays = entry.policy.iter().map(|&(index, prior)| Choice {
            mv: Play(shared.points.site(usize::from(index))),
            estimate: prior,
        });
        self.choices.clear();
        // Another history may forbid what was legal when the network was asked.
        let color = position.to_play();
        let is_allowed = |site| shared.avoided.allows(color, site, depth);
        let legal =
            plays.filter(|choice| is_allowed(choice.mv.0) && position.is_legal(choice.mv.0));
        self.choices.extend(legal);
        if shared.is_symmetric {
            merge_twins(position.board(), &mut self.choices);
        }
        self.choices.truncate(MAX_EDGES);
        if self.choices.is_empty() && shared.avoided.concerns(depth) {
            // All that is left is what the network does not expect.
            let left = shared.points.sites.iter().copied();
            let left = left.filter(|&site| is_allowed(site) && position.is_legal(site));
            self.choices.extend(left.map(|site| Choice { mv: Play(site), estimate: MIN_PRIOR }));
        }
        if self.choices.is_empty()
            || is_allowed(Site::PASS) && !self.choices.iter().any(|choice| choice.mv.0.is_pass())
        {
            self.choices.push(Choice { mv: Play(Site::PASS), estimate: 0.0 });
        }
        node.extra.set_own(shared.utility.of(&entry.value));
        shared.tree.publish(node, &self.choices, true);
    }

    /// The edge to search next, by PUCT as KataGo has it: a weight of the policy that grows with the logarithm of visits and
    /// with the spread of utilities; and a move that was not visited is worth what the position is, less the more of the
    /// policy was visited.
    fn select(&self, node: &'a GoNode, depth: usize) -> Option<&'a Edge<Play>> {
        let (tree, params, range) =
            (self.shared.tree, self.shared.params, self.shared.utility.range());
        let is_black = self.to_play_at(depth) == Color::Black;
        let for_mover = |utility: f32| if is_black { utility } else { 1.0 - utility };
        let visits = node.visits();
        let own = for_mover(node.extra.own());
        let mean = node.mean().unwrap_or(own);
        let found = visits as f32;
        let usual = params.network_stdev_prior / range;
        let mut variance = usual * usual;
        if visits > 1 {
            let black_mean = for_mover(mean);
            let spread = node.extra.utility_square(visits) - black_mean * black_mean;
            variance = (variance * STDEV_PRIOR_VISITS + spread.max(0.0) * found)
                / (STDEV_PRIOR_VISITS + found - 1.0);
        }
        let stdev = variance.sqrt();
        let by_spread = 1.0 + params.network_stdev_scale * (stdev / usual - 1.0);
        let base = params.network_exploration_base;
        let by_visits = params.network_exploration
            + params.network_exploration_log * ((found + base) / base).ln();
        let exploration = by_visits * by_spread / range;

        let visited: f32 = tree
            .edges(node)
            .iter()
            .filter(|edge| tree.child(edge).is_some_and(|child| child.visits() > 0))
            .map(Edge::estimate)
            .sum();
        let visited = visited.min(1.0);
        let reduction = match depth == 0 {
            true => params.network_root_fpu_reduction,
            false => params.network_fpu_reduction,
        };
        let mean_share = visited * visited;
        let unvisited =
            mean * mean_share + own * (1.0 - mean_share) - reduction / range * visited.sqrt();
        tree.select(node, exploration, |_, stats| match stats {
            Some(Stats { visits, pending, sum }) if visits + pending > 0 => {
                sum / (visits + pending) as f32
            }
            _ => unvisited,
        })
    }

    /// Walks down as another search is expected to, and counts a visit of which nothing is known at each node.
    fn expect_visit(&mut self) {
        let (tree, mut node, mut depth) = (self.shared.tree, self.shared.tree.root(), 0);
        while self.expected.len() < MAX_EXPECTED {
            node.extra.expect_visit();
            self.expected.push(node);
            if !node.is_expanded() {
                break;
            }
            let next = self.select(node, depth).and_then(|edge| tree.child_or_new(edge));
            let Some(next) = next else { break };
            (node, depth) = (next, depth + 1);
        }
    }

    /// Expects so many visits of other searches.
    fn expect_visits(&mut self, count: u32) {
        (0..count).for_each(|_| self.expect_visit());
    }

    /// What was expected of other searches has come, or is not waited for any more.
    fn forget_expected(&mut self) {
        self.expected.drain(..).for_each(|node| node.extra.forget_expected());
    }

    /// Who is to play at a node of the path.
    fn to_play_at(&self, depth: usize) -> Color {
        let root = self.shared.position.to_play();
        if depth.is_multiple_of(2) { root } else { root.other() }
    }

    /// Ends a visit with what was found at its end, Black's: something new, or what other ways had found there.
    fn backup(&self, (path, keys): (&[Step<'a, Play>], &[u64]), found: &Means, is_new: bool) {
        let utility = self.shared.utility.of(&found.value);
        for step in path {
            step.node.extra.add(&found.value, found.utility_square);
        }
        let root_is_black = self.shared.position.to_play() == Color::Black;
        self.shared.tree.backup(path, |own| {
            f64::from(if own == root_is_black { utility } else { 1.0 - utility })
        });
        if let Some(ways) = self.shared.transpositions {
            let last = path.len() - usize::from(!is_new);
            for (step, &key) in path[..last].iter().zip(keys).skip(1) {
                let node = step.node;
                ways.add(key, (node.visits(), &node.extra), found);
            }
        }
    }

    /// The means of one visit that found this.
    fn means_of(&self, value: Value) -> Means {
        let utility = self.shared.utility.of(&value);
        Means { value, utility_square: utility * utility }
    }

    /// Takes back what was counted as lost for the sake of another way.
    fn give_back(&mut self) {
        for node in self.taken.drain(..) {
            node.undo_virtual_loss();
        }
    }

    /// Adds a leaf's ownership to that of the root's move.
    fn count_ownership(&mut self, path: &[Step<'a, Play>], entry: &Evaluated) {
        let shared = self.shared;
        let Some(first) = path.get(1).and_then(|step| step.edge) else { return };
        let edges = shared.tree.edges(shared.tree.root());
        let Some(at) = edges.iter().position(|edge| std::ptr::eq(edge, first)) else { return };
        for (&site, &owner) in shared.points.sites.iter().zip(&entry.ownership) {
            self.owners[usize::from(site.0)] = Evaluated::unpack_owner(owner);
        }
        if let Ok(mut totals) = shared.totals.lock() {
            count(&mut totals, at + 1, &self.owners);
            totals.max_depth = totals.max_depth.max(path.len() - 1);
        }
    }
}

/// Adds one evaluation's ownership by site to that of a root's move: none, or one more than its place.
pub(super) fn count(totals: &mut Totals, root_move: usize, owners: &[f32]) {
    if totals.owned.len() <= root_move {
        totals.owned.resize(root_move + 1, Owned::default());
    }
    totals.owned[root_move].add_shared(owners);
}

impl<const N: usize, const W: usize> Drop for Worker<'_, N, W> {
    fn drop(&mut self) {
        self.forget_expected();
    }
}

impl<const N: usize, const W: usize> tree_search::Worker for Worker<'_, N, W> {
    fn visit(&mut self) -> bool {
        let Some(turns) = self.shared.sharing.turns() else { return self.own_visit() };
        if self.shares != turns.shares() {
            self.shares = turns.shares();
            self.visits_shared = 0;
            self.forget_expected();
        }
        if self.visits_shared == PREDICTABLE {
            self.forget_expected();
        }
        let is_predictable = self.visits_shared < PREDICTABLE;
        let (before, behind) = if is_predictable { turns.others() } else { (0, 0) };
        self.expect_visits(before);
        let goes_on = self.own_visit();
        self.expect_visits(behind);
        self.visits_shared += 1;
        goes_on
    }

    fn finish(&mut self) {
        self.ask();
    }
}

impl<'a, const N: usize, const W: usize> Worker<'a, N, W> {
    /// A visit of this search.
    fn own_visit(&mut self) -> bool {
        // A way that another visit is on counts as lost until this one has found one of its own.
        loop {
            self.path.clear();
            self.keys.clear();
            match self.select_leaf() {
                Leaf::Busy => self.taken.extend(self.path.iter().map(|step| step.node)),
                Leaf::Terminal(value) => {
                    self.backup((&self.path, &self.keys), &self.means_of(value), true);
                    break;
                }
                Leaf::Known(found) => {
                    self.backup((&self.path, &self.keys), &found, false);
                    break;
                }
                Leaf::Open(position, claimed) => {
                    self.wait_for(position, claimed);
                    break;
                }
            }
            if self.taken.len() > MAX_TAKEN {
                self.give_back();
                if self.waiting.is_empty() {
                    std::thread::yield_now();
                }
                self.ask();
            }
        }
        self.give_back();
        self.visits += 1;
        if self.shared.stop_early
            && self.visits.is_multiple_of(EARLY_EVERY)
            && self.shared.cannot_change()
        {
            self.shared.driver.stop();
        }
        true
    }

    /// Ends the visit of the present path where it is remembered what the network says of its leaf; else it waits until as
    /// many do as are asked about at once.
    fn wait_for(&mut self, position: Position<N, W>, claimed: Option<&'a GoNode>) {
        let (path, keys) = (std::mem::take(&mut self.path), std::mem::take(&mut self.keys));
        let visit = Visit { path, keys, position, claimed };
        if let Some(entry) = self.shared.cache.get(visit.position.key()) {
            self.end(visit, &entry);
            return;
        }
        self.waiting.push(visit);
        if self.waiting.len() >= self.asker.batch() {
            self.ask();
        }
    }

    /// Asks the network about all that waits for it, and ends those visits.
    fn ask(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let positions = waiting.iter().map(|visit| &visit.position);
        let said = self.shared.evaluate(self.asker, positions);
        for (visit, entry) in waiting.drain(..).zip(&said) {
            self.end(visit, entry);
        }
        self.waiting = waiting;
    }

    /// Ends a visit with what the network says of its leaf.
    fn end(&mut self, visit: Visit<'a, N, W>, entry: &Evaluated) {
        let Visit { path, keys, position, claimed } = visit;
        if let Some(node) = claimed {
            self.expand(node, (&position, path.len() - 1), entry);
        }
        let value = self.value(entry, &position);
        self.backup((&path, &keys), &self.means_of(value), true);
        self.count_ownership(&path, entry);
        // Its space serves the next visit.
        (self.path, self.keys) = (path, keys);
    }
}
