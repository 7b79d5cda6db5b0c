//! A turn of a match game, with what is known of it.

use std::time::Duration;

use game_core::time::TimeLeft;

use super::arbiter::{Color, Step};

/// One turn as it was played.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Who played it.
    pub color: Color,
    /// Its steps.
    pub steps: Vec<Step>,
    /// How long the player took; `None` for a turn of the opening.
    pub time: Option<Duration>,
    /// What its clock showed afterwards.
    pub clock: Option<TimeLeft>,
    /// What the engine said of it.
    pub comment: String,
}
