//! One thread of a search: walks down the tree, values the leaf, and tells the tree what it is worth.

use super::node::{Node, NodeRange};
use super::policy::{Evaluator, Prior, Priors};
use super::repetition::Repeated;
use super::select::Selection;
use super::shared::Shared;
use super::symmetry::Symmetries;
use super::totals::Owned;
use super::tree::Tree;
use super::value::{Leaf, LeafValue};
use crate::board::{Board, Site};
use crate::endgame::benson::is_won_for_sure;
use crate::rules::Ko;
use crate::{Color, rng::Rng};
use game_core::{GOLDEN_GAMMA, Proven};
use tree_search::Bounded as _;

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
    /// Who moves first on each site from some move on, if anybody does.
    first: Vec<Option<Color>>,
    priors: Vec<Prior>,
    /// What the last leaf is worth.
    value: LeafValue,
    /// Whose the sites became in playouts, by the root's move they went through (as in `Totals`), since it was last
    /// handed in.
    owned: Vec<OwnedHere>,
    /// The longest way down.
    max_depth: usize,
    /// The root's move that this visit goes through: none, or one more than its place.
    root_move: usize,
    /// Visits of this search that it knows of.
    visits: u64,
}

/// What a thread has counted of one of the root's moves: as [`Owned`], in numbers of half the size.
#[derive(Default)]
struct OwnedHere {
    sums: Vec<f32>,
    unowned: Vec<f32>,
    playouts: u32,
}

/// Visits between two looks at whether the move can still change.
const EARLY_EVERY: u64 = 256;

/// How a walk down the tree ended.
enum Selected {
    /// The end of the tree, to be valued.
    Leaf,
    /// The value for Black is known: of two passes with Black's margin, or of a proof.
    Terminal(f32, Option<f32>),
    /// The move just made was not allowed; the walk counts for nothing.
    Illegal,
}

/// What became of a node all of whose moves are lost.
#[derive(PartialEq)]
enum Completed {
    /// These are all the moves that there are: it is lost.
    Already,
    /// Moves that had been left out are there now, or another thread is adding them.
    Widened,
    /// There was no room for them.
    NoRoom,
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
            first: vec![None; N],
            priors: Vec::new(),
            value: LeafValue::default(),
            owned: Vec::new(),
            max_depth: 0,
            root_move: 0,
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
        self.root_move = 0;
        let mut color = shared.to_move;
        let leaf = self.select(&mut color);
        let virtual_loss = shared.params.virtual_loss;
        let (black_value, margin) = match leaf {
            Selected::Illegal => {
                for &index in &self.path {
                    shared.tree.node(index).stats.undo_virtual_loss(virtual_loss);
                }
                return;
            }
            Selected::Terminal(value, margin) => (value, margin),
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
                self.count_ownership();
                (self.value.value, Some(self.value.margin))
            }
        };
        self.max_depth = self.max_depth.max(self.path.len());
        self.backup(black_value, margin, virtual_loss);
    }

    /// Adds the last leaf's ownership to that of the root's move.
    fn count_ownership(&mut self) {
        if self.owned.len() <= self.root_move {
            self.owned.resize_with(self.root_move + 1, OwnedHere::default);
        }
        let OwnedHere { sums, unowned, playouts } = &mut self.owned[self.root_move];
        sums.resize(N, 0.0);
        unowned.resize(N, 0.0);
        for ((sum, nobody), &owner) in sums.iter_mut().zip(unowned).zip(&self.value.ownership) {
            *sum += owner;
            *nobody += f32::from(u8::from(owner == 0.0));
        }
        *playouts += 1;
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
        let mut has_expanded = false;
        loop {
            if node.children().is_none() {
                let visits = node.stats.visits();
                if self.path.is_empty() {
                    // Every visit is one of a move: while another thread makes the first ones, this one waits.
                    while node.children().is_none() && !tree.is_full() {
                        self.expand(node, *color);
                    }
                } else if visits >= shared.params.expand_visits && !has_expanded {
                    self.expand(node, *color);
                    // This visit counts among them already, so with one of them each node below would follow.
                    has_expanded = true;
                }
            }
            let Some(range) = node.children() else { return Selected::Leaf };
            let children = tree.nodes(range);
            let Some(k) = self.selection.choose(children, node.stats.get().visits) else {
                match self.complete(node, range, *color) {
                    Completed::Widened => continue,
                    // Every answer loses: whoever made this node's move has won.
                    Completed::Already if !self.path.is_empty() => node.set_proven(Proven::Win),
                    Completed::Already | Completed::NoRoom => {}
                }
                return Selected::Terminal(won_by(color.other()), None);
            };
            if self.path.is_empty() {
                self.root_move = k + 1;
            }
            let child = &children[k];
            let site = child.site();
            child.stats.add_virtual_loss(virtual_loss);
            self.path.push(range.index(k));
            if child.proven() == Proven::Win {
                // One answer wins: whoever made this node's move has lost.
                if self.path.len() > 1 {
                    node.set_proven(Proven::Loss);
                }
                self.moves.push(site);
                return Selected::Terminal(won_by(*color), None);
            }
            if site.is_pass() {
                self.board.pass();
                let key = shared.repetition.key_after_pass(self.board.key(), color.other());
                self.keys.extend(key);
                let ended = self.last_move(0).is_pass() && self.passes_count();
                self.moves.push(site);
                if ended && self.end_is_sure() {
                    let margin = self.board.area_score() as f32;
                    child.set_proven(shared.scoring.proven(margin, *color));
                    return Selected::Terminal(shared.scoring.value(margin), Some(margin));
                }
                if ended {
                    // What is dead and whose territory is, a playout tells, in which the opponent moves on.
                    *color = color.other();
                    return Selected::Leaf;
                }
            } else {
                self.board.play(site, *color);
                self.moves.push(site);
                let key = shared.repetition.key(self.board.key(), color.other());
                match shared.repetition.check(key, &self.keys) {
                    Repeated::No => self.keys.push(key),
                    Repeated::NoResult => return Selected::Terminal(0.5, None),
                    Repeated::Forbidden => {
                        child.forbid();
                        return Selected::Illegal;
                    }
                }
            }
            *color = color.other();
            node = child;
        }
    }

    /// Whether a pass as the last move really was one: before the first move there is none.
    fn passes_count(&self) -> bool {
        !self.moves.is_empty() || self.shared.last_was_pass
    }

    /// Whether an end by two passes stands as it is. Where players agree about the dead, nobody may talk it away.
    fn end_is_sure(&self) -> bool {
        let scoring = &self.shared.scoring;
        scoring.counts_area()
            && !self.shared.limits.asks_for_owners
            && (!scoring.rules.friendly_pass_ok
                || is_won_for_sure(&self.board, f64::from(scoring.komi), scoring.rules.suicide))
    }

    /// Adds the moves of a node that were left out when its children were made, now that all others lose: a proof has
    /// to stand against every move that the rules allow, also one into an eye or a suicide.
    fn complete(&mut self, node: &Node, range: NodeRange, color: Color) -> Completed {
        if node.are_all(range) {
            return Completed::Already;
        }
        if !node.try_complete() {
            return Completed::Widened;
        }
        let shared = self.shared;
        let known = shared.tree.nodes(range);
        let symmetries = self.symmetries();
        self.priors.clear();
        for s in self.board.empties() {
            let allows_ko = shared.scoring.rules.ko != Ko::Simple || s != self.board.ko();
            let is_suicide = || self.board.is_suicide(s, color);
            if known.iter().all(|child| child.site() != s)
                && self.is_wanted(s, color, &symmetries)
                && allows_ko
                && !self.is_forbidden_at_root(s, color)
                && (shared.scoring.rules.suicide || !is_suicide())
            {
                self.priors.push(Prior::even(s, shared.params.prior_even));
            }
        }
        self.priors.sort_unstable_by_key(|prior| prior.site);
        match shared.tree.complete(node, range, &self.priors) {
            false => Completed::NoRoom,
            true if self.priors.is_empty() => Completed::Already,
            true => Completed::Widened,
        }
    }

    /// How the position can be turned and mirrored, where that is known to matter.
    fn symmetries(&self) -> Symmetries {
        match self.shared.is_symmetric {
            true => Symmetries::of(&self.board),
            false => Symmetries::default(),
        }
    }

    /// Whether a move is to be looked at: none that is to be avoided, and one of those that are the same on a board that
    /// can be turned.
    fn is_wanted(&self, s: Site, color: Color, symmetries: &Symmetries) -> bool {
        let is_allowed = |s: Site| self.shared.avoided.allows(color, s, self.path.len());
        let site = |p| self.board.site(p).unwrap_or(Site::PASS);
        is_allowed(s)
            && (symmetries.is_empty()
                || symmetries.is_chosen(self.board.point(s), |twin| is_allowed(site(twin))))
    }

    /// Whether superko forbids a move at the root, where all moves can be made for a report without one visit.
    fn is_forbidden_at_root(&self, s: Site, color: Color) -> bool {
        let repetition = &self.shared.repetition;
        let key = || repetition.key(self.board.key_after(s, color), color.other());
        self.path.is_empty() && repetition.check(key(), &[]) == Repeated::Forbidden
    }

    /// Makes the children of a node, unless another thread does or the tree is full.
    fn expand(&mut self, node: &Node, color: Color) {
        if !node.try_expand() {
            // Another thread does.
            std::thread::yield_now();
            return;
        }
        let shared = self.shared;
        let even = shared.params.prior_even;
        let at_root = self.path.is_empty();
        let symmetries = self.symmetries();
        self.priors.clear();
        for s in self.board.empties() {
            if self.board.is_legal(s, color)
                && !self.board.pattern3x3(s).is_eye(color)
                && self.is_wanted(s, color, &symmetries)
                && !self.is_forbidden_at_root(s, color)
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
        if shared.avoided.allows(color, Site::PASS, self.path.len()) || self.priors.is_empty() {
            let mut pass = Prior::even(Site::PASS, even);
            match self.is_over() {
                Some(true) => pass.add_wins(shared.params.prior_pass),
                Some(false) => {}
                None => pass.add_losses(shared.params.prior_pass),
            }
            self.priors.push(pass);
        }
        let Some(children) = shared.tree.allocate(self.priors.len()) else {
            node.cancel();
            return;
        };
        shared.tree.set_all(children.first, &self.priors);
        node.publish(children);
    }

    /// Under territory scoring, late in the game: whether no empty point touches stones of both sides, so that there is
    /// nothing left but to fill one's own territory. Playouts do not tell that this costs a point.
    fn is_over(&self) -> Option<bool> {
        let is_late = 2 * self.board.n_empties() < self.board.area();
        let is_open = |s: Site| {
            let around = self.board.pattern3x3(s);
            (0..8).any(|k| around.cell(k) == Color::Black)
                && (0..8).any(|k| around.cell(k) == Color::White)
        };
        (!self.shared.scoring.counts_area() && is_late).then(|| !self.board.empties().any(is_open))
    }

    /// Adds what was counted to the totals of all threads.
    fn flush_stats(&mut self) {
        let Ok(mut totals) = self.shared.totals.lock() else { return };
        let len = totals.owned.len().max(self.owned.len());
        totals.owned.resize(len, Owned::default());
        for (all, here) in totals.owned.iter_mut().zip(&mut self.owned) {
            if here.playouts > 0 {
                all.add(&here.sums, &here.unowned, u64::from(std::mem::take(&mut here.playouts)));
                here.sums.fill(0.0);
                here.unowned.fill(0.0);
            }
        }
        totals.max_depth = totals.max_depth.max(self.max_depth);
    }

    /// Gives the value to the moves of the path, and to all moves as first.
    fn backup(&mut self, black_value: f32, margin: Option<f32>, virtual_loss: u32) {
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
            self.first[usize::from(self.moves[ply].0)] = Some(color_at(ply));
        }
        for ply in (0..=depth).rev() {
            if ply < self.moves.len() && ply < depth {
                self.first[usize::from(self.moves[ply].0)] = Some(color_at(ply));
            }
            let index = ply.checked_sub(1).map_or(Tree::ROOT, |above| self.path[above]);
            let node = tree.node(index);
            if let Some(margin) = margin {
                tree.scores(index).add(margin);
            }
            let color = color_at(ply);
            let value = value_for(color);
            for child in tree.children(node) {
                let site = child.site();
                if self.first[usize::from(site.0)] == Some(color) && !site.is_pass() {
                    child.rave.add_loosely(value);
                }
            }
            match ply {
                0 => node.stats.backup(0, value_for(color.other())),
                _ => node.stats.backup(virtual_loss, value_for(color.other())),
            }
        }
        for &site in &self.moves {
            self.first[usize::from(site.0)] = None;
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
