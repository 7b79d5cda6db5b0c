//! What becomes of stones and points, told from how surely each point ends as whose in a search.

use super::benson::{SafeArea, safe_area};
use crate::board::Board;
use crate::score::{Statuses, owners};
use crate::search::Report;
use crate::{Color, Game, Point, with_board};

/// A chain is dead when its points end as the opponent's at least this surely, on average. What is not settled counts as
/// alive.
const DEAD: f32 = 0.5;
/// Every stone's fate is known when its chain ends as one side's at least this surely, on average.
pub(super) const SURE: f32 = 0.75;
/// An empty point is somebody's when it ends as theirs at least this surely.
const OWNED: f32 = 0.5;
/// A point that ends as nobody's in this share of playouts is one that neither side can play on: others are filled.
const SHARED: f32 = 0.25;
/// How a game would end if it went on to its end from here.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// What became of the stones.
    pub statuses: Statuses,
    /// Whose each point is, row by row from A1.
    pub owners: Vec<Option<Color>>,
    /// Black's points less White's, komi and handicap counted, by the rules in force.
    pub score: f64,
    /// Whether nothing is open any more: then all this is exact, and else an estimate.
    pub is_settled: bool,
}

impl Ending {
    /// The end of a game in which the fate of every stone is known.
    pub fn of_statuses(game: &Game, statuses: Statuses) -> Ending {
        let owners = owners(game.board(), &statuses);
        Ending { score: game.score(&statuses), statuses, owners, is_settled: true }
    }
}

/// How a game ends, by a search of its position.
///
/// Under rules without agreement about the dead whatever stands at the end is alive. Before it they are taken off.
pub fn ending(game: &Game, report: &Report) -> Ending {
    if game.passes() >= 2 && !game.rules().friendly_pass_ok {
        return Ending::of_statuses(game, Statuses::all_alive());
    }
    let report = &with_certain_owners(game, report);
    let statuses = statuses(game, report);
    let enclosed = owners(game.board(), &statuses);
    // Where nobody lives as yet the whole board is open.
    let has_living = game.board().stones().any(|(point, _)| !statuses.dead.contains(&point));
    let points = Points::new(game, report);
    let is_settled = has_living
        && is_settled(game, &report.ownership, SURE)
        && points.are_enclosed(&statuses, &enclosed);
    if is_settled {
        return Ending { score: game.count(&statuses), statuses, owners: enclosed, is_settled };
    }
    // When both have passed it is over, and what was left open belongs to whom it likely would.
    if game.passes() >= 2 {
        let owners = points.closed(&statuses, enclosed);
        return Ending {
            score: game.count_owned(&statuses, &owners),
            statuses,
            owners,
            is_settled,
        };
    }
    let owners = report.ownership.iter().map(|&owned| owner(owned, OWNED)).collect();
    // A score differs from the komi by a whole number of points.
    let compensation = game.compensation();
    let score = (f64::from(report.score) + compensation).round() - compensation;
    Ending { statuses, owners, score, is_settled }
}

/// The same report with the owners that no search can change: of what lives unconditionally, and what that encloses.
fn with_certain_owners(game: &Game, report: &Report) -> Report {
    let mut report = report.clone();
    let suicide = game.rules().suicide;
    let certain = with_board!(game.board(), board => certain_owners(board, suicide));
    for (owned, owner) in report.ownership.iter_mut().zip(certain) {
        *owned = match owner {
            Some(Color::Black) => 1.0,
            Some(Color::White) => -1.0,
            None => *owned,
        };
    }
    report
}

fn certain_owners<const N: usize, const W: usize>(
    board: &Board<N, W>,
    suicide: bool,
) -> Vec<Option<Color>> {
    let areas = Color::BOTH.map(|color| (color, safe_area(board, color, suicide)));
    let owner = |site| {
        let bit = Board::<N, W>::bit(site);
        let has = |area: &SafeArea<W>| area.stones.contains(bit) || area.territory.contains(bit);
        areas.iter().find(|(_, area)| has(area)).map(|&(color, _)| color)
    };
    board.sites().map(owner).collect()
}

/// What becomes of all stones, by a search of their position.
pub fn statuses(game: &Game, report: &Report) -> Statuses {
    let points = Points::new(game, report);
    let mut dead = Vec::new();
    let mut alive = Vec::new();
    for (color, chain) in chains(game) {
        let sure = points.mean(&report.ownership, &chain);
        let for_owner = if color == Color::Black { sure } else { -sure };
        if for_owner < -DEAD { dead.extend(&chain) } else { alive.push((color, chain)) }
    }
    let seki = points.seki(&dead, alive);
    Statuses { dead, seki }
}

/// Whether every stone's fate is known: each chain's points end as one side's at least `sure`ly,
/// on average.
pub fn is_settled(game: &Game, ownership: &[f32], sure: f32) -> bool {
    let width = usize::from(game.board().width());
    let place = |p: &Point| usize::from(p.row()) * width + usize::from(p.col());
    chains(game).iter().all(|(_, chain)| {
        let sum: f32 = chain.iter().filter_map(|p| ownership.get(place(p))).sum();
        (sum / chain.len() as f32).abs() >= sure
    })
}

/// All chains with their colours.
fn chains(game: &Game) -> Vec<(Color, Vec<Point>)> {
    let board = game.board();
    let mut chains: Vec<(Color, Vec<Point>)> = Vec::new();
    for (point, color) in board.stones() {
        if !chains.iter().any(|(_, chain)| chain.binary_search(&point).is_ok()) {
            chains.push((color, board.chain(point)));
        }
    }
    chains
}

fn owner(owned: f32, sure: f32) -> Option<Color> {
    if owned >= sure {
        Some(Color::Black)
    } else if owned <= -sure {
        Some(Color::White)
    } else {
        None
    }
}

/// What a search says of the points of a board.
struct Points<'a> {
    game: &'a Game,
    report: &'a Report,
    width: usize,
}

impl<'a> Points<'a> {
    fn new(game: &'a Game, report: &'a Report) -> Points<'a> {
        Points { game, report, width: usize::from(game.board().width()) }
    }

    fn place(&self, point: Point) -> usize {
        usize::from(point.row()) * self.width + usize::from(point.col())
    }

    fn value(&self, values: &[f32], point: Point) -> f32 {
        values.get(self.place(point)).copied().unwrap_or(0.0)
    }

    fn mean(&self, values: &[f32], chain: &[Point]) -> f32 {
        chain.iter().map(|&point| self.value(values, point)).sum::<f32>() / chain.len() as f32
    }

    /// Whether the points that each side will have are enclosed by its stones: `owners` tells whose walls are about each
    /// point. Points beside living stones of both sides may be neutral or not, without that any game is open.
    fn are_enclosed(&self, statuses: &Statuses, owners: &[Option<Color>]) -> bool {
        let board = self.game.board();
        let living = |p: Point| board.stone(p).filter(|_| !statuses.dead.contains(&p));
        board.points().zip(owners).filter(|&(p, _)| living(p).is_none()).all(|(p, &enclosed)| {
            let beside: Vec<Color> = board.neighbours(p).filter_map(living).collect();
            let is_between = Color::BOTH.iter().all(|color| beside.contains(color));
            is_between || owner(self.value(&self.report.ownership, p), OWNED) == enclosed
        })
    }

    /// The points that each side has after closing the gaps in its walls, where `enclosed` are those within walls that are
    /// whole. A point of an open region is a side's that likely gets it, when all about it is the same side's: so neutral
    /// points stay so, and a gap, which its owner has to fill.
    fn closed(&self, statuses: &Statuses, enclosed: Vec<Option<Color>>) -> Vec<Option<Color>> {
        let board = self.game.board();
        let likely = |point: Point| match board.stone(point) {
            Some(color) if !statuses.dead.contains(&point) => Some(color),
            _ => owner(self.value(&self.report.ownership, point), OWNED),
        };
        let of_open = |point: Point| {
            let color = likely(point)?;
            board.neighbours(point).all(|beside| likely(beside) == Some(color)).then_some(color)
        };
        board
            .points()
            .zip(enclosed)
            .map(|(point, owner)| owner.or_else(|| of_open(point)))
            .collect()
    }

    /// The stones that live in seki: those of groups that surely live, have no two eyes, and touch a point on which
    /// neither side can play.
    fn seki(&self, dead: &[Point], alive: Vec<(Color, Vec<Point>)>) -> Vec<Point> {
        let board = self.game.board();
        let is_shared =
            |&p: &Point| board.is_empty(p) && self.value(&self.report.unowned, p) >= SHARED;
        let shared: Vec<Point> = board.points().filter(is_shared).collect();
        if shared.is_empty() {
            return Vec::new();
        }
        let mut seki = Vec::new();
        let mut rest = alive;
        while let Some((color, chain)) = rest.pop() {
            let group = self.group(color, chain, &mut rest, dead);
            let lives = self.mean(&self.report.ownership, &group.stones).abs() >= SURE;
            let touches = group.stones.iter().flat_map(|&p| board.neighbours(p));
            if lives && !group.has_two_eyes() && touches.into_iter().any(|p| shared.contains(&p)) {
                seki.extend(group.stones);
            }
        }
        seki.sort();
        seki
    }

    /// A chain with all of its colour that it is tied to by points that are surely this colour's; what it takes is
    /// taken out of `rest`.
    fn group(
        &self,
        color: Color,
        chain: Vec<Point>,
        rest: &mut Vec<(Color, Vec<Point>)>,
        dead: &[Point],
    ) -> Group {
        let board = self.game.board();
        let is_own = |&p: &Point| {
            (board.is_empty(p) || dead.contains(&p))
                && owner(self.value(&self.report.ownership, p), SURE) == Some(color)
        };
        let mut group = Group { stones: chain, eyes: Vec::new() };
        let mut looked_at = 0;
        while looked_at < group.stones.len() {
            let beside: Vec<Point> = board.neighbours(group.stones[looked_at]).collect();
            looked_at += 1;
            for point in beside.into_iter().filter(is_own) {
                if group.eyes.iter().any(|eye| eye.contains(&point)) {
                    continue;
                }
                let mut eye = vec![point];
                let mut at = 0;
                while at < eye.len() {
                    for next in board.neighbours(eye[at]) {
                        if is_own(&next) {
                            if !eye.contains(&next) {
                                eye.push(next);
                            }
                        } else if let Some(tied) = rest
                            .iter()
                            .position(|(other, chain)| *other == color && chain.contains(&next))
                        {
                            group.stones.extend(rest.swap_remove(tied).1);
                        }
                    }
                    at += 1;
                }
                group.eyes.push(eye);
            }
        }
        group
    }
}

/// Stones that live together, and the points that are theirs.
struct Group {
    stones: Vec<Point>,
    /// Each eye's points.
    eyes: Vec<Vec<Point>>,
}

impl Group {
    /// Whether it has two eyes, or one that is large enough for two.
    fn has_two_eyes(&self) -> bool {
        self.eyes.len() >= 2 || self.eyes.iter().any(|eye| eye.len() >= 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Options, Search};

    fn ending_of(game: &Game) -> Ending {
        let mut search = Search::handcrafted(Options::default());
        let limits = Limits { stop_early: false, ..Limits::playouts(2000) };
        let report = search.search(game, game.to_play(), &limits, None);
        ending(game, &report)
    }

    #[test]
    fn a_board_without_stones_is_open() {
        let mut game = Game::new(9, 9).unwrap();
        game.set_komi(7.5);
        let ending = ending_of(&game);
        assert!(!ending.is_settled);
        assert!(ending.score > -7.0, "moving first is worth something: {}", ending.score);
    }

    #[test]
    fn nothing_is_in_seki_or_dead_while_the_game_is_open() {
        let mut game = Game::new(9, 9).unwrap();
        game.set_komi(7.5);
        for (number, name) in "E5 C3 G4 D7 E7 E8 F8 D8 G7 C5".split(' ').enumerate() {
            let color = Color::BOTH[number % 2];
            game.play(color, crate::Move::Play(name.parse().unwrap())).unwrap();
        }
        let ending = ending_of(&game);
        assert!(!ending.is_settled);
        assert_eq!(ending.statuses, Statuses::all_alive());
        // Half a point less than a whole number, and owners that add up to about that.
        assert_eq!((ending.score + 7.5).fract(), 0.0);
        let sign =
            |owner: &Option<Color>| owner.map_or(0.0, |c| f64::from(c == Color::Black) * 2.0 - 1.0);
        let owned: f64 = ending.owners.iter().map(sign).sum();
        assert!((owned - (ending.score + 7.5)).abs() < 25.0, "{owned} {}", ending.score);
    }

    #[test]
    fn a_gap_in_a_wall_costs_no_territory_when_both_have_passed() {
        for rules in [crate::Rules::JAPANESE, crate::Rules::CHINESE] {
            let mut game = Game::new(9, 9).unwrap();
            game.set_rules(rules);
            // About even: a side that has lost gives up its groups.
            game.set_komi(-10.0);
            let wall = |col: u8| (0..9).map(move |row| Point::new(col, row));
            let gap = Point::new(3, 4);
            let black = wall(3).filter(|&p| p != gap).map(|p| (p, Some(Color::Black)));
            let white = wall(4).map(|p| (p, Some(Color::White)));
            // A prisoner that stands within the open wall.
            let dead = Point::new(0, 0);
            game.set_up(black.chain(white).chain([(dead, Some(Color::White))])).unwrap();
            game.play(Color::Black, crate::Move::Pass).unwrap();
            game.play(Color::White, crate::Move::Pass).unwrap();
            let ending = ending_of(&game);
            assert_eq!(ending.statuses.dead, [dead]);
            assert!(!ending.is_settled, "it is an estimate");
            // The gap is nobody's: Black has to fill it.
            let expected = match rules.scoring {
                crate::rules::Scoring::Territory => 27.0 + 1.0 - 36.0,
                crate::rules::Scoring::Area => 27.0 + 8.0 - 45.0,
            };
            assert_eq!(ending.score - 10.0, expected, "{rules:?}");
        }
    }
}
