//! One thread of a search: walks down the tree, plays a playout, and tells the tree how it ended.

use super::knowledge::{Knowledge, Prior};
use super::node::{Node, Proof};
use super::select::Selection;
use super::shared::Shared;
use super::watch::Totals;
use crate::board::{Board, Site};
use crate::params::PlayoutPolicy;
use crate::playout::{light::LightBoard, owner};
use crate::{Color, rng::Rng};
use std::sync::Mutex;

/// What a thread owns.
pub(super) struct Worker<'a, K, const N: usize, const W: usize> {
    shared: &'a Shared<'a, K>,
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
    sites: Vec<Site>,
    /// What was counted since it was last handed in.
    counted: Totals,
}

/// How a walk down the tree ended.
enum Leaf {
    /// A playout goes on from here.
    Open,
    /// Two passes, or a proof: Black's margin or who wins is known.
    Settled(f32),
    /// The move just made was not allowed; the walk counts for nothing.
    Void,
}

impl<'a, K: Knowledge, const N: usize, const W: usize> Worker<'a, K, N, W> {
    pub fn new(shared: &'a Shared<'a, K>, root: &'a Board<N, W>, stream: u64) -> Self {
        Worker {
            shared,
            root,
            selection: Selection::new(shared.params),
            board: root.clone(),
            rng: Rng::new(shared.seed.wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))),
            path: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            first: vec![0; N],
            priors: Vec::new(),
            sites: root.sites().collect(),
            counted: Totals { owned: vec![[0; 2]; N], ..Totals::default() },
        }
    }

    /// One playout.
    pub fn simulate(&mut self) {
        let shared = self.shared;
        self.board.clone_from(self.root);
        self.path.clear();
        self.keys.clear();
        self.moves.clear();
        let mut color = shared.to_move;
        let leaf = self.descend(&mut color);
        let lent = shared.params.virtual_loss;
        let black_value = match leaf {
            Leaf::Void => {
                for &index in &self.path {
                    shared.tree.node(index).own.take_back(lent);
                }
                return;
            }
            Leaf::Settled(value) => value,
            Leaf::Open => {
                let tree_moves = self.moves.len();
                let judged = self.judge(color);
                let last = [self.last_move(0), self.last_move(1)];
                let margin = if shared.params.playout_policy == PlayoutPolicy::Light {
                    let mut light = LightBoard::new(&self.board);
                    let moves = &mut self.moves;
                    let margin = light.play_out(color, &mut self.rng, |s| moves.push(s));
                    self.note_owners(margin, |_, s| light.owner(s));
                    margin
                } else {
                    let margin = shared.knowledge.play_out(
                        &mut self.board,
                        color,
                        last,
                        &mut self.rng,
                        &mut self.moves,
                    );
                    self.note_owners(margin, owner);
                    margin
                };
                debug_assert!(self.moves.len() >= tree_moves);
                let value = shared.value_of(margin as f32);
                judged.map_or(value, |(judged, share)| value + share * (judged - value))
            }
        };
        self.counted.deepest = self.counted.deepest.max(self.path.len());
        self.back_up(black_value, lent);
    }

    /// The value for Black of the position at hand without playing it out, and how much that counts:
    /// less as the board fills.
    fn judge(&self, to_move: Color) -> Option<(f32, f32)> {
        let params = self.shared.params;
        if params.influence_value_weight == 0.0 {
            return None;
        }
        let lead = self.shared.knowledge.judge(&self.board, to_move)? - self.shared.komi;
        let share =
            params.influence_value_weight * self.board.n_empties() as f32 / self.shared.area;
        Some((1.0 / (1.0 + (-lead / params.influence_value_scale).exp()), share))
    }

    /// The last move before the playout (`back` = 0) or the one before that.
    fn last_move(&self, back: usize) -> Site {
        match self.moves.len().checked_sub(back + 1) {
            Some(at) => self.moves[at],
            None => self.shared.last[back - self.moves.len()],
        }
    }

    /// Walks down to a leaf, playing the moves; `color` is who moves there.
    fn descend(&mut self, color: &mut Color) -> Leaf {
        let shared = self.shared;
        let tree = shared.tree;
        let lent = shared.params.virtual_loss;
        let mut node = tree.root();
        loop {
            if node.children().is_none() {
                let visits = node.own.visits();
                let at_root = self.path.is_empty();
                if at_root || visits >= shared.params.expand_visits {
                    self.grow(node, *color);
                }
            }
            let Some(range) = node.children() else { return Leaf::Open };
            let children = tree.nodes(range);
            let Some(k) = self.selection.choose(children, node.own.get().visits) else {
                // Every answer loses: whoever made this node's move has won.
                if !self.path.is_empty() {
                    node.prove(Proof::Won);
                }
                return Leaf::Settled(won_by(color.other()));
            };
            let child = &children[k];
            let site = child.site();
            child.own.lend(lent);
            self.path.push(range.0 + k as u32);
            if child.proof() == Proof::Won {
                // One answer wins: whoever made this node's move has lost.
                if self.path.len() > 1 {
                    node.prove(Proof::Lost);
                }
                self.moves.push(site);
                return Leaf::Settled(won_by(*color));
            }
            if site.is_pass() {
                self.board.pass();
                let ended = self.last_move(0).is_pass() && self.passes_count();
                self.moves.push(site);
                if ended {
                    let margin = self.board.area_score() as f32;
                    let outcome = shared.proof_of(margin, *color);
                    child.prove(outcome);
                    return Leaf::Settled(shared.value_of(margin));
                }
            } else {
                self.board.play(site, *color);
                self.moves.push(site);
                let key = self.board.key();
                if shared.history.contains(&key) || self.keys.contains(&key) {
                    child.prove(Proof::Illegal);
                    return Leaf::Void;
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
    fn grow(&mut self, node: &Node, color: Color) {
        if !node.claim_growth() {
            return;
        }
        let shared = self.shared;
        let even = shared.params.prior_even;
        let at_root = self.path.is_empty();
        self.priors.clear();
        for s in self.board.empties() {
            if self.board.is_legal(s, color)
                && !self.board.around(s).is_eye(color)
                && (!at_root || shared.is_wanted(s))
            {
                self.priors.push(Prior::even(s, even));
            }
        }
        // The list's order depends on the way here; the tree must not.
        self.priors.sort_unstable_by_key(|prior| prior.site);
        let last = [self.last_move(0), self.last_move(1)];
        shared.knowledge.weigh(&self.board, color, last, &mut self.priors);
        if !at_root {
            self.priors.retain(|prior| !prior.is_cut);
        }
        if !at_root || shared.is_wanted(Site::PASS) || self.priors.is_empty() {
            let mut pass = Prior::even(Site::PASS, even);
            pass.disfavour(shared.params.prior_pass);
            self.priors.push(pass);
        }
        let Some(first) = shared.tree.allocate(self.priors.len()) else {
            node.abandon_growth();
            shared.note_full();
            return;
        };
        for (index, prior) in (first..).zip(&self.priors) {
            let value = if prior.visits > 0.0 { prior.wins / prior.visits } else { 0.5 };
            shared.tree.node(index).set(prior.site, prior.visits, value);
        }
        node.finish_growth(first, self.priors.len() as u16);
    }

    /// Adds the end of a playout to the owners' counts.
    #[inline(always)]
    fn note_owners(&mut self, margin: i32, owner: impl Fn(&Board<N, W>, Site) -> u8) {
        self.counted.playouts += 1;
        self.counted.score_sum += f64::from(margin);
        for &s in &self.sites {
            let owner = owner(&self.board, s);
            let [black, white] = &mut self.counted.owned[usize::from(s.0)];
            *black += u32::from(owner == Color::Black as u8);
            *white += u32::from(owner == Color::White as u8);
        }
    }

    /// Adds what was counted to the totals of all threads.
    pub fn hand_in(&mut self, totals: &Mutex<Totals>) {
        let Ok(mut totals) = totals.lock() else { return };
        totals.owned.resize(N, [0; 2]);
        for (sum, mine) in totals.owned.iter_mut().zip(&mut self.counted.owned) {
            sum[0] += mine[0];
            sum[1] += mine[1];
            *mine = [0; 2];
        }
        totals.score_sum += std::mem::take(&mut self.counted.score_sum);
        totals.playouts += std::mem::take(&mut self.counted.playouts);
        totals.deepest = totals.deepest.max(self.counted.deepest);
    }

    /// Gives the value to the moves of the path, and to all moves as first.
    fn back_up(&mut self, black_value: f32, lent: u32) {
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
                0 => node.own.settle(0, value_for(color.other())),
                _ => node.own.settle(lent, value_for(color.other())),
            }
        }
        for &site in &self.moves {
            self.first[usize::from(site.0)] = 0;
        }
    }
}

/// A win's value for Black.
fn won_by(color: Color) -> f32 {
    match color {
        Color::Black => 1.0,
        Color::White => 0.0,
    }
}
