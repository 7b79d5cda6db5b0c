//! What one thread does: walks down the shared tree, looks at a leaf with evaluation and threat search, and carries its value
//! back.

use super::Choice;
use super::filtered::{Filtered, LeftOut};
use super::turns::{Evaluation, Expander, Expansion, TurnContext, Width};
use crate::board::Board;
use crate::game::ToMove;
use crate::point::Turn;
use crate::point_set::PointSet;
use crate::tss::{Options, Solver, ThreatResult, Turns};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use tree_search::puct::{Edge, Node, Stats, Step, Tree};
use tree_search::{Proven, Report, SearchLimits};

/// Threat-search nodes before a turn is searched, at most: where visits are counted, where time is, and without a limit.
const MAX_COUNTED_ROOT_NODES: u64 = 2_000_000;
const MAX_TIMED_ROOT_NODES: u64 = 50_000_000;
const UNLIMITED_ROOT_NODES: u64 = 3_000_000;
/// How many times as many stones and turns as elsewhere are tried at the root, and where all that were tried lose.
const ROOT_WIDTH: usize = 2;
const LOST_WIDTH: usize = 4;

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub tree: &'a Tree<Turn>,
    pub expander: Expander<'a>,
    pub left_out: LeftOut<'a>,
    pub board: &'a Board,
    pub to_move: ToMove,
    pub limits: &'a SearchLimits,
    pub state: &'a SearchState,
}

/// What the threads find out beside the tree.
#[derive(Default)]
pub(super) struct SearchState {
    /// Nodes of the threat search.
    threat_nodes: AtomicU64,
    /// All turns of the root lose and no more are found, yet it is not proven to be lost.
    is_exhausted: AtomicBool,
}

impl SearchState {
    /// Where the search stands after so many visits.
    pub fn report(&self, tree: &Tree<Turn>, visits: u64) -> Report<Turn> {
        let found = tree.report(self.threat_nodes.load(Relaxed));
        let winrate = if self.is_exhausted.load(Relaxed) { 0.0 } else { found.winrate };
        Report { counted: visits, winrate, ..found }
    }
}

impl<'a> Task<'a> {
    /// What looks at positions so many turns below the root, where turns are left out.
    fn filtered(&self, depth: usize) -> Option<Filtered<'a>> {
        let Task { expander, left_out: LeftOut { filter, calm, .. }, .. } = *self;
        let expander = if filter.concerns(depth + 1) { calm } else { expander };
        filter.concerns(depth).then_some(Filtered { expander, filter, depth })
    }

    /// A first look at a position.
    fn evaluate(&self, node: &Node, at: &mut TurnContext<'_>, depth: usize) -> f32 {
        let Evaluation { proven, value, turn } = match self.filtered(depth) {
            Some(filtered) => filtered.evaluate(at),
            None => self.expander.evaluate(at),
        };
        match (proven, turn) {
            (Proven::Win, Some(turn)) => note_win(self.tree, node, turn),
            (proven, _) => note_loss(node, proven == Proven::Loss),
        }
        value
    }

    /// The turns of a position that was looked at.
    fn turns(&self, at: &mut TurnContext<'_>, depth: usize) -> Expansion {
        let width = self.expander.width();
        match self.filtered(depth) {
            Some(filtered) => filtered.turns(at, width, 0.5),
            None => self.expander.turns(at, width, 0.5),
        }
    }

    /// Looks for more turns at a position all of whose turns lose. Where none is found it is lost if it is known that all
    /// others lose too; else that is only what it is worth.
    fn widen(&self, node: &Node, at: &mut TurnContext<'_>, depth: usize) -> f32 {
        let tree = self.tree;
        if node.is_exhausted() {
            return self.give_up(depth);
        }
        let width = wider(self.expander.width(), LOST_WIDTH);
        let found = match self.filtered(depth) {
            Some(filtered) => filtered.expand(at, width),
            None => self.expander.expand(at, width),
        };
        let grown = tree.widen(node, &found.turns);
        let complete = found.complete || has_all_turns(tree, node, at);
        if complete {
            node.set_complete();
        }
        match found.turns.first() {
            Some(turn) if found.proven == Proven::Win => note_win(tree, node, turn.mv),
            _ if found.proven == Proven::Loss => note_loss(node, true),
            _ if grown || !tree.is_lost(node) => {}
            _ if complete => note_loss(node, true),
            _ => {
                node.set_exhausted();
                return self.give_up(depth);
            }
        }
        found.value
    }

    /// What a position is worth where nothing is left to search. At the root that ends the search.
    fn give_up(&self, depth: usize) -> f32 {
        self.state.is_exhausted.fetch_or(depth == 0, Relaxed);
        0.0
    }
}

/// One thread's tools.
pub(super) struct Worker<'a> {
    task: Task<'a>,
    solver: &'a mut Solver,
    /// Whether it has yet to search the root's threats.
    begins: bool,
    path: Vec<Step<'a, Turn>>,
}

impl<'a> Worker<'a> {
    /// One of the threads; that which `begins` searches the root's threats before anything else.
    pub fn new(task: Task<'a>, solver: &'a mut Solver, begins: bool) -> Worker<'a> {
        solver.set_deadline(task.limits.deadline);
        Worker { task, solver, begins, path: Vec::new() }
    }

    /// Finds the turns of the root, more than elsewhere.
    pub fn expand_root(&mut self) {
        let Task { tree, expander, board, to_move, .. } = self.task;
        let root = tree.root();
        root.add_virtual_loss();
        self.path.clear();
        self.path.push(Step { node: root, edge: None, own: true });
        let (mut board, stones) = (board.clone(), usize::from(to_move.stones));
        let mut at = TurnContext {
            board: &mut board,
            side: to_move.color,
            stones,
            solver: &mut *self.solver,
        };
        let width = wider(expander.width(), ROOT_WIDTH);
        let found = match self.task.filtered(0) {
            Some(filtered) => filtered.expand(&mut at, width),
            None => expander.expand(&mut at, width),
        };
        if root.try_expand() {
            tree.publish(root, &found.turns, found.complete);
        }
        match found.turns.first() {
            Some(turn) if found.proven == Proven::Win => note_win(tree, root, turn.mv),
            _ => note_loss(root, found.proven == Proven::Loss),
        }
        self.backup(found.value);
    }

    /// The root's threat search, longer than those in the tree. A win ends the whole search.
    fn root_threats(&mut self) {
        let Task { tree, board, to_move, limits, state, .. } = self.task;
        let (params, filter) = (self.task.expander.params, self.task.left_out.filter);
        if !params.threat_search || filter.concerns(1) || tree.root().proven().is_known() {
            return;
        }
        let now = Instant::now();
        let share = f64::from(params.root_threat_share);
        let end = limits.soft.or(limits.deadline);
        let part = |share| end.map(|end| now + end.saturating_duration_since(now).mul_f64(share));
        self.solver.set_deadline(part(share));
        let nodes = match (limits.visits, end) {
            (Some(visits), _) => {
                visits.saturating_mul(params.root_nodes).min(MAX_COUNTED_ROOT_NODES)
            }
            (None, Some(_)) => MAX_TIMED_ROOT_NODES,
            (None, None) => UNLIMITED_ROOT_NODES,
        };
        let turns = if params.single_threats { Turns::Singles } else { Turns::Doubles };
        let options = Options { stones: usize::from(to_move.stones), turns, nodes };
        let report = self.solver.solve(&mut board.clone(), to_move.color, &options);
        state.threat_nodes.fetch_add(report.nodes, Relaxed);
        if let (ThreatResult::Win, Some(turn)) = (report.result, report.turn) {
            self.note_threats(tree.root(), turn, to_move, 0);
        } else {
            // As long a look at what the other side threatens.
            self.solver.set_deadline(part(2.0 * share));
            if let Some(zone) = self.zone(&mut board.clone(), to_move, nodes) {
                note_zone(tree, tree.root(), &zone);
            }
        }
        self.solver.set_deadline(limits.deadline);
    }

    /// Walks down to a leaf, and gives its value for the side to move there.
    fn select_leaf(&mut self) -> f32 {
        let Task { tree, expander, left_out: LeftOut { filter, .. }, .. } = self.task;
        let params = expander.params;
        let mut board = self.task.board.clone();
        let mut to_move = self.task.to_move;
        let size = board.rules().width() * board.rules().height();
        let (mut node, mut edge, mut own): (_, Option<&'a Edge<Turn>>, _) =
            (tree.root(), None, true);
        loop {
            let visits = node.add_virtual_loss();
            self.path.push(Step { node, edge, own });
            let (side, stones) = (to_move.color, usize::from(to_move.stones));
            let depth = self.path.len() - 1;
            if node.proven().is_known() {
                return node.value();
            }
            if board.count() + stones > size {
                return 0.5;
            }
            let mut at = TurnContext { board: &mut board, side, stones, solver: &mut *self.solver };
            if !node.is_expanded() {
                // A position's turns are found when it is visited for a second time.
                if node.visits() == 0 {
                    return self.task.evaluate(node, &mut at, depth);
                }
                let found = self.task.turns(&mut at, depth);
                if found.proven == Proven::Loss {
                    note_loss(node, true);
                    return 0.0;
                }
                if found.turns.is_empty() {
                    return node.value();
                }
                // Another thread may have found them meanwhile.
                if node.try_expand() {
                    tree.publish(node, &found.turns, found.complete);
                }
                if !node.is_expanded() {
                    return node.value();
                }
            } else if deepens_at(visits) && params.threat_search && !filter.concerns(depth + 1) {
                // What is played next deserves the longest look.
                let reply = self.path.len() == 2;
                let each = if reply { params.reply_nodes } else { params.deepen_nodes };
                return self.deepen(node, &mut board, to_move, u64::from(visits) * each);
            }
            let Some(next) = select(tree, expander, node) else {
                return self.task.widen(node, &mut at, depth);
            };
            next.mv().stones().for_each(|point| board.place(side, point));
            to_move = ToMove { color: !side, stones: board.rules().p() as u8 };
            match tree.child_or_new(next) {
                Some(child) => (node, edge, own) = (child, Some(next), !own),
                None => return node.value(),
            }
        }
    }

    /// Searches the threats of a position that is visited often again, further.
    fn deepen(&mut self, node: &Node, board: &mut Board, to_move: ToMove, nodes: u64) -> f32 {
        let tree = self.task.tree;
        let stones = usize::from(to_move.stones);
        let options = Options { stones, turns: Turns::Doubles, nodes };
        let report = self.solver.solve(board, to_move.color, &options);
        self.task.state.threat_nodes.fetch_add(report.nodes, Relaxed);
        if let (ThreatResult::Win, Some(turn)) = (report.result, report.turn) {
            self.note_threats(node, turn, to_move, self.path.len() - 1);
        } else if let Some(zone) = self.zone(board, to_move, nodes) {
            note_zone(tree, node, &zone);
        }
        node.value()
    }

    /// Notes a win by threats, unless its first turn is left out.
    fn note_threats(&self, node: &Node, turn: Turn, to_move: ToMove, depth: usize) {
        let Task { tree, left_out: LeftOut { filter, .. }, .. } = self.task;
        let is_whole = to_move.stones == 1 || turn.second().is_some();
        // A stone that would have to be added could be one that is left out.
        if !filter.concerns(depth) || is_whole && filter.accepts(to_move.color, turn, depth) {
            note_win(tree, node, turn);
        }
    }

    /// Where the side to move must play when the other side would win by threats after a pass. None when
    /// it would not, or when there are threats to meet: those tell where to play already.
    fn zone(&mut self, board: &mut Board, to_move: ToMove, nodes: u64) -> Option<PointSet> {
        let enemy = !to_move.color;
        if board.has_threat(enemy) {
            return None;
        }
        let options = Options { stones: board.rules().p(), turns: Turns::Doubles, nodes };
        let report = self.solver.solve(board, enemy, &options);
        self.task.state.threat_nodes.fetch_add(report.nodes, Relaxed);
        let stones = usize::from(to_move.stones);
        (report.result == ThreatResult::Win)
            .then(|| self.solver.zone(board, enemy, &report, stones))
    }

    /// Ends a visit with the value of its leaf for the side to move there.
    fn backup(&self, value: f32) {
        let leaf = self.path.last().is_some_and(|step| step.own);
        let value = f64::from(value);
        self.task.tree.backup(&self.path, |own| if own == leaf { value } else { 1.0 - value });
    }
}

impl tree_search::Worker for Worker<'_> {
    fn visit(&mut self) -> bool {
        if std::mem::take(&mut self.begins) {
            self.root_threats();
        }
        let Task { tree, state, .. } = self.task;
        if tree.root().proven().is_known() || state.is_exhausted.load(Relaxed) {
            return false;
        }
        self.path.clear();
        let value = self.select_leaf();
        self.backup(value);
        true
    }
}

/// Whether a position's threats are searched again at so many visits: at 4, 16, 64 and so on.
fn deepens_at(visits: u32) -> bool {
    visits >= 4 && visits.is_power_of_two() && visits.trailing_zeros().is_multiple_of(2)
}

/// The turn to search next. One that was not visited is taken to be a little better than its parent.
fn select<'t>(tree: &'t Tree<Turn>, expander: Expander<'_>, node: &Node) -> Option<&'t Edge<Turn>> {
    let unvisited = (node.value() - expander.params.unvisited).clamp(0.0, 1.0);
    let value = |_, stats: Option<Stats>| match stats {
        Some(Stats { visits, pending, sum }) if visits + pending > 0 => {
            sum / (visits + pending) as f32
        }
        _ => unvisited,
    };
    tree.select(node, expander.params.exploration, value)
}

/// Notes that the side to move wins with a turn, which counts for more than a zone that left it out.
fn note_win(tree: &Tree<Turn>, node: &Node, turn: Turn) {
    node.set_proven(Proven::Win);
    tree.widen(node, &[Choice { mv: turn, estimate: 1.0 }]);
    if let Some(edge) = tree.edges(node).iter().find(|edge| edge.mv() == turn) {
        tree.prove(edge, Proven::Win);
    }
}

fn note_loss(node: &Node, is_lost: bool) {
    if is_lost {
        node.set_proven(Proven::Loss);
    }
}

/// Notes that turns with no stone in the zone lose.
fn note_zone(tree: &Tree<Turn>, node: &Node, zone: &PointSet) {
    for edge in tree.edges(node) {
        let is_outside = edge.mv().stones().all(|point| !zone.contains(point));
        // What another thread has found out since stays.
        if is_outside && !edge.proven().is_known() {
            tree.prove(edge, Proven::Loss);
        }
    }
}

/// Whether every turn that the rules allow is in the tree.
fn has_all_turns(tree: &Tree<Turn>, node: &Node, at: &TurnContext<'_>) -> bool {
    let free = at.board.empties().count();
    let (stones, all) = if at.stones == 1 { (1, free) } else { (2, free * (free - 1) / 2) };
    let is_whole = |edge: &&Edge<Turn>| edge.mv().stones().count() == stones;
    tree.edges(node).iter().filter(is_whole).count() == all
}

fn wider(width: Width, by: usize) -> Width {
    Width { first: width.first * by, second: width.second * by, turns: width.turns * by }
}
