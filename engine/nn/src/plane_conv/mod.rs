//! A first convolution: of planes that are 0 or 1 at each point, a few of them 1.
//!
//! Points with the same planes contribute the same, and there are few kinds of points on a board. So the weights of each
//! kind's planes are added up once, and each point of the output is a sum of one row of numbers for each place of the
//! kernel.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod scalar;

use crate::aligned::AlignedVec;
use crate::board::BoardSize;
use crate::finish::{Finish, RawFinish};
use crate::map_conv::MapWeights;
use crate::maps::{Maps, padded};
use kernel::Job;
use simd::Level;

/// A convolution of planes of bits.
#[derive(Clone, Debug)]
pub struct PlaneConv {
    level: Level,
    kernel: (usize, usize),
    planes: usize,
    channels: usize,
    /// By place of the kernel, plane and channel.
    weights: AlignedVec<f32>,
}

/// Space that the layer works in.
#[derive(Clone, Debug, Default)]
pub struct PlaneSpace {
    /// The kinds of points that were seen: which planes are 1.
    kinds: Vec<u32>,
    /// The kind of each point, counted from 1; 0 is the point without planes.
    of_point: Vec<u16>,
    /// By kind, place of the kernel and channel.
    rows: AlignedVec<f32>,
}

impl PlaneConv {
    /// A layer of so many planes, at most 32.
    ///
    /// # Panics
    /// When there are more planes, or too few weights.
    pub fn new(level: Level, layer: &MapWeights<'_>) -> PlaneConv {
        let MapWeights { kernel, inputs: planes, outputs, weights } = *layer;
        assert!(planes <= 32 && weights.len() == kernel.0 * kernel.1 * planes * outputs);
        let channels = padded(outputs);
        let mut full = AlignedVec::zeros(kernel.0 * kernel.1 * planes * channels);
        for (to, from) in full.chunks_exact_mut(channels).zip(weights.chunks_exact(outputs)) {
            to[..outputs].copy_from_slice(from);
        }
        PlaneConv { level, kernel, planes, channels, weights: full }
    }

    /// What a plane contributes that is 1 at every point of a board, for [`PlaneConv::forward`].
    pub fn of_full_plane(&self, size: BoardSize, plane: usize) -> Maps {
        let mut maps = Maps::new(size, 1, self.channels);
        let none = Maps::new(size, 1, self.channels);
        let planes = vec![1 << plane; size.area()];
        let finish = Finish { sum: Some(crate::Sum::Write(&mut maps)), ..Finish::default() };
        self.forward(&planes, &none, finish, &mut PlaneSpace::default());
        maps
    }

    /// Computes the layer. `planes` has the planes of each point as bits, board after board and row by row; `always` is what
    /// is added to every board.
    ///
    /// # Panics
    /// When there are not as many points as `finish` has boards of, the sizes of maps differ, `always` has no board, or a
    /// point has planes that the layer does not know.
    pub fn forward(
        &self,
        planes: &[u32],
        always: &Maps,
        finish: Finish<'_>,
        space: &mut PlaneSpace,
    ) {
        let size = always.size();
        assert!(always.channels() == self.channels && always.batch() > 0);
        let batch = planes.len() / size.area();
        let finish = RawFinish::of_batch(self.level, finish, (size, batch), self.channels);
        for (position, planes) in planes.chunks_exact(size.area()).enumerate() {
            self.find_kinds(planes, space);
            let job = &Job {
                size,
                kernel: self.kernel,
                channels: self.channels,
                of_point: &space.of_point,
                rows: &space.rows,
                always,
                position,
                finish: &finish,
            };
            simd::dispatch!(self.level => avx512 | avx2 | scalar: forward(job));
        }
    }

    /// Tells the kinds of points apart, and adds up the weights of each.
    fn find_kinds(&self, planes: &[u32], space: &mut PlaneSpace) {
        space.kinds.clear();
        space.of_point.clear();
        for &bits in planes {
            let kind = match bits {
                0 => 0,
                _ => match space.kinds.iter().position(|&known| known == bits) {
                    Some(at) => at + 1,
                    None => {
                        // The weights of other planes would be read behind the last.
                        assert!(
                            u64::from(bits) >> self.planes == 0,
                            "{bits:b} is no {} planes",
                            self.planes
                        );
                        space.kinds.push(bits);
                        space.kinds.len()
                    }
                },
            };
            space.of_point.push(kind as u16);
        }
        let places = self.kernel.0 * self.kernel.1;
        let PlaneSpace { kinds, rows, .. } = space;
        rows.grow_to(kinds.len() * places * self.channels);
        let job = (&self.weights[..], self.planes, self.channels, &kinds[..]);
        let rows = &mut rows[..];
        simd::dispatch!(self.level => avx512 | avx2 | scalar: add_up(job, rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sum;

    /// A layer of two planes, asked about points with these, beside what these boards add.
    fn ask(planes: u32, always: usize) {
        let size = BoardSize::square(3);
        let layer = MapWeights { kernel: (3, 3), inputs: 2, outputs: 4, weights: &[0.5; 72] };
        let conv = PlaneConv::new(simd::level(), &layer);
        let (always, mut out) = (Maps::new(size, always, 4), Maps::new(size, 1, 4));
        let finish = Finish { sum: Some(Sum::Write(&mut out)), ..Finish::default() };
        conv.forward(&[planes; 9], &always, finish, &mut PlaneSpace::default());
        assert_eq!(out.point(0, 1, 1)[0], 9.0 * 0.5 * planes.count_ones() as f32);
    }

    #[test]
    fn all_planes_are_known() {
        (0..4).for_each(|planes| ask(planes, 1));
    }

    #[test]
    #[should_panic(expected = "100 is no 2 planes")]
    fn planes_beyond_the_last_have_no_weights() {
        ask(4, 1);
    }

    #[test]
    #[should_panic(expected = "always.batch() > 0")]
    fn what_is_added_to_every_board_is_a_board() {
        ask(1, 0);
    }

    #[test]
    fn planes_give_what_convolutions_give() {
        let mut state = 5u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        for (size, kernel, outputs) in [
            (BoardSize::square(9), (5, 5), 20),
            (BoardSize { width: 4, height: 7 }, (3, 3), 130),
            (BoardSize::square(2), (3, 5), 16),
        ] {
            let planes = 6;
            let weights: Vec<f32> = (0..kernel.0 * kernel.1 * planes * outputs)
                .map(|_| next() as f32 / (1 << 24) as f32 - 0.5)
                .collect();
            let layer = MapWeights { kernel, inputs: planes, outputs, weights: &weights };
            // Plane 0 is 1 everywhere.
            let bits: Vec<u32> = (0..2 * size.area()).map(|_| 1 | next() & next() & 0x3e).collect();
            let without: Vec<u32> = bits.iter().map(|bits| bits & !1).collect();
            let bias: Vec<f32> = (0..2 * padded(outputs)).map(|at| at as f32 * 0.01).collect();
            for level in Level::available() {
                let conv = PlaneConv::new(level, &layer);
                let always = conv.of_full_plane(size, 0);
                let mut out = Maps::new(size, 2, outputs);
                let finish =
                    Finish { bias: Some(&bias), sum: Some(Sum::Write(&mut out)), activated: None };
                conv.forward(&without, &always, finish, &mut PlaneSpace::default());
                for at in 0..bits.len() {
                    let (position, row, column) =
                        (at / size.area(), at % size.area() / size.width, at % size.width);
                    for output in 0..outputs {
                        let mut expected = bias[position * padded(outputs) + output];
                        for dy in 0..kernel.0 {
                            for dx in 0..kernel.1 {
                                let y = (row + dy).wrapping_sub(kernel.0 / 2);
                                let x = (column + dx).wrapping_sub(kernel.1 / 2);
                                if y >= size.height || x >= size.width {
                                    continue;
                                }
                                let there = bits[(position * size.height + y) * size.width + x];
                                for plane in (0..planes).filter(|plane| there >> plane & 1 != 0) {
                                    let place = (dy * kernel.1 + dx) * planes + plane;
                                    expected += weights[place * outputs + output];
                                }
                            }
                        }
                        let found = out.point(position, row, column)[output];
                        assert!((found - expected).abs() < 1e-4, "{level:?} {found} {expected}");
                    }
                }
            }
        }
    }
}
