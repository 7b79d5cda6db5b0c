//! Moves that are the same when the board is turned or mirrored: one of each set is searched.

use crate::Point;
use crate::board::{Board, Site};
use game_core::Symmetry;

/// The ways to turn and mirror a board that leave a position as it is, besides leaving it alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symmetries {
    of: Vec<Symmetry>,
    size: (u8, u8),
}

impl Symmetries {
    /// Those of a position. A ko, or a capture that one might bring back, leaves none: what is forbidden need not lie
    /// symmetrically.
    pub fn of<const N: usize, const W: usize>(board: &Board<N, W>) -> Symmetries {
        let size = (board.width(), board.height());
        let had_capture = crate::Color::BOTH.iter().any(|&color| board.captured(color) > 0);
        let turned = |symmetry: Symmetry, s: Site| {
            let p = board.point(s);
            let (col, row) = symmetry.of((p.col(), p.row()), size);
            board.site(Point::new(col, row)).unwrap_or(Site::PASS)
        };
        let stays = |&symmetry: &Symmetry| {
            board.sites().all(|s| board.cell(s) == board.cell(turned(symmetry, s)))
        };
        let all = Symmetry::of_board(size).skip(1).filter(|_| !had_capture);
        Symmetries { of: all.filter(stays).collect(), size }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The other points that are the same as this one, perhaps named more than once.
    pub fn twins(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let at = (point.col(), point.row());
        let images = self.of.iter().map(move |symmetry| symmetry.of(at, self.size));
        images.filter(move |&image| image != at).map(|(col, row)| Point::new(col, row))
    }

    /// The point to be searched of the set that a wanted point belongs to: of those that are `wanted`, the one farthest to
    /// the upper right, where people begin.
    pub fn chosen(&self, point: Point, wanted: impl Fn(Point) -> bool) -> Point {
        let rank = |p: &Point| (p.col() + p.row(), p.col());
        let twins = self.twins(point).filter(|&twin| wanted(twin));
        twins.chain([point]).max_by_key(rank).unwrap_or(point)
    }

    /// Whether a wanted point is the one of its set to be searched.
    pub fn is_chosen(&self, point: Point, wanted: impl Fn(Point) -> bool) -> bool {
        self.chosen(point, wanted) == point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;
    use crate::board::Board9;

    fn board(stones: &[(&str, Color)]) -> Board9 {
        let mut board = Board9::new(9, 9).unwrap();
        for &(name, color) in stones {
            board.play(board.site(name.parse().unwrap()).unwrap(), color);
        }
        board
    }

    fn chosen(board: &Board9) -> Vec<String> {
        let symmetries = Symmetries::of(board);
        let points = board.empties().map(|s| board.point(s));
        let mut chosen: Vec<Point> =
            points.filter(|&p| symmetries.is_chosen(p, |_| true)).collect();
        chosen.sort();
        chosen.iter().map(Point::to_string).collect()
    }

    #[test]
    fn fifteen_first_moves_are_left_on_9x9() {
        let names = chosen(&board(&[]));
        assert_eq!(names.len(), 15, "{names:?}");
        assert!(["E5", "G7", "J6", "J9"].iter().all(|name| names.iter().any(|n| n == name)));
    }

    #[test]
    fn stones_leave_as_many_symmetries_as_they_have() {
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(chosen(&board(&[("E5", black)])).len(), 14);
        // A diagonal, and a column.
        assert_eq!(chosen(&board(&[("C3", black)])).len(), 44);
        assert_eq!(chosen(&board(&[("E3", white)])).len(), 44);
        assert_eq!(chosen(&board(&[("C3", black), ("G7", white)])).len(), 43);
        assert_eq!(chosen(&board(&[("C3", black), ("G6", white)])).len(), 79);
    }

    #[test]
    fn a_twin_that_is_not_wanted_leaves_the_next() {
        let board = board(&[]);
        let symmetries = Symmetries::of(&board);
        let point = |name: &str| name.parse::<Point>().unwrap();
        assert!(!symmetries.is_chosen(point("C7"), |_| true));
        let wanted = |p: Point| p != point("G7");
        let chosen = ["C3", "C7", "G3"].map(|name| symmetries.is_chosen(point(name), wanted));
        assert_eq!(chosen, [false, false, true]);
    }
}
