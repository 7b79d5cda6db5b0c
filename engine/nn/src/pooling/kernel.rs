//! What the kernels of all levels share.

use super::{Pooled, Pooling};
use crate::finish::{Place, RawFinish, Rectangle};
use crate::maps::Maps;
use simd::vector::Vector;

/// Channels of one board, and where what is found goes.
pub(super) struct PoolJob<'a> {
    pub(super) maps: &'a Maps,
    pub(super) position: usize,
    pub(super) start: usize,
    pub(super) pooling: &'a Pooling<'a>,
    pub(super) pooled: &'a mut Pooled,
}

/// Channels of maps, and what is done with them.
pub(super) struct NormaliseJob<'a> {
    pub(super) maps: &'a Maps,
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) finish: &'a RawFinish<'a>,
}

/// Computes means and maxima.
///
/// # Safety
/// The callers have the level; channels and board are there.
#[inline(always)]
pub(super) unsafe fn pool<V: Vector>(job: &mut PoolJob<'_>) {
    let maps = job.maps;
    let size = maps.size();
    let numbers = maps.numbers().as_ptr();
    for channel in (0..job.pooled.means.len()).step_by(V::LANES) {
        // SAFETY: channels are whole vectors; the rest is the caller's word.
        unsafe {
            let (mut sum, mut max) = (V::splat(0.0), V::splat(job.pooling.min));
            for row in 0..size.height {
                let line = maps.offset(job.position, row as isize, 0) + job.start + channel;
                for column in 0..size.width {
                    let mut value = V::load_aligned(numbers.add(line + column * maps.channels()));
                    if let Some(norm) = job.pooling.norm {
                        value = norm.apply(value, channel);
                    }
                    sum = sum + value;
                    max = max.max(value);
                }
            }
            let mean = sum.div(V::splat(size.area() as f32));
            mean.store(job.pooled.means.as_mut_ptr().add(channel));
            max.store(job.pooled.maxima.as_mut_ptr().add(channel));
        }
    }
}

/// Finishes channels of maps.
///
/// # Safety
/// The callers have the level; the channels are there.
#[inline(always)]
pub(super) unsafe fn normalise<V: Vector>(job: &NormaliseJob<'_>) {
    let maps = job.maps;
    let size = maps.size();
    for position in 0..maps.batch() {
        let from = maps.offset(position, 0, 0) + job.start;
        for channel in (0..job.count).step_by(V::LANES) {
            let place = Place { position, row: 0, column: 0, channel };
            let strides = (maps.row_stride(), maps.channels());
            // SAFETY: the caller's word.
            unsafe {
                let values = maps.numbers().as_ptr().add(from + channel);
                let (rows, columns) = (size.height, size.width);
                let part = Rectangle { place, rows, columns, values, strides, scale: 1.0 };
                job.finish.apply(&part);
            }
        }
    }
}
