//! The stones of a position in small padded arrays: what every model reads.

use go_engine::board::Board;
use go_engine::game::AnyBoard;
use go_engine::{Color, Point, with_board};

/// Cells of a padded array: 27 rows of up to 26 cells for boards up to 25x25, and one to spare.
pub const SIZE: usize = 27 * 26 + 2;

/// The stones of a position.
///
/// Rows follow one another with one column of border between them, as on [`Board`]; the cells
/// beyond the board are empty for ever, so that a neighbour is looked up and not tested for.
#[derive(Clone)]
pub struct Stones {
    width: u8,
    height: u8,
    stride: usize,
    /// 1 Black, -1 White, 0 empty or border.
    pub(super) cells: [i16; SIZE],
    /// 1 on the board, 0 on the border.
    pub(super) inside: [i16; SIZE],
    /// The cell that names the chain which the stone belongs to; 0 where there is none.
    pub(super) chain: [u16; SIZE],
    /// Liberties of that chain, 255 for more; 0 where there is no stone.
    pub(super) liberties: [u8; SIZE],
}

impl Stones {
    /// The stones of a board.
    pub fn of<const N: usize, const W: usize>(board: &Board<N, W>) -> Stones {
        let (width, height) = (board.width(), board.height());
        let stride = usize::from(width) + 1;
        let mut stones = Stones {
            width,
            height,
            stride,
            cells: [0; SIZE],
            inside: [0; SIZE],
            chain: [0; SIZE],
            liberties: [0; SIZE],
        };
        // Where a site of the board lies in the arrays.
        let cell = |site: go_engine::Site| {
            let point = board.point(site);
            (usize::from(point.row()) + 1) * stride + usize::from(point.col()) + 1
        };
        for site in board.sites() {
            let at = cell(site);
            stones.inside[at] = 1;
            let Some(color) = board.color(site) else { continue };
            stones.cells[at] = sign(color);
            stones.chain[at] = cell(board.chain(site)) as u16;
            stones.liberties[at] = board.liberties(site).min(255) as u8;
        }
        stones
    }

    /// The stones of a board of any size.
    ///
    /// ```
    /// use go_engine::{Color, Game, Move};
    /// use go_influence::Stones;
    /// let mut game = Game::new(9, 9).unwrap();
    /// game.play(Color::White, Move::Play("E5".parse()?))?;
    /// let stones = Stones::of_game(game.board());
    /// assert_eq!(stones.at("E5".parse()?), Some(Color::White));
    /// assert_eq!(stones.at("E6".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_game(board: &AnyBoard) -> Stones {
        with_board!(board, board => Stones::of(board))
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Cells from a row to the next.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The cells from the board's first row to its last, borders between them included.
    pub(super) fn span(&self) -> std::ops::Range<usize> {
        self.stride..(usize::from(self.height) + 1) * self.stride + 1
    }

    /// The cell of a point.
    pub(super) fn cell(&self, point: Point) -> usize {
        (usize::from(point.row()) + 1) * self.stride + usize::from(point.col()) + 1
    }

    /// All points, row by row from A1, with their cells.
    pub(super) fn points(&self) -> impl Iterator<Item = (Point, usize)> + use<> {
        let (width, height, stride) = (self.width, self.height, self.stride);
        (0..height).flat_map(move |row| {
            (0..width).map(move |col| {
                (Point::new(col, row), (usize::from(row) + 1) * stride + usize::from(col) + 1)
            })
        })
    }

    /// The cells with a stone, each with 1 for Black and -1 for White, and the column and row.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, i32, usize, usize)> + '_ {
        let (width, stride) = (usize::from(self.width), self.stride);
        (0..usize::from(self.height)).flat_map(move |row| {
            let start = (row + 1) * stride + 1;
            self.cells[start..start + width]
                .iter()
                .enumerate()
                .filter(|(_, stone)| **stone != 0)
                .map(move |(col, &stone)| (start + col, i32::from(stone), col, row))
        })
    }

    /// The stone on a point of the board.
    pub fn at(&self, point: Point) -> Option<Color> {
        color(self.cells[self.cell(point)].into())
    }

    /// The line that a point stands on, 1 at the edge.
    pub(super) fn line(&self, col: usize, row: usize) -> usize {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        col.min(row).min(width - 1 - col).min(height - 1 - row) + 1
    }
}

/// 1 for Black, -1 for White.
pub(super) fn sign(color: Color) -> i16 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// Whose a signed value is.
pub(super) fn color(value: i32) -> Option<Color> {
    match value {
        1.. => Some(Color::Black),
        0 => None,
        _ => Some(Color::White),
    }
}
