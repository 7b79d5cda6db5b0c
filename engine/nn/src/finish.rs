//! What is done with a convolution's sums before they go to memory: a bias, a residual, the next layer's normalisation and
//! activation.

use crate::activation::Activation;
use crate::aligned::AlignedVec;
use crate::board::BoardSize;
use crate::maps::{Maps, padded};
use simd::vector::Vector;

/// A factor and a shift for each channel, and an activation: `activation(x * factor + shift)`.
#[derive(Clone, Debug)]
pub struct Norm {
    factors: AlignedVec<f32>,
    shifts: AlignedVec<f32>,
    activation: Activation,
}

impl Norm {
    /// # Panics
    /// When there are not as many shifts as factors, or the activation is none of nothing, relu, mish and silu.
    pub fn new(factors: &[f32], shifts: &[f32], activation: Activation) -> Norm {
        assert_eq!(factors.len(), shifts.len());
        assert!(!matches!(activation, Activation::Clipped | Activation::Tanh));
        let full = |numbers: &[f32]| {
            let mut all = AlignedVec::zeros(padded(numbers.len()));
            all[..numbers.len()].copy_from_slice(numbers);
            all
        };
        // Factors of 0 keep the channels beyond the last at 0.
        Norm { factors: full(factors), shifts: full(shifts), activation }
    }

    /// Channels, up to whole vectors.
    pub fn channels(&self) -> usize {
        self.factors.len()
    }

    /// Does it to a vector of channels.
    ///
    /// # Safety
    /// The vector lies within the channels.
    #[inline(always)]
    pub(crate) unsafe fn apply<V: Vector>(&self, value: V, channel: usize) -> V {
        // SAFETY: the caller's word; there is a vector, so the processor has the level.
        let (factors, shifts) = unsafe {
            (
                V::load(self.factors.as_ptr().add(channel)),
                V::load(self.shifts.as_ptr().add(channel)),
            )
        };
        let mut value = value.mul_add(factors, shifts);
        match self.activation {
            Activation::Relu => relu(&mut value),
            Activation::Mish => mish(&mut value),
            Activation::Silu => silu(&mut value),
            _ => {}
        }
        value
    }
}

#[inline(always)]
fn relu<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    *x = x.max(unsafe { V::splat(0.0) });
}

/// With n = e^x the tangent of ln(1 + n) is (n^2 + 2n) / (n^2 + 2n + 2).
#[inline(always)]
fn mish<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    let (far, two) = unsafe { (V::splat(20.0), V::splat(2.0)) };
    let n = x.min(far).exp();
    let top = n * (n + two);
    *x = *x * top.div(top + two);
}

#[inline(always)]
fn silu<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    let (zero, one) = unsafe { (V::splat(0.0), V::splat(1.0)) };
    *x = x.div(one + (zero - *x).exp());
}

/// Where the sums of a convolution go.
#[derive(Debug)]
pub enum Sum<'a> {
    /// They are written.
    Write(&'a mut Maps),
    /// They are added to what is there, and the result is what goes on.
    Add(&'a mut Maps),
}

/// What is done with the sums of a convolution.
#[derive(Debug, Default)]
pub struct Finish<'a> {
    /// Added to each channel at all points: the channels of the first board, of the second and so on.
    pub bias: Option<&'a [f32]>,
    /// Where the sums go.
    pub sum: Option<Sum<'a>>,
    /// Where they go after a normalisation and activation.
    pub activated: Option<(&'a mut Maps, &'a Norm)>,
}

/// The same as kernels see it. Pointers are null where there is nothing.
pub(crate) struct RawFinish<'a> {
    bias: *const f32,
    sum: *mut f32,
    add: bool,
    activated: *mut f32,
    factors: *const f32,
    shifts: *const f32,
    activation: Activation,
    channels: usize,
    row_stride: usize,
    position_stride: usize,
    lifetime: std::marker::PhantomData<&'a mut f32>,
}

impl<'a> RawFinish<'a> {
    /// # Panics
    /// When sizes do not fit: all maps have as many boards of the same size, and as many channels.
    pub(crate) fn new(finish: Finish<'a>, like: &Maps, channels: usize) -> RawFinish<'a> {
        RawFinish::of_batch(finish, (like.size(), like.batch()), channels)
    }

    /// # Panics
    /// When sizes do not fit: all maps have as many boards of this size, and as many channels.
    pub(crate) fn of_batch(
        finish: Finish<'a>,
        (size, batch): (BoardSize, usize),
        channels: usize,
    ) -> RawFinish<'a> {
        let channels = padded(channels);
        let check = |maps: &Maps| {
            assert!(maps.size() == size && maps.batch() == batch);
            assert_eq!(maps.channels(), channels);
        };
        let mut raw = RawFinish {
            bias: std::ptr::null(),
            sum: std::ptr::null_mut(),
            add: false,
            activated: std::ptr::null_mut(),
            factors: std::ptr::null(),
            shifts: std::ptr::null(),
            activation: Activation::None,
            channels,
            row_stride: (size.width + 1) * channels,
            position_stride: Maps::stride_of(size, channels),
            lifetime: std::marker::PhantomData,
        };
        if let Some(bias) = finish.bias {
            assert!(bias.len() >= batch * channels);
            raw.bias = bias.as_ptr();
        }
        if let Some(sum) = finish.sum {
            raw.add = matches!(sum, Sum::Add(_));
            let (Sum::Write(maps) | Sum::Add(maps)) = sum;
            check(maps);
            raw.sum = maps.numbers_mut().as_mut_ptr();
        }
        if let Some((maps, norm)) = finish.activated {
            check(maps);
            assert_eq!(norm.channels(), channels);
            raw.activated = maps.numbers_mut().as_mut_ptr();
            raw.factors = norm.factors.as_ptr();
            raw.shifts = norm.shifts.as_ptr();
            raw.activation = norm.activation;
        }
        raw
    }

    /// Finishes the sums of one vector of channels at the points of a rectangle. `strides` are how far the values of one
    /// row are from those of the next, and those of one column.
    ///
    /// # Safety
    /// The rectangle lies on the board, the vector within the channels, and the callers have the vector's level.
    #[inline(always)]
    pub(crate) unsafe fn apply<V: Vector>(
        &self,
        at: Place,
        (rows, columns): (usize, usize),
        values: *const f32,
        strides: (usize, usize),
    ) {
        let part = (at, (rows, columns), values, strides);
        // SAFETY: the caller's word.
        unsafe {
            match (self.sum.is_null(), self.add) {
                (true, _) => self.with_sum::<V, 0>(part),
                (false, false) => self.with_sum::<V, 1>(part),
                (false, true) => self.with_sum::<V, 2>(part),
            }
        }
    }

    #[inline(always)]
    unsafe fn with_sum<V: Vector, const SUM: u8>(&self, part: Part) {
        // SAFETY: as in `apply`.
        unsafe {
            if self.activated.is_null() {
                return self.run::<V, SUM>(part, |_| {}, false);
            }
            match self.activation {
                Activation::Relu => self.run::<V, SUM>(part, relu, true),
                Activation::Mish => self.run::<V, SUM>(part, mish, true),
                Activation::Silu => self.run::<V, SUM>(part, silu, true),
                _ => self.run::<V, SUM>(part, |_| {}, true),
            }
        }
    }

    #[inline(always)]
    unsafe fn run<V: Vector, const SUM: u8>(
        &self,
        (at, (rows, columns), values, strides): Part,
        activate: impl Fn(&mut V),
        activated: bool,
    ) {
        // SAFETY: as in `apply`; pointers that are used are not null, and were made from maps that have these points.
        unsafe {
            let bias = if self.bias.is_null() {
                V::splat(0.0)
            } else {
                V::load(self.bias.add(at.position * self.channels + at.channel))
            };
            let (factors, shifts) = if activated {
                (V::load(self.factors.add(at.channel)), V::load(self.shifts.add(at.channel)))
            } else {
                (bias, bias)
            };
            let start = at.position * self.position_stride
                + (at.row + 1) * self.row_stride
                + (at.column + 1) * self.channels
                + at.channel;
            for row in 0..rows {
                for column in 0..columns {
                    let place = start + row * self.row_stride + column * self.channels;
                    let mut value =
                        V::load(values.add(row * strides.0 + column * strides.1)) + bias;
                    if SUM == 2 {
                        value = value + V::load(self.sum.add(place));
                    }
                    if SUM > 0 {
                        value.store(self.sum.add(place));
                    }
                    if activated {
                        value = value.mul_add(factors, shifts);
                        activate(&mut value);
                        value.store(self.activated.add(place));
                    }
                }
            }
        }
    }
}

/// Where a rectangle of points begins, and which channel.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) position: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) channel: usize,
}

type Part = (Place, (usize, usize), *const f32, (usize, usize));
