//! Lengths of time and clocks, as people write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game_core::time::{TimeControl, TimeError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a time control as people write it on a command line: `MAIN`, `MAIN+PERIOD`, `MAIN+PERIOD/STONES`,
/// `MAIN+PERIODSxPERIOD`, or the words of [`TimeControl::named`]: `10m`, `5m+30s`, `0+5m/25`, `5m+3x30s`,
/// `fischer 5m 10s`, `none`.
///
/// # Errors
/// Says what is no length of time, or what makes no sense.
pub fn parse_time(text: &str) -> Result<TimeControl, String> {
    let span = |text: &str| text.parse::<Span>().map(|span| span.0);
    if text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) {
        let read = |word: &str| span(word).map_err(|_| TimeError::Time);
        let control =
            TimeControl::named_with(text, read).map_err(|why| format!("{text:?}: {why}"))?;
        return if control == TimeControl::Unlimited { Ok(control) } else { checked(control) };
    }
    let number = |text: &str, what| {
        text.trim().parse::<u32>().map_err(|_| format!("{text:?} is not a number of {what}"))
    };
    let (main, overtime) = text.split_once('+').unwrap_or((text, "0"));
    let main = span(main)?;
    if let Some((periods, period)) = overtime.split_once('x') {
        return by_periods(main, span(period)?, number(periods, "periods")?);
    }
    let (period, stones) = overtime.split_once('/').unwrap_or((overtime, "1"));
    let (period, stones) = (span(period)?, number(stones, "stones")?);
    by_stones(main, period, stones)
}

/// Absolute time where there is no period, else Canadian overtime, of which one stone is byo-yomi of one period.
fn by_stones(main: Duration, period: Duration, stones: u32) -> Result<TimeControl, String> {
    match (period.is_zero(), stones) {
        (true, _) => checked(TimeControl::Absolute { main }),
        (false, 0) => Err("a period needs at least one stone".into()),
        (false, 1) => by_periods(main, period, 1),
        (false, stones) => checked(TimeControl::Canadian { main, period, stones }),
    }
}

fn by_periods(main: Duration, period: Duration, periods: u32) -> Result<TimeControl, String> {
    match (period.is_zero(), periods) {
        (_, 0) => Err("overtime needs at least one period".into()),
        (true, _) => Err("a period needs some time".into()),
        _ => checked(TimeControl::ByoYomi { main, period, periods }),
    }
}

/// A time control under which a first move can be made.
fn checked(control: TimeControl) -> Result<TimeControl, String> {
    match control {
        TimeControl::Fischer { main, .. } if main.is_zero() => {
            Err("an increment comes after the move, so the first one needs main time".into())
        }
        TimeControl::Fischer { max_main: Some(_), .. } | TimeControl::Fischer { max_move: Some(_), .. } => {
            Err("limits of the main time and of a move are a server's: a match has fischer MAIN INCREMENT".into())
        }
        TimeControl::Absolute { main } if main.is_zero() => Err("no time at all".into()),
        control => Ok(control),
    }
}

/// The table `[time]` of a match's file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct TimeTable {
    /// Time before anything else.
    main: Span,
    /// When it is used up: periods of this length.
    period: Span,
    /// Moves to be made in each period.
    stones: u32,
    /// How many periods there are, of one move each.
    #[serde(skip_serializing_if = "Option::is_none")]
    periods: Option<u32>,
    /// Time added after each move instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    increment: Option<Span>,
}

impl Default for TimeTable {
    fn default() -> Self {
        TimeTable {
            main: Span::default(),
            period: Span::default(),
            stones: 1,
            periods: None,
            increment: None,
        }
    }
}

impl TimeTable {
    fn read(self) -> Result<TimeControl, String> {
        let (main, period) = (self.main.0, self.period.0);
        match (self.increment, self.periods) {
            (Some(_), Some(_)) => Err("an increment goes without periods".into()),
            (Some(_), _) if !period.is_zero() => Err("an increment goes without a period".into()),
            (Some(increment), None) => checked(TimeControl::fischer(main, increment.0)),
            (None, Some(_)) if self.stones > 1 => {
                Err("a number of periods is for one move each, so it goes without stones".into())
            }
            (None, Some(periods)) => by_periods(main, period, periods),
            (None, None) => by_stones(main, period, self.stones),
        }
    }

    /// One period of byo-yomi stays written as one stone, as results of earlier versions have it.
    fn write(control: &TimeControl) -> TimeTable {
        let table = TimeTable { main: Span(control.main()), ..TimeTable::default() };
        match *control {
            TimeControl::Unlimited | TimeControl::Absolute { .. } => table,
            TimeControl::ByoYomi { period, periods, .. } => TimeTable {
                period: Span(period),
                periods: (periods > 1).then_some(periods),
                ..table
            },
            TimeControl::Canadian { period, stones, .. } => {
                TimeTable { period: Span(period), stones, ..table }
            }
            TimeControl::Fischer { increment, .. } => {
                TimeTable { increment: Some(Span(increment)), ..table }
            }
        }
    }
}

/// For serde: a time control, where there is one, as the table `[time]`.
pub(super) mod table {
    use super::{Deserialize, Deserializer, Serialize, Serializer, TimeControl, TimeTable};

    pub fn serialize<S: Serializer>(
        control: &Option<TimeControl>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        control.as_ref().map(TimeTable::write).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<TimeControl>, D::Error> {
        let control = TimeTable::deserialize(deserializer)?.read();
        control.map(Some).map_err(|why| serde::de::Error::custom(format!("time: {why}")))
    }
}

/// A length of time as people write it: `1.5s`, `10m`, `1h 30m`, or a bare number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Span(pub Duration);

impl Span {
    /// So many seconds.
    pub const fn from_secs(seconds: u64) -> Span {
        Span(Duration::from_secs(seconds))
    }

    /// So many milliseconds.
    pub const fn from_millis(millis: u64) -> Span {
        Span(Duration::from_millis(millis))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || format!("{text:?} is not a length of time such as 30s, 1.5s, 10m or 1h");
        let span = match text.parse::<f64>() {
            Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?,
            Err(_) => humantime::parse_duration(text).map_err(|_| wrong())?,
        };
        // A year is longer than any game; an instant this far ahead can still be computed.
        if span > Duration::from_secs(365 * 24 * 3600) { Err(wrong()) } else { Ok(Span(span)) }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(seconds) => seconds.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let span = |text: &str| text.parse::<Span>().map(|s| s.0.as_millis());
        assert_eq!(span("30"), Ok(30_000));
        assert_eq!(span("1.5s"), Ok(1500));
        assert_eq!(span("10m"), Ok(600_000));
        assert_eq!(span("1h 30m"), Ok(5_400_000));
        assert_eq!(span("250ms"), Ok(250));
        for wrong in ["", "-5", "nan", "inf", "soon", "-3s", "1e300", "999999h"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_are_read_as_people_write_them() {
        let read = |text: &str| parse_time(text).map(|control| control.to_string());
        for (text, meant) in [
            ("10m", "absolute 600"),
            ("5m+30s", "byoyomi 300 30 1"),
            ("5m+30s/10", "canadian 300 30 10"),
            ("0+5m/25", "canadian 0 300 25"),
            ("5m+3x30s", "byoyomi 300 30 3"),
            ("fischer 5m 10s", "fischer 300 10"),
            ("byoyomi 5m 30s 3", "byoyomi 300 30 3"),
            ("absolute 90", "absolute 90"),
            ("none", "none"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(meant), "{text}");
        }
        for wrong in [
            "5m+30s/x",
            "0",
            "5m+30s/0",
            "5m+0x30s",
            "5m+3x0",
            "fischer 0 10",
            "fischer 5m",
            "fischer-capped 5m 10s 10m -1",
            "hourglass 5m",
            "absolute 0",
            "",
        ] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tables_hold_every_kind_and_stay_as_they_were() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct File {
            #[serde(with = "table")]
            time: Option<TimeControl>,
        }
        for text in ["10m", "5m+30s", "5m+30s/10", "5m+3x30s", "fischer 5m 10s"] {
            let file = File { time: parse_time(text).ok() };
            let written = toml::to_string(&file).expect("TOML");
            assert_eq!(toml::from_str::<File>(&written), Ok(file), "{written}");
        }
        let file = File { time: parse_time("5m+30s").ok() };
        let written = toml::to_string(&file).expect("TOML");
        assert_eq!(written, "[time]\nmain = \"300s\"\nperiod = \"30s\"\nstones = 1\n");
        for wrong in [
            "main = 0",
            "main = 5\nperiod = 3\nstones = 0",
            "main = 5\nperiod = 3\nperiods = 2\nstones = 3",
            "main = 5\nperiod = 3\nincrement = 2",
            "main = 5\nperiods = 2",
            "increment = 5",
        ] {
            let error = toml::from_str::<File>(&format!("[time]\n{wrong}")).expect_err(wrong);
            assert!(error.to_string().contains("time: "), "{error}");
        }
    }
}
