//! Commands about rules, in KGS's and KataGo's words.

use go_engine::Rules;
use go_engine::rules::{Bonus, Ko, NO_BUTTON, NO_GROUP_TAX, OTHER_TAX, Scoring};
use serde_json::{Map, Value, json};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("kgs-rules", kgs_rules)
        .add("kata-get-rules", |go, _| Ok(to_json(go.game.rules()).to_string()))
        .add("kata-set-rules", set_rules)
        .add("kata-set-rule", set_rule);
}

fn kgs_rules(go: &mut Go, call: &mut Call) -> Reply {
    let rules: Rules = call.args.word()?.parse().map_err(unknown)?;
    go.game.set_rules(rules);
    Ok(String::new())
}

fn unknown(error: go_engine::rules::UnknownRules) -> Failure {
    Failure::new(error.to_string())
}

/// The rules in KataGo's form.
pub(super) fn to_json(rules: &Rules) -> Value {
    json!({
        "friendlyPassOk": rules.friendly_pass_ok,
        "hasButton": false,
        "ko": match rules.ko {
            Ko::Simple => "SIMPLE",
            Ko::Positional => "POSITIONAL",
            Ko::Situational => "SITUATIONAL",
        },
        "scoring": match rules.scoring {
            Scoring::Area => "AREA",
            Scoring::Territory => "TERRITORY",
        },
        "suicide": rules.suicide,
        "tax": tax(rules.scoring),
        "whiteHandicapBonus": match rules.bonus {
            Bonus::None => "0",
            Bonus::StonesLessOne => "N-1",
            Bonus::Stones => "N",
        },
    })
}

/// Which territory is no point: it follows from the scoring.
fn tax(scoring: Scoring) -> &'static str {
    match scoring {
        Scoring::Area => "NONE",
        Scoring::Territory => "SEKI",
    }
}

/// `kata-set-rules`: a name, or an object in KataGo's form whose missing fields stay as they are.
fn set_rules(go: &mut Go, call: &mut Call) -> Reply {
    let text = call.args.rest();
    let rules = if text.starts_with('{') {
        let fields: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| Failure::new(error.to_string()))?;
        with_fields(*go.game.rules(), &fields)?
    } else {
        text.parse().map_err(unknown)?
    };
    go.game.set_rules(rules);
    Ok(String::new())
}

/// `kata-set-rule NAME VALUE`.
fn set_rule(go: &mut Go, call: &mut Call) -> Reply {
    let name = call.args.word()?;
    let word = call.args.word()?;
    let value = match word.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::String(word.to_owned()),
    };
    go.game.set_rules(with_field(*go.game.rules(), name, &value)?);
    Ok(String::new())
}

/// Rules with fields of KataGo's form set; those that are missing stay as they are.
///
/// # Errors
/// Which field has no such value, and why.
pub(super) fn with_fields(mut rules: Rules, fields: &Map<String, Value>) -> Result<Rules, Failure> {
    // Scoring first: which tax is possible depends on it.
    let scoring = fields.iter().filter(|(name, _)| *name == "scoring");
    for (name, value) in scoring.chain(fields.iter().filter(|(name, _)| *name != "scoring")) {
        rules = with_field(rules, name, value)?;
    }
    Ok(rules)
}

/// Rules with one field of KataGo's form set. What cannot be played is refused with the reason, and with what can.
pub(super) fn with_field(mut rules: Rules, name: &str, value: &Value) -> Result<Rules, Failure> {
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string(),
    };
    let cannot = |what: &str| Failure::new(format!("{name} cannot be {value}: {what}"));
    let one_of = |words: &str| cannot(&format!("it is {words}"));
    let switch = || value.as_bool().ok_or_else(|| one_of("true or false"));
    match name {
        "ko" => {
            rules.ko = match text.as_str() {
                "SIMPLE" => Ko::Simple,
                "POSITIONAL" => Ko::Positional,
                "SITUATIONAL" => Ko::Situational,
                _ => return Err(one_of("SIMPLE, POSITIONAL or SITUATIONAL")),
            }
        }
        "scoring" => {
            rules.scoring = match text.as_str() {
                "AREA" => Scoring::Area,
                "TERRITORY" => Scoring::Territory,
                _ => return Err(one_of("AREA or TERRITORY")),
            }
        }
        "whiteHandicapBonus" => {
            rules.bonus = match text.as_str() {
                "0" => Bonus::None,
                "N-1" => Bonus::StonesLessOne,
                "N" => Bonus::Stones,
                _ => return Err(one_of("0, N-1 or N")),
            }
        }
        "suicide" => rules.suicide = switch()?,
        "friendlyPassOk" => rules.friendly_pass_ok = switch()?,
        // Known to KataGo; here they follow from the scoring, and there is no button.
        "tax" if text == tax(rules.scoring) => {}
        "tax" if text == "ALL" => return Err(cannot(NO_GROUP_TAX)),
        "tax" if ["NONE", "SEKI"].contains(&text.as_str()) => {
            return Err(cannot(OTHER_TAX));
        }
        "tax" => return Err(one_of("NONE, SEKI or ALL")),
        "hasButton" if switch()? => return Err(cannot(NO_BUTTON)),
        "hasButton" => {}
        _ => {
            let names = "ko, scoring, suicide, whiteHandicapBonus, friendlyPassOk, tax, hasButton";
            return Err(Failure::new(format!("unknown rule {name:?}; known are {names}")));
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_set_survives_its_form() {
        for name in Rules::names() {
            let rules: Rules = name.parse().unwrap();
            let Value::Object(fields) = to_json(&rules) else { panic!() };
            let mut read = rules;
            read.scoring = rules.scoring;
            for (field, value) in &fields {
                read = with_field(read, field, value).unwrap();
            }
            assert_eq!(read, rules, "{name}");
        }
    }

    #[test]
    fn what_is_not_supported_is_refused() {
        for (name, value, why) in [
            ("ko", json!("SPIGHT"), "SIMPLE, POSITIONAL or SITUATIONAL"),
            ("tax", json!("ALL"), "stone scoring"),
            ("tax", json!("SEKI"), "follows from the scoring"),
            ("hasButton", json!(true), "half a point for the first pass"),
            ("suicide", json!("yes"), "true or false"),
            ("komi", json!(7), "known are ko, scoring"),
        ] {
            let refused = with_field(Rules::CHINESE, name, &value).unwrap_err().to_string();
            assert!(refused.contains(why), "{name}: {refused}");
        }
    }
}
