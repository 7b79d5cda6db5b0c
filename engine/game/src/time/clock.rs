//! Clocks that run.

use std::time::Duration;

use super::{TimeControl, TimeError, TimeLeft, seconds};
use crate::Color;

/// Both players' clocks.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    control: TimeControl,
    left: [TimeLeft; 2],
}

impl Clock {
    /// Full clocks.
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, left: [control.at_start(); 2] }
    }

    /// The time control in force.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Full clocks for a new game under the same time control.
    pub fn restart(&mut self) {
        *self = Clock::new(self.control);
    }

    /// What a player has left; says nothing under [`TimeControl::Unlimited`].
    pub fn left(&self, color: Color) -> TimeLeft {
        self.left[color.index()]
    }

    /// The longest that a player's next move may take; none where there is no limit.
    pub fn longest_move(&self, color: Color) -> Option<Duration> {
        self.control.longest_move(self.left(color))
    }

    /// GTP's `time_left`: so many seconds, and in overtime so many stones (Canadian) or periods (byo-yomi); 0 stones
    /// while main time runs.
    ///
    /// # Errors
    /// If the time is no number. A negative time counts as none.
    pub fn set_left(&mut self, color: Color, time: f64, stones: u32) -> Result<(), TimeError> {
        let time = seconds(if time < 0.0 { 0.0 } else { time })?;
        self.left[color.index()] = match (stones, &self.control) {
            (0, _) => TimeLeft::Main(time),
            (periods, TimeControl::ByoYomi { .. }) => TimeLeft::Periods(time, periods),
            (stones, _) => TimeLeft::Stones(time, stones),
        };
        Ok(())
    }

    /// Makes a player's clock show this.
    pub fn put(&mut self, color: Color, left: TimeLeft) {
        self.left[color.index()] = left;
    }

    /// Takes the time that a move took from the player's clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use game_core::Color;
    /// use game_core::time::{Clock, TimeControl, TimeLeft};
    ///
    /// let mut clock = Clock::new(TimeControl::named("byoyomi 10 5 3")?);
    /// clock.spend(Color::Black, Duration::from_secs(16));
    /// assert_eq!(clock.left(Color::Black), TimeLeft::Periods(Duration::from_secs(5), 2));
    /// # Ok::<(), game_core::time::TimeError>(())
    /// ```
    pub fn spend(&mut self, color: Color, used: Duration) {
        let left = &mut self.left[color.index()];
        *left = self.control.after(*left, used);
    }
}
