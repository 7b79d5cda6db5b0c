//! Kinds of time control, and how a clock runs under each.

use std::time::Duration;

use thiserror::Error;

use super::TimeLeft;

/// How a game is timed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TimeSettings {
    /// No limit.
    #[default]
    Unlimited,
    /// All moves within the main time.
    Absolute {
        /// Time for all moves.
        main: Duration,
    },
    /// After the main time a number of periods; a move within the period gives it back whole.
    ByoYomi {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Periods at the start, 1 or more.
        periods: u32,
    },
    /// After the main time a number of stones in each period.
    Canadian {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Stones to play in a period, 1 or more.
        stones: u32,
    },
    /// Main time that grows with each move.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
    },
}

/// Time settings that make no sense.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A time is negative, not a number or longer than a year.
    #[error("a time must be 0 to {MAX_SECONDS} seconds")]
    Time,
    /// The name of the kind is unknown.
    #[error("unknown time system {0:?}")]
    Kind(String),
    /// A number is missing or has the wrong form.
    #[error("syntax error")]
    Syntax,
}

/// A year; longer times are taken for mistakes.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

pub(super) fn duration(seconds: f64) -> Result<Duration, SettingsError> {
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(SettingsError::Time)
    }
}

impl TimeSettings {
    /// The settings of `time_settings MAIN BYO_YOMI STONES`: no stones in a period of some length
    /// is no limit, no length at all is absolute time, everything else Canadian overtime.
    ///
    /// # Errors
    /// If a time is negative, not a number, or absurdly long.
    pub fn gtp(main: f64, byo_yomi: f64, stones: u32) -> Result<TimeSettings, SettingsError> {
        let (main, period) = (duration(main)?, duration(byo_yomi)?);
        Ok(match (period.is_zero(), stones) {
            (true, _) => TimeSettings::Absolute { main },
            (false, 0) => TimeSettings::Unlimited,
            (false, stones) => TimeSettings::Canadian { main, period, stones },
        })
    }

    /// The settings of `kgs-time_settings`: `none`, `absolute MAIN`, `byoyomi MAIN PERIOD PERIODS`
    /// or `canadian MAIN PERIOD STONES`; and `fischer MAIN INCREMENT`, as `kata-time_settings` has
    /// it.
    ///
    /// # Errors
    /// If the kind is unknown, or a number is missing or impossible.
    pub fn named(text: &str) -> Result<TimeSettings, SettingsError> {
        let mut words = text.split_ascii_whitespace();
        let kind = words.next().ok_or(SettingsError::Syntax)?.to_ascii_lowercase();
        let mut time = || -> Result<f64, SettingsError> {
            words.next().and_then(|w| w.parse().ok()).ok_or(SettingsError::Syntax)
        };
        match kind.as_str() {
            "none" => Ok(TimeSettings::Unlimited),
            "absolute" => Ok(TimeSettings::Absolute { main: duration(time()?)? }),
            "fischer" => Ok(TimeSettings::Fischer {
                main: duration(time()?)?,
                increment: duration(time()?)?,
            }),
            "byoyomi" | "canadian" => {
                let (main, period) = (duration(time()?)?, duration(time()?)?);
                let number = time()?;
                if number.fract() != 0.0 || !(0.0..=1e6).contains(&number) {
                    return Err(SettingsError::Syntax);
                }
                let number = number as u32;
                Ok(match (period.is_zero() || number == 0, kind.as_str()) {
                    (true, _) => TimeSettings::Absolute { main },
                    (_, "byoyomi") => TimeSettings::ByoYomi { main, period, periods: number },
                    _ => TimeSettings::Canadian { main, period, stones: number },
                })
            }
            _ => Err(SettingsError::Kind(kind)),
        }
    }

    /// The kinds that [`TimeSettings::named`] knows.
    pub const NAMES: [&'static str; 5] = ["none", "absolute", "byoyomi", "canadian", "fischer"];

    /// What a player has at the start of the game.
    pub fn at_start(&self) -> TimeLeft {
        match *self {
            TimeSettings::Unlimited => TimeLeft::Main(Duration::ZERO),
            TimeSettings::Absolute { main } | TimeSettings::Fischer { main, .. } => {
                TimeLeft::Main(main)
            }
            TimeSettings::ByoYomi { main, .. } | TimeSettings::Canadian { main, .. } => {
                self.overtime(main)
            }
        }
    }

    /// Main time if there is any, else the overtime at its start.
    fn overtime(&self, main: Duration) -> TimeLeft {
        match *self {
            _ if !main.is_zero() => TimeLeft::Main(main),
            TimeSettings::ByoYomi { period, periods, .. } => TimeLeft::Periods(period, periods),
            TimeSettings::Canadian { period, stones, .. } => TimeLeft::Stones(period, stones),
            _ => TimeLeft::Main(main),
        }
    }

    /// What is left after a move that took `used`. Time that is lost is never below zero: the
    /// controller decides who has lost.
    pub(super) fn after(&self, left: TimeLeft, used: Duration) -> TimeLeft {
        match (*self, left) {
            (TimeSettings::Unlimited, left) => left,
            (TimeSettings::Fischer { increment, .. }, TimeLeft::Main(main)) => {
                TimeLeft::Main(main.saturating_sub(used) + increment)
            }
            (TimeSettings::Absolute { .. }, TimeLeft::Main(main)) => {
                TimeLeft::Main(main.saturating_sub(used))
            }
            (_, TimeLeft::Main(main)) if used < main => TimeLeft::Main(main - used),
            (_, TimeLeft::Main(main)) => match self.overtime(Duration::ZERO) {
                TimeLeft::Main(_) => TimeLeft::Main(Duration::ZERO),
                overtime => self.after(overtime, used - main),
            },
            (_, TimeLeft::Stones(time, stones)) if stones > 1 => {
                TimeLeft::Stones(time.saturating_sub(used), stones - 1)
            }
            (_, TimeLeft::Stones(..)) => self.overtime(Duration::ZERO),
            (TimeSettings::ByoYomi { period, .. }, TimeLeft::Periods(time, periods)) => {
                let mut over = used.saturating_sub(time);
                let mut periods = periods;
                if used > time {
                    periods = periods.saturating_sub(1);
                    while over > period && periods > 1 {
                        over -= period;
                        periods -= 1;
                    }
                }
                TimeLeft::Periods(period, periods.max(1))
            }
            (_, left @ TimeLeft::Periods(..)) => left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn the_protocols_three_numbers() {
        assert_eq!(TimeSettings::gtp(0.0, 1.0, 0), Ok(TimeSettings::Unlimited));
        let main = seconds(60);
        assert_eq!(TimeSettings::gtp(60.0, 0.0, 0), Ok(TimeSettings::Absolute { main }));
        assert_eq!(TimeSettings::gtp(60.0, 0.0, 5), Ok(TimeSettings::Absolute { main }));
        let canadian = TimeSettings::Canadian { main, period: seconds(30), stones: 5 };
        assert_eq!(TimeSettings::gtp(60.0, 30.0, 5), Ok(canadian));
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e18] {
            assert_eq!(TimeSettings::gtp(bad, 0.0, 0), Err(SettingsError::Time));
        }
    }

    #[test]
    fn named_kinds() {
        assert_eq!(TimeSettings::named("none"), Ok(TimeSettings::Unlimited));
        let byoyomi = TimeSettings::ByoYomi { main: seconds(300), period: seconds(30), periods: 5 };
        assert_eq!(TimeSettings::named("byoyomi 300 30 5"), Ok(byoyomi));
        assert!(matches!(TimeSettings::named("fischer 60 2.5"), Ok(TimeSettings::Fischer { .. })));
        assert_eq!(TimeSettings::named("byoyomi 300 30"), Err(SettingsError::Syntax));
        assert_eq!(TimeSettings::named("byoyomi 300 30 1.5"), Err(SettingsError::Syntax));
        assert_eq!(TimeSettings::named(""), Err(SettingsError::Syntax));
        assert!(matches!(TimeSettings::named("hourglass 5"), Err(SettingsError::Kind(_))));
    }

    #[test]
    fn a_clock_runs_through_its_overtime() {
        let byoyomi = TimeSettings::named("byoyomi 10 30 3").unwrap();
        let start = byoyomi.at_start();
        assert_eq!(start, TimeLeft::Main(seconds(10)));
        let over = byoyomi.after(start, seconds(15));
        assert_eq!(over, TimeLeft::Periods(seconds(30), 3));
        assert_eq!(byoyomi.after(over, seconds(30)), TimeLeft::Periods(seconds(30), 3));
        assert_eq!(byoyomi.after(over, seconds(31)), TimeLeft::Periods(seconds(30), 2));
        assert_eq!(byoyomi.after(over, seconds(300)), TimeLeft::Periods(seconds(30), 1));

        let canadian = TimeSettings::named("canadian 0 60 2").unwrap();
        let one = canadian.after(canadian.at_start(), seconds(20));
        assert_eq!(one, TimeLeft::Stones(seconds(40), 1));
        assert_eq!(canadian.after(one, seconds(20)), TimeLeft::Stones(seconds(60), 2));

        let fischer = TimeSettings::named("fischer 10 2").unwrap();
        let next = fischer.after(fischer.at_start(), seconds(5));
        assert_eq!(next, TimeLeft::Main(seconds(7)));
    }
}
