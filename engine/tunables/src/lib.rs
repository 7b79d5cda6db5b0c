//! Tables of tunables: what can be set without changing code, a line for each with its type, default, range and
//! meaning, standing in the crate that reads it.
//!
//! ```
//! use tunables::{BoardSize, Table};
//!
//! tunables::choice! {
//!     /// How hot the pan is.
//!     pub enum Heat {
//!         /// For an hour.
//!         Low = "low",
//!         /// For a minute.
//!         High = "high",
//!     }
//! }
//!
//! tunables::table! {
//!     /// How a cook works.
//!     pub struct Cooking {
//!         lid: bool = true, "whether the pan is covered";
//!         eggs: u32 = 2, in 0..=12, "eggs that go into the pan";
//!         salt: f32 = 0.5, on Large = 0.6, in 0.0..=2.0, "grams of salt", was "pinch";
//!         heat: Heat = Heat::Low, "how hot the pan is";
//!     }
//! }
//!
//! let mut cooking = Cooking::default();
//! cooking.set("eggs", "3")?;
//! cooking.set("lid", "off")?;
//! cooking.set("heat", "high")?;
//! assert_eq!((cooking.eggs, cooking.lid, cooking.heat), (3, false, Heat::High));
//! cooking.set("pinch", "0.75")?; // what `salt` was called before
//! assert_eq!(cooking.get("salt").as_deref(), Some("0.75"));
//! assert_eq!(Cooking::on(BoardSize::Large).salt, 0.6); // its default on a large board
//! assert_eq!(Cooking::TABLE[0].help, "whether the pan is covered");
//!
//! let mut error = |name, value| cooking.set(name, value).unwrap_err().to_string();
//! assert_eq!(error("eggs", "2.5"), "eggs takes a whole number from 0 to 12, not \"2.5\"");
//! assert_eq!(error("salt", "9"), "salt takes a number from 0 to 2, not \"9\"");
//! assert_eq!(error("lid", "half"), "lid takes on or off, not \"half\"");
//! assert_eq!(error("heat", "warm"), "heat takes low or high, not \"warm\"");
//! assert_eq!(error("oil", "1"), "unknown parameter \"oil\"");
//! # Ok::<(), tunables::Error>(())
//! ```

mod board_size;
mod kind;
mod macros;

pub use board_size::BoardSize;
pub use kind::{Choice, Kind, Value};

/// One tunable, as it is shown to people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// The name that sets it.
    pub name: &'static str,
    /// What it was called before: names that set it too, and are not shown.
    pub aliases: &'static [&'static str],
    /// What values it takes.
    pub kind: Kind,
    /// What it does.
    pub help: &'static str,
}

/// Why a tunable could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no tunable of this name.
    #[error("unknown parameter {0:?}")]
    Unknown(String),
    /// The tunable takes other values.
    #[error("{name} takes {kind}, not {value:?}")]
    Value {
        /// The tunable.
        name: &'static str,
        /// What it takes.
        kind: Kind,
        /// What was asked for.
        value: String,
    },
}

/// A struct of tunables that [`table!`] declared, as a session sees it: by name and in text.
pub trait Table {
    /// The defaults on boards of this size.
    fn on(size: BoardSize) -> Self
    where
        Self: Sized;

    /// The defaults on boards whose longer side has so many points.
    fn for_side(side: u8) -> Self
    where
        Self: Sized,
    {
        Self::on(BoardSize::of_side(side))
    }

    /// A row for each tunable, in the order in which a person should see them.
    fn rows(&self) -> &'static [Tunable];

    /// The value of a tunable as text, or `None` when none has this name.
    fn get(&self, name: &str) -> Option<String>;

    /// Sets a tunable, by its present name or an earlier one.
    ///
    /// # Errors
    /// When none has this name, or it does not take the value.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Error>;
}

impl Tunable {
    /// The value in its one spelling.
    ///
    /// # Errors
    /// When the tunable does not take it.
    pub fn check(&self, value: &str) -> Result<String, Error> {
        self.kind.check(value).ok_or_else(|| Error::Value {
            name: self.name,
            kind: self.kind,
            value: shortened(value),
        })
    }
}

/// A row of a table by its name, or by one that it had before.
///
/// # Errors
/// When there is none.
pub fn find(rows: &'static [Tunable], name: &str) -> Result<&'static Tunable, Error> {
    let row = rows.iter().find(|row| row.name == name || row.aliases.contains(&name));
    row.ok_or_else(|| Error::Unknown(shortened(name)))
}

/// Sets a tunable in the first of several tables that has it.
///
/// # Errors
/// When none has it, or it does not take the value.
pub fn set<'t>(
    tables: impl IntoIterator<Item = &'t mut dyn Table>,
    name: &str,
    value: &str,
) -> Result<(), Error> {
    for table in tables {
        if find(table.rows(), name).is_ok() {
            return table.set(name, value);
        }
    }
    Err(Error::Unknown(shortened(name)))
}

/// What a message repeats of a text of any length.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        /// What a test picks from.
        pub enum Side {
            /// One.
            Left = "left",
            /// The other.
            Right = "right",
        }
    }

    table! {
        /// A row of every type.
        pub struct Every {
            switch: bool = false, "on or off", was "toggle" | "knob";
            whole: usize = 7, in 1..=9, "a whole number";
            big: u64 = 0, in 0..=9_007_199_254_740_993, "a number that no float holds";
            real: f32 = 0.1, on Medium = 0.2, on Large = 0.3, in -1.0..=1e6, "a number";
            side: Side = Side::Left, "a choice";
        }
    }

    #[test]
    fn values_are_read_in_every_spelling_and_written_in_one() {
        let mut every = Every::default();
        let mut set = |name: &str, value: &str| {
            every.set(name, value).unwrap();
            every.get(name).unwrap_or_default()
        };
        for (on, off) in [("1", "0"), ("on", "off"), ("True", "FALSE"), ("yes", "no")] {
            assert_eq!((set("switch", on), set("switch", off)), ("1".into(), "0".into()));
        }
        assert_eq!(set("big", "9007199254740993"), "9007199254740993");
        assert_eq!(set("whole", "3.0"), "3");
        assert_eq!(set("real", "1e-2"), "0.01");
        assert_eq!((set("side", "RIGHT"), set("side", "0")), ("right".into(), "left".into()));
    }

    #[test]
    fn what_cannot_be_is_refused_and_changes_nothing() {
        let mut every = Every::default();
        for (name, value) in [
            ("switch", "2"),
            ("switch", ""),
            ("whole", "0"),
            ("whole", "10"),
            ("whole", "2.5"),
            ("whole", "-1"),
            ("big", "9007199254740994"),
            ("big", "99999999999999999999999"),
            ("real", "nan"),
            ("real", "inf"),
            ("real", "-1.01"),
            ("side", "2"),
            ("side", "up"),
        ] {
            let error = every.set(name, value).unwrap_err();
            assert!(matches!(error, Error::Value { name: of, .. } if of == name), "{error}");
            assert!(error.to_string().contains(&format!("not {value:?}")), "{error}");
        }
        assert_eq!(every, Every::default());
    }

    #[test]
    fn defaults_follow_the_board() {
        let real = |size| Every::on(size).get("real").unwrap_or_default();
        assert_eq!(Every::on(BoardSize::Small), Every::default());
        assert_eq!((real(BoardSize::Medium), real(BoardSize::Large)), ("0.2".into(), "0.3".into()));
        assert_eq!(Every { real: 0.1, ..Every::on(BoardSize::Large) }, Every::default());
    }

    #[test]
    fn earlier_names_set_but_are_not_rows() {
        let mut every = Every::default();
        every.set("knob", "on").unwrap();
        assert!(every.switch);
        assert_eq!(every.get("toggle").as_deref(), Some("1"));
        assert_eq!(Every::TABLE[0].name, "switch");
        assert_eq!(every.rows().len(), 5);
        let long = "x".repeat(10_000);
        assert!(every.set(&long, &long).unwrap_err().to_string().len() < 100);
    }
}
