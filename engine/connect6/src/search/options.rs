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
    exploration: f32 = 1.4, 0.0, 10.0, false, "weight of the prior in the choice of a turn to search";
    unvisited: f32 = 0.15, 0.0, 1.0, false, "how far below its parent's value an unvisited turn is taken to be";
    threat_nodes: u64 = 160, 0, 1_000_000, true, "threat-search nodes for the side to move at each new position";
    defence_nodes: u64 = 40, 0, 1_000_000, true, "threat-search nodes for what the other side threatens at each new position";
    deepen_nodes: u64 = 40, 0, 10_000, true, "threat-search nodes for each visit, for either side, when a position is searched again at 4, 16, 64 ... visits";
    reply_nodes: u64 = 160, 0, 10_000, true, "the same after each turn that could be played now";
    root_threat_share: f32 = 0.15, 0.0, 0.9, false, "share of the time that the threat search may take before a turn is searched";
    root_nodes: u64 = 40, 0, 10_000, true, "threat-search nodes before a turn is searched, for either side, for each visit of a search whose visits are counted";
    first_points: usize = 14, 1, 361, true, "points tried as the first stone of a turn";
    second_points: usize = 10, 1, 361, true, "points tried as the second stone beside each first";
    turns: usize = 60, 1, 4000, true, "turns kept at a position";
    network: u8 = 1, 0, 1, true, "1 uses the learned evaluation, 0 the static score alone";
    threat_search: u8 = 1, 0, 1, true, "1 uses threat-space search, 0 does without";
    single_threats: u8 = 1, 0, 1, true, "1 lets the root's threat search try turns of one threat too";
    alpha_beta: u8 = 0, 0, 1, true, "1 searches by alpha-beta instead of the tree, with one thread";
    alpha_beta_turns: usize = 12, 1, 1000, true, "turns that alpha-beta looks at in a position; twice as many at the root";
    book: u8 = 1, 0, 1, true, "1 uses what was learned of openings";
}
