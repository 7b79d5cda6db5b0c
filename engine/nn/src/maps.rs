//! What goes between layers over several boards at once: of each point the numbers of all channels side by side.

use crate::aligned::AlignedVec;
use crate::board::BoardSize;

/// Channels are whole vectors of the widest kind; those beyond a layer's are 0.
pub(crate) const CHANNEL_BLOCK: usize = 16;

/// The channels of a layer, up to whole vectors.
pub(crate) const fn padded(channels: usize) -> usize {
    channels.next_multiple_of(CHANNEL_BLOCK)
}

/// Numbers of all channels of each point, for a batch of boards of one size.
///
/// About each board lies a border of zeros, one point wide, that is never written to: a row's right border is the next
/// row's left.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    size: BoardSize,
    batch: usize,
    room: usize,
    channels: usize,
    numbers: AlignedVec<f32>,
    /// The largest size of a number on each board, in as many parts as a vector has lanes; kept by what writes
    /// activations.
    peaks: AlignedVec<f32>,
}

impl Maps {
    /// Zeros for so many boards and channels.
    pub fn new(size: BoardSize, batch: usize, channels: usize) -> Maps {
        let channels = padded(channels);
        let room = batch;
        let numbers = AlignedVec::zeros(batch * Maps::stride_of(size, channels));
        let peaks = AlignedVec::zeros(batch * CHANNEL_BLOCK);
        Maps { size, batch, room, channels, numbers, peaks }
    }

    /// The boards' size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// How many boards there are.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Says how many boards there are from now on.
    ///
    /// # Panics
    /// When there is no room for so many.
    pub fn set_batch(&mut self, batch: usize) {
        assert!(batch <= self.room);
        self.batch = batch;
    }

    /// Channels, up to whole vectors.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// From one point to that below it.
    pub(crate) fn row_stride(&self) -> usize {
        (self.size.width + 1) * self.channels
    }

    /// From one board to the next.
    pub(crate) fn position_stride(&self) -> usize {
        Maps::stride_of(self.size, self.channels)
    }

    /// From one board to the next in maps of so many channels.
    pub(crate) fn stride_of(size: BoardSize, channels: usize) -> usize {
        (size.height + 2) * (size.width + 1) * channels + channels
    }

    /// Where the numbers of a point begin; rows and columns may be -1, and as many as the board has, for the border.
    pub(crate) fn offset(&self, position: usize, row: isize, column: isize) -> usize {
        debug_assert!((-1..=self.size.height as isize).contains(&row));
        debug_assert!((-1..=self.size.width as isize).contains(&column));
        position * self.position_stride()
            + (row + 1) as usize * self.row_stride()
            + (column + 1) as usize * self.channels
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// All numbers, to be written. Borders have to stay 0.
    pub(crate) fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    /// Numbers and peaks, to be written together; peaks begin at 0.
    pub(crate) fn numbers_and_peaks(&mut self) -> (&mut [f32], &mut [f32]) {
        self.peaks.fill(0.0);
        (&mut self.numbers, &mut self.peaks)
    }

    /// The largest size of a number of a board, as far as it was written as an activation; 1 where all are 0.
    pub(crate) fn peak(&self, position: usize) -> f32 {
        let parts = &self.peaks[position * CHANNEL_BLOCK..(position + 1) * CHANNEL_BLOCK];
        let peak = parts.iter().copied().fold(0.0, f32::max);
        if peak > 0.0 { peak } else { 1.0 }
    }

    /// The numbers of a point.
    ///
    /// # Panics
    /// When there is no such board or point.
    pub fn point(&self, position: usize, row: usize, column: usize) -> &[f32] {
        assert!(row < self.size.height && column < self.size.width);
        let from = self.offset(position, row as isize, column as isize);
        &self.numbers[from..from + self.channels]
    }

    /// The numbers of a channel of a board, row by row.
    ///
    /// # Panics
    /// When there is no such board or channel.
    pub fn channel(&self, position: usize, channel: usize) -> impl Iterator<Item = f32> {
        assert!(position < self.batch && channel < self.channels);
        (0..self.size.height).flat_map(move |row| {
            let line = &self.numbers[self.offset(position, row as isize, 0)..];
            line.iter().skip(channel).step_by(self.channels).take(self.size.width).copied()
        })
    }

    /// The numbers of a point, to be written.
    ///
    /// # Panics
    /// When there is no such board or point.
    pub fn point_mut(&mut self, position: usize, row: usize, column: usize) -> &mut [f32] {
        assert!(row < self.size.height && column < self.size.width);
        let from = self.offset(position, row as isize, column as isize);
        &mut self.numbers[from..from + self.channels]
    }
}
