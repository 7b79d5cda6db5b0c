//! The two declarations: a table of tunables, and an enum that one may be.

/// Declares a struct of tunables. A row is
/// `name: type = default, on Medium = other, on Large = third, in MIN..=MAX, "what it does", was "old name" | "older name";`,
/// where switches (`bool`) and choices (declared with [`choice!`](crate::choice)) have no range, and few rows have
/// old names or other defaults on boards of some [`BoardSize`](crate::BoardSize). The struct has its defaults, the constant
/// `TABLE`, and implements [`Table`](crate::Table).
#[macro_export]
macro_rules! table {
    ($(#[$meta:meta])* pub struct $table:ident {
        $($name:ident: $type:ident = $default:expr,
            $(on $size:ident = $sized:expr,)* $(in $min:literal ..= $max:literal,)? $help:literal $(, was $($alias:literal)|+)?;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $table {
            $(#[doc = $help] pub $name: $type,)*
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
                    aliases: &[$($($alias),+)?],
                    kind: $crate::kind!($type $($min, $max)?),
                    help: $help,
                },)*
            ];
        }

        impl $crate::Table for $table {
            fn on(_size: $crate::BoardSize) -> Self {
                #[allow(unused_mut)]
                let mut table = Self::default();
                $($(if _size == $crate::BoardSize::$size {
                    table.$name = $sized;
                })*)*
                table
            }

            fn rows(&self) -> &'static [$crate::Tunable] {
                Self::TABLE
            }

            fn get(&self, name: &str) -> Option<String> {
                match $crate::find(Self::TABLE, name).ok()?.name {
                    $(stringify!($name) => Some($crate::Value::text(&self.$name)),)*
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::Error> {
                let row = $crate::find(Self::TABLE, name)?;
                let value = row.check(value)?;
                match row.name {
                    $(stringify!($name) => {
                        self.$name = $crate::Value::read(&value).unwrap_or(self.$name);
                    })*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}

/// The [`Kind`](crate::Kind) of a row's type and range.
#[doc(hidden)]
#[macro_export]
macro_rules! kind {
    (bool) => {
        $crate::Kind::Switch
    };
    (f32 $min:literal, $max:literal) => {
        $crate::Kind::Real($min as f64, $max as f64)
    };
    (f64 $min:literal, $max:literal) => {
        $crate::Kind::Real($min as f64, $max as f64)
    };
    ($whole:ident $min:literal, $max:literal) => {
        $crate::Kind::Integer($min, $max)
    };
    ($choice:ident) => {
        $crate::Kind::Choice(<$choice as $crate::Choice>::WORDS)
    };
}

/// Declares an enum whose values have names, for a tunable that is one of them.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* pub enum $choice:ident {
        $($(#[$doc:meta])* $value:ident = $word:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice {
            $($(#[$doc])* $value,)+
        }

        impl $crate::Choice for $choice {
            const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::Value for $choice {
            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some($choice::$value),)+
                    _ => None,
                }
            }

            fn text(&self) -> String {
                match self {
                    $($choice::$value => $word,)+
                }
                .to_owned()
            }
        }
    };
}
