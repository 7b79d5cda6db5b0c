//! Tests of the Connect6 engine: one binary, so that it is linked once.

mod attacks;
mod brute_force;
mod common;
mod rules;
mod shapes;
mod threats;
