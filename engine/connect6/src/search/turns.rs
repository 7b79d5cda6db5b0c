//! The turns worth searching at a position, with their prior chances.
//!
//! Immediate wins and forced blocks come from the line state; a win by threats from the threat search. When
//! the other side would win by threats after a pass, a turn outside the relevance zone of that win changes
//! nothing (Anti-TSS): one stone at least must be inside, and the second is narrowed the same way after
//! the first stands.

use super::Choice;
use super::params::Params;
use crate::Color;
use crate::board::Board;
use crate::book::{Book, Entry};
use crate::candidates::candidates;
use crate::defences::{Defence, defence, threats};
use crate::eval::view::SecondStones;
use crate::eval::{Net, View, chance};
use crate::point::{Point, Turn};
use crate::point_set::PointSet;
use crate::tss::generate::completing;
use crate::tss::{Options, Solver, ThreatResult, Turns};
use ahash::AHashMap;
use game_core::Proven;

/// What two stones weigh that only together meet the other side's threats, where a single stone does too.
const PAIR_WEIGHT: f32 = 0.02;

/// What a position is worth before its turns are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// Whether the game is decided.
    pub proven: Proven,
    /// The chance that the side to move wins, 0 to 1.
    pub value: f32,
    /// The winning turn when won.
    pub turn: Option<Turn>,
}

/// What an expansion found.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Whether the game is decided.
    pub proven: Proven,
    /// The chance that the side to move wins, 0 to 1.
    pub value: f32,
    /// Turns to search, the best prior first; the winning turn alone when won.
    pub turns: Vec<Choice>,
    /// Whether the turns left out are known to lose.
    pub complete: bool,
}

/// What the expansion of a position needs.
#[derive(Clone, Copy)]
pub struct Expander<'a> {
    /// Which points look like moves, and the learned evaluation.
    pub net: &'a Net,
    /// What was played in openings.
    pub book: &'a Book,
    /// The tunables.
    pub params: &'a Params,
}

/// A position that is looked at: who is to play how many stones (1 or 2), and the solver to ask about threats.
pub struct TurnContext<'a> {
    /// The stones; what is tried is taken back.
    pub board: &'a mut Board,
    /// The side to move.
    pub side: Color,
    /// The stones that it is to play.
    pub stones: usize,
    /// The threat search.
    pub solver: &'a mut Solver,
}

/// How many turns to look at.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// First stones.
    pub first: usize,
    /// Second stones beside each.
    pub second: usize,
    /// Turns in all.
    pub turns: usize,
}

impl Expander<'_> {
    /// The width of an ordinary position.
    pub fn width(&self) -> Width {
        Width {
            first: self.params.first_points,
            second: self.params.second_points,
            turns: self.params.turns,
        }
    }

    /// What a position is worth, without its turns: whether it is decided at once or by threats, else the
    /// evaluation. Decided games and full boards are the caller's business.
    pub fn evaluate(&self, at: &mut TurnContext<'_>) -> Evaluation {
        let cover = defence(&threats(at.board, !at.side), at.stones);
        self.evaluate_with(at, &cover)
    }

    /// The same, when it is known what meets the other side's threats.
    fn evaluate_with(&self, at: &mut TurnContext<'_>, cover: &Defence) -> Evaluation {
        let (side, stones) = (at.side, at.stones);
        let won = |turn| Evaluation { proven: Proven::Win, value: 1.0, turn: Some(turn) };
        if let Some(turn) = completing(at.board, side, stones) {
            return won(turn);
        }
        if *cover == Defence::None {
            return Evaluation { proven: Proven::Loss, value: 0.0, turn: None };
        }
        if self.params.threat_search {
            let options =
                Options { stones, turns: Turns::Doubles, nodes: self.params.threat_nodes };
            let report = at.solver.solve(at.board, side, &options);
            if let (ThreatResult::Win, Some(turn)) = (report.result, report.turn) {
                return won(turn);
            }
        }
        let mut value = chance(at.board, side, (self.params.network).then_some(self.net));
        if self.knows_openings(at, cover) {
            let entries = self.book.turns(at.board);
            if entries.iter().map(worth).sum::<f32>() > 0.0 {
                value = Book::chance(value, &entries);
            }
        }
        Evaluation { proven: Proven::Unknown, value, turn: None }
    }

    /// Looks at a position as [`Expander::evaluate`] does, and finds its turns.
    pub fn expand(&self, at: &mut TurnContext<'_>, width: Width) -> Expansion {
        let windows = threats(at.board, !at.side);
        let cover = defence(&windows, at.stones);
        let Evaluation { proven, value, turn } = self.evaluate_with(at, &cover);
        let (turns, complete) = match (proven, turn) {
            (Proven::Win, Some(turn)) => (vec![Choice { mv: turn, estimate: 1.0 }], true),
            // Lost, but a turn must be played: block what can be blocked.
            (Proven::Loss, _) => {
                let wanted = windows.iter().flat_map(|w| w.points().to_vec()).collect();
                (self.resist(at, &wanted), true)
            }
            _ => return self.answers(at, &cover, width, value),
        };
        Expansion { proven, value, turns, complete }
    }

    /// The turns of a position that [`Expander::evaluate`] left open, and its value again, unless there is
    /// no turn that does not lose.
    pub fn turns(&self, at: &mut TurnContext<'_>, width: Width, value: f32) -> Expansion {
        let cover = defence(&threats(at.board, !at.side), at.stones);
        self.answers(at, &cover, width, value)
    }

    /// The same, when it is known what meets the other side's threats.
    fn answers(
        &self,
        at: &mut TurnContext<'_>,
        cover: &Defence,
        width: Width,
        value: f32,
    ) -> Expansion {
        let mut found = TurnList { turns: AHashMap::new(), complete: true, width };
        match cover {
            Defence::Two(pairs) => {
                for &(a, b) in pairs {
                    let prior = self.weight(at, a, 0) + self.weight(at, b, 0);
                    found.add(Turn::pair(a, b), prior.exp());
                }
            }
            Defence::One(singles, pairs) => {
                let view = self.net.view(at.board, at.side);
                let kept = view.second_stones();
                for &(a, b) in pairs {
                    found.add(Turn::pair(a, b), PAIR_WEIGHT);
                }
                for &a in singles {
                    if at.stones == 1 {
                        found.add(Turn::single(a), self.weight(at, a, 1).exp());
                    } else {
                        self.seconds(at, a, 1.0, true, &kept, &mut found);
                    }
                }
            }
            Defence::Free | Defence::None => self.quiet(at, &mut found),
        }
        if self.knows_openings(at, cover) {
            self.open(at.board, &mut found);
        }
        let mut turns: Vec<Choice> =
            found.turns.into_iter().map(|(mv, estimate)| Choice { mv, estimate }).collect();
        turns.sort_by(|a, b| b.estimate.total_cmp(&a.estimate).then(a.mv.pack().cmp(&b.mv.pack())));
        let complete = found.complete && turns.len() <= width.turns;
        turns.truncate(width.turns);
        let total: f32 = turns.iter().map(|t| t.estimate).sum();
        turns.iter_mut().for_each(|t| t.estimate /= total.max(f32::MIN_POSITIVE));
        let proven = if turns.is_empty() && complete { Proven::Loss } else { Proven::Unknown };
        if turns.is_empty() {
            turns = self.resist(at, &PointSet::default());
        }
        let value = if proven == Proven::Loss { 0.0 } else { value };
        Expansion { proven, value, turns, complete }
    }

    /// The weight of one point as the first (0) or second (1) stone of a turn.
    fn weight(&self, at: &TurnContext<'_>, point: Point, stone: usize) -> f32 {
        let points = &self.net.points;
        points.weight(&points.see(at.board, at.side, point), stone)
    }

    /// Whether recorded openings have a say: at whole turns without threats to meet.
    fn knows_openings(&self, at: &TurnContext<'_>, cover: &Defence) -> bool {
        self.params.book && at.stones == at.board.rules().p() && *cover == Defence::Free
    }

    /// Lets recorded openings have half of the prior, by how often a turn was played and how it did.
    fn open(&self, board: &Board, found: &mut TurnList) {
        let entries = self.book.turns(board);
        let total: f32 = entries.iter().map(worth).sum();
        if total <= 0.0 {
            return;
        }
        // Added up in order: a map has none, and the same search must come to the same numbers.
        let mut priors: Vec<f32> = found.turns.values().copied().collect();
        priors.sort_by(f32::total_cmp);
        let prior: f32 = priors.iter().sum();
        for entry in &entries {
            found.add(entry.turn, prior * worth(entry) / total);
        }
    }

    /// Turns without threats to meet.
    fn quiet(&self, at: &mut TurnContext<'_>, found: &mut TurnList) {
        let zone = self.danger(at, at.stones);
        let first = 2usize.saturating_sub(at.stones);
        let view = self.net.view(at.board, at.side);
        let firsts = match &zone {
            Some(zone) => self.within(at, first, zone, found.width.first, found),
            None => {
                found.complete = false;
                view.best(first, found.width.first)
            }
        };
        let kept = view.second_stones();
        for (a, chance) in firsts {
            if at.stones == 1 {
                found.add(Turn::single(a), chance);
            } else {
                self.seconds(at, a, chance, zone.is_some(), &kept, found);
            }
        }
    }

    /// Turns that begin with a given stone. Without danger before it there is none after it.
    fn seconds(
        &self,
        at: &mut TurnContext<'_>,
        a: Point,
        chance: f32,
        endangered: bool,
        kept: &SecondStones<'_, '_>,
        found: &mut TurnList,
    ) {
        at.board.place(at.side, a);
        let zone = if endangered { self.danger(at, 1) } else { None };
        let seconds = match &zone {
            Some(zone) => self.within(at, 1, zone, found.width.second, found),
            None => {
                found.complete = false;
                kept.best(at.board, a, found.width.second)
            }
        };
        for (b, second) in seconds {
            found.add(Turn::pair(a, b), chance * second);
        }
        at.board.remove(at.side, a);
    }

    /// The best stones within a zone; notes when there are more.
    fn within(
        &self,
        at: &TurnContext<'_>,
        stone: usize,
        zone: &PointSet,
        max: usize,
        found: &mut TurnList,
    ) -> Vec<(Point, f32)> {
        let from: PointSet = zone.iter().filter(|&p| at.board.is_empty(p)).collect();
        let best = View::of(&self.net.points, at.board, at.side, &from).best(stone, max);
        found.complete &= best.len() == from.len();
        best
    }

    /// Where so many stones must go, when the other side would otherwise win by threats.
    fn danger(&self, at: &mut TurnContext<'_>, stones: usize) -> Option<PointSet> {
        if !self.params.threat_search {
            return None;
        }
        let (board, enemy) = (&mut *at.board, !at.side);
        let options = Options {
            stones: board.rules().p(),
            turns: Turns::Doubles,
            nodes: self.params.defence_nodes,
        };
        let report = at.solver.solve(board, enemy, &options);
        (report.result == ThreatResult::Win).then(|| at.solver.zone(board, enemy, &report, stones))
    }

    /// Something to play when everything loses.
    fn resist(&self, at: &TurnContext<'_>, wanted: &PointSet) -> Vec<Choice> {
        let wanted: PointSet = wanted.iter().filter(|&p| at.board.is_empty(p)).collect();
        let from = if wanted.len() >= at.stones { wanted } else { candidates(at.board) };
        let best = View::of(&self.net.points, at.board, at.side, &from).best(0, at.stones);
        let turn = match (best.first(), best.get(1)) {
            (Some(a), Some(b)) => Turn::pair(a.0, b.0),
            (Some(a), None) => Turn::single(a.0),
            _ => return Vec::new(),
        };
        vec![Choice { mv: turn, estimate: 1.0 }]
    }
}

/// How good a recorded turn looks: by the points that it made, times their mean, which few games are trusted to tell the
/// less. A turn that never won is not worth nothing.
fn worth(entry: &Entry) -> f32 {
    entry.points.max(0.1) * (entry.points + 1.0) / (entry.games as f32 + 2.0)
}

struct TurnList {
    turns: AHashMap<Turn, f32>,
    complete: bool,
    width: Width,
}

impl TurnList {
    fn add(&mut self, turn: Turn, prior: f32) {
        *self.turns.entry(turn).or_insert(0.0) += prior;
    }
}
