//! One thread of a search: walks down the tree, values the leaf, and tells the tree what it is worth.

use super::node::Node;
use super::policy::{Evaluator, Prior, Priors};
use super::select::Selection;
use super::shared::{Shared, Totals};
use super::value::{Leaf, LeafValue};
use crate::board::{Board, Site};
use crate::{Color, rng::Rng};
use game_core::{GOLDEN_GAMMA, Proven};

/// What a thread owns.
pub(super) struct Worker<'a, P: Priors, E: Evaluator, const N: usize, const W: usize> {
    shared: &'a Shared<'a>,
    policy: &'a P,
    evaluator: &'a E,
    policy_scratch: P::Scratch,
    evaluator_scratch: E::Scratch,
    root: &'a Board<N, W>,
    selection: Selection,
    board: Board<N, W>,
    rng: Rng,
    /// Nodes from the root's child to the leaf.
    path: Vec<u32>,
    /// Keys of the positions on the path.
    keys: Vec<u64>,
    /// All moves from the root on, those of the tree and those of the playout.
    moves: Vec<Site>,
    /// Who moves first on each site from some move on: 0 nobody, else the colour.
    first: Vec<u8>,
    priors: Vec<Prior>,
    /// What the last leaf is worth.
    value: LeafValue,
    /// Sum of the ownership of the leaves, by site, since it was last handed in.
    ownership: Vec<f32>,
    /// What else was counted since then.
    counted: Totals,
    /// Visits of this search that it knows of.
    visits: u64,
}

/// Visits between two looks at whether the move can still change.
const EARLY_EVERY: u64 = 256;

/// How a walk down the tree ended.
enum Selected {
    /// The end of the tree, to be valued.
    Leaf,
    /// Two passes, or a proof: Black's margin or who wins is known.
    Terminal(f32),
    /// The move just made was not allowed; the walk counts for nothing.
    Illegal,
}

impl<'a, P: Priors, E: Evaluator, const N: usize, const W: usize> Worker<'a, P, E, N, W> {
    pub fn new(
        shared: &'a Shared<'a>,
        (policy, evaluator): (&'a P, &'a E),
        root: &'a Board<N, W>,
        stream: u64,
    ) -> Self {
        Worker {
            shared,
            policy,
            evaluator,
            policy_scratch: P::Scratch::default(),
            evaluator_scratch: E::Scratch::default(),
            root,
            selection: Selection::new(shared.params),
            board: root.clone(),
            rng: Rng::new(shared.seed.wrapping_add(stream.wrapping_mul(GOLDEN_GAMMA))),
            path: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            first: vec![0; N],
            priors: Vec::new(),
            value: LeafValue::default(),
            ownership: vec![0.0; N],
            counted: Totals::default(),
            visits: shared.driver.visits(),
        }
    }

    /// One visit.
    fn simulate(&mut self) {
        let shared = self.shared;
        self.board.clone_from(self.root);
        self.path.clear();
        self.keys.clear();
        self.moves.clear();
        let mut color = shared.to_move;
        let leaf = self.select(&mut color);
        let virtual_loss = shared.params.virtual_loss;
        let black_value = match leaf {
            Selected::Illegal => {
                for &index in &self.path {
                    shared.tree.node(index).stats.undo_virtual_loss(virtual_loss);
                }
                return;
            }
            Selected::Terminal(value) => value,
            Selected::Leaf => {
                let last = [self.last_move(0), self.last_move(1)];
                let leaf = Leaf {
                    board: &mut self.board,
                    to_move: color,
                    last,
                    scoring: &shared.scoring,
                    rng: &mut self.rng,
                    moves: &mut self.moves,
                };
                self.evaluator.evaluate(leaf, &mut self.evaluator_scratch, &mut self.value);
                self.counted.playouts += 1;
                self.counted.score_sum += f64::from(self.value.margin);
                for (sum, owner) in self.ownership.iter_mut().zip(&self.value.ownership) {
                    *sum += owner;
                }
                self.value.value
            }
        };
        self.counted.max_depth = self.counted.max_depth.max(self.path.len());
        self.backup(black_value, virtual_loss);
    }

    /// The last move before the playout (`back` = 0) or the one before that.
    fn last_move(&self, back: usize) -> Site {
        match self.moves.len().checked_sub(back + 1) {
            Some(at) => self.moves[at],
            None => self.shared.last[back - self.moves.len()],
        }
    }

    /// Walks down to a leaf, playing the moves; `color` is who moves there.
    fn select(&mut self, color: &mut Color) -> Selected {
        let shared = self.shared;
        let tree = shared.tree;
        let virtual_loss = shared.params.virtual_loss;
        let mut node = tree.root();
        loop {
            if node.children().is_none() {
                let visits = node.stats.visits();
                let at_root = self.path.is_empty();
                if at_root || visits >= shared.params.expand_visits {
                    self.expand(node, *color);
                }
            }
            let Some(range) = node.children() else { return Selected::Leaf };
            let children = tree.nodes(range);
            let Some(k) = self.selection.choose(children, node.stats.get().visits) else {
                // Every answer loses: whoever made this node's move has won.
                if !self.path.is_empty() {
                    node.set_proven(Proven::Win);
                }
                return Selected::Terminal(won_by(color.other()));
            };
            let child = &children[k];
            let site = child.site();
            child.stats.add_virtual_loss(virtual_loss);
            self.path.push(range.0 + k as u32);
            if child.proven() == Proven::Win {
                // One answer wins: whoever made this node's move has lost.
                if self.path.len() > 1 {
                    node.set_proven(Proven::Loss);
                }
                self.moves.push(site);
                return Selected::Terminal(won_by(*color));
            }
            if site.is_pass() {
                self.board.pass();
                let ended = self.last_move(0).is_pass() && self.passes_count();
                self.moves.push(site);
                if ended {
                    let margin = self.board.area_score() as f32;
                    child.set_proven(shared.scoring.proven(margin, *color));
                    return Selected::Terminal(shared.scoring.value(margin));
                }
            } else {
                self.board.play(site, *color);
                self.moves.push(site);
                let key = self.board.key();
                if shared.history.contains(&key) || self.keys.contains(&key) {
                    child.forbid();
                    return Selected::Illegal;
                }
                self.keys.push(key);
            }
            *color = color.other();
            node = child;
        }
    }

    /// Whether a pass as the last move really was one: before the first move there is none.
    fn passes_count(&self) -> bool {
        !self.moves.is_empty() || self.shared.last_was_pass
    }

    /// Makes the children of a node, unless another thread does or the tree is full.
    fn expand(&mut self, node: &Node, color: Color) {
        if !node.try_expand() {
            return;
        }
        let shared = self.shared;
        let even = shared.params.prior_even;
        let at_root = self.path.is_empty();
        self.priors.clear();
        for s in self.board.empties() {
            if self.board.is_legal(s, color)
                && !self.board.pattern3x3(s).is_eye(color)
                && (!at_root || shared.is_allowed(s))
            {
                self.priors.push(Prior::even(s, even));
            }
        }
        // The list's order depends on the way here; the tree must not.
        self.priors.sort_unstable_by_key(|prior| prior.site);
        let last = [self.last_move(0), self.last_move(1)];
        self.policy.priors(&self.board, color, last, &mut self.policy_scratch, &mut self.priors);
        if !at_root {
            self.priors.retain(|prior| !prior.pruned);
        }
        if !at_root || shared.is_allowed(Site::PASS) || self.priors.is_empty() {
            let mut pass = Prior::even(Site::PASS, even);
            pass.add_losses(shared.params.prior_pass);
            self.priors.push(pass);
        }
        let Some(first) = shared.tree.allocate(self.priors.len()) else {
            node.cancel();
            return;
        };
        for (index, prior) in (first..).zip(&self.priors) {
            let value = if prior.visits > 0.0 { prior.wins / prior.visits } else { 0.5 };
            shared.tree.node(index).set(prior.site, prior.visits, value);
        }
        node.publish(first, self.priors.len() as u16);
    }

    /// Adds what was counted to the totals of all threads.
    fn flush_stats(&mut self) {
        let Ok(mut totals) = self.shared.totals.lock() else { return };
        totals.ownership.resize(N, 0.0);
        for (sum, mine) in totals.ownership.iter_mut().zip(&mut self.ownership) {
            *sum += f64::from(std::mem::take(mine));
        }
        totals.score_sum += std::mem::take(&mut self.counted.score_sum);
        totals.playouts += std::mem::take(&mut self.counted.playouts);
        totals.max_depth = totals.max_depth.max(self.counted.max_depth);
    }

    /// Gives the value to the moves of the path, and to all moves as first.
    fn backup(&mut self, black_value: f32, virtual_loss: u32) {
        let shared = self.shared;
        let tree = shared.tree;
        let value_for = |color: Color| match color {
            Color::Black => black_value,
            Color::White => 1.0 - black_value,
        };
        let color_at = |ply: usize| {
            if ply.is_multiple_of(2) { shared.to_move } else { shared.to_move.other() }
        };
        // From the end of the game to the root, so that `first` holds who moves first on each site
        // from the ply at hand on.
        let depth = self.path.len();
        for ply in (depth..self.moves.len()).rev() {
            self.first[usize::from(self.moves[ply].0)] = color_at(ply) as u8;
        }
        for ply in (0..=depth).rev() {
            if ply < self.moves.len() && ply < depth {
                self.first[usize::from(self.moves[ply].0)] = color_at(ply) as u8;
            }
            let node = match ply.checked_sub(1) {
                Some(above) => tree.node(self.path[above]),
                None => tree.root(),
            };
            let color = color_at(ply);
            let value = value_for(color);
            for child in tree.children(node) {
                let site = child.site();
                if self.first[usize::from(site.0)] == color as u8 && !site.is_pass() {
                    child.rave.add_loosely(value);
                }
            }
            match ply {
                0 => node.stats.backup(0, value_for(color.other())),
                _ => node.stats.backup(virtual_loss, value_for(color.other())),
            }
        }
        for &site in &self.moves {
            self.first[usize::from(site.0)] = 0;
        }
    }
}

impl<P: Priors, E: Evaluator, const N: usize, const W: usize> tree_search::Worker
    for Worker<'_, P, E, N, W>
{
    fn visit(&mut self) -> bool {
        self.simulate();
        self.visits += 1;
        if self.visits.is_multiple_of(EARLY_EVERY) {
            self.flush_stats();
            if self.shared.limits.stop_early && self.shared.cannot_change() {
                self.shared.driver.stop();
            }
        }
        true
    }
}

/// What was counted goes to the totals at the latest when the thread ends.
impl<P: Priors, E: Evaluator, const N: usize, const W: usize> Drop for Worker<'_, P, E, N, W> {
    fn drop(&mut self) {
        self.flush_stats();
    }
}

/// A win's value for Black.
fn won_by(color: Color) -> f32 {
    match color {
        Color::Black => 1.0,
        Color::White => 0.0,
    }
}
