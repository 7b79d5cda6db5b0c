//! The flat row of numbers that a network is made from.

use crate::conv::Shape;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Parameters that are not as many as the network has, or not all finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// Too many or too few.
    #[error("{found} parameters instead of {expected}")]
    Count {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// One that is infinite or no number.
    #[error("parameter {0} is not finite")]
    NotFinite(usize),
}

/// Checks that there are as many parameters as a network has, and that all are finite.
///
/// # Errors
/// When their number is another, or one is not finite.
pub fn check(parameters: &[f32], expected: usize) -> Result<(), ParameterError> {
    let found = parameters.len();
    if found != expected {
        return Err(ParameterError::Count { found, expected });
    }
    match parameters.iter().position(|number| !number.is_finite()) {
        Some(at) => Err(ParameterError::NotFinite(at)),
        None => Ok(()),
    }
}

/// Takes numbers from the front.
///
/// # Panics
/// When there are fewer; [`check`] comes first.
pub fn take<'a>(rest: &mut &'a [f32], count: usize) -> &'a [f32] {
    let (taken, left) = rest.split_at(count);
    *rest = left;
    taken
}

/// Parameters being drawn at random, layer by layer, uniformly with the variance of He et al. (2015); biases are 0.
///
/// ```
/// let mut random = nn::RandomParameters::new(1);
/// random.dense(10, 2, 1.0);
/// assert_eq!(random.parameters.len(), 22);
/// assert_eq!(random.parameters[20..], [0.0, 0.0]);
/// ```
pub struct RandomParameters {
    random: Xoshiro256PlusPlus,
    /// What was drawn so far; more may be added or changed.
    pub parameters: Vec<f32>,
}

impl RandomParameters {
    /// None as yet; the seed gives all that follow.
    pub fn new(seed: u64) -> RandomParameters {
        RandomParameters { random: Xoshiro256PlusPlus::seed_from_u64(seed), parameters: Vec::new() }
    }

    /// Adds those of a convolution, its weights multiplied with `gain`.
    pub fn conv(&mut self, shape: Shape, gain: f32) {
        self.dense(shape.inputs * shape.kernel * shape.kernel, shape.filters, gain);
    }

    /// Adds those of a fully connected layer.
    pub fn dense(&mut self, inputs: usize, outputs: usize, gain: f32) {
        let spread = gain * (6.0 / inputs as f32).sqrt();
        for _ in 0..inputs * outputs {
            let unit = (self.random.next_u64() >> 40) as f32 / (1 << 24) as f32;
            self.parameters.push((2.0 * unit - 1.0) * spread);
        }
        self.parameters.resize(self.parameters.len() + outputs, 0.0);
    }
}
