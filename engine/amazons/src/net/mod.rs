//! Networks: the patent's two, literally, and their forward pass in plain Rust.

pub mod conv;
pub mod gemm;
pub mod literal;
pub mod planes;
