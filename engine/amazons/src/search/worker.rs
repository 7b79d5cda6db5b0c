//! What one thread does: walks down the shared tree, expands a leaf, and carries its value back.

use super::expand::Expander;
use super::tree::{BUSY, Choice, EXPANDED, Edge, FRESH, JUDGED, Node, Step, Tree};
use crate::eval::flood::dilate;
use crate::game::Stage;
use crate::moves::Move;
use crate::net::resnet::Scratch;
use crate::position::Position;
use crate::region::{Closed, Filler};
use game_core::Proven;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// One thread's tools.
pub(super) struct Worker<'a> {
    pub tree: &'a Tree,
    pub expander: Expander<'a>,
    pub position: &'a Position,
    /// What of the root's turn has been made already.
    pub stage: Stage,
    pub filler: Filler,
    scratch: Scratch,
    choices: Vec<Choice>,
    path: Vec<Visit<'a>>,
}

/// A node on the way down.
struct Visit<'a> {
    node: &'a Node,
    /// The edge that led here.
    edge: Option<&'a Edge>,
    /// Whether the side to move at the root moves here.
    own: bool,
}

impl<'a> Worker<'a> {
    pub fn new(
        tree: &'a Tree,
        expander: Expander<'a>,
        position: &'a Position,
        stage: Stage,
    ) -> Worker<'a> {
        let filler = Filler::new(expander.tuning.fill_patience);
        let (scratch, choices, path) = (Scratch::default(), Vec::new(), Vec::new());
        Worker { tree, expander, position, stage, filler, scratch, choices, path }
    }

    /// One visit; false when there is nothing left to find out.
    pub fn visit(&mut self) -> bool {
        if self.tree.root().fate() != Proven::Unknown {
            return false;
        }
        let mut position = *self.position;
        let mut moved: Option<Step> = None;
        let (mut node, mut own) = (self.tree.root(), true);
        let mut edge: Option<&'a Edge> = None;
        // What the evaluation says of the node, for the root's side.
        let mut judged = 0.5;
        self.path.clear();
        // The chance of the root's side.
        let value = loop {
            node.enter();
            self.path.push(Visit { node, edge, own });
            match node.fate() {
                Proven::Win => break for_root(1.0, own),
                Proven::Loss => break for_root(0.0, own),
                Proven::Unknown => {}
            }
            if node.state.load(Acquire) < EXPANDED {
                if node.state.compare_exchange(FRESH, BUSY, AcqRel, Acquire).is_err() {
                    break judged; // Another thread is at it.
                }
                if let Some(value) = self.expand(node, &position, moved) {
                    break for_root(value, own);
                }
                if node.state.load(Acquire) < EXPANDED {
                    break judged; // The tree is full.
                }
            } else if self.asks(node, moved.is_some()) {
                self.ask(node, &position, moved);
            }
            let Some(next) = self.select(node) else {
                node.set_fate(Proven::Loss);
                break for_root(0.0, own);
            };
            judged = for_root(next.value(), own);
            let step = next.step();
            match moved.take() {
                None => moved = Some(step),
                Some(Step { from, to }) => {
                    position.make(Move { from, to, arrow: step.to });
                    own = !own;
                }
            }
            match self.tree.child_or_new(next) {
                Some(child) => (node, edge) = (child, Some(next)),
                None => break judged,
            }
        };
        self.carry_back(value);
        true
    }

    /// Whether it is time to ask the network about a node; only one thread ever is told so.
    fn asks(&self, node: &Node, arrow: bool) -> bool {
        let tuning = self.expander.tuning;
        self.expander.network.is_some()
            && node.visits() >= tuning.network_visits
            && (!arrow || tuning.network_arrows)
            && node.state.compare_exchange(EXPANDED, JUDGED, AcqRel, Acquire).is_ok()
    }

    /// Lets the network have its say about a node's moves, and about the node.
    fn ask(&mut self, node: &Node, position: &Position, moved: Option<Step>) {
        let edges = self.tree.edges(node);
        let said = self.expander.evaluate(position, moved, edges, &mut self.scratch);
        let weight = self.expander.tuning.network_value.round() as u32;
        if let Some(value) = said.filter(|_| weight > 0) {
            node.lean_to(value, weight);
        }
    }

    /// Makes the edges of a busy node; a value when the visit ends here.
    fn expand(&mut self, node: &Node, position: &Position, moved: Option<Step>) -> Option<f32> {
        let mut choices = std::mem::take(&mut self.choices);
        let value = match moved {
            Some(moved) => {
                self.expander.arrows(position, moved, &mut choices);
                self.tree.expand(node, &choices);
                Some(choices.iter().map(|c| c.value).fold(0.0, f32::max))
            }
            None => {
                let fate = self.counted(position);
                if fate == Proven::Unknown {
                    self.expander.queens(position, &mut choices);
                    self.tree.expand(node, &choices);
                    None
                } else {
                    node.set_fate(fate);
                    node.state.store(FRESH, std::sync::atomic::Ordering::Release);
                    Some(if fate == Proven::Win { 1.0 } else { 0.0 })
                }
            }
        };
        self.choices = choices;
        value
    }

    /// Who wins, when the side to move cannot move or nothing is fought for any more.
    fn counted(&mut self, position: &Position) -> Proven {
        if !position.can_move() {
            return Proven::Loss;
        }
        // The root needs moves to choose from.
        if self.path.len() <= 1 || meet(position) {
            return Proven::Unknown;
        }
        match Closed::count(position, &mut self.filler).wins(position.to_move()) {
            Some(true) => Proven::Win,
            Some(false) => Proven::Loss,
            None => Proven::Unknown,
        }
    }

    /// The edge to search next: mean value plus the prior's bonus (PUCT, Rosin 2011). The evaluation counts as visits of
    /// its own, visits that are under way as losses. None when every edge loses.
    fn select(&self, node: &Node) -> Option<&'a Edge> {
        let tuning = self.expander.tuning;
        let total = (node.visits() + node.pending()).max(1) as f32;
        let bonus = tuning.exploration * total.sqrt();
        let at_root = self.path.len() == 1;
        let mut best = None;
        let mut best_score = f32::MIN;
        for edge in self.tree.edges(node) {
            if edge.fate() == Proven::Loss || at_root && !allows(self.stage, edge.step()) {
                continue;
            }
            let judged = edge.value();
            let (value, visits) = match self.tree.child(edge) {
                None => (judged - tuning.unvisited, 0.0),
                Some(child) => {
                    let finished = child.visits() as f32;
                    let visits = finished + child.pending() as f32;
                    let sum = if is_arrow(edge) { finished - child.sum() } else { child.sum() };
                    let weight = tuning.static_weight;
                    ((sum + judged * weight) / (visits + weight).max(1e-6), visits)
                }
            };
            let score = value + bonus * edge.prior() / (1.0 + visits);
            if score > best_score {
                (best, best_score) = (Some(edge), score);
            }
        }
        best
    }

    /// Ends the visit with the chance of the root's side, and draws conclusions from what is decided.
    fn carry_back(&mut self, value: f32) {
        let mut settled = true;
        for visit in self.path.iter().rev() {
            visit.node.leave(for_root(value, visit.own));
            if settled {
                settled = self.settle(visit);
            }
        }
    }

    /// Notes on the edge to a node what is known of the node, and on the node what its edges say.
    fn settle(&self, visit: &Visit) -> bool {
        let node = visit.node;
        if node.fate() == Proven::Unknown {
            let (mut any, mut won, mut lost) = (false, false, true);
            for edge in self.tree.edges(node) {
                if visit.edge.is_some() || allows(self.stage, edge.step()) {
                    any = true;
                    won |= edge.fate() == Proven::Win;
                    lost &= edge.fate() == Proven::Loss;
                }
            }
            if won {
                node.set_fate(Proven::Win);
            } else if any && lost {
                node.set_fate(Proven::Loss);
            }
        }
        let fate = node.fate();
        if fate == Proven::Unknown {
            return false;
        }
        if let Some(edge) = visit.edge {
            edge.set_fate(if is_arrow(edge) { fate.other() } else { fate });
        }
        true
    }
}

/// A value for the side to move, from or for the root's side.
fn for_root(value: f32, own: bool) -> f32 {
    if own { value } else { 1.0 - value }
}

/// Whether an edge is an arrow: behind it the other side is to move.
pub(super) fn is_arrow(edge: &Edge) -> bool {
    let step = edge.step();
    step.from == step.to
}

/// Whether a step fits what of the turn has been made.
pub(super) fn allows(stage: Stage, step: Step) -> bool {
    match stage {
        Stage::From => true,
        Stage::To(from) => step.from == from,
        Stage::Arrow(from, to) => step == Step { from, to },
    }
}

/// Whether queens of both sides come to one square, or touch.
fn meet(position: &Position) -> bool {
    let [a, b] = crate::Color::BOTH.map(|color| {
        let (mut seen, free) = (position.queens(color).0, position.free().0);
        loop {
            let grown = dilate(seen) & free | seen;
            if grown == seen {
                break seen;
            }
            seen = grown;
        }
    });
    dilate(a) & b != 0
}
