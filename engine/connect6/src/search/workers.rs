//! Threads that share one tree. The tree is behind one lock, held only to walk down and to note a result:
//! the threat search at a leaf takes a hundred times longer.

use super::report::Progress;
use super::tree::{NodeId, ROOT, Tree};
use super::turns::{Choice, Evaluation, Expander, Expansion, Spot, Width};
use crate::board::Board;
use crate::game::ToMove;
use crate::point::Turn;
use crate::point_set::PointSet;
use crate::tss::{Options, Solver, Turns, Verdict};
use game_core::{Proven, SearchLimits};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One visit on its way.
struct Visit {
    path: Vec<NodeId>,
    board: Board,
    to_move: ToMove,
    job: Job,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    /// A new leaf.
    Evaluate,
    /// A position without its turns: they are found when it is visited a second time.
    Expand,
    /// All turns of this position lose: look for more.
    Widen,
    /// A position visited often: search its threats again, further.
    Deepen(u64),
    /// The game ends here.
    Ended,
}

enum Found {
    Evaluation(Evaluation),
    Expansion(Expansion),
    Win(Turn),
    /// Nothing decided; turns outside the zone lose, when there is one.
    Open(Option<PointSet>),
    Value(f32),
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) tree: Mutex<&'a mut Tree>,
    pub(super) stop: Arc<AtomicBool>,
    /// The tree has outgrown its memory: the threads end, and begin again when it is smaller.
    pub(super) full: AtomicBool,
    pub(super) visits: AtomicU64,
    pub(super) threat_nodes: AtomicU64,
    pub(super) expander: Expander<'a>,
    pub(super) board: &'a Board,
    pub(super) to_move: ToMove,
    pub(super) limits: &'a SearchLimits,
}

/// Notes that the side to move wins with a turn.
fn note_win(tree: &mut Tree, id: NodeId, turn: Turn) {
    tree.get_mut(id).fate = Proven::Win;
    tree.expand(id, &[Choice { turn, prior: 1.0 }]);
    let edge = tree.turns(id).find(|&e| tree.edge(e).turn() == Some(turn));
    if let Some(edge) = edge {
        // A win that was found counts for more than a zone that left its turn out.
        let child = tree.follow(edge);
        tree.get_mut(child).fate = Proven::Loss;
    }
}

/// Notes that turns with no stone in the zone lose.
fn note_zone(tree: &mut Tree, id: NodeId, zone: &PointSet) {
    for edge in tree.turns(id) {
        let outside = |turn: Turn| turn.stones().all(|point| !zone.contains(point));
        // What another thread has found out since stays.
        if tree.edge(edge).turn().is_some_and(outside) {
            tree.decide(edge, Proven::Win);
        }
    }
}

impl<'a> Shared<'a> {
    /// When the threads have ended since the tree is full: makes room in it. False when there was no need, or
    /// is no time before the deadline: a search that filled its memory can end that much earlier.
    pub(super) fn make_room(&self) -> bool {
        if !self.full.swap(false, Ordering::Relaxed) {
            return false;
        }
        let mut tree = self.lock();
        let end = Instant::now() + tree.pruning_time();
        let in_time = self.limits.deadline.is_none_or(|deadline| end < deadline);
        if in_time {
            tree.prune();
        }
        in_time
    }

    /// Where the search stands.
    pub(super) fn progress(&self) -> Progress {
        self.lock().progress(self.threat_nodes.load(Ordering::Relaxed))
    }

    /// Whether it may end before its deadline.
    pub(super) fn is_settled(&self, soft: Instant) -> bool {
        self.lock().is_settled(soft, self.limits.deadline)
    }

    fn lock(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does: the first looks for a win by threats, then all grow the tree.
    pub(super) fn work(&self, first: bool, solver: &mut Solver) {
        if first {
            if !self.lock().get(ROOT).is_expanded() {
                solver.set_deadline(self.limits.deadline);
                self.expand_root(solver);
            }
            self.root_threats(solver);
        }
        solver.set_deadline(self.limits.deadline);
        let most = self.limits.visits.unwrap_or(u64::MAX);
        while !self.stop.load(Ordering::Relaxed)
            && !self.full.load(Ordering::Relaxed)
            && self.visits.fetch_add(1, Ordering::Relaxed) < most
        {
            if self.limits.deadline.is_some_and(|d| Instant::now() >= d) || !self.visit(solver) {
                break;
            }
        }
    }

    /// The root's threat search, longer than those in the tree. A win ends the whole search.
    fn root_threats(&self, solver: &mut Solver) {
        let tuning = self.expander.tuning;
        if !tuning.threat_search || self.lock().get(ROOT).fate != Proven::Unknown {
            return;
        }
        let now = Instant::now();
        let share = f64::from(tuning.root_threat_share);
        let end = self.limits.soft.or(self.limits.deadline);
        solver.set_deadline(end.map(|d| now + d.saturating_duration_since(now).mul_f64(share)));
        let nodes = match (self.limits.visits, end) {
            (Some(visits), _) => visits.saturating_mul(tuning.root_nodes).min(2_000_000),
            (None, Some(_)) => 50_000_000,
            (None, None) => 3_000_000,
        };
        let turns = if tuning.single_threats { Turns::Singles } else { Turns::Doubles };
        let options = Options { stones: self.to_move.stones as usize, turns, nodes };
        let report = solver.solve(&mut self.board.clone(), self.to_move.color, &options);
        self.threat_nodes.fetch_add(report.nodes, Ordering::Relaxed);
        if let (Verdict::Win, Some(turn)) = (report.verdict, report.turn) {
            note_win(&mut self.lock(), ROOT, turn);
            return;
        }
        // As long a look at what the other side threatens.
        solver
            .set_deadline(end.map(|d| now + d.saturating_duration_since(now).mul_f64(2.0 * share)));
        if let Some(zone) = self.zone(solver, &mut self.board.clone(), self.to_move, nodes) {
            note_zone(&mut self.lock(), ROOT, &zone);
        }
    }

    /// One visit; false when there is nothing left to search.
    fn visit(&self, solver: &mut Solver) -> bool {
        let Some(mut visit) = self.walk_down() else { return false };
        if visit.job == Job::Expand && !self.go_on(&mut visit, solver) {
            return true;
        }
        let Visit { path, mut board, to_move, job } = visit;
        let (side, stones) = (to_move.color, usize::from(to_move.stones));
        let found = match job {
            Job::Ended => Found::Value(0.5),
            Job::Evaluate => {
                let mut at = Spot { board: &mut board, side, stones, solver };
                Found::Evaluation(self.expander.evaluate(&mut at))
            }
            Job::Expand | Job::Widen => {
                let width = wider(self.expander.width(), 4);
                let mut at = Spot { board: &mut board, side, stones, solver };
                Found::Expansion(self.expander.expand(&mut at, width))
            }
            Job::Deepen(nodes) => {
                let options = Options { stones, turns: Turns::Doubles, nodes };
                let report = solver.solve(&mut board, side, &options);
                self.threat_nodes.fetch_add(report.nodes, Ordering::Relaxed);
                match (report.verdict, report.turn) {
                    (Verdict::Win, Some(turn)) => Found::Win(turn),
                    _ => Found::Open(self.zone(solver, &mut board, to_move, nodes)),
                }
            }
        };
        self.note(&path, job, found);
        true
    }

    /// Finds the turns of the leaf of a visit and goes on to the best of them; false when that ended the
    /// visit, since the leaf is lost.
    fn go_on(&self, visit: &mut Visit, solver: &mut Solver) -> bool {
        let Visit { path, board, to_move, job } = visit;
        let (side, stones) = (to_move.color, usize::from(to_move.stones));
        let mut at = Spot { board, side, stones, solver };
        let expansion = self.expander.turns(&mut at, self.expander.width(), 0.5);
        let Some(&leaf) = path.last() else { return false };
        let mut tree = self.lock();
        if expansion.fate == Proven::Unknown && !tree.get(leaf).is_expanded() {
            tree.expand(leaf, &expansion.turns);
            tree.get_mut(leaf).complete = expansion.complete;
        }
        let tuning = self.expander.tuning;
        let edge = tree.select(leaf, tuning.exploration, tuning.unvisited);
        let turn = edge.and_then(|edge| Some((edge, tree.edge(edge).turn()?)));
        let (Proven::Unknown, Some((edge, turn))) = (expansion.fate, turn) else {
            let found = if expansion.fate == Proven::Loss {
                Found::Evaluation(Evaluation { fate: Proven::Loss, value: 0.0, turn: None })
            } else {
                Found::Open(None)
            };
            drop(tree);
            self.note(path, Job::Expand, found);
            return false;
        };
        let child = tree.follow(edge);
        tree.get_mut(child).pending += 1;
        turn.stones().for_each(|p| board.place(side, p));
        *to_move = ToMove { color: !side, stones: board.rules().p() as u8 };
        path.push(child);
        let size = board.rules().width() * board.rules().height();
        let has_ended = tree.get(child).fate != Proven::Unknown
            || board.count() + usize::from(to_move.stones) > size;
        *job = if has_ended { Job::Ended } else { Job::Evaluate };
        true
    }

    /// Finds the turns of the root, twice as many as elsewhere: whatever the clock says there must be
    /// something to play.
    fn expand_root(&self, solver: &mut Solver) {
        let ToMove { color, stones } = self.to_move;
        let width = wider(self.expander.width(), 2);
        let mut board = self.board.clone();
        let stones = usize::from(stones);
        let mut at = Spot { board: &mut board, side: color, stones, solver };
        let found = self.expander.expand(&mut at, width);
        self.lock().get_mut(ROOT).pending += 1;
        self.note(&[ROOT], Job::Expand, Found::Expansion(found));
    }

    /// Where the side to move must play when the other side would win by threats after a pass. None when
    /// it would not, or when there are threats to meet: those tell where to play already.
    fn zone(
        &self,
        solver: &mut Solver,
        board: &mut Board,
        to_move: ToMove,
        nodes: u64,
    ) -> Option<PointSet> {
        let enemy = !to_move.color;
        if board.has_threat(enemy) {
            return None;
        }
        let options = Options { stones: board.rules().p(), turns: Turns::Doubles, nodes };
        let report = solver.solve(board, enemy, &options);
        self.threat_nodes.fetch_add(report.nodes, Ordering::Relaxed);
        let stones = usize::from(to_move.stones);
        (report.verdict == Verdict::Win).then(|| solver.zone(board, enemy, &report, stones))
    }

    /// From the root to a leaf, by the tree's choice.
    fn walk_down(&self) -> Option<Visit> {
        let mut tree = self.lock();
        let tuning = self.expander.tuning;
        if tree.get(ROOT).fate != Proven::Unknown {
            return None;
        }
        let mut board = self.board.clone();
        let mut to_move = self.to_move;
        let mut path = vec![ROOT];
        let mut id = ROOT;
        let size = board.rules().width() * board.rules().height();
        let job = loop {
            tree.get_mut(id).pending += 1;
            let node = tree.get(id);
            if node.fate != Proven::Unknown || board.count() + to_move.stones as usize > size {
                break Job::Ended;
            }
            if !node.is_expanded() {
                break if node.visits == 0 { Job::Evaluate } else { Job::Expand };
            }
            let visits = node.visits + node.pending;
            if visits >= 4
                && visits.is_power_of_two()
                && visits.trailing_zeros().is_multiple_of(2)
                && tuning.threat_search
            {
                // What is played next deserves the longest look.
                let each = if path.len() == 2 { tuning.reply_nodes } else { tuning.deepen_nodes };
                break Job::Deepen(u64::from(visits) * each);
            }
            match tree.select(id, tuning.exploration, tuning.unvisited) {
                Some(edge) => {
                    let turn = tree.edge(edge).turn()?;
                    let child = tree.follow(edge);
                    turn.stones().for_each(|p| board.place(to_move.color, p));
                    to_move = ToMove { color: !to_move.color, stones: board.rules().p() as u8 };
                    path.push(child);
                    id = child;
                }
                None => break Job::Widen,
            }
        };
        Some(Visit { path, board, to_move, job })
    }

    /// Notes what a visit found, from the leaf up.
    fn note(&self, path: &[NodeId], job: Job, found: Found) {
        let mut tree = self.lock();
        let Some(&leaf) = path.last() else { return };
        let value = match found {
            Found::Evaluation(e) => {
                tree.get_mut(leaf).value = e.value;
                match (e.fate, e.turn) {
                    (Proven::Win, Some(turn)) => note_win(&mut tree, leaf, turn),
                    (Proven::Loss, _) => tree.get_mut(leaf).fate = Proven::Loss,
                    _ => {}
                }
                e.value
            }
            Found::Expansion(e) => {
                let fresh = !tree.get(leaf).is_expanded();
                let grown = (fresh || job == Job::Widen) && tree.expand(leaf, &e.turns);
                let node = tree.get_mut(leaf);
                node.complete = e.complete;
                if fresh {
                    node.value = e.value;
                }
                if e.fate == Proven::Win {
                    if let Some(turn) = e.turns.first() {
                        note_win(&mut tree, leaf, turn.turn);
                    }
                } else if e.fate == Proven::Loss || job == Job::Widen && !grown {
                    tree.get_mut(leaf).fate = Proven::Loss;
                }
                if job == Job::Widen {
                    tree.get_mut(leaf).widened = true;
                }
                e.value
            }
            Found::Win(turn) => {
                note_win(&mut tree, leaf, turn);
                1.0
            }
            Found::Open(zone) => {
                if let Some(zone) = zone {
                    note_zone(&mut tree, leaf, &zone);
                }
                tree.get(leaf).mean()
            }
            Found::Value(value) => match tree.get(leaf).fate {
                Proven::Win => 1.0,
                Proven::Loss => 0.0,
                Proven::Unknown => value,
            },
        };
        let mut value = f64::from(value);
        let mut settled = true;
        for (i, &id) in path.iter().enumerate().rev() {
            if i + 1 < path.len() && settled {
                settled = settle(&mut tree, id, path[i + 1]);
            }
            let node = tree.get_mut(id);
            node.pending -= 1;
            node.visits += 1;
            node.sum += value;
            value = 1.0 - value;
        }
        if tree.is_full() {
            self.full.store(true, Ordering::Relaxed);
        }
    }
}

/// Draws the conclusion for a node from one child that may be decided; false when there is none.
fn settle(tree: &mut Tree, id: NodeId, child: NodeId) -> bool {
    match tree.get(child).fate {
        Proven::Unknown => false,
        Proven::Loss => {
            tree.get_mut(id).fate = Proven::Win;
            true
        }
        Proven::Win => {
            let all = tree.turns(id).all(|e| tree.fate(e) == Proven::Win);
            let node = tree.get_mut(id);
            if all && (node.complete || node.widened) {
                node.fate = Proven::Loss;
            }
            node.fate == Proven::Loss
        }
    }
}

fn wider(width: Width, by: usize) -> Width {
    Width { first: width.first * by, second: width.second * by, turns: width.turns * by }
}
