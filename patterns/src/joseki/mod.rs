//! Joseki: what professionals play in a corner, as a finite state machine learned from records.
//!
//! A state is a corner's position as the player to move sees it, whatever the corner, whichever way
//! it lies, whatever the colours and the order of the moves that led there; a transition is the
//! next move, or none here (tenuki).
//!
//! * [`Corner`], [`Place`], [`Places`]: the four corners and the 10 x 10 points of each.
//! * [`Code`]: the code of Yue, Li and Qiu, exactly. It is reported on and not what states are named by.
//! * [`Key`], [`Corners`]: the canonical form that is used, kept move by move, and the way back from it to
//!   the board.
//! * [`Sequences`]: which moves of a game belong to a corner, and until when; [`learn`]: counting
//!   them; [`JosekiBook`]: the result, and its file.
//! * [`Query`]: the continuations of a corner on a real board: legal ones, with ladders that work.
//! * [`Evaluation`]: how often the move that was played is among the first; [`Encoding`]: the
//!   figures of the paper, for its code and for ours.

mod book;
mod canonical;
mod code;
mod continuation;
mod corner;
mod counts;
mod eval;
mod file;
mod ladder;
mod learner;
mod query;
mod sequence;
mod speed;
mod state;
mod stats;
mod stones;

pub use book::{JosekiBook, Share};
pub use canonical::{Corners, Forms, Key, View};
pub use code::{Code, SetCode};
pub use corner::{Corner, ParseCornerError, Place, Places, REGION, SIDE};
pub use counts::{CountedOtherwise, Counts};
pub use eval::{ERAS, Era, Evaluation, Tally};
pub use ladder::Ladder;
pub use learner::{Learned, RECENT_WEIGHTS, Settings, learn};
pub use query::{Query, Suggestion};
pub use sequence::{Cut, Event, Sequences};
pub use speed::{Speed, Timed};
pub use state::{Need, State, StateId, Transition, Turn, Turns};
pub use stats::{Encoding, Figures, encode};
pub use stones::{CornerPosition, Stones};
