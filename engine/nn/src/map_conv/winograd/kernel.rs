//! What the transforms of all levels share.

use super::tiles::Tiles;
use super::transform::{POINTS, from_points, to_points};
use crate::finish::{Place, RawFinish};
use crate::gemm::Numbers;
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
    /// Whole numbers go no farther from 0.
    pub(super) limit: f32,
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
    pub(super) first_channel: usize,
    pub(super) finish: &'a RawFinish<'a>,
}

/// Calls a kernel that is compiled for each form of tile.
macro_rules! by_form {
    ($rows:expr, $columns:expr => $kernel:ident :: <$v:ident, $whole:ident> $arguments:tt) => {
        match ($rows, $columns) {
            (2, 2) => $kernel::<$v, 4, 4, $whole> $arguments,
            (2, 3) => $kernel::<$v, 4, 5, $whole> $arguments,
            (2, _) => $kernel::<$v, 4, 6, $whole> $arguments,
            (3, 2) => $kernel::<$v, 5, 4, $whole> $arguments,
            (3, 3) => $kernel::<$v, 5, 5, $whole> $arguments,
            (3, _) => $kernel::<$v, 5, 6, $whole> $arguments,
            (_, 2) => $kernel::<$v, 6, 4, $whole> $arguments,
            (_, 3) => $kernel::<$v, 6, 5, $whole> $arguments,
            _ => $kernel::<$v, 6, 6, $whole> $arguments,
        }
    };
}

/// Calls a function for each tile of each board, with its board, its place among the tiles, and whether it is whole.
#[inline(always)]
fn for_each_tile(chunk: Chunk<'_>, mut then: impl FnMut(usize, (usize, usize))) {
    for position in 0..chunk.count {
        for row in 0..chunk.tiles.rows.len() {
            for column in 0..chunk.tiles.columns.len() {
                then(position, (row, column));
            }
        }
    }
}

/// Computes the values at the points.
///
/// # Safety
/// The callers have the level, and there is room for all values.
#[inline(always)]
pub(super) unsafe fn input<V: Vector>(job: &mut InputJob<'_>) {
    let whole = job.numbers == Numbers::Int16;
    // SAFETY: the caller's word.
    for_each_tile(job.chunk, |position, tile| unsafe {
        if whole {
            input_form::<V, true>(job, position, tile);
        } else {
            input_form::<V, false>(job, position, tile);
        }
    });
}

#[inline(always)]
unsafe fn input_form<V: Vector, const WHOLE: bool>(
    job: &mut InputJob<'_>,
    position: usize,
    tile: (usize, usize),
) {
    let tiles = job.chunk.tiles;
    // SAFETY: as in `input`.
    unsafe {
        by_form!(tiles.rows[tile.0].length, tiles.columns[tile.1].length =>
            input_tile::<V, WHOLE>(job, position, tile));
    }
}

#[inline(always)]
unsafe fn input_tile<V: Vector, const R: usize, const C: usize, const WHOLE: bool>(
    job: &mut InputJob<'_>,
    position: usize,
    tile: (usize, usize),
) {
    let Chunk { tiles, first, regions, .. } = job.chunk;
    let maps = job.maps;
    let (row_stride, channels) = (maps.row_stride(), maps.channels());
    let (row, column) = (tiles.rows[tile.0].start as isize, tiles.columns[tile.1].start as isize);
    let from = maps.offset(first + position, row - 1, column - 1);
    let factors = &job.factors[R - 4][C - 4];
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
        let constant = |number| V::splat(number);
        let limit = V::splat(job.limit);
        let from = maps.numbers().as_ptr().add(from);
        let values = job.values.as_mut_ptr();
        for channel in (0..channels).step_by(V::LANES) {
            let from = from.add(channel);
            let mut half = [[V::splat(0.0); C]; R];
            for j in 0..C {
                let read: [V; R] =
                    std::array::from_fn(|i| V::load(from.add(i * row_stride + j * channels)));
                let found = to_points(read, &constant);
                for i in 0..R {
                    half[i][j] = found[i];
                }
            }
            for i in 0..R {
                let found = to_points(half[i], &constant);
                for j in 0..C {
                    let value = found[j];
                    let to = values.add(to[i][j]);
                    if WHOLE {
                        let value = (value * V::splat(factors[i][j])).clamp_to(limit);
                        value.store_i16(to.cast::<i16>().add(channel));
                    } else if R == POINTS && C == POINTS {
                        value.store(to.cast::<f32>().add(channel));
                    } else {
                        (value * V::splat(factors[i][j])).store(to.cast::<f32>().add(channel));
                    }
                }
            }
        }
    }
}

/// Computes the outputs from the products at the points, and finishes them.
///
/// # Safety
/// The callers have the level, and there are sums for all tiles.
#[inline(always)]
pub(super) unsafe fn output<V: Vector>(job: &OutputJob<'_>) {
    let whole = job.numbers == Numbers::Int16;
    // SAFETY: the caller's word.
    for_each_tile(job.chunk, |position, tile| unsafe {
        if whole {
            output_form::<V, true>(job, position, tile);
        } else {
            output_form::<V, false>(job, position, tile);
        }
    });
}

#[inline(always)]
unsafe fn output_form<V: Vector, const WHOLE: bool>(
    job: &OutputJob<'_>,
    position: usize,
    tile: (usize, usize),
) {
    let tiles = job.chunk.tiles;
    // SAFETY: as in `output`.
    unsafe {
        by_form!(tiles.rows[tile.0].length, tiles.columns[tile.1].length =>
            output_tile::<V, WHOLE>(job, position, tile));
    }
}

#[inline(always)]
unsafe fn output_tile<V: Vector, const R: usize, const C: usize, const WHOLE: bool>(
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
    let mut values = [0.0f32; 4 * 4 * 16];
    // SAFETY: the caller's word.
    unsafe {
        let constant = |number| V::splat(number);
        let sums = job.sums.as_ptr();
        for channel in (0..width).step_by(V::LANES) {
            let mut half = [[V::splat(0.0); 4]; R];
            for i in 0..R {
                let read: [V; C] = std::array::from_fn(|j| {
                    let sum = sums.add(from[i][j] + channel);
                    if WHOLE {
                        let scale = job.scales.as_ptr().add((i * POINTS + j) * width + channel);
                        V::load_whole(sum.cast()) * V::load(scale)
                    } else {
                        V::load(sum.cast())
                    }
                });
                half[i] = from_points(read, &constant);
            }
            for j in 0..C - 2 {
                let read: [V; R] = std::array::from_fn(|i| half[i][j]);
                let found = from_points(read, &constant);
                for i in 0..R - 2 {
                    found[i].store(values.as_mut_ptr().add((i * 4 + j) * V::LANES));
                }
            }
            let at = Place {
                position: first + position,
                row: tiles.rows[tile.0].start,
                column: tiles.columns[tile.1].start,
                channel: job.first_channel + channel,
            };
            let strides = (4 * V::LANES, V::LANES);
            job.finish.apply::<V>(at, (R - 2, C - 2), values.as_ptr(), strides);
        }
    }
}
