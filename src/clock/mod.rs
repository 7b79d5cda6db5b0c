//! Time control, shared by all games: what the controller allows, what is left of it, and how much
//! of that a move may take.

mod budget;
mod commands;
mod settings;

pub use budget::{Budget, Outlook};
pub use commands::{Timed, register};
pub use settings::{SettingsError, TimeSettings};

use std::time::Duration;

use crate::gtp::Color;

/// The clocks of both players.
///
/// The controller's `time_left` is the truth; between two of them the clock counts for itself what
/// [`Clock::spend`] reports.
///
/// ```
/// use std::time::Duration;
/// use tesuji::clock::{Clock, Outlook, TimeSettings};
/// use tesuji::gtp::Color;
///
/// let mut clock = Clock::new(TimeSettings::gtp(60.0, 0.0, 0)?);
/// clock.set_left(Color::Black, 30.0, 0)?;
/// let budget = clock.budget(Color::Black, Outlook { own_moves: 30 }).expect("time is limited");
/// assert!(budget.soft <= budget.hard && budget.hard < Duration::from_secs(30));
/// # Ok::<(), tesuji::clock::SettingsError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clock {
    settings: TimeSettings,
    left: [TimeLeft; 2],
    /// Time between the controller's clock and ours that every move loses.
    lag: Duration,
}

/// What one player has left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLeft {
    /// Main time; what follows it is in the settings.
    Main(Duration),
    /// Canadian overtime: this time for so many stones.
    Stones(Duration, u32),
    /// Byo-yomi: this time in the present period, and so many periods with it.
    Periods(Duration, u32),
}

/// The lag that is allowed for unless another is set.
pub const DEFAULT_LAG: Duration = Duration::from_millis(100);

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(TimeSettings::Unlimited)
    }
}

impl Clock {
    /// Full clocks.
    pub fn new(settings: TimeSettings) -> Clock {
        let left = settings.at_start();
        Clock { settings, left: [left; 2], lag: DEFAULT_LAG }
    }

    /// The settings in force.
    pub fn settings(&self) -> &TimeSettings {
        &self.settings
    }

    /// New settings and full clocks; the lag stays.
    pub fn reset(&mut self, settings: TimeSettings) {
        *self = Clock { lag: self.lag, ..Clock::new(settings) };
    }

    /// Full clocks for a new game under the same settings.
    pub fn restart(&mut self) {
        self.left = [self.settings.at_start(); 2];
    }

    /// The time that every move loses between the two clocks.
    pub fn lag(&self) -> Duration {
        self.lag
    }

    /// Sets the time that every move loses between the two clocks.
    pub fn set_lag(&mut self, lag: Duration) {
        self.lag = lag;
    }

    /// What a player has left; says nothing under [`TimeSettings::Unlimited`].
    pub fn left(&self, color: Color) -> TimeLeft {
        self.left[color.index()]
    }

    /// `time_left`: so many seconds, and in overtime so many stones (Canadian) or periods
    /// (byo-yomi); 0 stones while main time runs.
    ///
    /// # Errors
    /// If the time is no number. A negative time counts as none.
    pub fn set_left(
        &mut self,
        color: Color,
        seconds: f64,
        stones: u32,
    ) -> Result<(), SettingsError> {
        let time = settings::duration(if seconds < 0.0 { 0.0 } else { seconds })?;
        self.left[color.index()] = match (stones, &self.settings) {
            (0, _) => TimeLeft::Main(time),
            (periods, TimeSettings::ByoYomi { .. }) => TimeLeft::Periods(time, periods),
            (stones, _) => TimeLeft::Stones(time, stones),
        };
        Ok(())
    }

    /// Takes the time a move took from the player's clock.
    pub fn spend(&mut self, color: Color, used: Duration) {
        let left = &mut self.left[color.index()];
        *left = self.settings.after(*left, used);
    }

    /// What the player may take for the next move; none when time is not limited.
    pub fn budget(&self, color: Color, outlook: Outlook) -> Option<Budget> {
        budget::budget(&self.settings, self.left(color), outlook, self.lag)
    }
}
