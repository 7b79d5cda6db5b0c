//! Tests of the Go engine: one binary, so that it is linked once.

mod board;
mod counts;
mod game;
mod goban;
mod playouts;
mod proofs;
mod scoring;
mod small_boards;
mod territory;
