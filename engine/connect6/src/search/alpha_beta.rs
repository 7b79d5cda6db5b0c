//! The other way to search: alpha-beta with iterative deepening over the turns that the expander finds, the
//! best few by prior at each position, threat search at all of them. Kept to compare with; the tunable
//! `alpha_beta` switches it on.

use super::turns::{Expander, TurnContext, Width};
use crate::Color;
use crate::board::Board;
use crate::game::ToMove;
use crate::point::Turn;
use crate::tss::Solver;
use game_core::{GOLDEN_GAMMA, Proven, SearchLimits, StopSignal};
use std::collections::HashMap;
use std::time::Instant;
use tree_search::Report;
use tree_search::report::single;

/// Turns looked ahead at most.
const MAX_DEPTH: u32 = 40;
/// Values are chances from 0 to 1 for the side to move; a win that is proved is above all of them.
const WON: f32 = 2.0;
/// How much more a win is worth for each turn that it is nearer.
const NEARER: f32 = 0.01;
/// Positions remembered.
const MAX_ENTRIES: usize = 1 << 20;

/// What is remembered of a position.
#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    value: f32,
    bound: Bound,
    best: Option<Turn>,
}

impl Entry {
    /// Whether it says all that a search to this depth within these bounds would say.
    fn answers(&self, depth: u32, alpha: f32, beta: f32) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value <= alpha,
            }
    }
}

/// What a value is of the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

impl Bound {
    /// That of a value found between alpha and beta.
    fn of(value: f32, alpha: f32, beta: f32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// One search.
pub(super) struct AlphaBeta<'a> {
    pub expander: Expander<'a>,
    pub solver: &'a mut Solver,
    pub limits: &'a SearchLimits,
    pub signal: StopSignal,
    pub nodes: u64,
    stopped: bool,
    known: HashMap<u64, Entry>,
}

impl<'a> AlphaBeta<'a> {
    pub fn new(
        expander: Expander<'a>,
        solver: &'a mut Solver,
        limits: &'a SearchLimits,
        signal: StopSignal,
    ) -> AlphaBeta<'a> {
        AlphaBeta {
            expander,
            solver,
            limits,
            signal,
            nodes: 0,
            stopped: false,
            known: HashMap::new(),
        }
    }

    /// Searches deeper and deeper until told to stop.
    pub fn run(mut self, board: &Board, to_move: ToMove) -> Report<Turn> {
        let mut board = board.clone();
        let (side, stones) = (to_move.color, usize::from(to_move.stones));
        let width = self.expander.width();
        let width = Width { turns: self.expander.params.alpha_beta_turns * 2, ..width };
        let mut at = TurnContext { board: &mut board, side, stones, solver: &mut *self.solver };
        let root = self.expander.expand(&mut at, width);
        let mut turns: Vec<Turn> = root.turns.iter().map(|choice| choice.mv).collect();
        let mut value = match root.proven {
            Proven::Win => WON,
            Proven::Loss => -WON,
            Proven::Unknown => root.value,
        };
        if root.proven == Proven::Unknown {
            for depth in 1..=MAX_DEPTH {
                let mut alpha = f32::MIN;
                for i in 0..turns.len() {
                    let found = self.after(&mut board, side, turns[i], depth, alpha, f32::MAX);
                    if self.stopped {
                        break;
                    }
                    if found > alpha {
                        alpha = found;
                        // Turns that are no better stay behind the best in their old order.
                        turns[..=i].rotate_right(1);
                    }
                }
                if alpha > f32::MIN {
                    value = alpha;
                }
                let is_decided = !(0.0..=1.0).contains(&value);
                let is_late = self.limits.soft.is_some_and(|soft| Instant::now() >= soft);
                if self.stopped || is_decided || is_late || turns.len() < 2 {
                    break;
                }
            }
        }
        let chance = value.clamp(0.0, 1.0);
        // A loss is only one of the turns that were looked at.
        let proven = if value > 1.0 { Proven::Win } else { Proven::Unknown };
        match turns.first() {
            Some(&turn) => single(turn, self.nodes, chance, proven),
            None => Report::default(),
        }
    }

    /// What a turn is worth to the side that plays it.
    fn after(
        &mut self,
        board: &mut Board,
        side: Color,
        turn: Turn,
        depth: u32,
        alpha: f32,
        beta: f32,
    ) -> f32 {
        turn.stones().for_each(|point| board.place(side, point));
        // Chances of the one side are one less those of the other.
        let found = 1.0 - self.search(board, !side, depth - 1, 1.0 - beta, 1.0 - alpha);
        turn.stones().for_each(|point| board.remove(side, point));
        found
    }

    fn search(
        &mut self,
        board: &mut Board,
        side: Color,
        depth: u32,
        mut alpha: f32,
        beta: f32,
    ) -> f32 {
        self.nodes += 1;
        if self.signal.is_raised() || self.limits.visits.is_some_and(|max| self.nodes > max) {
            self.stopped = true;
            return 0.5;
        }
        let stones = board.rules().p();
        if board.count() + stones > board.rules().width() * board.rules().height() {
            return 0.5;
        }
        let key = board.key() ^ if side == Color::White { GOLDEN_GAMMA } else { 0 };
        let known = self.known.get(&key).copied();
        if let Some(known) = known.filter(|known| known.answers(depth, alpha, beta)) {
            return known.value;
        }
        // The depth that is left tells how near a win is.
        let won = WON + depth as f32 * NEARER;
        let mut at = TurnContext { board, side, stones, solver: &mut *self.solver };
        let found = self.expander.evaluate(&mut at);
        let decided = match found.proven {
            Proven::Win => Some(won),
            Proven::Loss => Some(1.0 - won),
            Proven::Unknown if depth == 0 => Some(found.value),
            Proven::Unknown => None,
        };
        if let Some(value) = decided {
            self.note(key, Entry { depth, value, bound: Bound::Exact, best: found.turn });
            return value;
        }
        let width = Width { turns: self.expander.params.alpha_beta_turns, ..self.expander.width() };
        let mut at = TurnContext { board, side, stones, solver: &mut *self.solver };
        let expansion = self.expander.turns(&mut at, width, found.value);
        if expansion.proven == Proven::Loss {
            return 1.0 - won;
        }
        let mut turns: Vec<Turn> = expansion.turns.iter().map(|choice| choice.mv).collect();
        let first = known.and_then(|known| turns.iter().position(|&t| Some(t) == known.best));
        if let Some(first) = first {
            turns[..=first].rotate_right(1);
        }
        let (lowest, mut value, mut best) = (alpha, f32::MIN, None);
        for turn in turns {
            let found = self.after(board, side, turn, depth, alpha, beta);
            if self.stopped {
                return 0.5;
            }
            if found > value {
                (value, best) = (found, Some(turn));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // Turns that were not looked at might not lose.
        if !expansion.complete {
            value = value.max(0.0);
        }
        self.note(key, Entry { depth, value, bound: Bound::of(value, lowest, beta), best });
        value
    }

    fn note(&mut self, key: u64, known: Entry) {
        if self.known.len() < MAX_ENTRIES || self.known.contains_key(&key) {
            self.known.insert(key, known);
        }
    }
}
