//! How a game is timed, and how a clock runs.

mod clock;

pub use clock::Clock;

use std::fmt;
use std::time::Duration;

use thiserror::Error;

/// How a game is timed; both sides alike.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TimeControl {
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
        /// The main time is never more than this after a move, where there is such a limit.
        max_main: Option<Duration>,
        /// The longest that a move may take, where there is such a limit.
        max_move: Option<Duration>,
    },
}

/// What one player has left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLeft {
    /// Main time; what follows it is in the time control.
    Main(Duration),
    /// Canadian overtime: this time for so many stones.
    Stones(Duration, u32),
    /// Byo-yomi: this time in the present period, and so many periods with it.
    Periods(Duration, u32),
}

/// A time control that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// A time is negative, not a number or longer than a clock goes.
    #[error("a time must be 0 to {MAX_SECONDS} seconds")]
    Time,
    /// The name of the kind is unknown.
    #[error("unknown time system {0:?}")]
    Kind(String),
    /// The limit of the main time is less than the main time at the start.
    #[error("the limit of the main time is below the main time")]
    Limit,
    /// A number is missing or has the wrong form.
    #[error("syntax error")]
    Syntax,
}

/// The longest time, 2^31 - 1 seconds: KataGo's `kata-time_settings` promises as much. Longer ones are taken for
/// mistakes.
const MAX_SECONDS: f64 = 2_147_483_647.0;

/// A number of seconds as a length of time.
///
/// # Errors
/// If it is negative, not a number, or longer than 2^31 - 1 seconds.
pub fn seconds(seconds: f64) -> Result<Duration, TimeError> {
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(TimeError::Time)
    }
}

impl TimeControl {
    /// The time control of GTP's `time_settings MAIN BYO_YOMI STONES`: no stones in a period of some length is no
    /// limit, no length at all is absolute time, everything else Canadian overtime.
    ///
    /// # Errors
    /// If a time is negative, not a number, or absurdly long.
    pub fn gtp(main: f64, byo_yomi: f64, stones: u32) -> Result<TimeControl, TimeError> {
        let (main, period) = (seconds(main)?, seconds(byo_yomi)?);
        Ok(match (period.is_zero(), stones) {
            (true, _) => TimeControl::Absolute { main },
            (false, 0) => TimeControl::Unlimited,
            (false, stones) => TimeControl::Canadian { main, period, stones },
        })
    }

    /// The time control of `kgs-time_settings`: `none`, `absolute MAIN`, `byoyomi MAIN PERIOD PERIODS` or
    /// `canadian MAIN PERIOD STONES`; and `fischer MAIN INCREMENT` and `fischer-capped MAIN INCREMENT MAX_MAIN MAX_MOVE`,
    /// as `kata-time_settings` has them, where a negative number is no limit. Times are in seconds; [`TimeControl`]'s
    /// `Display` writes the same.
    ///
    /// ```
    /// use game_core::time::TimeControl;
    ///
    /// let byo_yomi = TimeControl::named("byoyomi 300 30 5")?;
    /// assert_eq!(byo_yomi.to_string(), "byoyomi 300 30 5");
    /// # Ok::<(), game_core::time::TimeError>(())
    /// ```
    ///
    /// # Errors
    /// If the kind is unknown, or a number is missing or impossible.
    pub fn named(text: &str) -> Result<TimeControl, TimeError> {
        let number = |word: &str| word.parse().map_err(|_| TimeError::Syntax);
        TimeControl::named_with(text, |word| number(word).and_then(seconds))
    }

    /// The same with lengths of time in a writing of the caller's own.
    ///
    /// # Errors
    /// As [`TimeControl::named`], and whatever `read` says of a word that should be a length of time.
    pub fn named_with(
        text: &str,
        read: impl Fn(&str) -> Result<Duration, TimeError>,
    ) -> Result<TimeControl, TimeError> {
        let mut words = text.split_ascii_whitespace();
        let kind = words.next().ok_or(TimeError::Syntax)?.to_ascii_lowercase();
        let mut word = || words.next().ok_or(TimeError::Syntax);
        match kind.as_str() {
            "none" => Ok(TimeControl::Unlimited),
            "absolute" => Ok(TimeControl::Absolute { main: read(word()?)? }),
            "fischer" => Ok(TimeControl::fischer(read(word()?)?, read(word()?)?)),
            "fischer-capped" => {
                let (main, increment) = (read(word()?)?, read(word()?)?);
                let mut limit = || {
                    let word = word()?;
                    let is_none = word.parse().is_ok_and(|number: f64| number < 0.0);
                    if is_none { Ok(None) } else { read(word).map(Some) }
                };
                let (max_main, max_move) = (limit()?, limit()?);
                match max_main {
                    Some(limit) if limit < main => Err(TimeError::Limit),
                    _ => Ok(TimeControl::Fischer { main, increment, max_main, max_move }),
                }
            }
            "byoyomi" | "canadian" => {
                let (main, period) = (read(word()?)?, read(word()?)?);
                let number: f64 = word()?.parse().map_err(|_| TimeError::Syntax)?;
                if number.fract() != 0.0 || !(0.0..=1e6).contains(&number) {
                    return Err(TimeError::Syntax);
                }
                let number = number as u32;
                Ok(match (period.is_zero() || number == 0, kind.as_str()) {
                    (true, _) => TimeControl::Absolute { main },
                    (_, "byoyomi") => TimeControl::ByoYomi { main, period, periods: number },
                    _ => TimeControl::Canadian { main, period, stones: number },
                })
            }
            _ => Err(TimeError::Kind(kind)),
        }
    }

    /// The kinds that [`TimeControl::named`] knows.
    pub const NAMES: [&'static str; 6] =
        ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

    /// Main time that grows with each move, without limits.
    pub const fn fischer(main: Duration, increment: Duration) -> TimeControl {
        TimeControl::Fischer { main, increment, max_main: None, max_move: None }
    }

    /// The longest that any move may take, whatever is left, where there is such a limit.
    pub fn max_move(&self) -> Option<Duration> {
        match *self {
            TimeControl::Fischer { max_move, .. } => max_move,
            _ => None,
        }
    }

    /// The time before any overtime; nothing where there is no limit.
    pub fn main(&self) -> Duration {
        match *self {
            TimeControl::Unlimited => Duration::ZERO,
            TimeControl::Absolute { main }
            | TimeControl::ByoYomi { main, .. }
            | TimeControl::Canadian { main, .. }
            | TimeControl::Fischer { main, .. } => main,
        }
    }

    /// What a player has at the start of the game.
    pub fn at_start(&self) -> TimeLeft {
        match self.main() {
            main if main.is_zero() => self.overtime().unwrap_or(TimeLeft::Main(main)),
            main => TimeLeft::Main(main),
        }
    }

    /// What follows the main time, as it begins.
    fn overtime(&self) -> Option<TimeLeft> {
        match *self {
            TimeControl::ByoYomi { period, periods, .. } => {
                Some(TimeLeft::Periods(period, periods))
            }
            TimeControl::Canadian { period, stones, .. } => Some(TimeLeft::Stones(period, stones)),
            _ => None,
        }
    }

    /// The longest that a move may take with this left; none where there is no limit.
    pub fn longest_move(&self, left: TimeLeft) -> Option<Duration> {
        let in_overtime = |left| match (left, *self) {
            (TimeLeft::Periods(time, periods), TimeControl::ByoYomi { period, .. }) => {
                time.saturating_add(period.saturating_mul(periods.saturating_sub(1)))
            }
            (TimeLeft::Main(time) | TimeLeft::Stones(time, _) | TimeLeft::Periods(time, _), _) => {
                time
            }
        };
        match (self, left) {
            (TimeControl::Unlimited, _) => None,
            (_, TimeLeft::Main(main)) => {
                let all = main.saturating_add(self.overtime().map_or(Duration::ZERO, in_overtime));
                Some(all.min(self.max_move().unwrap_or(Duration::MAX)))
            }
            (_, left) => Some(in_overtime(left)),
        }
    }

    /// What the clock shows during a move that has taken `used` so far. Time that is lost is never below zero: who
    /// keeps the clock decides who has lost.
    pub fn during(&self, left: TimeLeft, used: Duration) -> TimeLeft {
        match (*self, left) {
            (TimeControl::Unlimited, left) => left,
            (_, TimeLeft::Main(main)) => match self.overtime() {
                Some(overtime) if used >= main => self.during(overtime, used - main),
                _ => TimeLeft::Main(main.saturating_sub(used)),
            },
            (_, TimeLeft::Stones(time, stones)) => {
                TimeLeft::Stones(time.saturating_sub(used), stones)
            }
            (TimeControl::ByoYomi { period, .. }, TimeLeft::Periods(time, periods)) => {
                let (mut time, mut periods, mut used) = (time, periods, used);
                while used > time && periods > 1 {
                    used -= time;
                    time = period;
                    periods -= 1;
                }
                TimeLeft::Periods(time.saturating_sub(used), periods)
            }
            (_, left @ TimeLeft::Periods(..)) => left,
        }
    }

    /// What is left after a move that took `used`.
    pub fn after(&self, left: TimeLeft, used: Duration) -> TimeLeft {
        match (*self, self.during(left, used)) {
            (TimeControl::Unlimited, left) => left,
            (TimeControl::Fischer { increment, max_main, .. }, TimeLeft::Main(main)) => {
                let grown = main.saturating_add(increment);
                TimeLeft::Main(max_main.map_or(grown, |limit| grown.min(limit)))
            }
            (_, TimeLeft::Stones(time, stones)) if stones > 1 => TimeLeft::Stones(time, stones - 1),
            (_, TimeLeft::Stones(..)) => self.overtime().unwrap_or(TimeLeft::Main(Duration::ZERO)),
            (TimeControl::ByoYomi { period, .. }, TimeLeft::Periods(_, periods)) => {
                TimeLeft::Periods(period, periods)
            }
            (_, left) => left,
        }
    }
}

/// As [`TimeControl::named`] reads it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let main = self.main().as_secs_f64();
        match *self {
            TimeControl::Unlimited => f.write_str("none"),
            TimeControl::Absolute { .. } => write!(f, "absolute {main}"),
            TimeControl::ByoYomi { period, periods, .. } => {
                write!(f, "byoyomi {main} {} {periods}", period.as_secs_f64())
            }
            TimeControl::Canadian { period, stones, .. } => {
                write!(f, "canadian {main} {} {stones}", period.as_secs_f64())
            }
            TimeControl::Fischer { increment, max_main: None, max_move: None, .. } => {
                write!(f, "fischer {main} {}", increment.as_secs_f64())
            }
            TimeControl::Fischer { increment, max_main, max_move, .. } => {
                let limit = |limit: Option<Duration>| limit.map_or(-1.0, |time| time.as_secs_f64());
                let (increment, main_limit) = (increment.as_secs_f64(), limit(max_main));
                write!(f, "fischer-capped {main} {increment} {main_limit} {}", limit(max_move))
            }
        }
    }
}

impl Default for TimeLeft {
    fn default() -> TimeLeft {
        TimeLeft::Main(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    fn named(text: &str) -> TimeControl {
        TimeControl::named(text).expect("a time control")
    }

    #[test]
    fn the_protocols_three_numbers() {
        assert_eq!(TimeControl::gtp(0.0, 1.0, 0), Ok(TimeControl::Unlimited));
        let main = seconds(60);
        assert_eq!(TimeControl::gtp(60.0, 0.0, 0), Ok(TimeControl::Absolute { main }));
        assert_eq!(TimeControl::gtp(60.0, 0.0, 5), Ok(TimeControl::Absolute { main }));
        let canadian = TimeControl::Canadian { main, period: seconds(30), stones: 5 };
        assert_eq!(TimeControl::gtp(60.0, 30.0, 5), Ok(canadian));
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e18] {
            assert_eq!(TimeControl::gtp(bad, 0.0, 0), Err(TimeError::Time));
        }
    }

    #[test]
    fn kinds_of_time_control_are_read_by_their_names() {
        assert_eq!(TimeControl::named("none"), Ok(TimeControl::Unlimited));
        let byoyomi = TimeControl::ByoYomi { main: seconds(300), period: seconds(30), periods: 5 };
        assert_eq!(TimeControl::named("byoyomi 300 30 5"), Ok(byoyomi));
        assert!(matches!(TimeControl::named("fischer 60 2.5"), Ok(TimeControl::Fischer { .. })));
        assert_eq!(TimeControl::named("byoyomi 300 30"), Err(TimeError::Syntax));
        assert_eq!(TimeControl::named("byoyomi 300 30 1.5"), Err(TimeError::Syntax));
        assert_eq!(TimeControl::named(""), Err(TimeError::Syntax));
        let capped = TimeControl::Fischer {
            main: seconds(60),
            increment: seconds(10),
            max_main: Some(seconds(120)),
            max_move: None,
        };
        assert_eq!(TimeControl::named("fischer-capped 60 10 120 -1"), Ok(capped));
        assert_eq!(TimeControl::named("fischer-capped 60 10 -1 -0.5"), Ok(named("fischer 60 10")));
        assert_eq!(TimeControl::named("fischer-capped 60 10 59 -1"), Err(TimeError::Limit));
        assert_eq!(TimeControl::named("fischer-capped 60 10 120"), Err(TimeError::Syntax));
        assert_eq!(TimeControl::named("fischer-capped 60 10 x 5"), Err(TimeError::Syntax));
        assert_eq!(named("absolute 2147483647").main(), seconds(2_147_483_647));
        assert!(matches!(TimeControl::named("hourglass 5"), Err(TimeError::Kind(_))));
    }

    #[test]
    fn a_clock_runs_through_its_overtime() {
        let byoyomi = TimeControl::named("byoyomi 10 30 3").expect("a time control");
        let start = byoyomi.at_start();
        assert_eq!(start, TimeLeft::Main(seconds(10)));
        let over = byoyomi.after(start, seconds(15));
        assert_eq!(over, TimeLeft::Periods(seconds(30), 3));
        assert_eq!(byoyomi.after(over, seconds(30)), TimeLeft::Periods(seconds(30), 3));
        assert_eq!(byoyomi.after(over, seconds(31)), TimeLeft::Periods(seconds(30), 2));
        assert_eq!(byoyomi.after(over, seconds(300)), TimeLeft::Periods(seconds(30), 1));

        let canadian = TimeControl::named("canadian 0 60 2").expect("a time control");
        let one = canadian.after(canadian.at_start(), seconds(20));
        assert_eq!(one, TimeLeft::Stones(seconds(40), 1));
        assert_eq!(canadian.after(one, seconds(20)), TimeLeft::Stones(seconds(60), 2));

        let fischer = TimeControl::named("fischer 10 2").expect("a time control");
        let next = fischer.after(fischer.at_start(), seconds(5));
        assert_eq!(next, TimeLeft::Main(seconds(7)));
        let capped = named("fischer-capped 10 2 11 -1");
        assert_eq!(
            capped.after(TimeLeft::Main(seconds(10)), seconds(0)),
            TimeLeft::Main(seconds(11))
        );
    }

    #[test]
    fn a_move_may_take_what_all_that_follows_gives() {
        let longest = |text: &str, left| named(text).longest_move(left);
        assert_eq!(longest("none", TimeLeft::Main(seconds(5))), None);
        assert_eq!(longest("absolute 60", TimeLeft::Main(seconds(5))), Some(seconds(5)));
        assert_eq!(longest("fischer 60 10", TimeLeft::Main(seconds(5))), Some(seconds(5)));
        assert_eq!(
            longest("fischer-capped 60 9 -1 3", TimeLeft::Main(seconds(5))),
            Some(seconds(3))
        );
        assert_eq!(longest("byoyomi 60 30 3", TimeLeft::Main(seconds(5))), Some(seconds(95)));
        assert_eq!(longest("byoyomi 60 30 3", TimeLeft::Periods(seconds(7), 2)), Some(seconds(37)));
        assert_eq!(longest("canadian 60 30 3", TimeLeft::Main(seconds(5))), Some(seconds(35)));
        assert_eq!(longest("canadian 60 30 3", TimeLeft::Stones(seconds(7), 2)), Some(seconds(7)));
    }

    #[test]
    fn a_move_under_way_uses_up_periods_and_gets_none_back() {
        let byoyomi = named("byoyomi 10 30 3");
        let start = byoyomi.at_start();
        assert_eq!(byoyomi.during(start, seconds(4)), TimeLeft::Main(seconds(6)));
        assert_eq!(byoyomi.during(start, seconds(45)), TimeLeft::Periods(seconds(25), 2));
        assert_eq!(byoyomi.during(start, seconds(500)), TimeLeft::Periods(seconds(0), 1));
        let canadian = named("canadian 10 30 3");
        assert_eq!(canadian.during(start, seconds(15)), TimeLeft::Stones(seconds(25), 3));
        let fischer = named("fischer 10 3");
        assert_eq!(fischer.during(start, seconds(4)), TimeLeft::Main(seconds(6)));
        assert_eq!(named("none").during(start, seconds(4)), start);
    }

    #[test]
    fn what_is_written_is_read() {
        let plain =
            ["none", "absolute 60", "byoyomi 0 0.5 1", "canadian 60 30 25", "fischer 5.5 2"];
        let capped = ["fischer-capped 5 2 60 -1", "fischer-capped 5 2 -1 1.5"];
        for text in plain.into_iter().chain(capped) {
            assert_eq!(named(text).to_string(), text);
        }
    }
}
