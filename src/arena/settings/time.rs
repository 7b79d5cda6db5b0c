//! Lengths of time and clocks, as people write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The clock of a game, as GTP's `time_settings` has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimeControl {
    /// Time for the whole game.
    pub main: Span,
    /// When it is used up: periods of this length.
    pub period: Span,
    /// Moves to be made in each period.
    pub stones: u32,
}

impl Default for TimeControl {
    fn default() -> Self {
        TimeControl { main: Span::default(), period: Span::default(), stones: 1 }
    }
}

impl TimeControl {
    /// Whether there is anything after the main time.
    pub fn has_overtime(&self) -> bool {
        self.period.0 > Duration::ZERO && self.stones > 0
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// `MAIN`, `MAIN+PERIOD` or `MAIN+PERIOD/STONES`: `10m`, `5m+30s`, `0+5m/25`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (main, overtime) = text.split_once('+').unwrap_or((text, "0"));
        let (period, stones) = overtime.split_once('/').unwrap_or((overtime, "1"));
        let stones =
            stones.trim().parse().map_err(|_| format!("{stones:?} is not a number of stones"))?;
        Ok(TimeControl { main: main.parse()?, period: period.parse()?, stones })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main)?;
        if self.has_overtime() {
            write!(f, "+{}/{}", self.period, self.stones)?;
        }
        Ok(())
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
            Err(_) => text
                .parse::<jiff::SignedDuration>()
                .ok()
                .and_then(|d| Duration::try_from(d).ok())
                .ok_or_else(wrong)?,
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
        let time: TimeControl = "5m+30s/10".parse().expect("a time control");
        assert_eq!(
            (time.main, time.period, time.stones),
            (Span::from_secs(300), Span::from_secs(30), 10)
        );
        assert!("5m+30s/x".parse::<TimeControl>().is_err());
    }
}
