//! Products in plain code.

use super::{Panel, Rows};

const LANES: usize = 8;

/// Computes products of floats; see [`super::multiply`].
pub(super) fn floats(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    each(rows, panel, out, |sum, step, weight| {
        (f32::from_bits(sum) + f32::from_bits(step) * f32::from_bits(weight)).to_bits()
    });
}

/// Computes products of whole numbers; see [`super::multiply`].
pub(super) fn int16(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    let product = |a: u32, b: u32| i32::from(a as i16) * i32::from(b as i16);
    each(rows, panel, out, |sum, step, weight| {
        let both = product(step, weight).wrapping_add(product(step >> 16, weight >> 16));
        (sum as i32).wrapping_add(both) as u32
    });
}

#[inline(always)]
fn each(rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32], add: impl Fn(u32, u32, u32) -> u32) {
    let width = panel.vectors * LANES;
    for (row, out) in out.chunks_exact_mut(width).take(rows.count).enumerate() {
        let steps = &rows.steps[row * rows.stride..][..panel.steps];
        for (part, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let mut sums = [0; LANES];
            for (&step, weights) in steps.iter().zip(panel.weights.chunks_exact(width)) {
                for (sum, &weight) in sums.iter_mut().zip(&weights[part * LANES..]) {
                    *sum = add(*sum, step, weight);
                }
            }
            *out = sums;
        }
    }
}
