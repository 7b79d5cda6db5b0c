//! Whether a chain can be caught, and how it is saved, as far as ladders go: what people and clients ask of one chain.
//!
//! A chain is read as caught when it is taken at once, or by ataris that leave it no way out (a ladder). Nets, races and
//! chains with more than two liberties are not read: they count as safe here.
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
//! assert_eq!(attack(&board, point("A1")), Some(point("B1")));
//! // In the corner it cannot run away.
//! assert_eq!(defend(&board, point("A1")), Defence::None);
//! assert_eq!(defend(&board, point("A2")), Defence::Unneeded);
//! ```

use crate::board::{Board, Site};
use crate::endgame::safe_area;
use crate::game::AnyBoard;
use crate::playout::ladder::ladder_catches;
use crate::playout::tactics::{Candidates, add_captures_around};
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

/// What is so of a point whatever happens (Benson 1976).
pub fn unconditional(board: &AnyBoard, at: Point) -> Unconditional {
    with_board!(board, board => match board.site(at) {
        Some(site) => unconditional_on(board, site),
        None => Unconditional::Unknown,
    })
}

fn attack_on<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> Option<Site> {
    let hunter = board.color(prey)?.other();
    let liberties = board.liberty_set(prey).iter().map(Board::<N, W>::site_of_bit);
    let mut open = liberties.filter(|&site| board.is_legal(site, hunter));
    match board.liberties(prey) {
        1 => open.next(),
        2 => open.find(|&site| ladder_catches(board, prey, site)),
        _ => None,
    }
}

fn defend_on<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> Defence {
    let Some(color) = board.color(prey) else { return Defence::Unneeded };
    if attack_on(board, prey).is_none() {
        return Defence::Unneeded;
    }
    let mut moves = Candidates::default();
    add_captures_around(board, prey, color, &mut moves);
    board.liberty_set(prey).iter().for_each(|bit| moves.add(Board::<N, W>::site_of_bit(bit)));
    let saves = |&&site: &&Site| {
        board.is_legal(site, color) && {
            let mut after = board.clone();
            after.play(site, color);
            attack_on(&after, prey).is_none()
        }
    };
    match moves.as_slice().iter().find(saves) {
        Some(&site) => Defence::By(board.point(site)),
        None => Defence::None,
    }
}

fn unconditional_on<const N: usize, const W: usize>(
    board: &Board<N, W>,
    site: Site,
) -> Unconditional {
    let bit = Board::<N, W>::bit(site);
    let areas = Color::BOTH.map(|color| (color, safe_area(board, color)));
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
        assert!(["D5", "E4"].map(point).contains(&start), "{start}");
        let Defence::By(way_out) = defend(&caught, point("D4")) else { panic!("no way out") };
        assert!(["D5", "E4"].map(point).contains(&way_out), "{way_out}");
        // A stone in the way breaks it.
        let broken = board("C4 D3 E3 C5", "D4 G6");
        assert_eq!(attack(&broken, point("D4")), None);
        assert_eq!(defend(&broken, point("D4")), Defence::Unneeded);
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
            assert_eq!(unconditional(&two_eyes, point(name)), expected, "{name}");
        }
    }

    #[test]
    fn a_chain_in_atari_is_saved_by_taking_what_presses_it() {
        let pressed = board("A2", "A1 B2");
        assert_eq!(attack(&pressed, point("A1")), Some(point("B1")));
        assert_eq!(defend(&pressed, point("A1")), Defence::By(point("A3")));
    }
}
