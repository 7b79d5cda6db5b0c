//! Boards, and the numbers that a layer in floats has for each of their squares.

/// Rows of numbers are whole vectors of so many.
const VECTOR: usize = 16;

/// How large a board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardSize {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl BoardSize {
    /// A square board.
    pub const fn square(side: usize) -> BoardSize {
        BoardSize { width: side, height: side }
    }

    /// How many squares it has.
    pub const fn area(self) -> usize {
        self.width * self.height
    }

    /// The same up to whole vectors.
    pub const fn padded_area(self) -> usize {
        self.area().next_multiple_of(VECTOR)
    }
}

/// A number for each channel and square, row by row: what goes between layers in floats.
///
/// Behind the squares of a channel there are a few more numbers, up to whole vectors, which mean nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planes {
    size: BoardSize,
    numbers: Vec<f32>,
}

impl Planes {
    /// Planes of zeros.
    pub fn new(size: BoardSize, channels: usize) -> Planes {
        Planes { size, numbers: vec![0.0; channels * size.padded_area()] }
    }

    /// Makes all numbers 0, of so many channels of a board.
    pub fn clear(&mut self, size: BoardSize, channels: usize) {
        self.size = size;
        self.numbers.clear();
        self.numbers.resize(channels * size.padded_area(), 0.0);
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The numbers of a channel.
    ///
    /// # Panics
    /// When there is no such channel.
    pub fn channel(&self, channel: usize) -> &[f32] {
        &self.numbers[channel * self.size.padded_area()..][..self.size.area()]
    }

    /// The numbers of a channel, to be set.
    ///
    /// # Panics
    /// When there is no such channel.
    pub fn channel_mut(&mut self, channel: usize) -> &mut [f32] {
        &mut self.numbers[channel * self.size.padded_area()..][..self.size.area()]
    }

    /// All channels, one after another.
    pub fn channels(&self) -> impl Iterator<Item = &[f32]> {
        let (padded, area) = (self.size.padded_area().max(1), self.size.area());
        self.numbers.chunks_exact(padded).map(move |row| &row[..area])
    }

    /// All numbers, with those behind each channel's squares.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }
}
