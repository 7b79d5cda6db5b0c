//! Depth-first proof-number search.

use std::sync::Arc;

use super::state::{State, Step};
use super::table::{INFINITE, Numbers, Table};
use crate::eval::{Features, Weights};
use crate::moves::Move;
use crate::position::Position;
use crate::region::{Filler, regions};
use game_core::{Proven, StopSignal};

/// When solving is given up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States expanded.
    pub nodes: Option<u64>,
    /// Ends it.
    pub stop: StopSignal,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether the side to move wins; unknown when it was given up.
    pub proven: Proven,
    /// A move that wins, when one does; else the one that looked best last.
    pub best: Option<Move>,
    /// States expanded.
    pub nodes: u64,
}

/// Solves positions, and remembers what it found between them.
#[derive(Debug)]
pub struct Solver {
    table: Table,
    filler: Filler,
    weights: Arc<Weights>,
    nodes: u64,
    limits: Limits,
    stopped: bool,
    /// The step that looked best at the state whose search ended last.
    best: Option<Step>,
}

/// A state below another, as the search looks at it.
struct Child {
    step: Step,
    state: State,
    key: u64,
}

/// Positions looked at to count one region.
const FILLER_PATIENCE: u32 = 2000;
/// How much of the logit goes into the first numbers of a new state, and the maximum of such numbers.
const GUESS: f32 = 3.0;
const MAX_GUESS: f32 = 60.0;

impl Solver {
    /// A solver whose table takes so much memory.
    pub fn new(memory_mib: usize) -> Solver {
        Solver {
            table: Table::new(memory_mib),
            filler: Filler::new(FILLER_PATIENCE),
            weights: Arc::new(Weights::hand_made()),
            nodes: 0,
            limits: Limits::default(),
            stopped: false,
            best: None,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Whether the side to move wins, and how.
    ///
    /// ```
    /// use amazons_engine::{Position, solve::{Limits, Solver}};
    /// let start = Position::start_on(4).expect("a start");
    /// let report = Solver::new(16).solve(&start, &Limits::default());
    /// assert_eq!(report.proven, game_core::Proven::Loss);
    /// ```
    pub fn solve(&mut self, position: &Position, limits: &Limits) -> Report {
        self.nodes = 0;
        self.stopped = false;
        self.limits = limits.clone();
        self.filler.set_stop(limits.stop.clone());
        let state = State::of(position, &mut self.filler);
        let mut wins = state.decided();
        self.best = None;
        if wins.is_none() {
            let numbers = self.search(&state, state.key(), INFINITE, INFINITE);
            wins = match numbers {
                Numbers { win: 0, .. } => Some(true),
                Numbers { loss: 0, .. } => Some(false),
                _ => None,
            };
        }
        let best = match self.best {
            Some(Step::Move(mv)) => Some(mv),
            Some(Step::Spare) | None => self.own_move(position),
        };
        Report { proven: Proven::from_win(wins), best, nodes: self.nodes }
    }

    /// A move in a region of one's own whose moves are counted, or else any.
    fn own_move(&mut self, position: &Position) -> Option<Move> {
        let side = position.to_move();
        let own = regions(position).filter(|region| region.owner() == Some(side));
        let mut own = own.map(|region| (region.queens[side.index()], region.free));
        let own = own.find(|&(queens, free)| self.filler.count(queens, free).exact().is_some());
        let found = own.and_then(|(queens, free)| self.filler.best_move(queens, free));
        found.or_else(|| position.moves().first().copied())
    }

    fn children(&mut self, state: &State) -> Vec<Child> {
        let steps = state.steps();
        let mut children = Vec::with_capacity(steps.len());
        for step in steps {
            let state = state.after(step, &mut self.filler);
            children.push(Child { step, state, key: state.key() });
        }
        // Different moves often leave the same behind.
        children.sort_by_key(|child| child.key);
        children.dedup_by_key(|child| child.key);
        children
    }

    /// What is known of a child, or a first guess by the evaluation.
    fn look(&mut self, child: &Child) -> Numbers {
        if let Some(known) = self.table.get(child.key) {
            return known;
        }
        let numbers = match child.state.decided() {
            Some(true) => Numbers { win: 0, loss: INFINITE },
            Some(false) => Numbers { win: INFINITE, loss: 0 },
            None => {
                let State { queens: [own, other], free, lead } = child.state;
                let logit = self.weights.evaluate_features(&Features::of(own, other, free))
                    + f32::from(lead);
                let guess = |logit: f32| 1 + (GUESS * logit).clamp(0.0, MAX_GUESS) as u32;
                Numbers { win: guess(-logit), loss: guess(logit) }
            }
        };
        self.table.put(child.key, numbers, 1);
        numbers
    }

    fn out_of_time(&mut self) -> bool {
        self.stopped = self.stopped
            || self.limits.nodes.is_some_and(|max| self.nodes >= max)
            || self.limits.stop.is_raised();
        self.stopped
    }

    /// Works on a state until one of its numbers reaches its limit.
    fn search(&mut self, state: &State, key: u64, max_win: u32, max_loss: u32) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        let children = self.children(state);
        let (numbers, best) = loop {
            // Whoever wins does so by one child that the other side loses; losing takes all of them. The greatest number
            // stands for their sum, since many lead to the same (Ueda et al. 2008).
            let (mut win, mut second) = (INFINITE, INFINITE);
            let (mut loss, mut open, mut best) = (0, 0u32, 0);
            for (i, child) in children.iter().enumerate() {
                let numbers = self.look(child);
                if numbers.loss < win {
                    (second, win, best) = (win, numbers.loss, i);
                } else if numbers.loss < second {
                    second = numbers.loss;
                }
                if numbers.win > 0 {
                    loss = numbers.win.max(loss);
                    open += 1;
                }
            }
            if loss < INFINITE {
                loss = (loss + open.saturating_sub(1)).min(INFINITE);
            }
            if win == 0 {
                loss = INFINITE;
            }
            let numbers = Numbers { win, loss };
            if win >= max_win || loss >= max_loss || win == 0 || loss == 0 || self.out_of_time() {
                break (numbers, best);
            }
            let child = &children[best];
            let (child_state, child_key) = (child.state, child.key);
            // A quarter beyond the second best keeps the search from going to and fro.
            let limit_loss = max_win.min(second.saturating_add(second / 4 + 1).min(INFINITE));
            let limit_win = if max_loss >= INFINITE {
                INFINITE
            } else {
                (max_loss + 1).saturating_sub(open).max(1)
            };
            self.search(&child_state, child_key, limit_win, limit_loss);
        };
        self.best = children.get(best).map(|child| child.step);
        self.table.put(key, numbers, self.nodes - before);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    /// Whether the side to move wins, by trying everything.
    fn exhaustive(position: &Position) -> bool {
        let mut wins = false;
        position.for_each_move(|mv| {
            if !wins {
                let mut next = *position;
                next.make(mv);
                wins = !exhaustive(&next);
            }
        });
        wins
    }

    fn solve(position: &Position) -> Report {
        Solver::new(16).solve(position, &Limits::default())
    }

    #[test]
    fn small_boards_are_as_published() {
        // Song and Mueller 2014.
        let four = Position::start_on(4).expect("a start");
        assert_eq!(solve(&four).proven, Proven::Loss);
    }

    #[test]
    fn random_endgames_agree_with_trying_everything() {
        let mut seed = 11u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut both = [0; 2];
        for _ in 0..400 {
            let mut position = Position::empty(crate::Size::new(4, 4).expect("a size"));
            let square = |n: u64| crate::Square::new(n as u8 % 4, n as u8 / 4).expect("a square");
            for i in 0..4 {
                let color = if i % 2 == 0 { Color::White } else { Color::Black };
                position.put_queen(color, square(next(16)));
            }
            while position.free().len() > 6 {
                position.put_arrow(square(next(16)));
            }
            let report = solve(&position);
            let wins = exhaustive(&position);
            assert_eq!(report.proven, Proven::from_win(Some(wins)), "{position}");
            both[usize::from(wins)] += 1;
            if wins {
                let mut after = position;
                after.play(report.best.expect("a winning move")).expect("legal");
                assert!(!exhaustive(&after), "{position}\n{report:?}");
            }
        }
        assert!(both[0] > 50 && both[1] > 50, "{both:?}");
    }

    #[test]
    fn whoever_need_not_move_does_not() {
        // A zugzwang on the left, where the side to move loses; on the right White has a move of its own.
        let diagram = "XO.|###|###";
        let alone: Position = diagram.parse().expect("a diagram");
        let spare: Position = "XO.#|####|X.##".parse().expect("a diagram");
        for position in [alone, spare] {
            assert_eq!(
                solve(&position).proven,
                Proven::from_win(Some(exhaustive(&position))),
                "{position}"
            );
        }
    }

    #[test]
    fn limits_are_kept() {
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        let report = Solver::new(1).solve(&Position::start(), &limits);
        assert_eq!(report.proven, Proven::Unknown);
        assert!(report.nodes <= 100 && report.best.is_some());
        let stop =
            StopSignal { deadline: Some(std::time::Instant::now()), ..StopSignal::default() };
        let report =
            Solver::new(1).solve(&Position::start(), &Limits { stop, ..Limits::default() });
        assert!(report.proven == Proven::Unknown && report.nodes <= 10 && report.best.is_some());
    }
}
