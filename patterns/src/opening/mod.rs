//! An opening book that is made by search: the positions of a game's first moves, each with what a search found of it.
//!
//! * [`Canonical`]: a position up to the symmetries of the board, and the way back from it to the board.
//! * [`OpeningBook`]: the positions, what they are worth by what follows them, and the file.
//! * [`Expansion`]: which positions are taken up next while a book is made; [`Round`]: what was found of them, and its file.

mod book;
mod canonical;
mod evaluation;
mod expansion;
mod file;
mod round;
mod values;

pub use book::{BookMove, BookPosition, Conditions, OpeningBook};
pub use canonical::Canonical;
pub use evaluation::{Evaluation, MoveEvaluation};
pub use expansion::{Expansion, Leaf};
pub use round::Round;
pub use values::Value;
