//! What a network is told of the rules: more kinds than the engine plays by, since it learned from all of them.

use go_engine::Rules;
pub use go_engine::rules::{Bonus, Ko, Scoring};

/// What is taken from each side's area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// Nothing.
    None,
    /// What is surrounded in seki.
    Seki,
    /// That, and two points for each living group.
    All,
}

/// Rules as a network knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkRules {
    /// Forbidden repetitions.
    pub ko: Ko,
    /// What counts.
    pub scoring: Scoring,
    /// What is taken from that.
    pub tax: Tax,
    /// Whether several stones may be played off the board by their owner.
    pub suicide: bool,
    /// Whether the first pass takes half a point.
    pub button: bool,
    /// What White gets for a handicap.
    pub bonus: Bonus,
    /// Whether a pass may end the game while dead stones stand, so that the opponent's first pass is not shown.
    pub friendly_pass_ok: bool,
}

impl From<Rules> for NetworkRules {
    fn from(rules: Rules) -> NetworkRules {
        NetworkRules {
            ko: rules.ko,
            scoring: rules.scoring,
            tax: match rules.scoring {
                Scoring::Area => Tax::None,
                Scoring::Territory => Tax::Seki,
            },
            suicide: rules.suicide,
            button: false,
            bonus: rules.bonus,
            // Under area scoring only: that is where it means something to a network.
            friendly_pass_ok: rules.friendly_pass_ok && rules.scoring == Scoring::Area,
        }
    }
}
