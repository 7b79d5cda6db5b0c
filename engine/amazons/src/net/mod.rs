//! Networks: the patent's two, literally, and a lean one that the search can afford, with their forward pass in plain Rust.
//!
//! Training lives in a crate of its own, which players need not build; both sides agree on the order of the parameters
//! ([`literal::Network::new`], [`lean::Lean::new`]) and on the bytes in which they are kept ([`mod@file`]).

pub mod conv;
pub mod file;
pub mod gemm;
pub mod input;
pub mod lean;
pub mod literal;
pub mod planes;
pub mod policy;
pub mod quantised;
mod vectors;

use conv::Shape;
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

impl ParameterError {
    fn check(parameters: &[f32], expected: usize) -> Result<(), ParameterError> {
        let found = parameters.len();
        if found != expected {
            return Err(ParameterError::Count { found, expected });
        }
        match parameters.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(ParameterError::NotFinite(at)),
            None => Ok(()),
        }
    }
}

/// Takes numbers from the front.
fn take<'a>(rest: &mut &'a [f32], count: usize) -> &'a [f32] {
    let (taken, left) = rest.split_at(count);
    *rest = left;
    taken
}

/// Parameters being drawn at random, layer by layer, uniformly with the variance of He et al. (2015); biases are 0.
struct Draws {
    random: Xoshiro256PlusPlus,
    parameters: Vec<f32>,
}

impl Draws {
    fn new(seed: u64) -> Draws {
        Draws { random: Xoshiro256PlusPlus::seed_from_u64(seed), parameters: Vec::new() }
    }

    fn conv(&mut self, shape: Shape, gain: f32) {
        self.dense(shape.inputs * shape.kernel * shape.kernel, shape.filters, gain);
    }

    fn dense(&mut self, inputs: usize, outputs: usize, gain: f32) {
        let spread = gain * (6.0 / inputs as f32).sqrt();
        for _ in 0..inputs * outputs {
            let unit = (self.random.next_u64() >> 40) as f32 / (1 << 24) as f32;
            self.parameters.push((2.0 * unit - 1.0) * spread);
        }
        self.parameters.resize(self.parameters.len() + outputs, 0.0);
    }
}
