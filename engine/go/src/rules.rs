//! Rule sets: what is forbidden, how a game is scored, and what White gets for a handicap.

use std::fmt;
use std::str::FromStr;

/// Which repetitions are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ko {
    /// Only taking back at once the single stone that took one.
    Simple,
    /// No move may bring back any earlier position.
    Positional,
    /// No move may bring back an earlier position with the same player to move.
    Situational,
}

/// What counts at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scoring {
    /// Stones and what they surround.
    Area,
    /// What is surrounded, and prisoners.
    Territory,
}

/// Points that White gets under area scoring for the handicap of `n` stones, beside the komi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bonus {
    /// None.
    None,
    /// One for each stone but the first.
    StonesLessOne,
    /// One for each stone.
    Stones,
}

/// A rule set.
///
/// ```
/// use go_engine::{Rules, rules::Ko};
/// let rules: Rules = "Tromp-Taylor".parse()?;
/// assert!(rules.suicide && rules.ko == Ko::Positional);
/// assert_eq!(rules.name(), Some("tromp-taylor"));
/// # Ok::<(), go_engine::rules::UnknownRules>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Forbidden repetitions.
    pub ko: Ko,
    /// What counts.
    pub scoring: Scoring,
    /// Whether a player may take off stones of their own by filling their last liberty.
    pub suicide: bool,
    /// What White gets for a handicap.
    pub bonus: Bonus,
    /// Whether players agree on dead stones after two passes. Without it every stone on the board
    /// counts as alive, and what is dead has to be captured.
    pub friendly_pass_ok: bool,
}

/// The rule sets that have a name, each with its other names.
const NAMED: [(&str, &[&str], Rules); 5] = [
    ("tromp-taylor", &["tromptaylor", "tt", "cgos", "logical"], Rules::TROMP_TAYLOR),
    ("chinese", &["chinese-ogs", "chinese-kgs", "china", "cn"], Rules::CHINESE),
    ("japanese", &["korean", "territory", "japan", "jp", "kr"], Rules::JAPANESE),
    ("aga", &["bga", "french", "usa"], Rules::AGA),
    ("new-zealand", &["newzealand", "nz"], Rules::NEW_ZEALAND),
];

/// Names of rule sets that are not played here, and why.
const NOT_PLAYED: [(&str, &str); 2] = [("stone-scoring", NO_GROUP_TAX), ("aga-button", NO_BUTTON)];

/// Why no group pays for its eyes.
pub const NO_GROUP_TAX: &str = "a tax on the eyes of all groups (stone scoring) is not counted here; it is NONE under \
                                area scoring and SEKI under territory scoring";
/// Why there is no button.
pub const NO_BUTTON: &str =
    "the button, half a point for the first pass, is not played here; aga is the same without it";

/// Why there is no other tax.
pub const OTHER_TAX: &str =
    "the tax follows from the scoring, NONE for AREA and SEKI for TERRITORY";

impl Rules {
    /// The logical rules of Tromp and Taylor: positional superko, suicide, area, every stone alive.
    pub const TROMP_TAYLOR: Rules = Rules {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        suicide: true,
        bonus: Bonus::None,
        friendly_pass_ok: false,
    };

    /// Chinese rules as servers apply them: area scoring and positional superko.
    pub const CHINESE: Rules = Rules {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        suicide: false,
        bonus: Bonus::Stones,
        friendly_pass_ok: true,
    };

    /// Japanese rules: territory scoring and simple ko.
    pub const JAPANESE: Rules = Rules {
        ko: Ko::Simple,
        scoring: Scoring::Territory,
        suicide: false,
        bonus: Bonus::None,
        friendly_pass_ok: true,
    };

    /// Rules of the American Go Association, whose territory count equals the area count.
    pub const AGA: Rules = Rules {
        ko: Ko::Situational,
        scoring: Scoring::Area,
        suicide: false,
        bonus: Bonus::StonesLessOne,
        friendly_pass_ok: true,
    };

    /// Rules of the New Zealand Go Society: situational superko, suicide, area.
    pub const NEW_ZEALAND: Rules = Rules {
        ko: Ko::Situational,
        scoring: Scoring::Area,
        suicide: true,
        bonus: Bonus::None,
        friendly_pass_ok: true,
    };

    /// The names of all rule sets that have one.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|&(name, ..)| name)
    }

    /// The name of this rule set, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        NAMED.iter().find(|(.., rules)| rules == self).map(|&(name, ..)| name)
    }

    /// What a record says: the name, or without one the words of KataGo's records, `koSIMPLEscoreAREAtaxNONEsui1whbN`.
    ///
    /// ```
    /// use go_engine::{Rules, rules::Ko};
    /// let rules = Rules { ko: Ko::Simple, ..Rules::TROMP_TAYLOR };
    /// assert_eq!(rules.in_records(), "koSIMPLEscoreAREAtaxNONEsui1whb0fpok0");
    /// assert_eq!(rules.in_records().parse(), Ok(rules));
    /// assert_eq!(Rules::AGA.in_records(), "aga");
    /// ```
    pub fn in_records(&self) -> String {
        if let Some(name) = self.name() {
            return name.to_owned();
        }
        let ko = match self.ko {
            Ko::Simple => "SIMPLE",
            Ko::Positional => "POSITIONAL",
            Ko::Situational => "SITUATIONAL",
        };
        let scoring = match self.scoring {
            Scoring::Area => "AREAtaxNONE",
            Scoring::Territory => "TERRITORYtaxSEKI",
        };
        let bonus = match self.bonus {
            Bonus::None => "0",
            Bonus::StonesLessOne => "N-1",
            Bonus::Stones => "N",
        };
        let (suicide, friendly) = (u8::from(self.suicide), u8::from(self.friendly_pass_ok));
        format!("ko{ko}score{scoring}sui{suicide}whb{bonus}fpok{friendly}")
    }

    /// Points that White gets besides the komi in a game of `handicap` stones.
    pub fn handicap_bonus(&self, handicap: u32) -> u32 {
        match self.bonus {
            Bonus::None => 0,
            Bonus::StonesLessOne => handicap.saturating_sub(1),
            Bonus::Stones => handicap,
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CHINESE
    }
}

/// A name that no rule set has that is played here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownRules {
    /// A name that is not known.
    #[error("unknown rules {0:?}; known are tromp-taylor, chinese, japanese, aga, new-zealand")]
    Name(String),
    /// Rules that are known, and not played.
    #[error("{0} is not played: {1}")]
    NotPlayed(String, &'static str),
}

/// The words of KataGo's records, in lower case, one behind the other. What they leave out is as there, but that players agree
/// on the dead wherever territory is counted.
fn from_words(words: &str) -> Option<Result<Rules, UnknownRules>> {
    let mut rules = Rules::TROMP_TAYLOR;
    let (mut tax, mut friendly, mut button) = (None, None, false);
    let mut left = words;
    let switch = |text: &str| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    while !left.is_empty() {
        let name = FIELDS.iter().find(|name| left.starts_with(**name))?;
        left = &left[name.len()..];
        let value = VALUES.iter().find(|value| left.starts_with(**value))?;
        left = &left[value.len()..];
        match (*name, *value) {
            ("ko", "simple") => rules.ko = Ko::Simple,
            ("ko", "positional") => rules.ko = Ko::Positional,
            ("ko", "situational") => rules.ko = Ko::Situational,
            ("score", "area") => rules.scoring = Scoring::Area,
            ("score", "territory") => rules.scoring = Scoring::Territory,
            ("tax", "none" | "seki" | "all") => tax = Some(*value),
            ("whb", "0") => rules.bonus = Bonus::None,
            ("whb", "n-1") => rules.bonus = Bonus::StonesLessOne,
            ("whb", "n") => rules.bonus = Bonus::Stones,
            ("sui", value) => rules.suicide = switch(value)?,
            ("fpok", value) => friendly = Some(switch(value)?),
            ("button", value) => button = switch(value)?,
            _ => return None,
        }
    }
    let is_territory = rules.scoring == Scoring::Territory;
    rules.friendly_pass_ok = friendly.unwrap_or(is_territory);
    let why = match tax {
        _ if button => NO_BUTTON,
        Some("all") => NO_GROUP_TAX,
        Some(tax) if (tax == "seki") != is_territory => OTHER_TAX,
        _ => return Some(Ok(rules)),
    };
    Some(Err(UnknownRules::NotPlayed(words.to_owned(), why)))
}

/// What [`from_words`] reads, and what may follow; of those that begin alike the longer one first.
const FIELDS: [&str; 7] = ["ko", "score", "tax", "sui", "button", "whb", "fpok"];
const VALUES: [&str; 13] = [
    "simple",
    "positional",
    "situational",
    "area",
    "territory",
    "none",
    "seki",
    "all",
    "n-1",
    "n",
    "0",
    "1",
    "spight",
];

/// Reads a name in any case, with spaces, underscores or hyphens between words; or the words of KataGo's records.
impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Rules, UnknownRules> {
        let name = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        NAMED
            .iter()
            .find(|(own, others, _)| *own == name || others.contains(&name.as_str()))
            .map(|&(.., rules)| Ok(rules))
            .or_else(|| from_words(&name).filter(|_| !name.is_empty()))
            .unwrap_or_else(|| {
                Err(match NOT_PLAYED.iter().find(|(own, _)| *own == name) {
                    Some(&(name, why)) => UnknownRules::NotPlayed(name.to_owned(), why),
                    None => UnknownRules::Name(text.chars().take(60).collect()),
                })
            })
    }
}

impl fmt::Display for Rules {
    /// The name, or `custom`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("custom"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_rules() {
        for name in Rules::names() {
            assert_eq!(name.parse::<Rules>().unwrap().name(), Some(name));
        }
        assert_eq!("New Zealand".parse(), Ok(Rules::NEW_ZEALAND));
        assert_eq!("TROMP_TAYLOR".parse(), Ok(Rules::TROMP_TAYLOR));
        for (name, why) in
            [("chess", "known are"), ("Stone Scoring", "SEKI"), ("aga-button", "aga is")]
        {
            let error = name.parse::<Rules>().unwrap_err().to_string();
            assert!(error.contains(why), "{name}: {error}");
        }
        let custom = Rules { suicide: true, ..Rules::JAPANESE };
        assert_eq!(custom.to_string(), "custom");
    }

    #[test]
    fn words_of_records_are_read() {
        for (words, rules) in [
            ("koPOSITIONALscoreAREAtaxNONEsui1", Rules::TROMP_TAYLOR),
            ("koSIMPLEscoreTERRITORYtaxSEKIsui0", Rules::JAPANESE),
            ("koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1", Rules::AGA),
            ("koPOSITIONALscoreAREAtaxNONEsui0button0whbNfpok1", Rules::CHINESE),
        ] {
            assert_eq!(words.parse(), Ok(rules), "{words}");
        }
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for bonus in [Bonus::None, Bonus::StonesLessOne, Bonus::Stones] {
                    for bits in 0..4 {
                        let (suicide, friendly_pass_ok) = (bits & 1 > 0, bits & 2 > 0);
                        let rules = Rules { ko, scoring, bonus, suicide, friendly_pass_ok };
                        assert_eq!(rules.in_records().parse(), Ok(rules));
                    }
                }
            }
        }
        for (words, why) in [
            ("koSIMPLEscoreAREAtaxALLsui0", "stone scoring"),
            ("koSIMPLEscoreAREAtaxSEKIsui0", "follows from the scoring"),
            ("koSIMPLEscoreAREAtaxNONEsui0button1whbN", "the button"),
            ("koSPIGHTscoreAREAtaxNONEsui0", "known are"),
            ("koSIMPLEscore", "known are"),
            ("kosimple!", "known are"),
            ("", "known are"),
        ] {
            let error = words.parse::<Rules>().unwrap_err().to_string();
            assert!(error.contains(why), "{words}: {error}");
        }
    }

    #[test]
    fn white_is_compensated() {
        let bonus = |rules: Rules| rules.handicap_bonus(4);
        assert_eq!(bonus(Rules::CHINESE), 4);
        assert_eq!(bonus(Rules::AGA), 3);
        assert_eq!(bonus(Rules::JAPANESE), 0);
        assert_eq!(Rules::AGA.handicap_bonus(0), 0);
    }
}
