//! Depth-first proof-number search over attacking turns and the replies that stop them.

use super::Turns;
use super::generate::{Attack, Force, attacks};
use super::reply::{Reply, replies};
use super::table::{INFINITE, Number, Table};
use super::task::{Style, Task};
use crate::Color;
use crate::board::Board;
use crate::point::Turn;
use game_core::StopSignal;
use smallvec::SmallVec;
use std::time::Instant;

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatResult {
    /// The attacker wins by threats.
    Win,
    /// There is no win among the turns that were allowed.
    NoWin,
    /// The limit came first.
    Unknown,
}

/// What to search, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Stones the attacker has in the first turn.
    pub stones: usize,
    /// Which turns are tried.
    pub turns: Turns,
    /// The most nodes of the whole search: stones whose threats are read, turns placed or read off their line,
    /// replies looked up. Turns that follow from their two stones alone are not counted.
    pub nodes: u64,
}

impl Options {
    /// A whole turn of doubles within so many nodes.
    pub fn doubles(nodes: u64) -> Options {
        Options { stones: 2, turns: Turns::Doubles, nodes }
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The answer.
    pub result: ThreatResult,
    /// The turn that wins.
    pub turn: Option<Turn>,
    /// Nodes spent.
    pub nodes: u64,
    /// Whether the win holds even when the defender plays all his blocking stones at once.
    pub conservative: bool,
}

/// What may be spent on a part of a proof that the table has lost, for a zone and for a whole tree.
const LOST_PART: [u64; 2] = [2_000, 200_000];

/// The most turns of a position under the conservative defence.
const MAX_CONSERVATIVE: usize = 64;

/// The first nodes of a search are the conservative defence's, as long as it is not settled: in so few it
/// finds more than trying each defence.
const CONSERVATIVE_FIRST: u64 = 10_000;

#[derive(Clone, Copy, Debug)]
struct Child {
    turn: u32,
    force: Force,
    proof: Number,
    disproof: Number,
}

/// The search and its memory. One solver serves many searches, and what it learned stays true between them.
#[derive(Debug)]
pub struct Solver {
    pub(super) table: Table,
    children: Vec<Child>,
    attacks: Vec<Attack>,
    nodes: u64,
    limit: u64,
    stop: bool,
    /// When to give up.
    signal: StopSignal,
    /// Positions that the walk for a zone may still visit.
    pub(super) walk_left: u32,
}

impl Solver {
    /// A solver with a table of at most so many MiB (at least one).
    pub fn new(memory_mib: usize) -> Solver {
        Solver::with_bytes(memory_mib.max(1) << 20)
    }

    /// A solver with a table of at most so many bytes.
    pub fn with_bytes(bytes: usize) -> Solver {
        Solver {
            table: Table::new(bytes),
            children: Vec::new(),
            attacks: Vec::new(),
            nodes: 0,
            limit: 0,
            stop: false,
            signal: StopSignal::default(),
            walk_left: 0,
        }
    }

    /// Forgets everything it learned.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Makes later searches give up (with [`ThreatResult::Unknown`]) when this is raised.
    pub fn set_stop(&mut self, signal: StopSignal) {
        self.signal = signal;
    }

    /// Another deadline of that signal.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.signal.deadline = deadline;
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.signal.is_raised()
    }

    /// Whether `attacker`, to move, wins by threats. The board is left as it was.
    ///
    /// Games of more than two stones a turn have no threat search: the answer is `Unknown`.
    pub fn solve(&mut self, board: &mut Board, attacker: Color, options: &Options) -> Report {
        let mut report =
            Report { result: ThreatResult::Unknown, turn: None, nodes: 0, conservative: false };
        if board.rules().p() > 2 || options.nodes == 0 {
            return report;
        }
        // The conservative pass is cheap, one reply a turn, but misses some wins.
        let exact_singles = options.turns == Turns::Singles;
        let mut passes: SmallVec<[(Turns, Style, u64); 4]> = SmallVec::new();
        let conservative = options.nodes.min(CONSERVATIVE_FIRST.max(options.nodes / 3));
        passes.push((Turns::Doubles, Style::Conservative, conservative));
        passes.push((
            Turns::Doubles,
            Style::Exact,
            options.nodes / if exact_singles { 2 } else { 1 },
        ));
        if exact_singles {
            passes.push((Turns::Singles, Style::Conservative, options.nodes * 3 / 4));
            passes.push((Turns::Singles, Style::Exact, options.nodes));
        }
        self.nodes = 0;
        for (turns, style, limit) in passes {
            if self.nodes >= limit {
                continue;
            }
            let task = Task { attacker, turns, style };
            self.limit = limit.max(1);
            self.stop = false;
            let (proof, disproof, best) = self.run(board, task, options.stones);
            report.nodes = self.nodes;
            if proof == 0 {
                report.result = ThreatResult::Win;
                report.turn = Turn::unpack(best);
                report.conservative = style == Style::Conservative;
                return report;
            }
            // No attack at all in the conservative sense says nothing of the exact one, but no forcing turn
            // does: then every pass ends at once anyway.
            report.result = if disproof == 0 && style == Style::Exact {
                ThreatResult::NoWin
            } else {
                ThreatResult::Unknown
            };
        }
        report
    }

    /// The proving turn of a position, searched again when the table has lost it.
    pub(super) fn proof(&mut self, board: &mut Board, task: Task, stones: usize) -> Option<Turn> {
        let key = task.attack_key(board.key(), stones);
        if let Some(e) = self.table.get(key)
            && e.proof == 0
        {
            return Turn::unpack(e.best);
        }
        // This may happen in the middle of a search: its limit is put aside.
        let (limit, stop) = (self.limit, self.stop);
        self.limit = self.nodes + LOST_PART[usize::from(self.walk_left == u32::MAX)];
        self.stop = false;
        let (proof, _, best) = self.run(board, task, stones);
        (self.limit, self.stop) = (limit, stop);
        (proof == 0).then(|| Turn::unpack(best)).flatten()
    }

    fn run(&mut self, board: &mut Board, task: Task, stones: usize) -> (Number, Number, u32) {
        let key = task.attack_key(board.key(), stones);
        if let Some(e) = self.table.get(key)
            && (e.proof == 0 || e.disproof == 0)
        {
            return (e.proof, e.disproof, e.best);
        }
        self.attack(board, task, stones, INFINITE, INFINITE)
    }

    fn out_of_nodes(&mut self) -> bool {
        if self.nodes >= self.limit {
            self.stop = true;
        }
        self.stop
    }

    /// The attacker's position, searched until a number reaches its threshold.
    fn attack(
        &mut self,
        board: &mut Board,
        task: Task,
        stones: usize,
        proof_limit: Number,
        disproof_limit: Number,
    ) -> (Number, Number, u32) {
        if self.is_interrupted() {
            self.stop = true;
            return (1, 1, 0);
        }
        let key = task.attack_key(board.key(), stones);
        let begun = self.nodes;
        let base = self.children.len();
        self.add_attacks(board, task, stones, key);
        let outcome = loop {
            let (mut best, mut proof, mut second, mut disproof) =
                (usize::MAX, INFINITE, INFINITE, 0);
            for (i, child) in self.children[base..].iter().enumerate() {
                if child.proof < proof {
                    (second, proof, best) = (proof, child.proof, base + i);
                } else {
                    second = second.min(child.proof);
                }
                disproof = add(disproof, child.disproof);
            }
            let turn = self.children.get(best).map_or(0, |c| c.turn);
            if proof == 0 {
                break (0, INFINITE, turn);
            }
            if disproof == 0 && !self.stop {
                break (INFINITE, 0, 0);
            }
            if proof >= proof_limit || disproof >= disproof_limit || self.out_of_nodes() {
                // Where the search was cut off turns may be missing: that those which were found fail proves nothing.
                break (proof, disproof.max(u32::from(self.stop)), turn);
            }
            let Child { force, disproof: d, .. } = self.children[best];
            let Some(t) = Turn::unpack(turn) else { break (proof, disproof, 0) };
            t.stones().for_each(|p| board.place(task.attacker, p));
            let (p, d) = self.reply(
                board,
                task,
                force,
                proof_limit.min(second.saturating_add(1 + second / 4)),
                disproof_limit - disproof.min(disproof_limit) + d,
            );
            t.stones().for_each(|p| board.remove(task.attacker, p));
            let child = &mut self.children[best];
            (child.proof, child.disproof) = (p, d);
            if self.stop {
                break (proof.max(1), disproof.max(1), turn);
            }
        };
        self.children.truncate(base);
        if !self.stop || outcome.0 == 0 {
            self.table.put(key, outcome.0, outcome.1, outcome.2, self.nodes - begun);
        }
        outcome
    }

    /// Adds the attacker's turns as children, with their numbers so far.
    fn add_attacks(&mut self, board: &mut Board, task: Task, stones: usize, key: u64) {
        let base = self.children.len();
        let first = self.attacks.len();
        let mut found = std::mem::take(&mut self.attacks);
        let max_nodes = self.limit.saturating_sub(self.nodes).max(1);
        let tried = attacks(board, task.attacker, stones, task.turns, max_nodes, &mut found);
        self.nodes += tried;
        found[first..].sort_unstable_by_key(|a| (std::cmp::Reverse(a.promise), a.turn.pack()));
        // What was not searched before has no numbers in the table, and its turns hardly ever: they are looked up
        // when they are searched.
        let known = self.table.get(key).is_some();
        if task.style == Style::Conservative && found.len() > first + MAX_CONSERVATIVE {
            found.truncate(first + MAX_CONSERVATIVE);
        }
        for (rank, a) in found.drain(first..).enumerate() {
            // The most promising turns are followed a little further before the others are tried.
            let rank = rank as u32 / 4;
            let new = match a.force {
                Force::Completes | Force::Unstoppable => (0, INFINITE),
                Force::Double(replies) if task.style == Style::Exact => {
                    (u32::from(replies) + rank, 1)
                }
                Force::Double(_) => (1 + rank, 1),
                Force::Single => (12, 1),
            };
            let (proof, disproof) = if known && new.0 != 0 {
                self.look(task.reply_key(a.key), new.0, new.1)
            } else {
                new
            };
            self.children.push(Child { turn: a.turn.pack(), force: a.force, proof, disproof });
        }
        self.attacks = found;
        if tried >= max_nodes && self.children[base..].iter().all(|c| c.proof != 0) {
            self.stop = true;
        }
    }

    fn look(&self, key: u64, proof: Number, disproof: Number) -> (Number, Number) {
        self.table.get(key).map_or((proof, disproof), |e| (e.proof, e.disproof))
    }

    /// The defender's position after a turn that forces him.
    fn reply(
        &mut self,
        board: &mut Board,
        task: Task,
        force: Force,
        proof_limit: Number,
        disproof_limit: Number,
    ) -> (Number, Number) {
        let begun = self.nodes;
        let own_key = task.reply_key(board.key());
        if let Some(e) = self.table.get(own_key)
            && (e.proof == 0 || e.disproof == 0)
        {
            return (e.proof, e.disproof);
        }
        let mut replies = replies(board, task);
        let mut numbers: SmallVec<[(Number, Number); 8]> = SmallVec::new();
        let stones = board.rules().p();
        let mut widened = false;
        let outcome = loop {
            // Fetch what is known of replies that are new.
            for reply in &replies[numbers.len()..] {
                let key = reply.stones.iter().fold(board.key(), |k, &p| {
                    k ^ board.geometry().key((!task.attacker).index(), p)
                });
                numbers.push(self.look(task.attack_key(key, stones), 1, 1));
                self.nodes += 1;
            }
            let (mut best, mut proof, mut disproof, mut second) = (0, 0, INFINITE, INFINITE);
            for (i, &(p, d)) in numbers.iter().enumerate() {
                proof = add(proof, p);
                if d < disproof {
                    (second, disproof, best) = (disproof, d, i);
                } else {
                    second = second.min(d);
                }
            }
            if disproof == 0 {
                break (INFINITE, 0);
            }
            if proof == 0 {
                if force == Force::Single && !std::mem::replace(&mut widened, true) {
                    let more = self.free_stones(board, task, &replies);
                    if !more.is_empty() {
                        replies.extend(more);
                        continue;
                    }
                }
                break (0, INFINITE);
            }
            if proof >= proof_limit || disproof >= disproof_limit || self.out_of_nodes() {
                break (proof, disproof);
            }
            let reply = replies[best].clone();
            reply.stones.iter().for_each(|&p| board.place(!task.attacker, p));
            let (p, d, _) = self.attack(
                board,
                task,
                stones,
                proof_limit - proof.min(proof_limit) + numbers[best].0,
                disproof_limit.min(second.saturating_add(1 + second / 4)),
            );
            reply.stones.iter().for_each(|&p| board.remove(!task.attacker, p));
            numbers[best] = (p, d);
            if self.stop && p != 0 && d != 0 {
                break (proof.max(1), disproof.max(1));
            }
        };
        if !self.stop || outcome.0 == 0 || outcome.1 == 0 {
            self.table.put(own_key, outcome.0, outcome.1, 0, self.nodes - begun);
        }
        outcome
    }

    /// The replies that use the free stone, once those that withhold it are proved lost: the free stone can
    /// only matter inside the zone of that proof.
    fn free_stones(&mut self, board: &mut Board, task: Task, replies: &[Reply]) -> Vec<Reply> {
        let mut more = Vec::new();
        for reply in replies.iter().filter(|r| r.withholds) {
            for p in self.zone_of_free_stone(board, task, &reply.stones).iter() {
                if board.is_empty(p) && !reply.stones.contains(&p) {
                    let mut stones = reply.stones.clone();
                    stones.push(p);
                    more.push(Reply { stones, withholds: false });
                }
            }
        }
        more
    }
}

/// A sum of numbers that stays below infinity unless a part is infinite.
fn add(a: Number, b: Number) -> Number {
    if a >= INFINITE || b >= INFINITE { INFINITE } else { (a + b).min(INFINITE - 1) }
}
