//! The end of a game: what is alive whatever happens, what is dead, when to pass and when to
//! resign.

pub mod benson;
mod decide;
mod status;

pub use benson::{SafeArea, safe_area};
pub use decide::{Decision, EndgamePolicy, decide};
pub use status::{Ending, ending, is_settled, statuses};
