//! Learning which points look like moves, from what was played.

use super::Lesson;
use crate::board::Board;
use crate::game::Game;
use crate::point::{Colour, Point};
use crate::policy::{PATTERNS, Policy, candidates, mirrored, patterns};
use crate::rules::Rules;

/// A policy and the squared gradients so far.
#[derive(Clone, Debug)]
pub struct PolicyLearner {
    policy: Policy,
    squares: Policy,
    step: f32,
}

/// How often the moves of games are among the policy's first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyFigures {
    /// Stones judged.
    pub stones: usize,
    /// Mean of minus the logarithm of the chance given to the stone played.
    pub log_loss: f64,
    /// The part of stones that the policy had first.
    pub first: f64,
    /// The part among its first ten.
    pub in_ten: f64,
}

impl PolicyLearner {
    /// A learner that goes on from a policy, with AdaGrad's step.
    pub fn new(policy: Policy, step: f32) -> PolicyLearner {
        PolicyLearner { policy, squares: Policy::default(), step }
    }

    /// The policy as it is now.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// All that it has learned and how far each step has shrunk, to be saved.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.policy.weights.iter().chain(&self.squares.weights).flatten()
    }

    /// The same to be set, in the same order.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.policy.weights.iter_mut().chain(&mut self.squares.weights).flatten()
    }

    /// Learns from the turns of one game, the winner's in full and the loser's by `loser_share`.
    pub fn learn(&mut self, rules: Rules, lesson: &Lesson, loser_share: f32) {
        each_turn(rules, lesson, |board, side, turn| {
            let share = if lesson.result(side) > 0.75 { 1.0 } else { loser_share };
            if let &[a, b] = turn {
                // Either stone may come first.
                self.learn_stone(board, side, &[a, b], 0, share);
                for (first, second) in [(a, b), (b, a)] {
                    board.place(side, first);
                    self.learn_stone(board, side, &[second], 1, share * 0.5);
                    board.remove(side, first);
                }
            } else {
                self.learn_stone(board, side, turn, 0, share);
            }
        });
    }

    fn learn_stone(
        &mut self,
        board: &Board,
        side: Colour,
        played: &[Point],
        stone: usize,
        share: f32,
    ) {
        let set = candidates(board);
        let wanted = played.iter().filter(|p| set.contains(**p)).count();
        if wanted == 0 {
            return;
        }
        let points: Vec<(Point, [u16; 4])> =
            set.iter().map(|p| (p, patterns(board, side, p))).collect();
        let weights = &mut self.policy.weights[stone];
        let squares = &mut self.squares.weights[stone];
        let mut chances: Vec<f32> =
            points.iter().map(|(_, ps)| ps.iter().map(|&p| weights[p as usize]).sum()).collect();
        let top = chances.iter().copied().fold(f32::MIN, f32::max);
        chances.iter_mut().for_each(|c| *c = (*c - top).exp());
        let total: f32 = chances.iter().sum();
        for ((point, ps), chance) in points.iter().zip(chances) {
            let target = if played.contains(point) { 1.0 / wanted as f32 } else { 0.0 };
            let gradient = (chance / total - target) * share;
            if gradient.abs() < 1e-4 {
                continue;
            }
            for &p in ps {
                // A pattern and its mirror image are one.
                let p = p.min(mirrored(p)) as usize;
                squares[p] += gradient * gradient;
                weights[p] -= self.step * gradient / (squares[p].sqrt() + 1e-6);
                weights[mirrored(p as u16) as usize % PATTERNS] = weights[p];
            }
        }
    }
}

/// How well a policy foretells the moves of games.
pub fn judge(policy: &Policy, rules: Rules, lessons: &[Lesson]) -> PolicyFigures {
    let mut figures = PolicyFigures::default();
    for lesson in lessons {
        each_turn(rules, lesson, |board, side, turn| {
            let mut placed = Vec::new();
            for (stone, &point) in turn.iter().enumerate() {
                let ranked = policy.best(board, side, stone, &candidates(board), usize::MAX);
                let rank = ranked.iter().position(|r| r.0 == point);
                figures.stones += 1;
                figures.log_loss -= f64::from(rank.map_or(1e-6, |r| ranked[r].1).max(1e-6)).ln();
                figures.first += f64::from(u8::from(rank == Some(0)));
                figures.in_ten += f64::from(u8::from(rank.is_some_and(|r| r < 10)));
                board.place(side, point);
                placed.push(point);
            }
            placed.into_iter().for_each(|p| board.remove(side, p));
        });
    }
    let n = figures.stones.max(1) as f64;
    figures.log_loss /= n;
    figures.first /= n;
    figures.in_ten /= n;
    figures
}

/// Goes through a game turn by turn: the board before the turn, the side, and the stones it played.
fn each_turn(rules: Rules, lesson: &Lesson, mut visit: impl FnMut(&mut Board, Colour, &[Point])) {
    let mut game = Game::new(rules);
    let mut rest = &lesson.stones[..];
    while !rest.is_empty() {
        let to_move = game.to_move();
        let (turn, after) = rest.split_at(rest.len().min(to_move.stones as usize));
        rest = after;
        let mut board = game.board().clone();
        for &point in turn {
            if game.play(to_move.colour, point).is_err() {
                return;
            }
        }
        if board.count() > 0 {
            visit(&mut board, to_move.colour, turn);
        }
    }
}
