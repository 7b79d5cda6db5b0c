//! The other way to search: alpha-beta with iterative deepening over whole turns, whose two stages are cut down by the
//! evaluation, the best queen's moves and behind each the best arrows. Kept to compare with; the tunable `alpha_beta`
//! switches it on.

use super::expand::Expander;
use super::partial_move::Choice;
use crate::game::Stage;
use crate::moves::Move;
use crate::position::Position;
use game_core::Proven;
use tree_search::Report;
use tree_search::report::single;

/// One search.
pub(super) struct AlphaBeta<'a> {
    expander: Expander<'a>,
    /// Asked at every node whether to go on.
    go_on: &'a mut dyn FnMut(u64) -> bool,
    nodes: u64,
    stopped: bool,
}

/// Values are logits for the side to move; a loss is far below any of them, and a later one better.
const LOST: f32 = -1000.0;
/// What moves that are not looked at are taken to be worth at least: such a loss is none that is proven.
const UNSEEN: f32 = LOST / 4.0;
/// Where the evaluation is cut off, whatever its weights.
const MAX_LOGIT: f32 = -UNSEEN / 2.0;
/// Turns looked ahead at most.
const MAX_DEPTH: u32 = 90;

impl<'a> AlphaBeta<'a> {
    pub fn new(expander: Expander<'a>, go_on: &'a mut dyn FnMut(u64) -> bool) -> AlphaBeta<'a> {
        AlphaBeta { expander, go_on, nodes: 0, stopped: false }
    }

    /// Searches deeper and deeper until told to stop.
    pub fn run(mut self, position: &Position, stage: Stage) -> Report<Move> {
        let (mut moves, _) = self.moves(position, stage);
        let mut value = moves.first().map_or(LOST, |best| best.0);
        for depth in 1..=MAX_DEPTH {
            let mut alpha = f32::MIN;
            for i in 0..moves.len() {
                let mut after = *position;
                after.make(moves[i].1);
                let found = -self.search(&after, depth - 1, f32::MIN, -alpha);
                if self.stopped {
                    break;
                }
                // Moves that fail low are left behind the best in their old order.
                if found > alpha {
                    alpha = found;
                    let best = moves.remove(i);
                    moves.insert(0, (found, best.1));
                }
            }
            if alpha > f32::MIN {
                value = alpha;
            }
            if self.stopped || value.abs() > -LOST / 2.0 {
                break;
            }
        }
        let chance = crate::eval::chance(value);
        // A loss is only one of the moves that were looked at.
        let proven = if value > -LOST / 2.0 { Proven::Win } else { Proven::Unknown };
        match moves.first() {
            Some(&(_, mv)) => single(mv, self.nodes, chance, proven),
            None => Report::default(),
        }
    }

    /// The moves that are looked at, best first, with their values for the side to move; and whether these are all.
    fn moves(&self, position: &Position, stage: Stage) -> (Vec<(f32, Move)>, bool) {
        let params = self.expander.params;
        let (mut queens, mut arrows) = (Vec::new(), Vec::new());
        self.expander.queens(position, &mut queens);
        queens.retain(|queen| queen.mv.fits(stage));
        let mut all = true;
        let mut best = |choices: &mut Vec<Choice>, max: usize| {
            choices.sort_by(|a, b| b.estimate.value.total_cmp(&a.estimate.value));
            all &= choices.len() <= max;
            choices.truncate(max);
        };
        best(&mut queens, params.alpha_beta_queens);
        let mut moves = Vec::new();
        for queen in queens {
            self.expander.arrows(position, queen.mv, &mut arrows);
            best(&mut arrows, params.alpha_beta_arrows);
            let logit =
                |p: f32| (p.clamp(1e-6, 1.0 - 1e-6) / (1.0 - p.clamp(1e-6, 1.0 - 1e-6))).ln();
            moves.extend(arrows.iter().map(|arrow| {
                let (from, to) = (queen.mv.from, queen.mv.to);
                (logit(arrow.estimate.value), Move { from, to, arrow: arrow.mv.to })
            }));
        }
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        (moves, all)
    }

    fn search(&mut self, position: &Position, depth: u32, mut alpha: f32, beta: f32) -> f32 {
        self.nodes += 1;
        if !(self.go_on)(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return 0.0;
        }
        if !position.can_move() {
            return LOST - depth as f32;
        }
        if depth == 0 {
            return self.expander.weights.evaluate(position).clamp(-MAX_LOGIT, MAX_LOGIT);
        }
        let (moves, all) = self.moves(position, Stage::From);
        if depth == 1 {
            // What the moves were ordered by is what the next evaluation would say.
            return moves.first().map_or(LOST, |best| best.0);
        }
        let mut value = if all { f32::MIN } else { UNSEEN };
        for (_, mv) in moves {
            let mut after = *position;
            after.make(mv);
            value = value.max(-self.search(&after, depth - 1, -beta, -alpha));
            alpha = alpha.max(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        value
    }
}
