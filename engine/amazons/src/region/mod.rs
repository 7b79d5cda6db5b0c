//! Regions: parts of the board that arrows divide for good.
//!
//! Nothing ever crosses an arrow, and queens can make way; so the parts are those that hang together by squares that are
//! free or hold a queen. In a part with queens of one side only, that side can make so many moves and no more ([`fill`]);
//! a part with queens of both is still fought for. When no part is fought for, whoever has more moves left wins.

pub mod fill;

use crate::Color;
use crate::eval::flood::dilate;
use crate::position::Position;
use crate::squares::Squares;

pub use fill::{Bounds, Filler};

/// Squares that hang together, with queens and something free among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The squares, those of the queens among them.
    pub squares: Squares,
    /// The queens in it, by [`Color::index`].
    pub queens: [Squares; 2],
    /// What is free in it.
    pub free: Squares,
}

impl Region {
    /// The side whose queens alone are here.
    pub fn owner(&self) -> Option<Color> {
        match self.queens.map(Squares::is_empty) {
            [false, true] => Some(Color::Black),
            [true, false] => Some(Color::White),
            _ => None,
        }
    }
}

/// The regions of a board; those without queens or without a free square, where nothing happens, are left out.
///
/// ```
/// use amazons_engine::{Color, Position, region::regions};
/// let position: Position = "X.#..|..#.X|O.#..".parse()?;
/// let regions: Vec<_> = regions(&position).collect();
/// assert_eq!(regions.len(), 2);
/// assert_eq!(regions[0].owner(), None);
/// assert_eq!(regions[1].owner(), Some(Color::White));
/// # Ok::<(), amazons_engine::setup::DiagramError>(())
/// ```
pub fn regions(position: &Position) -> impl Iterator<Item = Region> {
    split(Color::BOTH.map(|color| position.queens(color)), position.free())
}

/// The regions by queens and free squares.
pub(crate) fn split(queens: [Squares; 2], free: Squares) -> impl Iterator<Item = Region> {
    let mut left = free | queens[0] | queens[1];
    std::iter::from_fn(move || {
        while !left.is_empty() {
            let mut squares = left.0 & left.0.wrapping_neg();
            loop {
                let grown = dilate(squares) & left.0;
                if grown == squares {
                    break;
                }
                squares = grown;
            }
            let squares = Squares(squares);
            left = left - squares;
            let queens = queens.map(|side| side & squares);
            let free = free & squares;
            if !free.is_empty() && !(queens[0] | queens[1]).is_empty() {
                return Some(Region { squares, queens, free });
            }
        }
        None
    })
}

/// What is certain about a position whose parts are taken for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The moves that each side has in regions of its own, by [`Color::index`].
    pub moves: [Bounds; 2],
    /// The free squares in regions that are fought for.
    pub contested: Squares,
}

impl Closed {
    /// Counts a position's own regions of both sides.
    pub fn count(position: &Position, filler: &mut Filler) -> Closed {
        let mut closed = Closed { moves: [Bounds::default(); 2], contested: Squares::EMPTY };
        for region in regions(position) {
            match region.owner() {
                Some(color) => {
                    let moves = filler.count(region.queens[color.index()], region.free);
                    closed.moves[color.index()] = closed.moves[color.index()] + moves;
                }
                None => closed.contested = closed.contested | region.free,
            }
        }
        closed
    }

    /// Whether the side to move wins, where that is certain. Every move takes one free square, so a side has no more moves
    /// in what is fought for than that has free squares, and may have none.
    pub fn wins(&self, to_move: Color) -> Option<bool> {
        let [own, other] = [to_move, to_move.other()].map(|side| self.moves[side.index()]);
        let open = self.contested.len();
        if own.min > other.max + open {
            Some(true)
        } else if own.max + open <= other.min {
            Some(false)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_positions_are_counted() {
        let mut filler = Filler::new(10_000);
        for (diagram, wins) in [
            // Four moves against three, either to move.
            ("X....|#####|O...#", Some(true)),
            // Three against three: who is to move loses.
            ("X...#|#####|O...#", Some(false)),
            // Fought for: not known.
            ("X....|....O|.....", None),
            // Fought for, but too small to matter.
            ("X.....|#####.|XO#.X.|######|######", Some(true)),
        ] {
            let position: Position = diagram.parse().expect("a diagram");
            assert_eq!(Closed::count(&position, &mut filler).wins(Color::White), wins, "{diagram}");
        }
    }
}
