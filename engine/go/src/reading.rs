//! Whether a chain can be captured, and how it is saved: what people and clients ask of one chain.
//!
//! Read by trying: the hunter takes liberties and points beside them (ladders and nets), the chain runs, takes what
//! presses it, or gives atari. A chain with four liberties has got away, and so has one about which nothing is decided
//! within a bound of positions. Kos are the side's that takes first.
//!
//! ```
//! use go_engine::game::AnyBoard;
//! use go_engine::reading::{Defence, attack, defend};
//! use go_engine::{Color, Point};
//!
//! let mut board = AnyBoard::new(9, 9).unwrap();
//! let point = |name: &str| name.parse::<Point>().unwrap();
//! board.play(point("A1"), Color::White);
//! board.play(point("A2"), Color::Black);
//! board.play(point("B2"), Color::Black);
//! assert_eq!(attack(&board, point("A1")), Some(point("B1")));
//! // In the corner it cannot run away.
//! assert_eq!(defend(&board, point("A1")), Defence::None);
//! assert_eq!(defend(&board, point("A2")), Defence::Unneeded);
//! ```

use crate::board::{Board, Site};
use crate::endgame::safe_area;
use crate::game::AnyBoard;
use crate::playout::liberties::liberties_after;
use crate::playout::tactics::{Candidates, add_ataris, add_captures_around};
use crate::{Color, Point, with_board};

/// How a chain is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    /// Nothing threatens it.
    Unneeded,
    /// By this move.
    By(Point),
    /// By none that was found.
    None,
}

/// What is so whatever happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unconditional {
    /// A stone that cannot be captured.
    Alive,
    /// A stone where the opponent holds everything.
    Dead,
    /// An empty point where this colour holds everything.
    Territory(Color),
    /// None of it.
    Unknown,
}

/// The move with which the other side catches the chain on a point; none when none is found.
pub fn attack(board: &AnyBoard, at: Point) -> Option<Point> {
    with_board!(board, board => Some(board.point(attack_on(board, board.site(at)?)?)))
}

/// How the chain on a point is saved; nothing is to be saved on an empty point.
pub fn defend(board: &AnyBoard, at: Point) -> Defence {
    with_board!(board, board => match board.site(at) {
        Some(site) => defend_on(board, site),
        None => Defence::Unneeded,
    })
}

/// What is so of a point whatever happens (Benson 1976), under rules that allow suicide or do not.
pub fn unconditional(board: &AnyBoard, at: Point, suicide: bool) -> Unconditional {
    with_board!(board, board => match board.site(at) {
        Some(site) => unconditional_on(board, site, suicide),
        None => Unconditional::Unknown,
    })
}

/// A chain with so many liberties has got away.
const FREE: u32 = 4;
/// How far sequences are read, the short ones first.
const DEPTHS: [u32; 4] = [5, 9, 15, 25];
/// Positions that may be looked at for each of these.
const MAX_POSITIONS: u32 = 5000;

/// What is left of the positions that may be looked at.
struct Budget(u32);

impl Budget {
    fn take(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

fn attack_on<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> Option<Site> {
    board.color(prey)?;
    DEPTHS.iter().find_map(|&depth| capture(board, prey, depth, &mut Budget(MAX_POSITIONS)))
}

fn defend_on<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> Defence {
    let Some(color) = board.color(prey) else { return Defence::Unneeded };
    if attack_on(board, prey).is_none() {
        return Defence::Unneeded;
    }
    let saved = ways_out(board, prey, color).as_slice().iter().copied().find(|&site| {
        board.is_legal(site, color) && {
            let mut after = Box::new(board.clone());
            after.play(site, color);
            attack_on(&after, prey).is_none()
        }
    });
    saved.map_or(Defence::None, |site| Defence::By(board.point(site)))
}

/// The move of the other side that captures the chain, as far as it is read.
fn capture<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    depth: u32,
    budget: &mut Budget,
) -> Option<Site> {
    let hunter = board.color(prey)?.other();
    let liberties = board.liberties(prey);
    if liberties >= FREE || depth == 0 || !budget.take() {
        return None;
    }
    let mut moves = Candidates::default();
    board.liberty_sites(prey).for_each(|site| moves.add(site));
    if liberties > 1 {
        // Nets are laid one step away.
        let beside = moves.as_slice().to_vec();
        let next = |site: Site| Board::<N, W>::neighbours(site);
        for site in beside.into_iter().flat_map(next).filter(|&site| board.is_empty(site)) {
            moves.add(site);
        }
    }
    // What presses the chain may itself be in atari.
    for stone in board.chain_stones(prey) {
        for beside in Board::<N, W>::neighbours(stone) {
            if board.is_in_atari(beside, hunter) {
                moves.add(board.any_liberty(beside));
                add_captures_around(board, beside, hunter, &mut moves);
            }
        }
    }
    let mut moves: Vec<Site> =
        moves.as_slice().iter().copied().filter(|&site| board.is_legal(site, hunter)).collect();
    // Where the chain would gain most it has to be stopped first.
    let color = hunter.other();
    moves.sort_by_key(|&site| {
        let is_liberty = board.liberty_set(prey).contains(Board::<N, W>::bit(site));
        (!is_liberty, std::cmp::Reverse(liberties_after(board, site, color).len()))
    });
    moves.into_iter().find(|&site| {
        let mut after = Box::new(board.clone());
        after.play(site, hunter);
        after.color(prey) != Some(color) || escape(&after, prey, depth - 1, budget).is_none()
    })
}

/// The move with which the chain gets away, as far as it is read; [`Site::PASS`] where it need not move.
fn escape<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    depth: u32,
    budget: &mut Budget,
) -> Option<Site> {
    let color = board.color(prey)?;
    if board.liberties(prey) >= FREE || depth == 0 || !budget.take() {
        return Some(Site::PASS);
    }
    let moves = ways_out(board, prey, color);
    let gets_away = |&&site: &&Site| {
        board.is_legal(site, color) && {
            let mut after = Box::new(board.clone());
            after.play(site, color);
            capture(&after, prey, depth - 1, budget).is_none()
        }
    };
    if let Some(&site) = moves.as_slice().iter().find(gets_away) {
        return Some(site);
    }
    let mut after = Box::new(board.clone());
    after.pass();
    capture(&after, prey, depth - 1, budget).is_none().then_some(Site::PASS)
}

/// Moves that may save a chain: captures of what presses it, running, ataris on what presses it, and meeting friends.
fn ways_out<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    color: Color,
) -> Candidates {
    let mut moves = Candidates::default();
    add_captures_around(board, prey, color, &mut moves);
    board.liberty_sites(prey).for_each(|site| moves.add(site));
    for stone in board.chain_stones(prey) {
        for beside in Board::<N, W>::neighbours(stone) {
            if board.cell(beside) == color.other() && board.liberties(beside) == 2 {
                add_ataris(board, beside, color, &mut moves);
            }
        }
    }
    // A step away from its liberties it may be met by friends.
    for site in board.liberty_sites(prey).flat_map(Board::<N, W>::neighbours) {
        if board.is_empty(site) {
            moves.add(site);
        }
    }
    moves
}

fn unconditional_on<const N: usize, const W: usize>(
    board: &Board<N, W>,
    site: Site,
    suicide: bool,
) -> Unconditional {
    let bit = Board::<N, W>::bit(site);
    let areas = Color::BOTH.map(|color| (color, safe_area(board, color, suicide)));
    let holder = areas.iter().find(|(_, area)| area.territory.contains(bit)).map(|(c, _)| *c);
    match (board.color(site), holder) {
        (Some(_), _) if areas.iter().any(|(_, area)| area.stones.contains(bit)) => {
            Unconditional::Alive
        }
        (Some(stone), Some(holder)) if stone != holder => Unconditional::Dead,
        (None, Some(holder)) => Unconditional::Territory(holder),
        _ => Unconditional::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    fn board(black: &str, white: &str) -> AnyBoard {
        let mut board = AnyBoard::new(9, 9).unwrap();
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for name in stones.split(' ') {
                board.play(point(name), color);
            }
        }
        board
    }

    #[test]
    fn ladders_are_caught_and_saved() {
        let caught = board("C4 D3 E3 C5", "D4");
        let start = attack(&caught, point("D4")).expect("a ladder");
        assert!(["D5", "E4", "E5"].map(point).contains(&start), "{start}");
        let Defence::By(way_out) = defend(&caught, point("D4")) else { panic!("no way out") };
        assert!(["D5", "E4"].map(point).contains(&way_out), "{way_out}");
        // A stone in the way breaks it, and Black has to lay a net.
        let net = board("C4 D3 E3 C5", "D4 G7");
        assert!(attack(&net, point("D4")).is_some());
        // With another white stone nearby there is none.
        let free = board("C4 D3 E3 C5", "D4 F6 F4");
        assert_eq!(attack(&free, point("D4")), None);
        assert_eq!(defend(&free, point("D4")), Defence::Unneeded);
        assert_eq!(attack(&caught, point("A1")), None, "nobody stands there");
    }

    #[test]
    fn what_lives_whatever_happens_is_told() {
        let two_eyes = board("A2 B2 C2 D2 B1 D1", "H8");
        for (name, expected) in [
            ("B1", Unconditional::Alive),
            ("A1", Unconditional::Territory(Color::Black)),
            ("H8", Unconditional::Unknown),
            ("E5", Unconditional::Unknown),
        ] {
            assert_eq!(unconditional(&two_eyes, point(name), true), expected, "{name}");
        }
    }

    #[test]
    fn a_chain_in_atari_is_saved_by_taking_what_presses_it() {
        let pressed = board("A2", "A1 B2");
        assert_eq!(attack(&pressed, point("A1")), Some(point("B1")));
        assert_eq!(defend(&pressed, point("A1")), Defence::By(point("A3")));
    }
}
