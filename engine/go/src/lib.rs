//! The rules of Go and how a game is searched. No files, no clocks, no protocol.
//!
//! * [`board`]: stones, chains and liberties, for playouts.
//! * [`Color`], [`Point`], [`Move`]: the words that everything else speaks.

pub mod board;
mod color;
pub mod playout;
mod point;
pub mod rng;

pub use board::{Board, Site};
pub use color::Color;
pub use point::{Move, ParsePointError, Point};
