//! Tests of the networks for Go.

mod common;
mod files;
mod katago;
mod kernels;
