//! A number that is tuned: its limits, and the coordinate in which it is searched.

use serde::{Deserialize, Serialize};

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Any number.
    #[default]
    Real,
    /// Whole numbers.
    Integer,
}

/// How the distance of two values is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// By their difference.
    #[default]
    Linear,
    /// By their ratio, for what may well be ten times as large.
    Log,
}

/// A parameter of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Parameter {
    /// What the engine calls it.
    pub name: String,
    /// The value to begin with.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// A change that ought to be felt in play: on a linear scale a difference, on a logarithmic one a factor.
    pub step: f64,
    /// What values it takes.
    #[serde(default)]
    pub kind: Kind,
    /// How distances are measured.
    #[serde(default)]
    pub scale: Scale,
}

impl Parameter {
    /// Checks that the numbers make sense together.
    ///
    /// # Errors
    /// Names what cannot be.
    pub fn check(&self) -> Result<(), String> {
        let Parameter { name, start, min, max, step, .. } = self;
        let wrong = |why: String| Err(format!("parameter {name:?}: {why}"));
        if name.trim().is_empty() || name.contains(['\n', '\r']) {
            return wrong("that is no name".to_owned());
        }
        if ![start, min, max, step].into_iter().all(|number| number.is_finite()) {
            return wrong("its numbers must be finite".to_owned());
        }
        if min >= max || !(min..=max).contains(&start) {
            return wrong(format!("min {min}, start {start} and max {max} must be in this order"));
        }
        let min_step = match self.scale {
            Scale::Linear => 0.0,
            Scale::Log => 1.0,
        };
        if *step <= min_step {
            return wrong(format!("step {step} must be above {min_step}"));
        }
        if self.scale == Scale::Log && *min <= 0.0 {
            return wrong(format!("min {min} must be above 0 on a logarithmic scale"));
        }
        if self.kind == Kind::Integer
            && [start, min, max].iter().any(|number| number.fract() != 0.0)
        {
            return wrong("start, min and max of an integer must be whole numbers".to_owned());
        }
        Ok(())
    }

    /// The coordinate of a value: equal steps are equally far apart.
    pub fn to_coordinate(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value / self.step,
            Scale::Log => value.ln() / self.step.ln(),
        }
    }

    /// The value at a coordinate, within the limits.
    pub fn to_value(&self, coordinate: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => coordinate * self.step,
            Scale::Log => (coordinate * self.step.ln()).exp(),
        };
        value.clamp(self.min, self.max)
    }

    /// A value within the limits that shows whether fractions are taken: limits are whole numbers more often than not.
    pub fn between(&self) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        self.min + GOLDEN * (self.max - self.min)
    }

    /// The limits as coordinates.
    pub fn range(&self) -> (f64, f64) {
        (self.to_coordinate(self.min), self.to_coordinate(self.max))
    }

    /// The value as the engine is told it. Whole numbers are rounded up where `fraction`, from 0 to 1, is at least what
    /// they lack: drawn at random, the mean is the value itself.
    pub fn word(&self, value: f64, fraction: f64) -> String {
        match self.kind {
            Kind::Integer => {
                let value = (value + fraction).floor().clamp(self.min, self.max);
                format!("{value}")
            }
            Kind::Real => {
                // A limit may have more digits, and must not be passed.
                format!("{}", six_digits(value).clamp(self.min, self.max))
            }
        }
    }

    /// The value as people are told it, and as it is used at the end.
    pub fn rounded(&self, value: f64) -> String {
        self.word(value, 0.5)
    }
}

/// A number by the six digits of it that count, more than play can tell; of larger ones all before the point.
pub fn six_digits(value: f64) -> f64 {
    if value.abs() >= 1e6 {
        return value.round();
    }
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(kind: Kind, scale: Scale) -> Parameter {
        let step = if scale == Scale::Log { 2.0 } else { 10.0 };
        Parameter { name: "a".into(), start: 40.0, min: 10.0, max: 640.0, step, kind, scale }
    }

    #[test]
    fn coordinates_are_in_steps() {
        let log = parameter(Kind::Real, Scale::Log);
        assert!((log.to_coordinate(80.0) - log.to_coordinate(40.0) - 1.0).abs() < 1e-12);
        assert!((log.to_value(log.to_coordinate(123.0)) - 123.0).abs() < 1e-9);
        let (low, high) = log.range();
        assert_eq!((log.to_value(low - 1.0), log.to_value(high + 9.0)), (10.0, 640.0));
        let linear = parameter(Kind::Real, Scale::Linear);
        assert_eq!((linear.to_coordinate(50.0), linear.to_value(4.5)), (5.0, 45.0));
    }

    #[test]
    fn values_are_told_as_engines_take_them() {
        let whole = parameter(Kind::Integer, Scale::Linear);
        assert_eq!([0.0, 0.74, 0.76].map(|u| whole.word(40.25, u)), ["40", "40", "41"]);
        assert_eq!(whole.word(640.0, 0.99), "640");
        assert_eq!(whole.rounded(41.5), "42");
        let (min, max) = (0.0, 20.000_000_4);
        let real = Parameter { min, max, ..parameter(Kind::Real, Scale::Linear) };
        assert_eq!(real.word(12.345_678_9, 0.9), "12.3457");
        assert_eq!(real.word(0.000_123_456_78, 0.0), "0.000123457");
        assert_eq!(real.word(0.0, 0.0), "0");
        // Rounding takes nothing past a limit, and nothing small away.
        let real = Parameter { max: 0.123_456_7, ..real };
        assert_eq!(real.word(0.123_456_7, 0.0), "0.1234567");
        assert_eq!(
            [1e-8, 1.234_567_8e-13, 1_234_567.8].map(six_digits),
            [1e-8, 1.23457e-13, 1_234_568.0]
        );
    }

    #[test]
    fn what_cannot_be_is_named() {
        let good = parameter(Kind::Integer, Scale::Log);
        assert_eq!(good.check(), Ok(()));
        for (bad, word) in [
            (Parameter { name: " ".into(), ..good.clone() }, "no name"),
            (Parameter { start: 5.0, ..good.clone() }, "in this order"),
            (Parameter { max: f64::NAN, ..good.clone() }, "finite"),
            (Parameter { step: 1.0, ..good.clone() }, "above 1"),
            (Parameter { min: 0.0, ..good.clone() }, "above 0"),
            (Parameter { start: 40.5, ..good.clone() }, "whole"),
        ] {
            let why = bad.check().unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }
}
