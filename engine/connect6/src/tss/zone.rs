//! Relevance zones: where another stone of the defender could change a proof.
//!
//! Let the attacker follow a proved tree while the defender has e more stones than it knows of. The tree
//! still wins when none of them stands (1) on a stone the attacker plays or an empty point of a threat he
//! makes, nor (2) in a window the defender could turn into a threat with it: a free window of his that,
//! after some turn of the attacker, holds k - p - e stones or more. So the zone is the union of these over
//! the tree, and a reply outside it needs no search (Wu and Lin 2010, in the terms of windows). With a free
//! stone inside the tree, the zone of the withheld reply is taken for one stone more.

use super::Turns;
use super::generate::completing;
use super::reply::replies;
use super::search::{Report, Solver};
use super::task::{Style, Task};
use crate::Color;
use crate::board::Board;
use crate::defences::{Defence, defence, threats};
use crate::geometry::{LINES, bits};
use crate::point::Point;
use crate::point_set::PointSet;
use crate::windows::LEVELS;

/// A proof is walked through for its zone up to so many positions; a larger one has every point in its zone.
const MAX_WALK: u32 = 1000;

impl Solver {
    /// Where an extra stone of the defender could spoil a win this solver has just proved: with
    /// `extras` more stones of his anywhere outside, the attacker still wins.
    pub fn zone(
        &mut self,
        board: &mut Board,
        attacker: Color,
        report: &Report,
        extras: usize,
    ) -> PointSet {
        let style = if report.conservative { Style::Conservative } else { Style::Exact };
        let stones = board.rules().p();
        for turns in [Turns::Doubles, Turns::Singles] {
            let task = Task { attacker, turns, style };
            if self.table.get(task.attack_key(board.key(), stones)).is_some_and(|e| e.proof == 0) {
                self.walk_left = MAX_WALK;
                return self.zone_of_attack(board, task, stones, extras);
            }
        }
        board.empties().collect()
    }

    /// The zone of a reply that is proved lost, where a free stone of the defender's can matter.
    pub(super) fn zone_of_free_stone(
        &mut self,
        board: &mut Board,
        task: Task,
        stones: &[Point],
    ) -> PointSet {
        self.walk_left = MAX_WALK;
        self.zone_of_reply(board, task, stones, 1)
    }

    /// The zone of a proved position with the attacker to move; every empty point when the proof is lost.
    fn zone_of_attack(
        &mut self,
        board: &mut Board,
        task: Task,
        stones: usize,
        extras: usize,
    ) -> PointSet {
        let everything = |board: &Board| board.empties().collect();
        let rules = board.rules();
        if extras >= LEVELS.min(rules.k() - rules.p()) {
            return everything(board);
        }
        if self.walk_left == 0 || self.is_interrupted() {
            return everything(board);
        }
        if self.walk_left != u32::MAX {
            self.walk_left -= 1;
        }
        if let Some(turn) = completing(board, task.attacker, stones) {
            return turn.stones().collect();
        }
        let Some(turn) = self.proof(board, task, stones) else { return everything(board) };
        let mut zone: PointSet = turn.stones().collect();
        turn.stones().for_each(|p| board.place(task.attacker, p));
        let made = threats(board, task.attacker);
        for &point in made.iter().flat_map(|w| w.points()) {
            zone.insert(point);
        }
        reaching(board, task, extras, &mut zone);
        let kind = defence(&made, board.rules().p());
        if kind != Defence::None {
            let singles = matches!(kind, Defence::One(..)) && board.rules().p() == 2;
            for reply in replies(board, task) {
                let z = self.zone_of_reply(
                    board,
                    task,
                    &reply.stones,
                    extras + usize::from(reply.withholds),
                );
                zone.extend(&z);
                if singles && reply.withholds {
                    let inner = self.zone_of_reply(board, task, &reply.stones, 1);
                    for free in inner.iter() {
                        if !board.is_empty(free) || reply.stones.contains(&free) {
                            continue;
                        }
                        let mut with: Vec<Point> = reply.stones.to_vec();
                        with.push(free);
                        zone.extend(&self.zone_of_reply(board, task, &with, extras));
                    }
                }
            }
        }
        turn.stones().for_each(|p| board.remove(task.attacker, p));
        zone
    }

    /// The zone of a reply that is proved lost.
    pub(super) fn zone_of_reply(
        &mut self,
        board: &mut Board,
        task: Task,
        stones: &[Point],
        extras: usize,
    ) -> PointSet {
        stones.iter().for_each(|&p| board.place(!task.attacker, p));
        let zone = self.zone_of_attack(board, task, board.rules().p(), extras);
        stones.iter().for_each(|&p| board.remove(!task.attacker, p));
        zone
    }
}

/// Adds the empty points of the defender's windows that `extras` more stones would make threats.
fn reaching(board: &Board, task: Task, extras: usize, zone: &mut PointSet) {
    let k = board.rules().k();
    for line in 0..LINES {
        let levels = board.levels(!task.attacker, line);
        let starts = levels[..=extras.min(LEVELS - 1)].iter().fold(0, |m, l| m | l);
        if starts != 0 {
            let points = (0..k).fold(0, |m, i| m | starts << i) & board.empty(line);
            for bit in bits(points) {
                zone.insert(board.geometry().cell(line, bit));
            }
        }
    }
}
