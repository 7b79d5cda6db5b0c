//! What the transforms of all levels share.

use super::tiles::Tiles;
use super::transform::{POINTS, from_points, to_points};
use crate::aligned::AlignedArray;
use crate::finish::{Place, RawFinish, Rectangle};
use crate::gemm::Numbers;
use crate::map_conv::quantise::INPUT_LIMIT;
use crate::maps::Maps;
use simd::vector::Vector;

/// A number for each point.
pub(super) type AtPoints<T> = [[T; POINTS]; POINTS];

/// What inputs are multiplied with at each point, for each form of tile: by rows and columns, of 2 to 4.
pub(super) type TileFactors = [[AtPoints<f32>; 3]; 3];

/// Some boards of a batch, and where the values of their tiles lie.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) tiles: &'a Tiles,
    pub(super) first: usize,
    pub(super) count: usize,
    /// Where the rows of each point begin, in rows.
    pub(super) regions: &'a AtPoints<usize>,
}

/// From maps to values at points.
pub(super) struct InputJob<'a> {
    pub(super) chunk: Chunk<'a>,
    pub(super) maps: &'a Maps,
    pub(super) numbers: Numbers,
    pub(super) factors: &'a TileFactors,
    /// Rows of so many steps.
    pub(super) steps: usize,
    pub(super) values: &'a mut [u32],
}

/// From products at points to maps.
pub(super) struct OutputJob<'a> {
    pub(super) chunk: Chunk<'a>,
    pub(super) numbers: Numbers,
    pub(super) sums: &'a [u32],
    /// Numbers in a row of sums.
    pub(super) width: usize,
    /// What whole sums are multiplied with: for each point as many as a row has.
    pub(super) scales: &'a [f32],
    /// What went in, whose peaks whole sums are told in.
    pub(super) maps: &'a Maps,
    pub(super) first_channel: usize,
    pub(super) finish: &'a RawFinish<'a>,
}

/// Computes the values of a tile at the points.
///
/// # Safety
/// The callers have the level, and there is room for all values.
#[inline(always)]
pub(super) unsafe fn input_tile<V: Vector, const R: usize, const C: usize, const WHOLE: bool>(
    job: &mut InputJob<'_>,
    position: usize,
    tile: (usize, usize),
) {
    let Chunk { tiles, first, regions, .. } = job.chunk;
    let maps = job.maps;
    let (row_stride, channels) = (maps.row_stride(), maps.channels());
    let (row, column) = (tiles.rows[tile.0].start as isize, tiles.columns[tile.1].start as isize);
    let from = maps.offset(first + position, row - 1, column - 1);
    let mut factors = job.factors[R - 4][C - 4];
    if WHOLE {
        // Each board fills the numbers as far as it can.
        let by = 1.0 / maps.peak(first + position);
        factors.iter_mut().flatten().for_each(|factor| *factor *= by);
    }
    let mut to = [[0; C]; R];
    for (i, to) in to.iter_mut().enumerate() {
        for (j, to) in to.iter_mut().enumerate() {
            *to = (regions[i][j] + tiles.index(position, tile, (i, j))) * job.steps;
        }
    }
    debug_assert!(from + (R - 1) * row_stride + C * channels <= maps.numbers().len());
    debug_assert!(to.iter().flatten().all(|to| to + job.steps <= job.values.len()));
    // SAFETY: what a tile reads lies on the board or its border; the rest is the caller's word.
    unsafe {
        let zero = V::splat(0.0);
        let limit = V::splat(INPUT_LIMIT);
        let from = maps.numbers().as_ptr().add(from);
        let values = job.values.as_mut_ptr();
        for channel in (0..channels).step_by(V::LANES) {
            let from = from.add(channel);
            let mut half = [[zero; R]; C];
            for (j, column) in half.iter_mut().enumerate() {
                let mut read = [zero; R];
                for (i, read) in read.iter_mut().enumerate() {
                    *read = V::load_aligned(from.add(i * row_stride + j * channels));
                }
                *column = to_points(read);
            }
            for (i, (to, factors)) in to.iter().zip(&factors).enumerate() {
                let mut row = [zero; C];
                for (value, column) in row.iter_mut().zip(&half) {
                    *value = column[i];
                }
                let each = to_points(row).into_iter().zip(to).zip(factors);
                for ((value, &to), &factor) in each {
                    let to = values.add(to);
                    if WHOLE {
                        let value = (value * V::splat(factor)).clamp_to(limit);
                        value.store_i16(to.cast::<i16>().add(channel));
                    } else if R == POINTS && C == POINTS {
                        value.store_aligned(to.cast::<f32>().add(channel));
                    } else {
                        (value * V::splat(factor)).store_aligned(to.cast::<f32>().add(channel));
                    }
                }
            }
        }
    }
}

/// Computes the outputs of a tile from the products at the points, and finishes them.
///
/// # Safety
/// The callers have the level, and there are sums for all tiles.
#[inline(always)]
pub(super) unsafe fn output_tile<V: Vector, const R: usize, const C: usize, const WHOLE: bool>(
    job: &OutputJob<'_>,
    position: usize,
    tile: (usize, usize),
) {
    let Chunk { tiles, first, regions, .. } = job.chunk;
    let width = job.width;
    let mut from = [[0; C]; R];
    for (i, from) in from.iter_mut().enumerate() {
        for (j, from) in from.iter_mut().enumerate() {
            *from = (regions[i][j] + tiles.index(position, tile, (i, j))) * width;
        }
    }
    debug_assert!(from.iter().flatten().all(|from| from + width <= job.sums.len()));
    debug_assert!(!WHOLE || job.scales.len() >= POINTS * POINTS * width);
    let scale = if WHOLE { job.maps.peak(first + position) } else { 1.0 };
    let mut values = AlignedArray([0.0f32; 4 * 4 * 16]);
    // SAFETY: the caller's word.
    unsafe {
        let zero = V::splat(0.0);
        let sums = job.sums.as_ptr();
        for channel in (0..width).step_by(V::LANES) {
            let mut half = [[zero; 4]; R];
            for (i, row) in half.iter_mut().enumerate() {
                let mut read = [zero; C];
                for (j, read) in read.iter_mut().enumerate() {
                    let sum = sums.add(from[i][j] + channel);
                    *read = if WHOLE {
                        let scale = job.scales.as_ptr().add((i * POINTS + j) * width + channel);
                        V::load_whole(sum.cast()) * V::load_aligned(scale)
                    } else {
                        V::load_aligned(sum.cast())
                    };
                }
                *row = from_points(read);
            }
            for j in 0..C - 2 {
                let mut column = [zero; R];
                for (value, row) in column.iter_mut().zip(&half) {
                    *value = row[j];
                }
                for (i, value) in from_points(column).into_iter().take(R - 2).enumerate() {
                    value.store_aligned(values.0.as_mut_ptr().add((i * 4 + j) * V::LANES));
                }
            }
            let place = Place {
                position: first + position,
                row: tiles.rows[tile.0].start,
                column: tiles.columns[tile.1].start,
                channel: job.first_channel + channel,
            };
            let strides = (4 * V::LANES, V::LANES);
            let (rows, columns, values) = (R - 2, C - 2, values.0.as_ptr());
            let part = Rectangle { place, rows, columns, values, strides, scale };
            job.finish.apply(&part);
        }
    }
}

/// The kernels of a level, one for each form of tile, each compiled for the level by itself.
macro_rules! kernels {
    ($(#[$features:meta])? $v:ty) => {
        use super::kernel::{self, InputJob, OutputJob};
        use crate::gemm::Numbers;

        /// Computes the values at the points; the job's lengths have been checked.
        $(#[$features])?
        pub(super) fn input(job: &mut InputJob<'_>) {
            let whole = job.numbers == Numbers::Int16;
            kernel::for_each_tile!(job, whole => input_tile);
        }

        /// Computes the outputs; the job's lengths have been checked.
        $(#[$features])?
        pub(super) fn output(job: &OutputJob<'_>) {
            let whole = job.numbers == Numbers::Int16;
            kernel::for_each_tile!(job, whole => output_tile);
        }

        $(#[$features])?
        unsafe fn input_tile<const R: usize, const C: usize, const WHOLE: bool>(
            job: &mut InputJob<'_>,
            position: usize,
            tile: (usize, usize),
        ) {
            // SAFETY: the lengths have been checked, and this is compiled for the level.
            unsafe { kernel::input_tile::<$v, R, C, WHOLE>(job, position, tile) }
        }

        $(#[$features])?
        unsafe fn output_tile<const R: usize, const C: usize, const WHOLE: bool>(
            job: &OutputJob<'_>,
            position: usize,
            tile: (usize, usize),
        ) {
            // SAFETY: the lengths have been checked, and this is compiled for the level.
            unsafe { kernel::output_tile::<$v, R, C, WHOLE>(job, position, tile) }
        }
    };
}

/// Calls the kernel for the form of each tile of each board.
macro_rules! for_each_tile {
    ($job:ident, $whole:ident => $kernel:ident) => {
        let tiles = $job.chunk.tiles;
        for position in 0..$job.chunk.count {
            for (row, rows) in tiles.rows.iter().enumerate() {
                for (column, columns) in tiles.columns.iter().enumerate() {
                    let tile = (row, column);
                    // SAFETY: the lengths have been checked, and the callers have the level.
                    unsafe {
                        match (rows.length, columns.length, $whole) {
                            (2, 2, false) => $kernel::<4, 4, false>($job, position, tile),
                            (2, 3, false) => $kernel::<4, 5, false>($job, position, tile),
                            (2, _, false) => $kernel::<4, 6, false>($job, position, tile),
                            (3, 2, false) => $kernel::<5, 4, false>($job, position, tile),
                            (3, 3, false) => $kernel::<5, 5, false>($job, position, tile),
                            (3, _, false) => $kernel::<5, 6, false>($job, position, tile),
                            (_, 2, false) => $kernel::<6, 4, false>($job, position, tile),
                            (_, 3, false) => $kernel::<6, 5, false>($job, position, tile),
                            (_, _, false) => $kernel::<6, 6, false>($job, position, tile),
                            (2, 2, true) => $kernel::<4, 4, true>($job, position, tile),
                            (2, 3, true) => $kernel::<4, 5, true>($job, position, tile),
                            (2, _, true) => $kernel::<4, 6, true>($job, position, tile),
                            (3, 2, true) => $kernel::<5, 4, true>($job, position, tile),
                            (3, 3, true) => $kernel::<5, 5, true>($job, position, tile),
                            (3, _, true) => $kernel::<5, 6, true>($job, position, tile),
                            (_, 2, true) => $kernel::<6, 4, true>($job, position, tile),
                            (_, 3, true) => $kernel::<6, 5, true>($job, position, tile),
                            (_, _, true) => $kernel::<6, 6, true>($job, position, tile),
                        }
                    }
                }
            }
        }
    };
}
pub(super) use {for_each_tile, kernels};
