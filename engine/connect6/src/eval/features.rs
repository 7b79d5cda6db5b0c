//! What the learned evaluation sees: for each line and colour, how full the free windows are.

use crate::Color;
use crate::board::Board;
use crate::geometry::LINES;

/// How many classes a line can have for one colour.
pub const CLASSES: usize = 4 * 8 * 8 * 8;

/// The class of a line for a colour: how many of its free windows hold k - p stones or more (up to 3), and
/// how many are one, two and three stones short of that (up to 7 each). Class 0 is a line with none.
#[inline]
pub fn class(levels: &[u32; 4]) -> usize {
    let n = |level: usize, max: u32| levels[level].count_ones().min(max) as usize;
    n(0, 3) << 9 | n(1, 7) << 6 | n(2, 7) << 3 | n(3, 7)
}

/// The inputs of a position: the classes that are not 0, the side to move first, then the other side.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Classes of the side to move.
    pub own: Vec<u16>,
    /// Classes of the other side.
    pub other: Vec<u16>,
}

impl Inputs {
    /// The inputs of a position with `side` to move.
    pub fn of(board: &Board, side: Color) -> Inputs {
        let of = |color| {
            (0..LINES)
                .filter_map(|line| {
                    Some(class(&board.levels(color, line)) as u16).filter(|&c| c != 0)
                })
                .collect()
        };
        Inputs { own: of(side), other: of(!side) }
    }
}
