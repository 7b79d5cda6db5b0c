//! What one thread does: walks down the shared tree, expands a leaf, and carries its value back.

use super::expand::Expander;
use super::partial_move::{Choice, Estimate, PartialMove};
use crate::eval::flood::dilate;
use crate::game::Stage;
use crate::moves::Move;
use crate::net::resnet::Scratch;
use crate::position::Position;
use crate::region::{Closed, Filler};
use tree_search::puct::{Edge, Node, Stats, Step, Tree};
use tree_search::{Proven, StopSignal, TurnFilter};

/// One thread's tools.
pub(super) struct Worker<'a> {
    tree: &'a Tree<PartialMove>,
    expander: Expander<'a>,
    position: &'a Position,
    /// What of the root's turn has been made already.
    stage: Stage,
    filter: TurnFilter<'a, Move>,
    filler: Filler,
    scratch: Scratch,
    choices: Vec<Choice>,
    path: Vec<Step<'a, PartialMove>>,
}

impl<'a> Worker<'a> {
    pub fn new(
        tree: &'a Tree<PartialMove>,
        expander: Expander<'a>,
        position: &'a Position,
        stage: Stage,
        filter: TurnFilter<'a, Move>,
        stop: StopSignal,
    ) -> Worker<'a> {
        let mut filler = Filler::new(expander.params.fill_patience);
        filler.set_stop(stop);
        let (scratch, choices, path) = (Scratch::default(), Vec::new(), Vec::new());
        Worker { tree, expander, position, stage, filter, filler, scratch, choices, path }
    }

    /// Walks down to a leaf, and gives the chance of the root's side.
    fn select_leaf(&mut self) -> f32 {
        let mut position = *self.position;
        let mut moved: Option<PartialMove> = None;
        let (mut node, mut own) = (self.tree.root(), true);
        let mut edge: Option<&'a Edge<PartialMove>> = None;
        // What the evaluation says of the node, for the root's side.
        let mut estimate = 0.5;
        loop {
            node.add_virtual_loss();
            self.path.push(Step { node, edge, own });
            if node.proven().is_known() {
                return for_root(node.value(), own);
            }
            if !node.is_expanded() {
                if !node.try_expand() {
                    return estimate; // Another thread is at it.
                }
                if let Some(value) = self.expand(node, &position, moved) {
                    return for_root(value, own);
                }
                if !node.is_expanded() {
                    return estimate; // The tree is full.
                }
            } else if self.asks(node, moved.is_some()) {
                self.ask(node, &position, moved);
            }
            let Some(next) = self.select(node) else {
                if node.is_complete() {
                    node.set_proven(Proven::Loss);
                } else if self.tree.edges(node).is_empty() {
                    return estimate; // Every move was left out.
                }
                return for_root(0.0, own);
            };
            estimate = for_root(next.estimate().value, own);
            let step = next.mv();
            match moved.take() {
                None => moved = Some(step),
                Some(PartialMove { from, to }) => {
                    position.make(Move { from, to, arrow: step.to });
                    own = !own;
                }
            }
            match self.tree.child_or_new(next) {
                Some(child) => (node, edge) = (child, Some(next)),
                None => return estimate,
            }
        }
    }

    /// Whether it is time to ask the network about a node; only one thread ever is told so.
    fn asks(&self, node: &Node, arrow: bool) -> bool {
        let params = self.expander.params;
        self.expander.network.is_some()
            && node.visits() >= params.network_visits
            && (!arrow || params.network_arrows)
            && node.try_refine()
    }

    /// Lets the network have its say about a node's moves, and about the node.
    fn ask(&mut self, node: &Node, position: &Position, moved: Option<PartialMove>) {
        let edges = self.tree.edges(node);
        let said = self.expander.evaluate(position, moved, edges, &mut self.scratch);
        let weight = self.expander.params.network_value.round() as u32;
        if let Some(value) = said.filter(|_| weight > 0) {
            node.add_prior_visits(weight, in_units(f64::from(value) * f64::from(weight)));
        }
    }

    /// Makes the edges of a node that was claimed; a value when the visit ends here.
    fn expand(
        &mut self,
        node: &Node,
        position: &Position,
        moved: Option<PartialMove>,
    ) -> Option<f32> {
        if let Some(moved) = moved {
            self.expander.arrows(position, moved, &mut self.choices);
            self.publish(node, position, Some(moved));
            let best = self.choices.iter().map(|c| c.estimate.value).fold(0.0, f32::max);
            return Some(best);
        }
        let proven = self.counted(position);
        if proven.is_known() {
            node.set_proven(proven);
            node.cancel();
            return Some(node.value());
        }
        self.expander.queens(position, &mut self.choices);
        self.publish(node, position, None);
        None
    }

    fn publish(&mut self, node: &Node, position: &Position, moved: Option<PartialMove>) {
        if self.path.len() == 1 {
            self.choices.retain(|choice| choice.mv.fits(self.stage));
        }
        let all = self.choices.len();
        if self.filter.concerns(self.depth()) {
            self.leave_out(position, moved);
        }
        self.tree.publish(node, &self.choices, self.choices.len() == all);
    }

    /// Turns from the root on: each is two edges.
    fn depth(&self) -> usize {
        (self.path.len() - 1) / 2
    }

    /// Keeps the arrows whose turn may be considered, or the queen's moves that have such an arrow.
    fn leave_out(&mut self, position: &Position, moved: Option<PartialMove>) {
        let (filter, side, depth) = (self.filter, position.to_move(), self.depth());
        let accepts = |PartialMove { from, to }: PartialMove, arrow| {
            filter.accepts(side, Move { from, to, arrow }, depth)
        };
        self.choices.retain(|choice| match (moved, choice.mv) {
            (Some(queen), arrow) => accepts(queen, arrow.to),
            (None, queen) => {
                position.arrows(queen.from, queen.to).iter().any(|arrow| accepts(queen, arrow))
            }
        });
        let sum: f32 = self.choices.iter().map(|choice| choice.estimate.prior).sum();
        for Choice { estimate, .. } in &mut self.choices {
            estimate.prior /= sum.max(f32::MIN_POSITIVE);
        }
    }

    /// Who wins, when the side to move cannot move or nothing is fought for any more.
    fn counted(&mut self, position: &Position) -> Proven {
        if !position.can_move() {
            return Proven::Loss;
        }
        // The root needs moves to choose from, and where moves are left out those that win may be missing.
        if self.path.len() <= 1 || self.filter.concerns(self.depth()) || meet(position) {
            return Proven::Unknown;
        }
        Proven::from_win(Closed::count(position, &mut self.filler).wins(position.to_move()))
    }

    /// The edge to search next. Its evaluation counts as visits of its own.
    fn select(&self, node: &Node) -> Option<&'a Edge<PartialMove>> {
        let params = self.expander.params;
        let (weight, unvisited) = (params.static_weight, params.unvisited);
        let value = |estimate: Estimate, stats: Option<Stats>| match stats {
            None => estimate.value - unvisited,
            Some(Stats { visits, pending, sum }) => {
                let visits = (visits + pending) as f32;
                (sum + estimate.value * weight) / (visits + weight).max(1e-6)
            }
        };
        self.tree.select(node, params.exploration, value)
    }
}

impl tree_search::Worker for Worker<'_> {
    fn visit(&mut self) -> bool {
        if self.tree.root().proven().is_known() {
            return false;
        }
        self.path.clear();
        let value = self.select_leaf();
        self.tree.backup(&self.path, |own| in_units(f64::from(for_root(value, own))));
        true
    }
}

/// Values are added up as multiples of two to the power -24, so that a sum is exact, whatever the order of its parts.
fn in_units(value: f64) -> f64 {
    const UNIT: f64 = (1 << 24) as f64;
    (value * UNIT).trunc() / UNIT
}

/// A value for the side to move, from or for the root's side.
fn for_root(value: f32, own: bool) -> f32 {
    if own { value } else { 1.0 - value }
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
