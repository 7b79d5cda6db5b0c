//! What is done with a convolution's sums before they go to memory: a bias, a residual, the next layer's normalisation and
//! activation.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod scalar;

use crate::activation::Activation;
use crate::aligned::AlignedVec;
use crate::board::BoardSize;
use crate::maps::{Maps, padded};
use kernel::{mish, relu, silu};
use simd::Level;
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
                V::load_aligned(self.factors.as_ptr().add(channel)),
                V::load_aligned(self.shifts.as_ptr().add(channel)),
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

/// A kernel for one kind of sum and activation.
type Run = unsafe fn(&RawFinish<'_>, &Rectangle);

/// The same as kernels see it. Pointers are null where there is nothing.
pub(crate) struct RawFinish<'a> {
    run: Run,
    bias: *const f32,
    sum: *mut f32,
    activated: *mut f32,
    factors: *const f32,
    shifts: *const f32,
    /// Where the largest sizes of activations go, of each board as many as a block of channels has.
    peaks: *mut f32,
    channels: usize,
    row_stride: usize,
    position_stride: usize,
    lifetime: std::marker::PhantomData<&'a mut f32>,
}

impl<'a> RawFinish<'a> {
    /// # Panics
    /// When sizes do not fit: all maps have as many boards of the same size, and as many channels.
    pub(crate) fn new(
        level: Level,
        finish: Finish<'a>,
        like: &Maps,
        channels: usize,
    ) -> RawFinish<'a> {
        RawFinish::of_batch(level, finish, (like.size(), like.batch()), channels)
    }

    /// # Panics
    /// When sizes do not fit: all maps have as many boards of this size, and as many channels.
    pub(crate) fn of_batch(
        level: Level,
        finish: Finish<'a>,
        (size, batch): (BoardSize, usize),
        channels: usize,
    ) -> RawFinish<'a> {
        let channels = padded(channels);
        let check = |maps: &Maps| {
            assert!(maps.size() == size && maps.batch() == batch);
            assert_eq!(maps.channels(), channels);
        };
        let (sum, activation) = (finish.sum.as_ref(), finish.activated.as_ref());
        let how = FinishKind {
            sum: match sum {
                None => SumKind::None,
                Some(Sum::Write(_)) => SumKind::Write,
                Some(Sum::Add(_)) => SumKind::Add,
            },
            activation: activation.map(|(_, norm)| norm.activation),
        };
        let mut raw = RawFinish {
            run: simd::dispatch!(level => avx512 | avx2 | scalar: choose(how)),
            bias: std::ptr::null(),
            sum: std::ptr::null_mut(),
            activated: std::ptr::null_mut(),
            factors: std::ptr::null(),
            shifts: std::ptr::null(),
            peaks: std::ptr::null_mut(),
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
            let (Sum::Write(maps) | Sum::Add(maps)) = sum;
            check(maps);
            raw.sum = maps.numbers_mut().as_mut_ptr();
        }
        if let Some((maps, norm)) = finish.activated {
            check(maps);
            assert_eq!(norm.channels(), channels);
            let (numbers, peaks) = maps.numbers_and_peaks();
            (raw.activated, raw.peaks) = (numbers.as_mut_ptr(), peaks.as_mut_ptr());
            raw.factors = norm.factors.as_ptr();
            raw.shifts = norm.shifts.as_ptr();
        }
        raw
    }

    /// Finishes the sums of one vector of channels at the points of a rectangle.
    ///
    /// # Safety
    /// The rectangle lies on the board, the vector within the channels, its values can be read and are aligned
    /// to whole vectors, and the processor has the level.
    #[inline(always)]
    pub(crate) unsafe fn apply(&self, part: &Rectangle) {
        // SAFETY: the caller's word.
        unsafe { (self.run)(self, part) }
    }
}

/// Values of one vector of channels at the points of a rectangle.
#[derive(Clone, Copy)]
pub(crate) struct Rectangle {
    pub(crate) place: Place,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: *const f32,
    /// From the values of one row to those of the next, and from one column's.
    pub(crate) strides: (usize, usize),
    /// What values are multiplied with.
    pub(crate) scale: f32,
}

/// What is done with sums, short of where.
#[derive(Clone, Copy)]
pub(crate) struct FinishKind {
    sum: SumKind,
    activation: Option<Activation>,
}

#[derive(Clone, Copy)]
enum SumKind {
    None,
    Write,
    Add,
}

/// Where a rectangle of points begins, and which channel.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) position: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) channel: usize,
}
