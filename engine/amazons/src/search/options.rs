//! Every tunable of the engine, in one table.

/// One tunable: its name, range and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name over GTP.
    pub name: &'static str,
    /// Its value in the shipped engine.
    pub default: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// What it does.
    pub help: &'static str,
}

macro_rules! tunables {
    ($($field:ident: $kind:ty = $default:expr, $least:expr, $greatest:expr, $whole:expr, $help:expr;)*) => {
        /// The tunables of the search, as numbers.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Tuning {
            $(#[doc = $help] pub $field: $kind,)*
        }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($field: $default as $kind,)* }
            }
        }

        /// All tunables.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($field),
                default: $default as f64,
                least: $least as f64,
                greatest: $greatest as f64,
                whole: $whole,
                help: $help,
            },)*
        ];

        impl Tuning {
            /// A tunable by name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($field) => Some(self.$field as f64),)*
                    _ => None,
                }
            }

            /// Sets a tunable by name, kept within its range; says whether there is one of that name.
            pub fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($field) => self.$field = value.clamp($least as f64, $greatest as f64) as $kind,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

tunables! {
    exploration: f32 = 0.5, 0.0, 10.0, false, "weight of the prior in the choice of what to search";
    queen_temperature: f32 = 0.6, 0.01, 10.0, false, "logits by which a queen's move must be better to have e times the prior";
    arrow_temperature: f32 = 0.6, 0.01, 10.0, false, "the same for arrows";
    static_weight: f32 = 1.0, 0.0, 100.0, false, "visits that the evaluation of a move counts for beside the visits that it gets";
    unvisited: f32 = 0.0, -1.0, 1.0, false, "how far below its evaluation an unvisited move is taken to be";
    solve_squares: u32 = 24, 0, 100, true, "free squares in contested regions up to which a search begins with solving";
    solve_share: f32 = 0.2, 0.0, 0.9, false, "share of a move's time that solving may take";
    solve_nodes: u64 = 2000, 0, 100_000_000, true, "states that solving may take where visits decide instead of time";
    fill_patience: u32 = 200, 0, 1_000_000, true, "positions looked at to count the moves of a closed region in the tree";
    network_visits: u32 = 8, 0, 1_000_000, true, "visits of a node at which the network is asked about its moves; 0 never asks it";
    network_arrows: u8 = 1, 0, 1, true, "1 asks it about arrows too, 0 about queens' moves only";
    network_prior: f32 = 1.0, 0.0, 1.0, false, "share of the network's opinion in the prior of such a node; the evaluation has the rest";
    network_temperature: f32 = 1.4, 0.1, 10.0, false, "divides the network's logits: above 1 its opinion is less sharp";
    network_value: f32 = 0.0, 0.0, 100.0, false, "visits that the network's value of such a node counts for, where it is asked";
    alpha_beta: u8 = 0, 0, 1, true, "1 searches by alpha-beta on one thread instead of the tree, to compare";
    alpha_beta_queens: usize = 12, 1, 200, true, "queen moves that alpha-beta looks at in a position";
    alpha_beta_arrows: usize = 4, 1, 100, true, "arrows that it looks at behind each";
}
