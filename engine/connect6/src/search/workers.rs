//! Threads that share one tree. The tree is behind one lock, held only to walk down and to note a result:
//! the threat search at a leaf takes a hundred times longer.

use super::Knowledge;
use super::options::Tuning;
use super::tree::{NodeId, ROOT, Tree};
use super::turns::{Evaluation, Expander, Expansion, Fate, Width};
use crate::board::Board;
use crate::game::{Game, Outcome, ToMove};
use crate::point::Turn;
use crate::point_set::PointSet;
use crate::tss::{Options, Solver, Turns, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When a search ends by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Visits of the root.
    pub visits: Option<u64>,
    /// The time after which nothing new is begun.
    pub deadline: Option<Instant>,
    /// The time after which it ends when the best turn cannot be caught or stands out.
    pub soft: Option<Instant>,
}

/// What a caller wants after a look at the progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop now.
    Stop,
}

/// One turn at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct RootChoice {
    /// The turn.
    pub turn: Turn,
    /// Visits.
    pub visits: u32,
    /// Chance from 0 to 1 that the side to move wins with it.
    pub chance: f32,
    /// Prior chance.
    pub prior: f32,
    /// What is known of it, for the side to move.
    pub fate: Fate,
    /// The turns expected, this one first.
    pub line: Vec<Turn>,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The turns of the root, best first.
    pub choices: Vec<RootChoice>,
    /// Visits of the root.
    pub visits: u64,
    /// Chance from 0 to 1 that the side to move wins.
    pub chance: f32,
    /// What is known of the end, for the side to move.
    pub fate: Fate,
    /// Threat-search nodes so far.
    pub threat_nodes: u64,
    /// Nodes of the tree.
    pub tree_nodes: usize,
}

/// A searcher keeps its tree and its threat tables between searches.
pub struct Searcher {
    knowledge: Arc<Knowledge>,
    /// The tunables.
    pub tuning: Tuning,
    solvers: Vec<Solver>,
    tree: Tree,
    /// What the root of the tree is.
    root: Option<(Board, ToMove)>,
    most_nodes: usize,
    table_mebibytes: usize,
}

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

struct Shared<'a> {
    tree: Mutex<&'a mut Tree>,
    stop: Arc<AtomicBool>,
    visits: AtomicU64,
    threat_nodes: AtomicU64,
    expander: Expander<'a>,
    board: &'a Board,
    to_move: ToMove,
    limits: &'a Limits,
}

impl Searcher {
    /// A searcher with so many threads, at most `mebibytes` of memory in all.
    pub fn new(knowledge: Arc<Knowledge>, threads: usize, mebibytes: usize) -> Searcher {
        let threads = threads.clamp(1, 64);
        let table_mebibytes = (mebibytes / 2 / threads).max(1);
        let most_nodes = ((mebibytes.max(2) / 2) << 20) / size_of::<super::tree::Node>();
        Searcher {
            knowledge,
            tuning: Tuning::default(),
            solvers: (0..threads).map(|_| Solver::new(table_mebibytes)).collect(),
            tree: Tree::new(most_nodes),
            root: None,
            most_nodes,
            table_mebibytes,
        }
    }

    /// How many threads it uses.
    pub fn threads(&self) -> usize {
        self.solvers.len()
    }

    /// What it knows.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Forgets the tree and the tables: the next search is as if it were the first.
    pub fn clear(&mut self) {
        self.tree = Tree::new(self.most_nodes);
        self.root = None;
        self.solvers.iter_mut().for_each(Solver::clear);
    }

    /// A solver to answer questions with, apart from the search.
    pub fn solver(&mut self) -> &mut Solver {
        let mebibytes = self.table_mebibytes;
        if self.solvers.is_empty() {
            self.solvers.push(Solver::new(mebibytes));
        }
        &mut self.solvers[0]
    }

    /// Searches a position until a limit, or until `control`, asked about every 20 ms, says stop.
    ///
    /// A game that is over, a full board or a turn of more than two stones gives no choices.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &mut dyn FnMut(&dyn Fn() -> Progress) -> Control,
    ) -> Progress {
        let to_move = game.to_move();
        let free = game.rules().width() * game.rules().height() - game.board().count();
        if game.outcome() != Outcome::Open
            || to_move.stones > 2
            || game.rules().p() > 2
            || free == 0
        {
            return Progress {
                choices: Vec::new(),
                visits: 0,
                chance: 0.5,
                fate: Fate::Open,
                threat_nodes: 0,
                tree_nodes: 0,
            };
        }
        let to_move = ToMove { stones: free.min(to_move.stones as usize) as u8, ..to_move };
        self.move_root(game.board(), to_move);
        let Searcher { knowledge, tuning, solvers, tree, .. } = self;
        let board = game.board().clone();
        let stop = Arc::new(AtomicBool::new(false));
        let shared = Shared {
            tree: Mutex::new(tree),
            stop: Arc::clone(&stop),
            visits: AtomicU64::new(0),
            threat_nodes: AtomicU64::new(0),
            expander: Expander {
                policy: &knowledge.policy,
                net: &knowledge.net,
                book: &knowledge.book,
                tuning,
            },
            board: &board,
            to_move,
            limits,
        };
        let finished = AtomicU64::new(0);
        std::thread::scope(|scope| {
            let threads = solvers.len() as u64;
            for (number, solver) in solvers.iter_mut().enumerate() {
                let (shared, finished) = (&shared, &finished);
                solver.set_interrupt(Some(Arc::clone(&stop)));
                scope.spawn(move || {
                    shared.work(number == 0, solver);
                    finished.fetch_add(1, Ordering::Relaxed);
                });
            }
            let begun = Instant::now();
            while finished.load(Ordering::Relaxed) < threads {
                // Short searches must not wait for the next look.
                let pause = if begun.elapsed() < Duration::from_millis(20) { 200 } else { 5000 };
                std::thread::sleep(Duration::from_micros(pause));
                let look = || shared.progress();
                let caught = limits.soft.is_some_and(|soft| shared.settled(soft, limits.deadline));
                if caught || control(&look) == Control::Stop {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let progress = shared.progress();
        for solver in &mut self.solvers {
            solver.set_deadline(None);
            solver.set_interrupt(None);
        }
        progress
    }

    /// Keeps the part of the tree that belongs to the position, when it was searched before.
    fn move_root(&mut self, board: &Board, to_move: ToMove) {
        let found = self.root.take().and_then(|(old, old_to_move)| {
            let mut here = (ROOT, old, old_to_move);
            for _ in 0..4 {
                if here.1.key() == board.key() && here.2 == to_move {
                    return Some(here.0);
                }
                let child =
                    self.tree.children(here.0).find(|&c| {
                        self.tree.get(c).turn().is_some_and(|t| {
                            t.stones().all(|p| board.get(p) == Some(here.2.colour))
                        }) && self.tree.get(c).is_expanded()
                    })?;
                let turn = self.tree.get(child).turn()?;
                turn.stones().for_each(|p| here.1.place(here.2.colour, p));
                here.0 = child;
                here.2 = ToMove { colour: !here.2.colour, stones: board.rules().p() as u8 };
            }
            None
        });
        self.tree = match found {
            Some(id) => self.tree.subtree(id),
            None => Tree::new(self.most_nodes),
        };
        self.root = Some((board.clone(), to_move));
    }
}

/// Notes that the side to move wins with a turn.
fn note_win(tree: &mut Tree, id: NodeId, turn: Turn) {
    tree.get_mut(id).fate = Fate::Won;
    tree.expand(id, &[super::turns::Choice { turn, prior: 1.0 }]);
    let child = tree.children(id).find(|&c| tree.get(c).turn == turn.pack());
    if let Some(child) = child {
        tree.get_mut(child).fate = Fate::Lost;
    }
}

/// Notes that turns with no stone in the zone lose.
fn note_zone(tree: &mut Tree, id: NodeId, zone: &PointSet) {
    for child in tree.children(id) {
        let outside = |turn: Turn| turn.stones().all(|point| !zone.contains(point));
        if tree.get(child).turn().is_some_and(outside) {
            tree.get_mut(child).fate = Fate::Won;
        }
    }
}

impl<'a> Shared<'a> {
    fn lock(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does: the first looks for a win by threats, then all grow the tree.
    fn work(&self, first: bool, solver: &mut Solver) {
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
        if tuning.threat_search == 0 || self.lock().get(ROOT).fate != Fate::Open {
            return;
        }
        let now = Instant::now();
        let share = f64::from(tuning.root_threat_share);
        let end = self.limits.soft.or(self.limits.deadline);
        solver.set_deadline(end.map(|d| now + d.saturating_duration_since(now).mul_f64(share)));
        let nodes = match (self.limits.visits, end) {
            (Some(visits), _) => visits.saturating_mul(tuning.threat_nodes).min(2_000_000),
            (None, Some(_)) => 50_000_000,
            (None, None) => 3_000_000,
        };
        let turns = if tuning.single_threats != 0 { Turns::Singles } else { Turns::Doubles };
        let options = Options { stones: self.to_move.stones as usize, turns, nodes };
        let report = solver.solve(&mut self.board.clone(), self.to_move.colour, &options);
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
        let (side, stones) = (to_move.colour, usize::from(to_move.stones));
        let found = match job {
            Job::Ended => Found::Value(0.5),
            Job::Evaluate => {
                Found::Evaluation(self.expander.evaluate(&mut board, side, stones, solver))
            }
            Job::Expand | Job::Widen => {
                let width = wider(self.expander.width(), 4);
                Found::Expansion(self.expander.expand(&mut board, side, stones, solver, width))
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
    /// visit, since the leaf is lost or the tree is full.
    fn go_on(&self, visit: &mut Visit, solver: &mut Solver) -> bool {
        let Visit { path, board, to_move, job } = visit;
        let (side, stones) = (to_move.colour, usize::from(to_move.stones));
        let expansion =
            self.expander.turns(board, side, stones, solver, self.expander.width(), 0.5);
        let Some(&leaf) = path.last() else { return false };
        let mut tree = self.lock();
        if expansion.fate == Fate::Open && !tree.get(leaf).is_expanded() {
            tree.expand(leaf, &expansion.turns);
            tree.get_mut(leaf).complete = expansion.complete;
        }
        let tuning = self.expander.tuning;
        let child = tree.select(leaf, tuning.exploration, tuning.unvisited);
        let turn = child.and_then(|child| Some((child, tree.get(child).turn()?)));
        let (Fate::Open, Some((child, turn))) = (expansion.fate, turn) else {
            let found = if expansion.fate == Fate::Lost {
                Found::Evaluation(Evaluation { fate: Fate::Lost, value: 0.0, turn: None })
            } else {
                Found::Open(None)
            };
            drop(tree);
            self.note(path, Job::Expand, found);
            return false;
        };
        tree.get_mut(child).pending += 1;
        turn.stones().for_each(|p| board.place(side, p));
        *to_move = ToMove { colour: !side, stones: board.rules().p() as u8 };
        path.push(child);
        let size = board.rules().width() * board.rules().height();
        let has_ended = tree.get(child).fate != Fate::Open
            || board.count() + usize::from(to_move.stones) > size;
        *job = if has_ended { Job::Ended } else { Job::Evaluate };
        true
    }

    /// Finds the turns of the root, twice as many as elsewhere: whatever the clock says there must be
    /// something to play.
    fn expand_root(&self, solver: &mut Solver) {
        let ToMove { colour, stones } = self.to_move;
        let width = wider(self.expander.width(), 2);
        let mut board = self.board.clone();
        let found = self.expander.expand(&mut board, colour, usize::from(stones), solver, width);
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
        let enemy = !to_move.colour;
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
        if tree.get(ROOT).fate != Fate::Open {
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
            if node.fate != Fate::Open || board.count() + to_move.stones as usize > size {
                break Job::Ended;
            }
            if !node.is_expanded() {
                break if node.visits == 0 { Job::Evaluate } else { Job::Expand };
            }
            let visits = node.visits + node.pending;
            if visits >= 4
                && visits.is_power_of_two()
                && visits.trailing_zeros().is_multiple_of(2)
                && tuning.threat_search != 0
            {
                // What is played next deserves the longest look.
                let each = if path.len() == 2 { tuning.reply_nodes } else { tuning.deepen_nodes };
                break Job::Deepen(u64::from(visits) * each);
            }
            match tree.select(id, tuning.exploration, tuning.unvisited) {
                Some(child) => {
                    let turn = tree.get(child).turn()?;
                    turn.stones().for_each(|p| board.place(to_move.colour, p));
                    to_move = ToMove { colour: !to_move.colour, stones: board.rules().p() as u8 };
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
                    (Fate::Won, Some(turn)) => note_win(&mut tree, leaf, turn),
                    (Fate::Lost, _) => tree.get_mut(leaf).fate = Fate::Lost,
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
                if e.fate == Fate::Won {
                    if let Some(turn) = e.turns.first() {
                        note_win(&mut tree, leaf, turn.turn);
                    }
                } else if e.fate == Fate::Lost || job == Job::Widen && !grown {
                    tree.get_mut(leaf).fate = Fate::Lost;
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
                Fate::Won => 1.0,
                Fate::Lost => 0.0,
                Fate::Open => value,
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
    }

    fn progress(&self) -> Progress {
        let tree = self.lock();
        let root = tree.get(ROOT);
        let mut choices: Vec<RootChoice> = tree
            .children(ROOT)
            .filter_map(|c| {
                let child = tree.get(c);
                let fate = match child.fate {
                    Fate::Open => Fate::Open,
                    Fate::Won => Fate::Lost,
                    Fate::Lost => Fate::Won,
                };
                let chance = if child.visits == 0 && child.fate == Fate::Open {
                    root.mean()
                } else {
                    1.0 - child.mean()
                };
                let turn = child.turn()?;
                let mut line = vec![turn];
                let mut id = c;
                while line.len() < 30 {
                    match tree
                        .best(id)
                        .filter(|&b| tree.get(b).visits > 0 || tree.get(b).fate != Fate::Open)
                    {
                        Some(next) => {
                            line.extend(tree.get(next).turn());
                            id = next;
                        }
                        None => break,
                    }
                }
                Some(RootChoice {
                    turn,
                    visits: child.visits,
                    chance,
                    prior: child.prior,
                    fate,
                    line,
                })
            })
            .collect();
        let rank = |c: &RootChoice| {
            let class = match c.fate {
                Fate::Won => 0,
                Fate::Open => 1,
                Fate::Lost => 2,
            };
            (class, u32::MAX - c.visits, ((1.0 - c.prior) * 1e6) as u32, c.turn.pack())
        };
        choices.sort_by_key(rank);
        Progress {
            choices,
            visits: u64::from(root.visits),
            chance: root.mean(),
            fate: root.fate,
            threat_nodes: self.threat_nodes.load(Ordering::Relaxed),
            tree_nodes: tree.len(),
        }
    }

    /// Whether the search may end before its deadline: decided, beyond the soft limit with a clear best, or
    /// the best turn cannot be caught in the time that is left.
    fn settled(&self, soft: Instant, hard: Option<Instant>) -> bool {
        let tree = self.lock();
        if tree.get(ROOT).fate != Fate::Open {
            return true;
        }
        let open = tree.children(ROOT).filter(|&c| tree.get(c).fate != Fate::Won);
        let mut best = [(0, 0.0f32); 2];
        let mut count = 0;
        for c in open {
            let child = tree.get(c);
            count += 1;
            let entry = (child.visits, 1.0 - child.mean());
            if entry.0 > best[0].0 {
                best = [entry, best[0]];
            } else if entry.0 > best[1].0 {
                best[1] = entry;
            }
        }
        if count == 1 {
            return true;
        }
        let now = Instant::now();
        if now < soft {
            return false;
        }
        // Beyond the soft limit it goes on only while the turn with most visits is not the best by value.
        let clear = best[0].1 >= best[1].1 && f64::from(best[0].0) > 1.3 * f64::from(best[1].0);
        clear || hard.is_none_or(|h| now >= h)
    }
}

/// Draws the conclusion for a node from one child that may be decided; false when there is none.
fn settle(tree: &mut Tree, id: NodeId, child: NodeId) -> bool {
    match tree.get(child).fate {
        Fate::Open => false,
        Fate::Lost => {
            tree.get_mut(id).fate = Fate::Won;
            true
        }
        Fate::Won => {
            let all = tree.children(id).all(|c| tree.get(c).fate == Fate::Won);
            let node = tree.get_mut(id);
            if all && (node.complete || node.widened) {
                node.fate = Fate::Lost;
            }
            node.fate == Fate::Lost
        }
    }
}

fn wider(width: Width, by: usize) -> Width {
    Width { first: width.first * by, second: width.second * by, turns: width.turns * by }
}
