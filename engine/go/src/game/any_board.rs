//! A board of whichever layout fits its size, behind one type.

use std::fmt;

use crate::board::{Board9, Board13, Board19, Board25, Site};
use crate::{Color, Point};

/// A board of any size up to 25. For everything that happens once a move; playouts and searches
/// work on the layout itself.
#[derive(Clone)]
pub enum AnyBoard {
    /// Up to 9 points a side.
    Up9(Box<Board9>),
    /// Up to 13.
    Up13(Box<Board13>),
    /// Up to 19.
    Up19(Box<Board19>),
    /// Up to 25.
    Up25(Box<Board25>),
}

/// Does the same with the board of whichever layout an [`AnyBoard`] holds.
///
/// ```
/// use go_engine::{game::AnyBoard, with_board};
/// let board = AnyBoard::new(13, 13).unwrap();
/// assert_eq!(with_board!(&board, board => board.area()), 169);
/// ```
#[macro_export]
macro_rules! with_board {
    ($any:expr, $board:pat => $body:expr) => {
        match $any {
            $crate::game::AnyBoard::Up9($board) => $body,
            $crate::game::AnyBoard::Up13($board) => $body,
            $crate::game::AnyBoard::Up19($board) => $body,
            $crate::game::AnyBoard::Up25($board) => $body,
        }
    };
}

/// Calls a function, generic over the layout of boards, for the layout that a side needs.
///
/// ```
/// use go_engine::{Board, with_layout};
/// fn area<const N: usize, const W: usize>(side: u8) -> Option<usize> {
///     Some(Board::<N, W>::new(side, side)?.area())
/// }
/// assert_eq!(with_layout!(13, area(13)), Some(169));
/// ```
#[macro_export]
macro_rules! with_layout {
    ($side:expr, $call:ident ( $($argument:expr),* $(,)? )) => {
        match $side {
            0..=9 => $call::<128, 2>($($argument),*),
            10..=13 => $call::<256, 3>($($argument),*),
            14..=19 => $call::<512, 6>($($argument),*),
            _ => $call::<1024, 11>($($argument),*),
        }
    };
}

impl AnyBoard {
    /// An empty board; none when a side is 0 or above 25.
    pub fn new(width: u8, height: u8) -> Option<AnyBoard> {
        match width.max(height) {
            0..=9 => Board9::new(width, height).map(|b| AnyBoard::Up9(Box::new(b))),
            10..=13 => Board13::new(width, height).map(|b| AnyBoard::Up13(Box::new(b))),
            14..=19 => Board19::new(width, height).map(|b| AnyBoard::Up19(Box::new(b))),
            _ => Board25::new(width, height).map(|b| AnyBoard::Up25(Box::new(b))),
        }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        with_board!(self, board => board.width())
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        with_board!(self, board => board.height())
    }

    /// Number of points.
    pub fn area(&self) -> usize {
        usize::from(self.width()) * usize::from(self.height())
    }

    /// Whether the point lies on the board.
    pub fn contains(&self, point: Point) -> bool {
        point.col() < self.width() && point.row() < self.height()
    }

    /// All points, row by row from A1.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width(), self.height());
        (0..height).flat_map(move |row| (0..width).map(move |col| Point::new(col, row)))
    }

    /// The points beside this one, four at most.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width(), self.height());
        let (col, row) = (point.col(), point.row());
        let beside = [
            (Some(col), row.checked_add(1)),
            (col.checked_add(1), Some(row)),
            (Some(col), row.checked_sub(1)),
            (col.checked_sub(1), Some(row)),
        ];
        beside.into_iter().filter_map(move |(col, row)| match (col, row) {
            (Some(col), Some(row)) if col < width && row < height => Some(Point::new(col, row)),
            _ => None,
        })
    }

    /// The stone on a point; none outside the board.
    pub fn stone(&self, point: Point) -> Option<Color> {
        with_board!(self, board => board.color(board.site(point)?))
    }

    /// Whether the point lies on the board and has no stone.
    pub fn is_empty(&self, point: Point) -> bool {
        self.contains(point) && self.stone(point).is_none()
    }

    /// All stones, row by row from A1.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.points().filter_map(|point| Some((point, self.stone(point)?)))
    }

    /// The stones of the chain on a point, sorted; none where there is no stone.
    pub fn chain(&self, point: Point) -> Vec<Point> {
        if self.stone(point).is_none() {
            return Vec::new();
        }
        let mut stones: Vec<Point> = with_board!(self, board => {
            let site = board.site(point).unwrap_or(Site::PASS);
            board.chain_stones(site).map(|stone| board.point(stone)).collect()
        });
        stones.sort();
        stones
    }

    /// The empty points beside the chain on a point, sorted; none where there is no stone.
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        let stones = self.chain(point);
        let beside = stones.into_iter().flat_map(|stone| self.neighbours(stone));
        let mut liberties: Vec<Point> = beside.filter(|&at| self.is_empty(at)).collect();
        liberties.sort();
        liberties.dedup();
        liberties
    }

    /// Where a simple ko forbids to take back.
    pub fn ko(&self) -> Option<Point> {
        with_board!(self, board => {
            let site = board.ko();
            (!site.is_pass()).then(|| board.point(site))
        })
    }

    /// Whether a stone on this empty point would have no liberty.
    pub fn is_suicide(&self, point: Point, color: Color) -> bool {
        with_board!(self, board => board.site(point).is_some_and(|s| board.is_suicide(s, color)))
    }

    /// The key of the position: stones only.
    pub fn key(&self) -> u64 {
        with_board!(self, board => board.key())
    }

    /// The key of the position after a stone on this empty point.
    pub fn key_after(&self, point: Point, color: Color) -> u64 {
        with_board!(self, board => board.site(point).map_or(0, |s| board.key_after(s, color)))
    }

    /// Stones of a colour that were captured.
    pub fn captured(&self, color: Color) -> u32 {
        with_board!(self, board => board.captured(color))
    }

    /// Black's area less White's with every stone alive.
    pub fn area_score(&self) -> i32 {
        with_board!(self, board => board.area_score())
    }

    /// Puts a stone on an empty point and captures; does nothing where there is a stone or no
    /// board. Returns how many of the opponent's stones were captured.
    pub fn play(&mut self, point: Point, color: Color) -> u32 {
        if !self.is_empty(point) {
            return 0;
        }
        with_board!(self, board => board.site(point).map_or(0, |s| board.play(s, color)))
    }

    /// Passes.
    pub fn pass(&mut self) {
        with_board!(self, board => board.pass());
    }

    /// Forgets a ko.
    pub fn lift_ko(&mut self) {
        with_board!(self, board => board.lift_ko());
    }

    /// Checks what is kept move by move against the stones.
    ///
    /// # Errors
    /// What differs, in words.
    pub fn check_invariants(&self) -> Result<(), String> {
        with_board!(self, board => board.check_invariants())
    }
}

impl fmt::Display for AnyBoard {
    /// The board as text, `X` Black and `O` White, row 1 last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_board!(self, board => board.fmt(f))
    }
}

impl fmt::Debug for AnyBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
