//! What the kernels of all levels share.

use crate::aligned::AlignedArray;
use crate::board::BoardSize;
use crate::finish::{Place, RawFinish, Rectangle};
use crate::maps::Maps;
use simd::vector::Vector;

/// Vectors of channels whose sums stay in registers.
const TOGETHER: usize = 6;
/// The largest side of a board.
const MAX_SIDE: usize = 32;

/// One board.
pub(super) struct Job<'a> {
    pub(super) size: BoardSize,
    pub(super) kernel: (usize, usize),
    pub(super) channels: usize,
    pub(super) of_point: &'a [u16],
    pub(super) rows: &'a [f32],
    pub(super) always: &'a Maps,
    pub(super) position: usize,
    pub(super) finish: &'a RawFinish<'a>,
}

/// Weights by place, plane and channel; planes; channels; and kinds of points.
pub(super) type Weights<'a> = (&'a [f32], usize, usize, &'a [u32]);

/// Adds up the weights of each kind's planes.
///
/// # Safety
/// The callers have the level, and there is room for all rows.
#[inline(always)]
pub(super) unsafe fn add_up<V: Vector>(
    (weights, planes, channels, kinds): Weights<'_>,
    rows: &mut [f32],
) {
    let places = weights.len() / (planes * channels);
    assert!(rows.len() >= kinds.len() * places * channels);
    for (kind, &bits) in kinds.iter().enumerate() {
        debug_assert!(bits >> (planes - 1) <= 1);
        for place in 0..places {
            let to = (kind * places + place) * channels;
            for channel in (0..channels).step_by(V::LANES) {
                // SAFETY: planes and places are those of the weights; there is room, as was checked.
                unsafe {
                    let mut sum = V::splat(0.0);
                    let mut left = bits;
                    while left != 0 {
                        let plane = left.trailing_zeros() as usize;
                        left &= left - 1;
                        let from = (place * planes + plane) * channels + channel;
                        sum = sum + V::load_aligned(weights.as_ptr().add(from));
                    }
                    sum.store_aligned(rows.as_mut_ptr().add(to + channel));
                }
            }
        }
    }
}

/// Computes a board.
///
/// # Safety
/// The callers have the level, and there are rows for all kinds of points.
#[inline(always)]
pub(super) unsafe fn forward<V: Vector>(job: &Job<'_>) {
    assert!(job.size.width <= MAX_SIDE, "boards have up to {MAX_SIDE} columns");
    for first in (0..job.channels).step_by(TOGETHER * V::LANES) {
        // SAFETY: the caller's word.
        unsafe {
            match ((job.channels - first) / V::LANES).min(TOGETHER) {
                1 => block::<V, 1>(job, first),
                2 => block::<V, 2>(job, first),
                3 => block::<V, 3>(job, first),
                4 => block::<V, 4>(job, first),
                5 => block::<V, 5>(job, first),
                _ => block::<V, TOGETHER>(job, first),
            }
        }
    }
}

/// The sums of `N` vectors of channels, from the one of this number on, at all points.
///
/// # Safety
/// As for [`forward`]; the channels are there.
#[inline(always)]
unsafe fn block<V: Vector, const N: usize>(job: &Job<'_>, first: usize) {
    let BoardSize { width, height } = job.size;
    let (rows, columns) = job.kernel;
    let places = rows * columns;
    let mut line = AlignedArray([0.0f32; MAX_SIDE * TOGETHER * 16]);
    for y in 0..height {
        let top = (rows / 2).saturating_sub(y)..rows.min(height + rows / 2 - y);
        for x in 0..width {
            let left = (columns / 2).saturating_sub(x)..columns.min(width + columns / 2 - x);
            // SAFETY: points and rows are there, see `forward`.
            unsafe {
                let always = job.always.offset(0, y as isize, x as isize) + first;
                let always = job.always.numbers().as_ptr().add(always);
                let mut sums = [V::splat(0.0); N];
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = V::load_aligned(always.add(i * V::LANES));
                }
                for dy in top.clone() {
                    for dx in left.clone() {
                        let point = (y + dy - rows / 2) * width + (x + dx - columns / 2);
                        let kind = usize::from(*job.of_point.get_unchecked(point));
                        if kind == 0 {
                            continue;
                        }
                        let row = ((kind - 1) * places + dy * columns + dx) * job.channels + first;
                        let row = job.rows.as_ptr().add(row);
                        for (i, sum) in sums.iter_mut().enumerate() {
                            *sum = *sum + V::load_aligned(row.add(i * V::LANES));
                        }
                    }
                }
                for (i, sum) in sums.into_iter().enumerate() {
                    sum.store_aligned(line.0.as_mut_ptr().add((x * N + i) * V::LANES));
                }
            }
        }
        for i in 0..N {
            let channel = first + i * V::LANES;
            let place = Place { position: job.position, row: y, column: 0, channel };
            // SAFETY: the line has a value for each column.
            unsafe {
                let values = line.0.as_ptr().add(i * V::LANES);
                let (rows, columns, strides) = (1, width, (0, N * V::LANES));
                let part = Rectangle { place, rows, columns, values, strides, scale: 1.0 };
                job.finish.apply(&part);
            }
        }
    }
}
