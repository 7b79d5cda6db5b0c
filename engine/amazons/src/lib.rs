//! The rules of the Game of the Amazons and how a game is searched. No files, no clocks, no protocol.
//!
//! A turn moves one queen as in chess and then shoots an arrow from where it stands, again as a queen moves; the arrow's
//! square is closed for the rest of the game. Whoever cannot move has lost. White moves first.
//!
//! * [`Square`], [`Squares`], [`Size`], [`Move`], [`Color`]: the words that everything else speaks.
//! * [`Position`]: queens, arrows and whose turn it is; which moves there are ([`moves`]), and how many ([`perft`]).
//! * [`Game`]: a position with its history, and turns made in steps.
//! * [`notation`]: how squares and moves are written.
//!
//! ```
//! use amazons_engine::{Position, notation::GameMove};
//!
//! let mut position = Position::start();
//! assert_eq!(position.count_moves(), 2176);
//! let GameMove(first) = "d1-d7/g7".parse()?;
//! position.play(first)?;
//! assert!(position.play(first).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod eval;
pub mod game;
pub mod learn;
mod movegen;
pub mod moves;
pub mod net;
pub mod notation;
pub mod perft;
pub mod position;
mod rays;
pub mod region;
pub mod search;
pub mod setup;
pub mod solve;
mod square;
mod squares;

pub use game::Game;
pub use game_core::{Color, Symmetry};
pub use moves::Move;
pub use position::{IllegalMove, Position};
pub use square::{MAX_SIDE, Size, Square};
pub use squares::Squares;
