//! The whole winning tree: what the attacker plays and what he does after each defence.

use super::Turns;
use super::generate::completing;
use super::reply::replies;
use super::search::{Options, Report, Solver, ThreatResult};
use super::task::{Style, Task};
use crate::Color;
use crate::board::Board;
use crate::defences::{Defence, defence, threats};
use crate::point::{Point, Turn};

/// A winning plan: a turn and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What the attacker plays.
    pub turn: Turn,
    /// How it wins.
    pub kind: Kind,
}

/// How a turn of a plan wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It makes k in a row.
    Completes,
    /// It makes threats that no reply stops.
    Unstoppable,
    /// It makes threats that some replies stop, and each is answered.
    Forces(Vec<Answer>),
}

/// What the attacker does after some replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The defender's stones that are taken to stand: the answer serves every reply of stones among these.
    pub stones: Vec<Point>,
    /// The answer also serves replies with one stone among these and the other anywhere that no other
    /// answer names.
    pub any_other: bool,
    /// What follows.
    pub plan: Plan,
}

impl Plan {
    /// The answer for a reply, the most particular first.
    pub fn answer(&self, reply: &[Point]) -> Option<&Plan> {
        let Kind::Forces(answers) = &self.kind else { return None };
        let among = |a: &&Answer| reply.iter().all(|p| a.stones.contains(p));
        let partly = |a: &&Answer| a.any_other && reply.iter().any(|p| a.stones.contains(p));
        answers.iter().find(among).or_else(|| answers.iter().find(partly)).map(|a| &a.plan)
    }

    /// How many turns of the attacker the tree holds.
    pub fn size(&self) -> usize {
        match &self.kind {
            Kind::Forces(answers) => 1 + answers.iter().map(|a| a.plan.size()).sum::<usize>(),
            Kind::Completes | Kind::Unstoppable => 1,
        }
    }

    /// Turns of the attacker up to the last threats, against the longest defence.
    pub fn depth(&self) -> usize {
        match &self.kind {
            Kind::Forces(answers) => 1 + answers.iter().map(|a| a.plan.depth()).max().unwrap_or(0),
            Kind::Completes | Kind::Unstoppable => 1,
        }
    }

    /// The longest line: the attacker's turns, and between them the stones the defender is taken to play.
    pub fn line(&self) -> Vec<Vec<Point>> {
        let mut line = vec![self.turn.stones().collect()];
        if let Kind::Forces(answers) = &self.kind
            && let Some(longest) = answers.iter().max_by_key(|a| a.plan.depth())
        {
            line.push(longest.stones.clone());
            line.extend(longest.plan.line());
        }
        line
    }
}

impl Solver {
    /// Solves and returns the whole winning tree too.
    pub fn solve_with_plan(
        &mut self,
        board: &mut Board,
        attacker: Color,
        options: &Options,
    ) -> (Report, Option<Plan>) {
        let report = self.solve(board, attacker, options);
        let plan = (report.result == ThreatResult::Win)
            .then(|| self.plan(board, attacker, options, &report))
            .flatten();
        (report, plan)
    }

    /// The winning tree of a position that this solver has just proved.
    pub fn plan(
        &mut self,
        board: &mut Board,
        attacker: Color,
        options: &Options,
        report: &Report,
    ) -> Option<Plan> {
        let style = if report.conservative { Style::Conservative } else { Style::Exact };
        [Turns::Doubles, options.turns].into_iter().find_map(|turns| {
            let task = Task { attacker, turns, style };
            let key = task.attack_key(board.key(), options.stones);
            self.table.get(key).filter(|e| e.proof == 0)?;
            self.walk_left = u32::MAX;
            extract(self, board, task, options.stones)
        })
    }
}

/// The tree of a proved position; none when a part of the proof was lost and cannot be found again.
fn extract(solver: &mut Solver, board: &mut Board, task: Task, stones: usize) -> Option<Plan> {
    if let Some(turn) = completing(board, task.attacker, stones) {
        return Some(Plan { turn, kind: Kind::Completes });
    }
    let turn = solver.proof(board, task, stones)?;
    turn.stones().for_each(|p| board.place(task.attacker, p));
    let kind = after(solver, board, task);
    turn.stones().for_each(|p| board.remove(task.attacker, p));
    Some(Plan { turn, kind: kind? })
}

fn after(solver: &mut Solver, board: &mut Board, task: Task) -> Option<Kind> {
    if defence(&threats(board, task.attacker), board.rules().p()) == Defence::None {
        return Some(Kind::Unstoppable);
    }
    let mut answers = Vec::new();
    for reply in replies(board, task) {
        let plan = answer(solver, board, task, &reply.stones)?;
        answers.push(Answer { stones: reply.stones.to_vec(), any_other: reply.withholds, plan });
        if reply.withholds {
            for free in solver.zone_of_reply(board, task, &reply.stones, 1).iter() {
                if board.is_empty(free) && !reply.stones.contains(&free) {
                    let mut with = reply.stones.to_vec();
                    with.push(free);
                    let plan = answer(solver, board, task, &with)?;
                    answers.push(Answer { stones: with, any_other: false, plan });
                }
            }
        }
    }
    Some(Kind::Forces(answers))
}

fn answer(solver: &mut Solver, board: &mut Board, task: Task, stones: &[Point]) -> Option<Plan> {
    stones.iter().for_each(|&p| board.place(!task.attacker, p));
    let plan = extract(solver, board, task, board.rules().p());
    stones.iter().for_each(|&p| board.remove(!task.attacker, p));
    plan
}
