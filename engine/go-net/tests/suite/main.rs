//! Tests of the networks for Go.

mod common;
mod katago;
