//! Tables of tunables: each engine has one, with the name, default, range and meaning of every number that can
//! be set without changing its code.
//!
//! ```
//! tunables::table! {
//!     /// How a cook works.
//!     pub struct Cooking {
//!         eggs: u32 = 2, 0, 12, "eggs that go into the pan";
//!         salt: f32 = 0.5, 0.0, 2.0, "grams of salt";
//!     }
//! }
//! let mut cooking = Cooking::default();
//! cooking.set("eggs", 3.0)?;
//! assert_eq!((cooking.eggs, cooking.get("salt")), (3, Some(0.5)));
//! assert_eq!(cooking.set("eggs", 2.5).unwrap_err().to_string(), "eggs takes a whole number, not 2.5");
//! assert_eq!(cooking.set("salt", 9.0).unwrap_err().to_string(), "salt takes 0 to 2, not 9");
//! assert_eq!(cooking.set("oil", 1.0).unwrap_err().to_string(), "there is no parameter 'oil'");
//! assert_eq!(Cooking::TABLE[0].help, "eggs that go into the pan");
//! # Ok::<(), tunables::Error>(())
//! ```

/// One tunable, as it is shown to people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// The name that sets it.
    pub name: &'static str,
    /// The value when nothing is set.
    pub default: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// Whether it takes whole numbers only.
    pub whole: bool,
    /// What it does.
    pub help: &'static str,
}

/// Why a tunable could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no tunable of this name.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// The value lies outside the range.
    #[error("{name} takes {least} to {greatest}, not {value}")]
    Range {
        /// The tunable.
        name: &'static str,
        /// What was asked for.
        value: f64,
        /// The least value.
        least: f64,
        /// The greatest value.
        greatest: f64,
    },
    /// The value has a fraction where only whole numbers make sense.
    #[error("{name} takes a whole number, not {value}")]
    Whole {
        /// The tunable.
        name: &'static str,
        /// What was asked for.
        value: f64,
    },
}

impl Tunable {
    /// Whether the tunable takes a value.
    ///
    /// # Errors
    /// When it is out of range, or has a fraction where only whole numbers make sense.
    pub fn check(&self, value: f64) -> Result<(), Error> {
        let Tunable { name, least, greatest, .. } = *self;
        if !(least..=greatest).contains(&value) {
            return Err(Error::Range { name, value, least, greatest });
        }
        if self.whole && value.fract() != 0.0 {
            return Err(Error::Whole { name, value });
        }
        Ok(())
    }
}

/// A row of a table by its name.
///
/// # Errors
/// When there is none.
pub fn find<'t>(table: &'t [Tunable], name: &str) -> Result<&'t Tunable, Error> {
    let row = table.iter().find(|row| row.name == name);
    row.ok_or_else(|| Error::Unknown(name.chars().take(60).collect()))
}

/// The types that a tunable may have.
pub trait Number: Copy {
    /// Whether the type has whole numbers only.
    const WHOLE: bool;
    /// The value as shown in a table.
    fn to_f64(self) -> f64;
    /// The value nearest to this one.
    fn from_f64(value: f64) -> Self;
}

macro_rules! numbers {
    ($($kind:ty: $whole:expr),*) => {
        $(impl Number for $kind {
            const WHOLE: bool = $whole;

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn from_f64(value: f64) -> $kind {
                value as $kind
            }
        })*
    };
}

numbers!(f32: false, u8: true, u32: true, u64: true, usize: true);

/// Declares a struct of tunables: a row has the field's name and type, its default, least and greatest value,
/// and what it does. The struct has its defaults, `TABLE`, `get` and `set`.
#[macro_export]
macro_rules! table {
    ($(#[$meta:meta])* pub struct $table:ident {
        $($name:ident: $kind:ty = $default:expr, $least:expr, $greatest:expr, $help:expr;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $table {
            $(#[doc = $help] pub $name: $kind,)*
        }

        impl Default for $table {
            fn default() -> Self {
                $table { $($name: $default,)* }
            }
        }

        impl $table {
            /// The table: one row for each tunable, in a fixed order.
            pub const TABLE: &'static [$crate::Tunable] = &[
                $($crate::Tunable {
                    name: stringify!($name),
                    default: $default as f64,
                    least: $least as f64,
                    greatest: $greatest as f64,
                    whole: <$kind as $crate::Number>::WHOLE,
                    help: $help,
                },)*
            ];

            /// The value of a tunable, or `None` when there is none of this name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some($crate::Number::to_f64(self.$name)),)*
                    _ => None,
                }
            }

            /// Sets a tunable.
            ///
            /// # Errors
            /// When there is none of this name, the value is out of range, or it has a fraction where only
            /// whole numbers make sense.
            pub fn set(&mut self, name: &str, value: f64) -> Result<(), $crate::Error> {
                $crate::find(Self::TABLE, name)?.check(value)?;
                match name {
                    $(stringify!($name) => self.$name = $crate::Number::from_f64(value),)*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}
