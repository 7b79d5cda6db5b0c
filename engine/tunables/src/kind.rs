//! What values a tunable takes, and how they are written.

use std::fmt;

/// What values a tunable takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// On or off; written `1` and `0`, as GoGui has it.
    Switch,
    /// A whole number between two others, ends included.
    Integer(i64, i64),
    /// A number between two others, ends included.
    Real(f64, f64),
    /// One of several words.
    Choice(&'static [&'static str]),
    /// A line of text, with what this calls it.
    Text(&'static str),
}

impl Kind {
    /// The value in its one spelling, or `None` when it is none of this kind. Switches also take `on`, `true` and
    /// `yes` or their opposites, choices their number counted from 0.
    pub fn check(&self, value: &str) -> Option<String> {
        let is = |word: &&str| word.eq_ignore_ascii_case(value);
        match *self {
            Kind::Switch if ["1", "on", "true", "yes"].iter().any(is) => Some("1".to_owned()),
            Kind::Switch => ["0", "off", "false", "no"].iter().any(is).then(|| "0".to_owned()),
            Kind::Integer(min, max) => {
                let number = value.parse().ok().or_else(|| whole(value.parse().ok()?))?;
                (min..=max).contains(&number).then(|| number.to_string())
            }
            Kind::Real(min, max) => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(|number: f64| number.to_string())
            }
            Kind::Choice(words) => {
                let numbered = || words.get(value.parse::<usize>().ok()?);
                words
                    .iter()
                    .copied()
                    .find(|word| is(word))
                    .or_else(|| numbered().copied())
                    .map(str::to_owned)
            }
            Kind::Text(_) => Some(value.trim().to_owned()).filter(|text| !text.is_empty()),
        }
    }
}

/// `3.0` is a whole number too; past 2^53 not every one can be told from its neighbours.
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < (1_u64 << 53) as f64).then_some(number as i64)
}

/// What it takes, as an error says it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Switch => f.write_str("on or off"),
            Kind::Integer(min, max) => write!(f, "a whole number from {min} to {max}"),
            Kind::Real(min, max) => write!(f, "a number from {min} to {max}"),
            Kind::Text(what) => f.write_str(what),
            Kind::Choice(words) => match words.split_last() {
                Some((last, rest)) if !rest.is_empty() => {
                    write!(f, "{} or {last}", rest.join(", "))
                }
                _ => f.write_str(words.first().unwrap_or(&"nothing")),
            },
        }
    }
}

/// The types that a tunable may have.
pub trait Value: Sized {
    /// The value of a text that [`Kind::check`] returned for this type's kind.
    fn read(text: &str) -> Option<Self>;
    /// The value as such a text.
    fn text(&self) -> String;
}

impl Value for bool {
    fn read(text: &str) -> Option<bool> {
        Some(text == "1")
    }

    fn text(&self) -> String {
        u8::from(*self).to_string()
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Value for $number {
            fn read(text: &str) -> Option<$number> {
                text.parse().ok()
            }

            fn text(&self) -> String {
                self.to_string()
            }
        })*
    };
}

numbers!(u8, u16, u32, u64, usize, i64, f32, f64);

/// An enum of which a tunable is one, declared with [`choice!`](crate::choice).
pub trait Choice: Value + Copy {
    /// The words that name the values, in order.
    const WORDS: &'static [&'static str];
}
