//! The rules of Go and how a game is searched. No files, no clocks, no protocol.
//!
//! * [`board`]: stones, chains and liberties, for playouts.
//! * [`game`], [`rules`], [`score`]: a game with its history, what is allowed, who has won.
//! * [`playout`]: playing a position to its end; [`params`]: every tunable.
//! * [`reading`]: whether one chain can be caught.
//! * [`search`]: the tree search; [`small`]: boards that are small enough to be solved;
//!   [`endgame`]: life, death, passing and resigning.
//! * [`Color`], [`Point`], [`Move`]: the words that everything else speaks.

pub mod board;
pub mod endgame;
pub mod game;
pub mod params;
pub mod playout;
mod point;
pub mod reading;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
pub mod small;

pub use board::{Board, Site};
pub use game::Game;
pub use game_core::Color;
pub use point::{MAX_SIDE, Move, ParsePointError, Point};
pub use rules::Rules;
