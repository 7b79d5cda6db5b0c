//! Joseki: what professionals play in a corner, as a finite state machine learned from records.
//!
//! A state is a corner's position as the player to move sees it, whatever the corner, whichever way
//! it lies, whatever the colours and the order of the moves that led there; a transition is the
//! next move, or none here (tenuki).
//!
//! * [`Corner`], [`Place`], [`Places`]: the four corners and the 10 x 10 points of each.
//! * [`Code`]: the code of Yue, Li and Qiu, exactly. It is reported on and not used for identity.
//! * [`Key`], [`Corners`]: the identity that is used, kept move by move, and the way back from it to
//!   the board.
//! * [`Sequences`]: which moves of a game belong to a corner, and until when; [`learn`]: counting
//!   them; [`Machine`]: the result, and its file.
//! * [`Advice`]: the continuations of a corner on a real board: legal ones, with ladders that work.
//! * [`Judgement`]: how often the move that was played is among the first; [`Encoding`]: the
//!   figures of the paper, for its code and for ours.

mod advice;
mod code;
mod corner;
mod course;
mod eval;
mod identity;
mod ladder;
mod learner;
mod machine;
mod sequence;
mod stats;
mod stones;

pub use advice::{Advice, Suggestion};
pub use code::{Code, SetCode};
pub use corner::{Corner, ParseCornerError, Place, Places, REGION, SIDE};
pub use eval::{ERAS, Era, Judgement, Tally};
pub use identity::{Corners, Forms, Key, View};
pub use ladder::Ladder;
pub use learner::{Learned, Settings, learn};
pub use machine::{Machine, Need, Share, State, StateId, Transition, Turn, Turns};
pub use sequence::{Cut, Event, Sequences};
pub use stats::{Encoding, Figures, encode};
pub use stones::{Seen, Stones};
