//! `lz-setoption`: Leela Zero's names for what clients set.

use super::Session;
use super::game::Game;
use crate::gtp::params;
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands.add("lz-setoption", set_option);
}

/// A name of Leela Zero's, and the parameter that it stands for.
struct LzOption {
    name: &'static str,
    /// Its parameter; visits and playouts are whatever a game counts.
    param: &'static str,
    /// The type and the range that clients are told.
    kind: &'static str,
    /// How many of its units are one of the parameter's.
    scale: f64,
}

const OPTIONS: [LzOption; 6] = [
    LzOption {
        name: "Maximum Memory Use (MiB)",
        param: "max_memory",
        kind: "spin default {} min 16 max 1048576",
        scale: 1.0,
    },
    LzOption {
        name: "Visits",
        param: "visits",
        kind: "spin default {} min 0 max 1000000000",
        scale: 1.0,
    },
    LzOption {
        name: "Playouts",
        param: "playouts",
        kind: "spin default {} min 0 max 1000000000",
        scale: 1.0,
    },
    // Hundredths of a second.
    LzOption {
        name: "Lagbuffer",
        param: "lag",
        kind: "spin default {} min 0 max 6000",
        scale: 100.0,
    },
    LzOption {
        name: "Resign Percentage",
        param: "resign",
        kind: "spin default {} min 0 max 100",
        scale: 1.0,
    },
    LzOption { name: "Pondering", param: "ponder", kind: "check default {}", scale: 1.0 },
];

/// `lz-setoption name NAME value VALUE`; without arguments the options that there are, with their present values.
fn set_option<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    if call.args.is_empty() {
        return Ok(list(session));
    }
    if !call.args.word()?.eq_ignore_ascii_case("name") {
        return Err(Failure::syntax());
    }
    let text = call.args.rest();
    let at = text.to_ascii_lowercase().find(" value ").ok_or_else(Failure::syntax)?;
    let (name, value) = (text[..at].trim(), text[at + " value ".len()..].trim());
    let option = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let option = option.filter(|option| present(session, option).is_some());
    let option = option.ok_or_else(|| {
        let names = OPTIONS.iter().filter(|option| present(session, option).is_some());
        let names: Vec<&str> = names.map(|option| option.name).collect();
        Failure::new(format!("unknown option {name:?}; known are {}", names.join(", ")))
    })?;
    let value = match value.parse::<f64>() {
        // Leela Zero's word for its own choice.
        Ok(-1.0) if option.param == "resign" => return Ok(String::new()),
        Ok(number) => (number / option.scale).to_string(),
        Err(_) => value.to_owned(),
    };
    params::set(session, option.param, &value)
}

/// The present value of an option, in its units; none when this program has nothing like it.
fn present<G: Game>(session: &Session<G>, option: &LzOption) -> Option<String> {
    let value = params::get(session, option.param).ok()?;
    Some(match option.param {
        "ponder" => (value == "1").to_string(),
        _ => {
            value.parse::<f64>().map_or(value, |number| (number * option.scale).round().to_string())
        }
    })
}

/// What can be set, in the words of UCI.
fn list<G: Game>(session: &Session<G>) -> String {
    let row = |option: &LzOption| {
        let value = present(session, option)?;
        Some(format!("option name {} type {}", option.name, option.kind.replace("{}", &value)))
    };
    OPTIONS.iter().filter_map(row).collect::<Vec<_>>().join("\n")
}
