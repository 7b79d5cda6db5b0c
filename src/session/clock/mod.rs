//! Time in a session, shared by all games: what the controller allows, what is left of it, and how much
//! of that a move may take.

mod budget;

pub use budget::{Budget, Outlook};
pub use game_core::time::{TimeControl, TimeError, TimeLeft};

use std::time::Duration;

use crate::gtp::Color;

/// The clocks of both players.
///
/// The controller's `time_left` is the truth; between two of them the clock counts for itself what
/// [`Clock::spend`] reports.
///
/// ```
/// use std::time::Duration;
/// use tesuji::session::clock::{Clock, Outlook, TimeControl};
/// use tesuji::gtp::Color;
///
/// let mut clock = Clock::new(TimeControl::gtp(60.0, 0.0, 0)?);
/// clock.set_left(Color::Black, 30.0, 0)?;
/// let budget = clock.budget(Color::Black, Outlook { own_moves: 30 }).expect("time is limited");
/// assert!(budget.soft <= budget.hard && budget.hard < Duration::from_secs(30));
/// # Ok::<(), tesuji::session::clock::TimeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clock {
    clock: game_core::time::Clock,
    /// Time between the controller's clock and ours that every move loses.
    lag: Duration,
}

/// The lag that is allowed for unless another is set.
pub const DEFAULT_LAG: Duration = Duration::from_millis(100);

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(TimeControl::Unlimited)
    }
}

impl Clock {
    /// Full clocks.
    pub fn new(control: TimeControl) -> Clock {
        Clock { clock: game_core::time::Clock::new(control), lag: DEFAULT_LAG }
    }

    /// The time control in force.
    pub fn control(&self) -> &TimeControl {
        self.clock.control()
    }

    /// A new time control and full clocks; the lag stays.
    pub fn reset(&mut self, control: TimeControl) {
        self.clock = game_core::time::Clock::new(control);
    }

    /// Full clocks for a new game under the same time control.
    pub fn restart(&mut self) {
        self.clock.restart();
    }

    /// The time that every move loses between the two clocks.
    pub fn lag(&self) -> Duration {
        self.lag
    }

    /// Sets the time that every move loses between the two clocks.
    pub fn set_lag(&mut self, lag: Duration) {
        self.lag = lag;
    }

    /// What a player has left; says nothing under [`TimeControl::Unlimited`].
    pub fn left(&self, color: Color) -> TimeLeft {
        self.clock.left(color)
    }

    /// `time_left`: as [`game_core::time::Clock::set_left`].
    ///
    /// # Errors
    /// If the time is no number. A negative time counts as none.
    pub fn set_left(&mut self, color: Color, time: f64, stones: u32) -> Result<(), TimeError> {
        self.clock.set_left(color, time, stones)
    }

    /// Takes the time a move took from the player's clock.
    pub fn spend(&mut self, color: Color, used: Duration) {
        self.clock.spend(color, used);
    }

    /// What the player may take for the next move; none when time is not limited.
    pub fn budget(&self, color: Color, outlook: Outlook) -> Option<Budget> {
        let budget = budget::budget(self.control(), self.left(color), outlook, self.lag)?;
        // A move that takes longer than the clock lets any of them take is lost, whatever is left.
        let limit = self.control().max_move();
        let limit = limit.map(|limit| limit.saturating_sub(self.lag).max(limit / 2));
        let limited = |time: Duration| limit.map_or(time, |limit| time.min(limit));
        Some(Budget { soft: limited(budget.soft), hard: limited(budget.hard) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_takes_longer_than_the_clock_lets_any_of_them_take() {
        let outlook = Outlook { own_moves: 1 };
        let budget = |settings: &str| {
            let mut clock = Clock::new(TimeControl::named(settings).unwrap());
            clock.set_lag(Duration::from_millis(500));
            clock.budget(Color::Black, outlook).unwrap()
        };
        let free = budget("fischer-capped 6000 10 -1 -1");
        assert_eq!(free, budget("fischer 6000 10"));
        let limited = budget("fischer-capped 6000 10 -1 5");
        let limit = Duration::from_millis(4500);
        assert!(free.soft > limit && limited == Budget { soft: limit, hard: limit }, "{limited:?}");
        assert_eq!(budget("fischer-capped 60 1 -1 0.2").hard, Duration::from_millis(100));
    }
}
