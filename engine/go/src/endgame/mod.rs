//! The end of a game: what is alive whatever happens, what is dead, when to pass and when to
//! resign.

mod benson;
mod decide;
mod status;

pub use benson::{SafeArea, safe_area};
pub use decide::{Decision, EndgamePolicy, decide};
pub use status::{is_settled, statuses};
