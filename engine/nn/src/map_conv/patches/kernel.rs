//! What rows are gathered and finished with, at all levels.

use crate::aligned::AlignedArray;
use crate::board::BoardSize;
use crate::finish::{Place, RawFinish, Rectangle};
use crate::gemm::Numbers;
use crate::map_conv::quantise::INPUT_LIMIT;
use crate::maps::Maps;
use simd::vector::Vector;
use std::ops::Range;

/// The largest side of a board.
const MAX_SIDE: usize = 32;

/// From maps to rows.
pub(super) struct InputJob<'a> {
    pub(super) maps: &'a Maps,
    /// Lines of boards, counted through all of them.
    pub(super) lines: Range<usize>,
    pub(super) kernel: (usize, usize),
    pub(super) numbers: Numbers,
    /// Rows of so many steps.
    pub(super) steps: usize,
    pub(super) values: &'a mut [u32],
}

/// From sums to maps.
pub(super) struct OutputJob<'a> {
    /// What went in, whose peaks whole sums are told in.
    pub(super) maps: &'a Maps,
    pub(super) lines: Range<usize>,
    pub(super) numbers: Numbers,
    pub(super) sums: &'a [u32],
    /// Numbers in a row of sums.
    pub(super) width: usize,
    pub(super) scales: &'a [f32],
    pub(super) first_channel: usize,
    pub(super) finish: &'a RawFinish<'a>,
}

/// Gathers what lies under the kernel at each point.
///
/// # Safety
/// The callers have the level, and there is room for all rows.
#[inline(always)]
pub(super) unsafe fn input<V: Vector>(job: &mut InputJob<'_>) {
    let size = job.maps.size();
    let channels = job.maps.channels();
    let (rows, columns) = (job.kernel.0 as isize, job.kernel.1 as isize);
    let whole = job.numbers == Numbers::Int16;
    assert!(job.values.len() >= job.lines.len() * size.width * job.steps);
    let mut to = job.values.as_mut_ptr();
    for line in job.lines.clone() {
        let (position, y) = (line / size.height, (line % size.height) as isize);
        // Each board fills the numbers as far as it can.
        let scale = if whole { INPUT_LIMIT / job.maps.peak(position) } else { 1.0 };
        for x in 0..size.width as isize {
            // SAFETY: a row has room for the channels at each place of the kernel, and points that are read lie on the
            // board; the rest is the caller's word.
            unsafe {
                let scale = V::splat(scale);
                let row_end = to.add(job.steps);
                for dy in 0..rows {
                    for dx in 0..columns {
                        let (y, x) = (y + dy - rows / 2, x + dx - columns / 2);
                        let is_on_board = (0..size.height as isize).contains(&y)
                            && (0..size.width as isize).contains(&x);
                        // The border has the zeros of points off the board.
                        let (y, x) = if is_on_board { (y, x) } else { (-1, -1) };
                        let from = job.maps.numbers().as_ptr().add(job.maps.offset(position, y, x));
                        for channel in (0..channels).step_by(V::LANES) {
                            let value = V::load_aligned(from.add(channel));
                            if whole {
                                (value * scale).store_i16(to.cast::<i16>().add(channel));
                            } else {
                                value.store_aligned(to.cast::<f32>().add(channel));
                            }
                        }
                        to = to.add(if whole { channels / 2 } else { channels });
                    }
                }
                debug_assert!(to == row_end);
            }
        }
    }
}

/// Finishes the sums of a panel.
///
/// # Safety
/// The callers have the level, and there are sums for all points.
#[inline(always)]
pub(super) unsafe fn output<V: Vector>(job: &OutputJob<'_>) {
    let BoardSize { width: side, height } = job.maps.size();
    assert!(side <= MAX_SIDE, "boards have up to {MAX_SIDE} columns");
    assert!(job.sums.len() >= job.lines.len() * side * job.width);
    let mut values = AlignedArray([0.0f32; MAX_SIDE * 16]);
    for (at, line) in job.lines.clone().enumerate() {
        for channel in (0..job.width).step_by(V::LANES) {
            // SAFETY: there are as many sums and, for whole numbers, scales; the rest is the caller's word.
            unsafe {
                let peak = job.maps.peak(line / height);
                let scale = if job.numbers == Numbers::Int16 { peak } else { 1.0 };
                let strides = (0, V::LANES);
                let from = job.sums.as_ptr().add(at * side * job.width + channel);
                for x in 0..side {
                    let value = if job.numbers == Numbers::Int16 {
                        V::load_whole(from.add(x * job.width).cast())
                            * V::load_aligned(job.scales.as_ptr().add(channel))
                    } else {
                        V::load_aligned(from.add(x * job.width).cast())
                    };
                    value.store_aligned(values.0.as_mut_ptr().add(x * V::LANES));
                }
                let place = Place {
                    position: line / height,
                    row: line % height,
                    column: 0,
                    channel: job.first_channel + channel,
                };
                let (rows, columns, values) = (1, side, values.0.as_ptr());
                let part = Rectangle { place, rows, columns, values, strides, scale };
                job.finish.apply(&part);
            }
        }
    }
}
