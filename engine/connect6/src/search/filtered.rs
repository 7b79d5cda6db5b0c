//! The turns of positions near the root of a search that is told to leave some out.
//!
//! What the threat search finds is believed only where it rests on no turn that is left out: it is not asked where the
//! side that attacks may be barred from a later turn of its attack, and its first turn has to be one that may be made. A
//! position is lost only when it would be lost with all of its turns.

use super::Choice;
use super::turns::{Evaluation, Expander, Expansion, TurnContext, Width};
use crate::board::Board;
use crate::candidates::candidates;
use crate::defences::threats;
use crate::eval::{View, chance};
use crate::game::ToMove;
use crate::point::{Point, Turn};
use crate::point_set::PointSet;
use game_core::Proven;
use tree_search::TurnFilter;

/// What the threads of a search share where turns are left out.
#[derive(Clone, Copy)]
pub(super) struct LeftOut<'a> {
    pub filter: TurnFilter<'a, Turn>,
    /// An expander without a threat search, for where turns behind the next one are left out.
    pub calm: Expander<'a>,
}

/// Looks at positions so many turns below the root.
#[derive(Clone, Copy)]
pub(super) struct Filtered<'a> {
    pub expander: Expander<'a>,
    pub filter: TurnFilter<'a, Turn>,
    pub depth: usize,
}

impl Filtered<'_> {
    /// Whether a side has a turn that may be considered.
    pub fn has_turn(&self, board: &Board, to_move: ToMove) -> bool {
        let accepts = |turn| self.filter.accepts(to_move.color, turn, self.depth);
        board.empties().filter(|&a| accepts(Turn::single(a))).any(|a| {
            to_move.stones == 1 || board.empties().any(|b| b != a && accepts(Turn::pair(a, b)))
        })
    }

    /// As [`Expander::evaluate`].
    pub fn evaluate(&self, at: &mut TurnContext<'_>) -> Evaluation {
        let won = |turn| Evaluation { proven: Proven::Win, value: 1.0, turn: Some(turn) };
        if let Some(turn) = self.win_at_once(at) {
            return won(turn);
        }
        let found = self.expander.evaluate(at);
        match found.turn.and_then(|turn| self.whole(at, turn)) {
            Some(turn) => won(turn),
            None if found.proven == Proven::Win || !self.believes(found.proven) => {
                let Expander { net, params, .. } = self.expander;
                let value = chance(at.board, at.side, params.network.then_some(net));
                Evaluation { proven: Proven::Unknown, value, turn: None }
            }
            None => found,
        }
    }

    /// As [`Expander::expand`]. There are no turns when all are left out.
    pub fn expand(&self, at: &mut TurnContext<'_>, width: Width) -> Expansion {
        let Evaluation { proven, value, turn } = self.evaluate(at);
        match turn {
            Some(mv) => {
                let turns = vec![Choice { mv, estimate: 1.0 }];
                Expansion { proven, value, turns, complete: false }
            }
            None => Expansion { proven, ..self.turns(at, width, value) },
        }
    }

    /// As [`Expander::turns`].
    pub fn turns(&self, at: &mut TurnContext<'_>, width: Width, value: f32) -> Expansion {
        let found = self.expander.turns(at, width, value);
        let mut turns: Vec<Choice> = Vec::new();
        let kept = found.turns.iter().filter_map(|choice| {
            Some(Choice { mv: self.whole(at, choice.mv)?, estimate: choice.estimate })
        });
        turns.extend(kept);
        let firsts = self.acceptable(at, Turn::single);
        // Where few stones may be played each of them is looked at.
        if turns.is_empty() || firsts.len() <= width.first {
            for other in self.others(at, &firsts, width) {
                if turns.iter().all(|choice| choice.mv != other.mv) {
                    turns.push(other);
                }
            }
        }
        turns.sort_by(|a, b| b.estimate.total_cmp(&a.estimate).then(a.mv.pack().cmp(&b.mv.pack())));
        turns.truncate(width.turns);
        let total: f32 = turns.iter().map(|choice| choice.estimate).sum();
        turns.iter_mut().for_each(|choice| choice.estimate /= total.max(f32::MIN_POSITIVE));
        let proven = if self.believes(found.proven) { found.proven } else { Proven::Unknown };
        Expansion { proven, turns, complete: false, ..found }
    }

    /// Whether a loss is one although the other side may be barred from the turn that wins.
    fn believes(&self, proven: Proven) -> bool {
        proven != Proven::Loss || !self.filter.concerns(self.depth + 1)
    }

    fn accepts(&self, at: &TurnContext<'_>, turn: Turn) -> bool {
        self.filter.accepts(at.side, turn, self.depth)
    }

    /// The empty points whose turn may be considered.
    fn acceptable(&self, at: &TurnContext<'_>, turn: impl Fn(Point) -> Turn) -> PointSet {
        let accepts = |&point: &Point| self.accepts(at, turn(point));
        at.board.empties().filter(accepts).collect()
    }

    /// A turn that may be considered, with any second stone where the turn needs one and names none.
    fn whole(&self, at: &TurnContext<'_>, turn: Turn) -> Option<Turn> {
        let accepts = |turn: &Turn| self.accepts(at, *turn);
        if at.stones == 1 || turn.second().is_some() {
            return Some(turn).filter(accepts);
        }
        let first = turn.first();
        let seconds = at.board.empties().filter(|&second| second != first);
        seconds.map(|second| Turn::pair(first, second)).find(accepts)
    }

    /// A turn that completes a row.
    fn win_at_once(&self, at: &TurnContext<'_>) -> Option<Turn> {
        let windows = threats(at.board, at.side);
        windows.iter().filter(|window| window.points().len() <= at.stones).find_map(|window| {
            let turn = match *window.points() {
                [first, second] => Turn::pair(first, second),
                [first] => Turn::single(first),
                _ => return None,
            };
            self.whole(at, turn)
        })
    }

    /// The best turns that begin with one of these stones, whatever they are good for.
    fn others(&self, at: &mut TurnContext<'_>, firsts: &PointSet, width: Width) -> Vec<Choice> {
        // What looks like a move is learned of points near stones: others come in only where these are not enough.
        let best = |at: &TurnContext<'_>, from: &PointSet, stone, max| {
            let candidates = candidates(at.board);
            let near: PointSet = from.iter().filter(|&point| candidates.contains(point)).collect();
            let central;
            let from = if from.len() <= max {
                from
            } else if near.is_empty() {
                central = most_central(at.board, from, max);
                &central
            } else {
                &near
            };
            View::of(&self.expander.net.points, at.board, at.side, from).best(stone, max)
        };
        let mut turns = Vec::new();
        for (a, chance) in best(at, firsts, 2usize.saturating_sub(at.stones), width.first) {
            if at.stones == 1 {
                turns.push(Choice { mv: Turn::single(a), estimate: chance });
                continue;
            }
            at.board.place(at.side, a);
            let seconds = self.acceptable(at, |b| Turn::pair(a, b));
            let seconds = best(at, &seconds, 1, width.second);
            at.board.remove(at.side, a);
            turns.extend(
                seconds
                    .into_iter()
                    .map(|(b, second)| Choice { mv: Turn::pair(a, b), estimate: chance * second }),
            );
        }
        turns
    }
}

/// So many of these points, those nearest to the middle of the board.
fn most_central(board: &Board, points: &PointSet, max: usize) -> PointSet {
    let rules = board.rules();
    let off = |at: usize, side: usize| (2 * at + 1).abs_diff(side);
    let mut points: Vec<Point> = points.iter().collect();
    points.sort_by_key(|at| off(at.col(), rules.width()).max(off(at.row(), rules.height())));
    points.into_iter().take(max).collect()
}
