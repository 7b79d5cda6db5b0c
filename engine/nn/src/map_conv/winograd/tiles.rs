//! How a board is parted into tiles, and where their values at the points lie.

use super::transform::POINTS;
use crate::board::BoardSize;

/// The most outputs of a tile in a row.
const MAX_TILE: usize = POINTS - 2;

/// A part of a row or column: where it begins and how many points it has, 2 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) length: usize,
}

/// A board parted into tiles, that cover it exactly.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    pub(super) rows: Vec<Span>,
    pub(super) columns: Vec<Span>,
    /// For each point, how many spans of rows and of columns reach it: the first so many, since the longest come first.
    row_counts: [usize; POINTS],
    column_counts: [usize; POINTS],
}

/// Parts a side into as few spans as can be, as even as can be, the longest first.
fn spans(side: usize) -> Vec<Span> {
    let count = side.div_ceil(MAX_TILE);
    let mut start = 0;
    (0..count)
        .map(|at| {
            let length = (side + count - 1 - at) / count;
            start += length;
            Span { start: start - length, length }
        })
        .collect()
}

impl Tiles {
    /// # Panics
    /// When a side is 1 or less: no tile is so short.
    pub(crate) fn new(size: BoardSize) -> Tiles {
        assert!(size.width.min(size.height) >= 2, "boards have two rows and columns or more");
        let (rows, columns) = (spans(size.height), spans(size.width));
        let counts = |spans: &[Span]| {
            std::array::from_fn(|point| spans.iter().filter(|s| s.length + 2 > point).count())
        };
        Tiles { row_counts: counts(&rows), column_counts: counts(&columns), rows, columns }
    }

    /// How many tiles have a value at the point of these numbers.
    pub(crate) fn at_point(&self, row: usize, column: usize) -> usize {
        self.row_counts[row] * self.column_counts[column]
    }

    /// Values at all points of one board.
    pub(crate) fn values(&self) -> usize {
        let pairs = (0..POINTS).flat_map(|row| (0..POINTS).map(move |column| (row, column)));
        pairs.map(|(row, column)| self.at_point(row, column)).sum()
    }

    /// Which of the values at a point is that of a tile, in a batch.
    #[inline(always)]
    pub(super) fn index(
        &self,
        position: usize,
        (row, column): (usize, usize),
        point: (usize, usize),
    ) -> usize {
        (position * self.row_counts[point.0] + row) * self.column_counts[point.1] + column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_every_board_exactly() {
        for side in 2..=25 {
            let spans = spans(side);
            assert!(spans.iter().all(|span| (2..=4).contains(&span.length)), "{side}");
            assert!(spans.is_sorted_by_key(|span| std::cmp::Reverse(span.length)));
            let mut next = 0;
            for span in spans {
                assert_eq!(span.start, next);
                next += span.length;
            }
            assert_eq!(next, side);
        }
    }

    #[test]
    fn products_are_as_few_as_promised() {
        let values = |side| Tiles::new(BoardSize::square(side)).values();
        assert_eq!([9, 13, 19].map(values), [15 * 15, 21 * 21, 29 * 29]);
        let tiles = Tiles::new(BoardSize { width: 13, height: 9 });
        assert_eq!((tiles.at_point(0, 0), tiles.at_point(4, 5), tiles.at_point(5, 5)), (12, 3, 0));
    }
}
