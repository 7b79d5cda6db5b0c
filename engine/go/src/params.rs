//! Every tunable of the Go engine in one table: name, default, range and what it does.

/// One tunable, as it is shown to people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamInfo {
    /// The name that sets it.
    pub name: &'static str,
    /// The value when nothing is set.
    pub default: f64,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// What it does.
    pub about: &'static str,
}

/// Why a tunable could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// There is no tunable of this name.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// The value lies outside the range.
    #[error("{name} takes {min} to {max}, not {value}")]
    Range {
        /// The tunable.
        name: &'static str,
        /// What was asked for.
        value: f64,
        /// The least value allowed.
        min: f64,
        /// The greatest value allowed.
        max: f64,
    },
}

macro_rules! params {
    ($($name:ident = $default:expr, $min:expr, $max:expr, $about:expr;)*) => {
        /// The values of all tunables.
        ///
        /// ```
        /// use go_engine::params::Params;
        /// let mut params = Params::default();
        /// params.set("rave_equivalence", 2000.0).unwrap();
        /// assert_eq!(params.get("rave_equivalence"), Some(2000.0));
        /// assert!(params.set("rave_equivalence", -1.0).is_err());
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $about] pub $name: f32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// The table: one row for each tunable, in a fixed order.
            pub const TABLE: &'static [ParamInfo] = &[
                $(ParamInfo {
                    name: stringify!($name),
                    default: $default as f64,
                    min: $min as f64,
                    max: $max as f64,
                    about: $about,
                },)*
            ];

            /// The value of a tunable, or `None` when there is none of this name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(f64::from(self.$name)),)*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    // Selection.
    rave_equivalence = 3000.0, 0.0, 1e6, "Visits at which a move's own value and its all-moves-as-first value weigh alike (Silver's k); 0 turns RAVE off";
    exploration = 0.0, 0.0, 10.0, "Factor of the upper-confidence term; 0 leaves exploration to RAVE and the priors";
    expand_visits = 4.0, 1.0, 1000.0, "Visits at which a node's children are made";
    virtual_loss = 1.0, 0.0, 20.0, "Losses counted for a move while a thread is below it";
    score_weight = 0.04, 0.0, 0.5, "Share of a playout's value that tells the margin, the rest who won";
    // Priors, in virtual visits.
    prior_even = 20.0, 0.0, 1000.0, "Virtual visits at an even value for every move";
    prior_capture = 30.0, 0.0, 1000.0, "Virtual wins for a capture";
    prior_rescue = 30.0, 0.0, 1000.0, "Virtual wins for saving a chain in atari";
    prior_atari = 10.0, 0.0, 1000.0, "Virtual wins for a sound atari";
    prior_pattern = 20.0, 0.0, 1000.0, "Virtual wins for one of the 3x3 shapes";
    prior_self_atari = 40.0, 0.0, 1000.0, "Virtual losses for a bad self-atari";
    prior_edge = 15.0, 0.0, 1000.0, "Virtual losses on the first line with nothing near, half of it on the second";
    prior_third_line = 8.0, 0.0, 1000.0, "Virtual wins on the third line with nothing near";
    prior_near = 24.0, 0.0, 1000.0, "Virtual wins next to the last move, falling with distance";
    prior_learned = 210.0, 0.0, 2000.0, "Virtual wins times the square root of a move's learned probability, on boards up to 13x13";
    prior_learned_large = 300.0, 0.0, 2000.0, "The same on larger boards";
    joseki = 1.0, 0.0, 1.0, "Whether joseki learned from records give priors in the corners of large boards (1) or not (0)";
    prior_joseki = 150.0, 0.0, 2000.0, "Virtual wins times the square root of how likely a joseki's next move is made";
    prior_cut = 0.0, 0.0, 0.25, "Moves that are learned to be less likely than this are not tried below the root";
    prior_pass = 10.0, 0.0, 1000.0, "Virtual losses for a pass";
    // The judgement without search (influence).
    prior_judged = 0.0, 0.0, 1000.0, "Virtual wins for a quiet move where the judgement without search leaves the owner open, fewer the surer the owner";
    prior_settled = 0.0, 0.0, 1000.0, "Virtual losses for a quiet move on a point whose owner is judged, more the surer";
    judged_value = 0.0, 0.0, 1.0, "Share of a playout's value that the judgement of where it began tells, on an empty board; it falls with the empty points";
    judged_scale = 12.0, 1.0, 200.0, "Points of judged lead that make a win 2.7 times as likely as a loss";
    judged_resign = 1.0, 0.0, 1.0, "Whether the engine resigns only where the judgement without search says too that it is behind (1)";
    settled_time = 0.3, 0.02, 1.0, "Share of a move's time that is thought when the game is won already, by the last search and by the judgement without search";
    settled_winrate = 0.95, 0.5, 1.0, "Chance of winning, in the last search, from which a game may count as won";
    settled_sure = 0.7, 0.0, 1.0, "Expectation from which the judgement counts a point as somebody's then; all other points are given to the opponent";
    // Playouts: chances out of 256.
    playout_light = 0.0, 0.0, 1.0, "Whether playouts move uniformly at random, filling no eye (1), or by the rules below (0)";
    playout_atari = 230.0, 0.0, 256.0, "Chance of answering an atari near the last move";
    playout_two_liberties = 150.0, 0.0, 256.0, "Chance of fighting for chains with two liberties near the last move";
    playout_nakade = 205.0, 0.0, 256.0, "Chance of taking the vital point of a small eye space beside the last move";
    playout_pattern = 230.0, 0.0, 256.0, "Chance of answering with a 3x3 shape beside the last move";
    playout_pattern_second = 80.0, 0.0, 256.0, "Chance of a 3x3 shape beside the move before the last, when there is none beside the last";
    playout_ladders = 0.0, 0.0, 1.0, "Whether chains in atari that a ladder catches are left alone (1) or run out with all the same (0)";
    playout_good = 0.02, 0.0, 1.0, "Learned shapes of any kind that experts play at least so often where they can are answers in playouts";
    playout_good_answer = 0.05, 0.0, 1.0, "The same for shapes beside the last move, learned with that move marked";
    playout_self_atari = 243.0, 0.0, 256.0, "Chance of refusing a bad self-atari when moving at random";
}

impl Params {
    /// Sets a tunable.
    ///
    /// # Errors
    /// When there is none of this name, or the value is out of range.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ParamError> {
        let info = Self::TABLE.iter().find(|info| info.name == name);
        let info = info.ok_or_else(|| ParamError::Unknown(name.chars().take(60).collect()))?;
        if !(info.min..=info.max).contains(&value) {
            let ParamInfo { name, min, max, .. } = *info;
            return Err(ParamError::Range { name, value, min, max });
        }
        if let Some(slot) = self.slot(name) {
            *slot = value as f32;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_can_be_set() {
        let mut params = Params::default();
        for info in Params::TABLE {
            assert!((info.min..=info.max).contains(&info.default), "{}", info.name);
            params.set(info.name, info.max).unwrap();
            assert_eq!(params.get(info.name), Some(info.max), "{}", info.name);
            assert!(params.set(info.name, info.max + 1.0).is_err());
            assert!(params.set(info.name, f64::NAN).is_err());
        }
        assert_eq!(params.set("nosuch", 1.0), Err(ParamError::Unknown("nosuch".into())));
    }
}
