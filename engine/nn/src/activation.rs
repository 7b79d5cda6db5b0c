//! What is done to each number of a layer's output.

/// [`Activation::Clipped`] cuts numbers off here, and so do quantised layers.
pub const CLIP: f32 = 4.0;

/// What is done to each number of a layer's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// Negative numbers become 0.
    Relu,
    /// Negative numbers become 0, and those above [`CLIP`] become it.
    Clipped,
    /// The hyperbolic tangent.
    Tanh,
    /// x tanh(ln(1 + e^x)) (Misra 2019, "Mish: a self regularized non-monotonic activation function").
    Mish,
    /// x / (1 + e^-x).
    Silu,
}

impl Activation {
    /// Applies it.
    pub fn apply(self, numbers: &mut [f32]) {
        let numbers = numbers.iter_mut();
        match self {
            Activation::None => {}
            Activation::Relu => numbers.for_each(|number| *number = number.max(0.0)),
            Activation::Clipped => numbers.for_each(|number| *number = number.clamp(0.0, CLIP)),
            Activation::Tanh => numbers.for_each(|number| *number = tanh(*number)),
            Activation::Mish => numbers.for_each(|number| *number = mish(*number)),
            Activation::Silu => numbers.for_each(|number| *number /= 1.0 + (-*number).exp()),
        }
    }
}

/// The hyperbolic tangent to about 1e-6, without the library's call: a rational function within 4.97 of zero (the
/// continued fraction, cut off), and nearly 1 beyond.
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-7.9, 7.9);
    // Rational minimax form of degree 13 over 6.
    let y = x * x;
    let top = x
        * (4.893_525_5e-3
            + y * (6.372_619_3e-4
                + y * (1.485_722_4e-5
                    + y * (5.122_297e-8
                        + y * (-8.604_672e-11 + y * (2.000_188e-13 + y * -2.760_768_5e-16))))));
    let bottom = 4.893_525e-3 + y * (2.268_434_6e-3 + y * (1.185_347_1e-4 + y * 1.198_258_4e-6));
    top / bottom
}

/// With n = e^x the tangent is (n^2 + 2n) / (n^2 + 2n + 2), which is 1 to a float's last bit from about 9 on.
fn mish(x: f32) -> f32 {
    let n = x.min(20.0).exp();
    let top = n * (n + 2.0);
    x * top / (top + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tangent_is_near_enough() {
        for i in -2000..=2000 {
            let x = i as f32 / 200.0;
            assert!((tanh(x) - x.tanh()).abs() < 2e-6, "{x}: {} {}", tanh(x), x.tanh());
        }
    }

    #[test]
    fn mish_and_silu_are_what_their_formulas_say() {
        for i in -400..=400 {
            let x = i as f32 / 10.0;
            let wide = f64::from(x);
            let mut numbers = [x];
            Activation::Mish.apply(&mut numbers);
            let expected = wide * wide.exp().ln_1p().tanh();
            let near = 2e-7 * (8.0 + wide.abs());
            assert!((f64::from(numbers[0]) - expected).abs() < near, "{x}: {numbers:?} {expected}");
            let mut numbers = [x];
            Activation::Silu.apply(&mut numbers);
            let expected = wide / (1.0 + (-wide).exp());
            let near = 2e-7 * (8.0 + wide.abs());
            assert!((f64::from(numbers[0]) - expected).abs() < near, "{x}: {numbers:?} {expected}");
        }
    }
}
