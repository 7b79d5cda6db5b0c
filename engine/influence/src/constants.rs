//! The numbers a model depends on, as values with names, defaults and ranges.

/// One number of a model, as it is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The name that sets it.
    pub name: &'static str,
    /// The source's value, or ours where the source gives none.
    pub default: i32,
    /// The minimum value allowed.
    pub min: i32,
    /// The maximum value allowed.
    pub max: i32,
    /// What it does.
    pub about: &'static str,
}

/// Why a constant could not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstantError {
    /// The model has no constant of this name.
    #[error("there is no constant '{name}'; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The value lies outside the range.
    #[error("{name} takes {min} to {max}, not {value}")]
    Range {
        /// The constant.
        name: &'static str,
        /// What was asked for.
        value: i32,
        /// The minimum value allowed.
        min: i32,
        /// The maximum value allowed.
        max: i32,
    },
}

/// Numbers that can be read and set by their place in a table.
pub trait Constants {
    /// All of them, in a fixed order.
    fn table(&self) -> &'static [Constant];

    /// The value at a place of the table; 0 beyond its end.
    fn value(&self, place: usize) -> i32;

    /// Sets the value at a place of the table, within its range.
    fn put(&mut self, place: usize, value: i32);

    /// Sets a constant by name.
    ///
    /// # Errors
    /// When there is none of this name, or the value is out of range.
    fn set(&mut self, name: &str, value: i32) -> Result<(), ConstantError> {
        let table = self.table();
        let Some(place) = table.iter().position(|constant| constant.name == name) else {
            let names: Vec<&str> = table.iter().map(|constant| constant.name).collect();
            return Err(ConstantError::Unknown {
                name: name.chars().take(40).collect(),
                known: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            });
        };
        let Constant { name, min, max, .. } = table[place];
        if !(min..=max).contains(&value) {
            return Err(ConstantError::Range { name, value, min, max });
        }
        self.put(place, value);
        Ok(())
    }
}

/// Declares a model's constants: a struct of `i32` fields with defaults and ranges.
macro_rules! constants {
    ($(#[$about_model:meta])* $model:ident {
        $($name:ident = $default:expr, $min:expr, $max:expr, $about:expr;)*
    }) => {
        $(#[$about_model])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $model {
            $(#[doc = $about] pub $name: i32,)*
        }

        impl Default for $model {
            fn default() -> Self {
                $model { $($name: $default,)* }
            }
        }

        impl $crate::constants::Constants for $model {
            fn table(&self) -> &'static [$crate::constants::Constant] {
                &[$($crate::constants::Constant {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    about: $about,
                },)*]
            }

            fn value(&self, place: usize) -> i32 {
                [$(self.$name,)*].get(place).copied().unwrap_or(0)
            }

            fn put(&mut self, place: usize, value: i32) {
                let limits = self.table();
                if let (Some(limits), Some(slot)) =
                    (limits.get(place), [$(&mut self.$name,)*].into_iter().nth(place))
                {
                    *slot = value.clamp(limits.min, limits.max);
                }
            }
        }
    };
}
pub(super) use constants;
