//! Commands about rules, in KGS's and KataGo's words.

use go_engine::Rules;
use go_engine::rules::{Bonus, Ko, Scoring};
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
fn to_json(rules: &Rules) -> Value {
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
        "tax": match rules.scoring {
            Scoring::Area => "NONE",
            Scoring::Territory => "SEKI",
        },
        "whiteHandicapBonus": match rules.bonus {
            Bonus::None => "0",
            Bonus::StonesLessOne => "N-1",
            Bonus::Stones => "N",
        },
    })
}

/// `kata-set-rules`: a name, or an object in KataGo's form whose missing fields stay as they are.
fn set_rules(go: &mut Go, call: &mut Call) -> Reply {
    let text = call.args.rest();
    let rules = if text.starts_with('{') {
        let fields: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| Failure::new(error.to_string()))?;
        let mut rules = *go.game.rules();
        // Scoring first: which tax is possible depends on it.
        let scoring = fields.iter().filter(|(name, _)| *name == "scoring");
        for (name, value) in scoring.chain(fields.iter().filter(|(name, _)| *name != "scoring")) {
            rules = with_field(rules, name, value)?;
        }
        rules
    } else {
        text.parse().map_err(unknown)?
    };
    go.game.set_rules(rules);
    Ok(String::new())
}

/// `kata-set-rule NAME VALUE`.
fn set_rule(go: &mut Go, call: &mut Call) -> Reply {
    let name = call.args.word()?;
    let value = match call.args.word()? {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        word => Value::String(word.to_owned()),
    };
    go.game.set_rules(with_field(*go.game.rules(), name, &value)?);
    Ok(String::new())
}

fn with_field(mut rules: Rules, name: &str, value: &Value) -> Result<Rules, Failure> {
    let wrong = || Failure::new(format!("{name} cannot be {value}"));
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string(),
    };
    let switch = value.as_bool().ok_or_else(wrong);
    match name {
        "ko" => {
            rules.ko = match text.as_str() {
                "SIMPLE" => Ko::Simple,
                "POSITIONAL" => Ko::Positional,
                "SITUATIONAL" => Ko::Situational,
                _ => return Err(wrong()),
            }
        }
        "scoring" => {
            rules.scoring = match text.as_str() {
                "AREA" => Scoring::Area,
                "TERRITORY" => Scoring::Territory,
                _ => return Err(wrong()),
            }
        }
        "whiteHandicapBonus" => {
            rules.bonus = match text.as_str() {
                "0" => Bonus::None,
                "N-1" => Bonus::StonesLessOne,
                "N" => Bonus::Stones,
                _ => return Err(wrong()),
            }
        }
        "suicide" => rules.suicide = switch?,
        "friendlyPassOk" => rules.friendly_pass_ok = switch?,
        // Known to KataGo; here they follow from the scoring, and there is no button.
        "tax" if text == to_json(&rules)["tax"].as_str().unwrap_or_default() => {}
        "hasButton" if !switch? => {}
        "tax" | "hasButton" => return Err(wrong()),
        _ => return Err(Failure::new(format!("unknown rule {name:?}"))),
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
        for (name, value) in [
            ("ko", json!("SPIGHT")),
            ("tax", json!("ALL")),
            ("hasButton", json!(true)),
            ("suicide", json!("yes")),
            ("komi", json!(7)),
        ] {
            assert!(with_field(Rules::CHINESE, name, &value).is_err(), "{name}");
        }
    }
}
