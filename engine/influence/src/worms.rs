//! Worms and cavities: the position as connected sets of points.

use go_engine::game::AnyBoard;
use go_engine::{Color, Point};

/// A string: a maximal set of connected stones of one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worm {
    /// Whose.
    pub color: Color,
    /// Its stones, sorted; see [`Worm::origin`].
    pub stones: Vec<Point>,
    /// The empty points beside it, sorted.
    pub liberties: Vec<Point>,
}

impl Worm {
    /// The point that names it: its first stone, row by row from A1.
    pub fn origin(&self) -> Point {
        self.stones[0]
    }

    /// How many stones.
    pub fn size(&self) -> usize {
        self.stones.len()
    }
}

/// A maximal set of connected empty points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cavity {
    /// Its points, sorted; the first names it.
    pub points: Vec<Point>,
    /// The worms about it, by their numbers in [`Worms::worms`], sorted.
    pub beside: Vec<usize>,
}

/// All worms and cavities of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worms {
    /// The worms by their origins.
    pub worms: Vec<Worm>,
    /// The cavities by their first points.
    pub cavities: Vec<Cavity>,
    width: u8,
    /// Row by row from A1: the worm there.
    at: Vec<Option<u16>>,
}

impl Worms {
    /// The worms and cavities of a board.
    ///
    /// ```
    /// use go_engine::{Color, Game, Move};
    /// use go_influence::Worms;
    /// let mut game = Game::new(5, 5).unwrap();
    /// for name in ["C1", "C2", "C3", "C4", "C5"] {
    ///     game.play(Color::Black, Move::Play(name.parse()?))?;
    /// }
    /// let found = Worms::of(game.board());
    /// assert_eq!((found.worms.len(), found.worms[0].size()), (1, 5));
    /// assert_eq!(found.worms[0].liberties.len(), 10);
    /// assert_eq!(found.cavities.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(board: &AnyBoard) -> Worms {
        let width = board.width();
        let index = |p: Point| usize::from(p.row()) * usize::from(width) + usize::from(p.col());
        let mut found =
            Worms { worms: Vec::new(), cavities: Vec::new(), width, at: vec![None; board.area()] };
        let mut seen = vec![false; board.area()];
        for first in board.points() {
            if seen[index(first)] {
                continue;
            }
            seen[index(first)] = true;
            let stone = board.stone(first);
            let mut points = vec![first];
            let mut edge = Vec::new();
            let mut next = 0;
            while let Some(&point) = points.get(next) {
                next += 1;
                for beside in board.neighbours(point) {
                    if board.stone(beside) != stone {
                        edge.push(beside);
                    } else if !seen[index(beside)] {
                        seen[index(beside)] = true;
                        points.push(beside);
                    }
                }
            }
            points.sort_unstable();
            edge.sort_unstable();
            edge.dedup();
            match stone {
                Some(color) => {
                    edge.retain(|&point| board.is_empty(point));
                    for &point in &points {
                        found.at[index(point)] = Some(found.worms.len() as u16);
                    }
                    found.worms.push(Worm { color, stones: points, liberties: edge });
                }
                // Which worms lie beside is known once all are.
                None => found.cavities.push(Cavity { points, beside: Vec::new() }),
            }
        }
        for number in 0..found.cavities.len() {
            let beside = found.cavities[number].points.iter().flat_map(|&p| board.neighbours(p));
            let mut beside: Vec<usize> = beside.filter_map(|p| found.worm(p)).collect();
            beside.sort_unstable();
            beside.dedup();
            found.cavities[number].beside = beside;
        }
        found
    }

    /// The number of the worm on a point, if there is a stone.
    pub fn worm(&self, point: Point) -> Option<usize> {
        let index = usize::from(point.row()) * usize::from(self.width) + usize::from(point.col());
        self.at.get(index).copied().flatten().map(usize::from)
    }
}
