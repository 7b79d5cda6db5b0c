//! Time in a session, shared by all games: what the controller allows, what is left of it, and how much
//! of that a move may take.

mod budget;
mod deadlines;
mod lag;
#[cfg(test)]
mod tests;

pub use budget::{Budget, Outlook};
pub use deadlines::Deadlines;
pub use game_core::time::{TimeControl, TimeError, TimeLeft};
pub use lag::DEFAULT_LAG;

use lag::Lag;
use std::time::Duration;

use crate::gtp::Color;

/// The clocks of both players.
///
/// The controller's `time_left` is the truth, as far as it says it: most tell whole seconds only, rounded down. Between two of
/// them, and within the second, the clock counts for itself: what [`Clock::spend`] reports, and the lag with every move, so
/// that it never shows more than there is.
///
/// ```
/// use std::time::Duration;
/// use tesuji::session::clock::{Clock, Outlook, TimeControl};
/// use tesuji::gtp::Color;
///
/// let mut clock = Clock::new(TimeControl::gtp(60.0, 0.0, 0)?);
/// clock.set_left(Color::Black, 30.0, 0)?;
/// let outlook = Outlook { made: 0, expected: 30, long: 80, longest: 400, answers: 1 };
/// let budget = clock.budget(Color::Black, &outlook).expect("time is limited");
/// assert!(budget.soft <= budget.hard && budget.hard < Duration::from_secs(30));
/// # Ok::<(), tesuji::session::clock::TimeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clock {
    clock: game_core::time::Clock,
    lag: Lag,
    players: [Player; 2],
}

/// What is known of one player's clock beside what it shows.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    /// The last turn of the game for which lag is set aside; decided at the first.
    last_kept: Option<f64>,
    /// Answers since the controller's clock said something that ours did not know.
    answers: u32,
}

/// Whole seconds are rounded down.
const SECOND: Duration = Duration::from_secs(1);

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(TimeControl::Unlimited)
    }
}

impl Clock {
    /// Full clocks.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            clock: game_core::time::Clock::new(control),
            lag: Lag::default(),
            players: Default::default(),
        }
    }

    /// The time control in force.
    pub fn control(&self) -> &TimeControl {
        self.clock.control()
    }

    /// A new time control and full clocks; the lag stays.
    pub fn reset(&mut self, control: TimeControl) {
        self.clock = game_core::time::Clock::new(control);
        self.players = Default::default();
    }

    /// Full clocks for a new game under the same time control.
    pub fn restart(&mut self) {
        self.reset(*self.control());
    }

    /// The time that every move loses between the two clocks, or more where more was seen.
    pub fn lag(&self) -> Duration {
        self.lag.get()
    }

    /// Sets the time that every move loses between the two clocks.
    pub fn set_lag(&mut self, lag: Duration) {
        self.lag.state(lag);
        self.players = Default::default();
    }

    /// What a player has left, at least; says nothing under [`TimeControl::Unlimited`].
    pub fn left(&self, color: Color) -> TimeLeft {
        self.clock.left(color)
    }

    /// `time_left`: as [`game_core::time::Clock::set_left`]. Whole seconds may be rounded down: what the clock counted itself
    /// is better as long as it fits. When it shows more, more was lost than the lag, which is learned.
    ///
    /// # Errors
    /// If the time is no number. A negative time counts as none.
    pub fn set_left(&mut self, color: Color, time: f64, stones: u32) -> Result<(), TimeError> {
        let own = self.left(color);
        self.clock.set_left(color, time, stones)?;
        let told = self.left(color);
        let (Some(mine), Some(theirs)) = (same_kind(own, told), same_kind(told, own)) else {
            self.players[color.index()].answers = 0;
            return Ok(());
        };
        let is_whole = time.fract() == 0.0;
        let max = if is_whole { theirs + SECOND } else { theirs };
        if is_whole && (theirs..=max).contains(&mine) {
            self.clock.put(color, own);
            return Ok(());
        }
        let player = &mut self.players[color.index()];
        if mine > max + lag::MAX_LOSS {
            // Somebody set the clock: what was decided was for another game.
            player.last_kept = None;
        }
        let answers = std::mem::take(&mut player.answers);
        if answers > 0 && mine > max {
            // What each answer lost beyond the lag that was counted already; half a second is what rounding takes on average.
            let told = if is_whole { theirs + SECOND / 2 } else { theirs };
            let more = (mine - told) / answers;
            self.lag.see_loss(self.lag.get().saturating_add(more));
        }
        Ok(())
    }

    /// Takes the time that an answer took from the player's clock, and the lag; `over` is what it took more than it was to.
    pub fn spend(&mut self, color: Color, used: Duration, over: Duration) {
        self.players[color.index()].answers += 1;
        self.clock.spend(color, used.saturating_add(self.lag.get()));
        self.lag.see_answer(over);
    }

    /// What the player may take for the next move; none when time is not limited.
    pub fn budget(&mut self, color: Color, outlook: &Outlook) -> Option<Budget> {
        let (control, left, lag) = (*self.control(), self.left(color), self.lag.get());
        let decide = || budget::last_kept_for(&control, left, outlook, lag);
        let player = &mut self.players[color.index()];
        let last_kept = *player.last_kept.get_or_insert_with(decide);
        budget::budget(&control, left, outlook, last_kept, lag)
    }
}

/// The time of a clock, if it is of the same kind as another: main time, or as many stones or periods.
fn same_kind(left: TimeLeft, other: TimeLeft) -> Option<Duration> {
    match (left, other) {
        (TimeLeft::Main(time), TimeLeft::Main(_)) => Some(time),
        (TimeLeft::Stones(time, n), TimeLeft::Stones(_, m)) if n == m => Some(time),
        (TimeLeft::Periods(time, n), TimeLeft::Periods(_, m)) if n == m => Some(time),
        _ => None,
    }
}
