//! What is computed of a channel over a whole board, and what is done to maps beside convolutions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod scalar;

use crate::finish::{Finish, Norm, RawFinish};
use crate::maps::Maps;
use kernel::{NormaliseJob, PoolJob};
use simd::Level;
use std::ops::Range;

/// Means and maxima of channels over a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pooled {
    /// By channel.
    pub means: Vec<f32>,
    /// By channel.
    pub maxima: Vec<f32>,
}

/// What is pooled: channels of maps, as they are or after a normalisation.
#[derive(Clone, Debug)]
pub struct Pooling<'a> {
    /// Which channels; the first is the first of a whole vector.
    pub channels: Range<usize>,
    /// Comes first.
    pub norm: Option<&'a Norm>,
    /// No maximum is below this.
    pub min: f32,
}

impl Pooled {
    /// Computes means and maxima of one board.
    ///
    /// # Panics
    /// When there are no such channels.
    pub fn compute(&mut self, level: Level, maps: &Maps, position: usize, pooling: &Pooling<'_>) {
        let Range { start, end } = pooling.channels;
        assert!(start.is_multiple_of(crate::maps::CHANNEL_BLOCK) && end <= maps.channels());
        let count = crate::maps::padded(end - start);
        assert!(position < maps.batch() && pooling.norm.is_none_or(|n| n.channels() == count));
        self.means.resize(count, 0.0);
        self.maxima.resize(count, 0.0);
        let job = &mut PoolJob { maps, position, start, pooling, pooled: self };
        simd::dispatch!(level => avx512 | avx2 | scalar: pool(job));
        self.means.truncate(end - start);
        self.maxima.truncate(end - start);
    }
}

/// Takes channels of maps from the first of a whole vector on, and does with them what `finish` says.
///
/// # Panics
/// When there are no such channels, or the maps' sizes differ.
pub fn normalise(level: Level, maps: &Maps, channels: Range<usize>, finish: Finish<'_>) {
    let start = channels.start;
    assert!(start.is_multiple_of(crate::maps::CHANNEL_BLOCK));
    let count = crate::maps::padded(channels.len());
    assert!(start + count <= maps.channels());
    let finish = &RawFinish::new(level, finish, maps, count);
    let job = &NormaliseJob { maps, start, count, finish };
    simd::dispatch!(level => avx512 | avx2 | scalar: normalise(job));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, BoardSize};

    #[test]
    fn channels_are_pooled_and_normalised() {
        let size = BoardSize { width: 5, height: 4 };
        let mut maps = Maps::new(size, 2, 48);
        let number = |position: usize, at: usize, channel: usize| {
            (position as f32 - 0.7) * ((at * 7 + channel * 3) % 11) as f32 + 0.01 * channel as f32
        };
        for position in 0..2 {
            for at in 0..20 {
                let point = maps.point_mut(position, at / 5, at % 5);
                for (channel, to) in point.iter_mut().enumerate() {
                    *to = number(position, at, channel);
                }
            }
        }
        let (factors, shifts) = ([1.5; 20], [-2.0; 20]);
        for activation in [Activation::None, Activation::Relu, Activation::Mish, Activation::Silu] {
            let norm = Norm::new(&factors, &shifts, activation);
            for level in Level::available() {
                for (position, norm) in [(0, Some(&norm)), (1, None), (1, Some(&norm))] {
                    let mut pooled = Pooled::default();
                    let pooling = Pooling { channels: 16..36, norm, min: -1.0 };
                    pooled.compute(level, &maps, position, &pooling);
                    assert_eq!(pooled.means.len(), 20);
                    for channel in 0..20 {
                        let mut numbers: Vec<f32> =
                            (0..20).map(|at| number(position, at, 16 + channel)).collect();
                        if norm.is_some() {
                            numbers.iter_mut().for_each(|number| *number = *number * 1.5 - 2.0);
                            activation.apply(&mut numbers);
                        }
                        let mean = numbers.iter().sum::<f32>() / 20.0;
                        let max = numbers.iter().copied().fold(-1.0, f32::max);
                        let found = (pooled.means[channel], pooled.maxima[channel]);
                        assert!((found.0 - mean).abs() < 1e-4 && (found.1 - max).abs() < 1e-4);
                    }
                }
                let mut out = Maps::new(size, 2, 20);
                let bias = vec![0.25; 64];
                let finish =
                    Finish { bias: Some(&bias), sum: None, activated: Some((&mut out, &norm)) };
                normalise(level, &maps, 16..36, finish);
                let mut expected = [(number(1, 13, 16 + 3) + 0.25) * 1.5 - 2.0];
                activation.apply(&mut expected);
                assert!((out.point(1, 2, 3)[3] - expected[0]).abs() < 1e-4);
                assert_eq!(out.point(1, 2, 3)[20..], [0.0; 12]);
            }
        }
    }
}
