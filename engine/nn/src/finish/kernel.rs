//! What the kernels of all levels share.

use super::{RawFinish, Rectangle};
use crate::maps::CHANNEL_BLOCK;
use simd::vector::Vector;

#[inline(always)]
pub(super) fn relu<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    *x = x.max(unsafe { V::splat(0.0) });
}

/// With n = e^x the tangent of ln(1 + n) is (n^2 + 2n) / (n^2 + 2n + 2).
#[inline(always)]
pub(super) fn mish<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    let (far, two) = unsafe { (V::splat(20.0), V::splat(2.0)) };
    let n = x.min(far).exp();
    let top = n * (n + two);
    *x = *x * top.div(top + two);
}

#[inline(always)]
pub(super) fn silu<V: Vector>(x: &mut V) {
    // SAFETY: there is a vector, so the processor has the level.
    let (zero, one) = unsafe { (V::splat(0.0), V::splat(1.0)) };
    *x = x.div(one + (zero - *x).exp());
}

/// Nothing, beside [`relu`] and the like.
#[inline(always)]
pub(super) fn identity<V: Vector>(_: &mut V) {}

/// Finishes a rectangle: the sums are added to what is there and written, or only written, or neither; then normalised and
/// activated, or not.
///
/// # Safety
/// As for [`RawFinish::apply`], whose pointers are there for what is asked.
#[inline(always)]
pub(super) unsafe fn run<V: Vector, const WRITE: bool, const ADD: bool, const ACTIVATED: bool>(
    finish: &RawFinish<'_>,
    part: &Rectangle,
    activate: impl Fn(&mut V),
) {
    let Rectangle { place: at, rows, columns, values, strides, scale } = *part;
    // SAFETY: pointers that are used are not null, and were made from maps that have these points.
    unsafe {
        let bias = if finish.bias.is_null() {
            V::splat(0.0)
        } else {
            V::load(finish.bias.add(at.position * finish.channels + at.channel))
        };
        let (factors, shifts) = if ACTIVATED {
            (
                V::load_aligned(finish.factors.add(at.channel)),
                V::load_aligned(finish.shifts.add(at.channel)),
            )
        } else {
            (bias, bias)
        };
        let scale = V::splat(scale);
        let (zero, mut peak) = (V::splat(0.0), V::splat(0.0));
        let start = at.position * finish.position_stride
            + (at.row + 1) * finish.row_stride
            + (at.column + 1) * finish.channels
            + at.channel;
        for row in 0..rows {
            for column in 0..columns {
                let place = start + row * finish.row_stride + column * finish.channels;
                let value = V::load_aligned(values.add(row * strides.0 + column * strides.1));
                let mut value = value.mul_add(scale, bias);
                if ADD {
                    value = value + V::load_aligned(finish.sum.add(place));
                }
                if WRITE {
                    value.store_aligned(finish.sum.add(place));
                }
                if ACTIVATED {
                    value = value.mul_add(factors, shifts);
                    activate(&mut value);
                    peak = peak.max(value.max(zero - value));
                    value.store_aligned(finish.activated.add(place));
                }
            }
        }
        if ACTIVATED {
            let slot = finish.peaks.add(at.position * CHANNEL_BLOCK);
            peak.max(V::load_aligned(slot)).store_aligned(slot);
        }
    }
}

/// The kernels of a level, each compiled for it.
macro_rules! kernels {
    ($(#[$features:meta])? $v:ty) => {
        use super::kernel;
        use super::{FinishKind, RawFinish, Rectangle, Run, SumKind};
        use crate::activation::Activation;

        /// The kernel for a kind of sum and activation.
        pub(super) fn choose(how: FinishKind) -> Run {
            match how.sum {
                SumKind::None => activation::<false, false>(how),
                SumKind::Write => activation::<true, false>(how),
                SumKind::Add => activation::<true, true>(how),
            }
        }

        fn activation<const WRITE: bool, const ADD: bool>(how: FinishKind) -> Run {
            match how.activation {
                None => none::<WRITE, ADD>,
                Some(Activation::Relu) => relu::<WRITE, ADD>,
                Some(Activation::Mish) => mish::<WRITE, ADD>,
                Some(Activation::Silu) => silu::<WRITE, ADD>,
                Some(_) => identity::<WRITE, ADD>,
            }
        }

        kernel::kernels!(@ $(#[$features])? $v, none, false, identity);
        kernel::kernels!(@ $(#[$features])? $v, relu, true, relu);
        kernel::kernels!(@ $(#[$features])? $v, mish, true, mish);
        kernel::kernels!(@ $(#[$features])? $v, silu, true, silu);
        kernel::kernels!(@ $(#[$features])? $v, identity, true, identity);
    };
    (@ $(#[$features:meta])? $v:ty, $name:ident, $activated:literal, $activation:ident) => {
        /// # Safety
        /// See [`kernel::run`].
        $(#[$features])?
        unsafe fn $name<const WRITE: bool, const ADD: bool>(
            finish: &RawFinish<'_>,
            part: &Rectangle,
        ) {
            // SAFETY: the caller's word; this is compiled for the level.
            unsafe {
                let activate = kernel::$activation::<$v>;
                kernel::run::<$v, WRITE, ADD, $activated>(finish, part, activate);
            }
        }
    };
}
pub(super) use kernels;
