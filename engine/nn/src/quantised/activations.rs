//! What goes between quantised layers.

use super::{GROUP, LEVELS};
use crate::board::BoardSize;

/// A board of levels: for every square one of 127 for each channel.
///
/// Boards lie square by square, the channels of a square side by side, with a border of zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activations {
    size: BoardSize,
    channels: usize,
    bytes: Vec<u8>,
}

/// Squares whose levels add up in 16 bits.
const ADDED: usize = u16::MAX as usize / LEVELS as usize;

impl Activations {
    /// Makes it an empty board of so many channels, which are rounded up to whole groups.
    pub fn clear(&mut self, size: BoardSize, channels: usize) {
        self.size = size;
        self.channels = channels.next_multiple_of(GROUP);
        self.bytes.clear();
        self.bytes.resize((size.width + 2) * (size.height + 2) * self.channels, 0);
    }

    /// Makes it a board of so many channels whose squares hold anything and whose border is empty.
    pub(super) fn prepare(&mut self, size: BoardSize, channels: usize) {
        if (self.size, self.channels) != (size, channels) || self.bytes.is_empty() {
            self.clear(size, channels);
        }
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Channels of a square, a multiple of four.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// All levels, with those of the border.
    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the channels of a square begin. Rows and columns are counted from the border, so that the board begins at 1.
    #[inline(always)]
    pub(super) fn offset(&self, row: usize, column: usize) -> usize {
        (row * (self.size.width + 2) + column) * self.channels
    }

    /// The levels of a square.
    ///
    /// # Panics
    /// When there is no such square.
    #[inline]
    pub fn square(&self, row: usize, column: usize) -> &[u8] {
        let at = self.offset(row + 1, column + 1);
        &self.bytes[at..at + self.channels]
    }

    /// The levels of a square, to be set; none is above 127.
    ///
    /// # Panics
    /// When there is no such square.
    #[inline(always)]
    pub fn square_mut(&mut self, row: usize, column: usize) -> &mut [u8] {
        let at = self.offset(row + 1, column + 1);
        &mut self.bytes[at..at + self.channels]
    }

    /// The sum of the levels of each channel over all squares.
    pub fn sums(&self, out: &mut Vec<u32>) {
        out.clear();
        out.resize(self.channels, 0);
        let mut part = vec![0u16; self.channels];
        let mut added = 0;
        let mut flush = |part: &mut [u16]| {
            for (sum, part) in out.iter_mut().zip(part) {
                *sum += u32::from(std::mem::take(part));
            }
        };
        for row in 0..self.size.height {
            for column in 0..self.size.width {
                if added == ADDED {
                    flush(&mut part);
                    added = 0;
                }
                added += 1;
                for (sum, &level) in part.iter_mut().zip(self.square(row, column)) {
                    *sum += u16::from(level);
                }
            }
        }
        flush(&mut part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_hold_the_largest_board() {
        let mut board = Activations::default();
        board.clear(BoardSize { width: 40, height: 30 }, 3);
        assert_eq!(board.channels(), 4);
        for (row, column) in (0..30).flat_map(|row| (0..40).map(move |column| (row, column))) {
            board.square_mut(row, column).copy_from_slice(&[127, 1, 0, 0]);
        }
        let mut sums = vec![7];
        board.sums(&mut sums);
        assert_eq!(sums, [1200 * 127, 1200, 0, 0]);
    }
}
