//! What engines say of a position before a move, as the line of JSON that the server's viewers show.
//!
//! Everything is from the view of the player to move. What cannot be read is left out: the move counts without it.

use serde_json::{Map, Value, json};

/// A longer line ends the connection.
const MAX_BYTES: usize = 60_000;
/// Moves that are told of.
const MAX_MOVES: usize = 20;
/// Moves of a variation that are told.
const MAX_VARIATION: usize = 15;

/// JSON that an engine has made for the server itself, checked, and cut down where it is too long.
pub fn from_json(text: &str) -> Option<String> {
    let Ok(Value::Object(mut told)) = serde_json::from_str(text) else { return None };
    // A viewer that looks for text in a comment finds nothing else there.
    if told.get("comment").is_some_and(|comment| !comment.is_string()) {
        told.remove("comment");
    }
    fitting(told)
}

/// How an engine writes its `info` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Leela Zero's: chances are whole numbers to 10,000.
    Leela,
    /// KataGo's: chances are fractions.
    Kata,
}

/// The last of an engine's `info` lines.
pub fn from_info(line: &str, dialect: Dialect) -> Option<String> {
    let scale = if dialect == Dialect::Leela { 1e-4 } else { 1.0 };
    // Owners come behind all moves, before or after what belongs to the whole search.
    let (line, owned) = line.split_once(" ownership ").unwrap_or((line, ""));
    let ownership = letters(owned);
    let line = line.split(" rootInfo ").next().unwrap_or_default();
    let moves: Vec<_> =
        line.split("info ").skip(1).filter_map(|part| read_move(part, scale)).collect();
    let best = moves.first()?;
    let mut told = Map::new();
    for key in ["winrate", "score"] {
        if let Some(value) = best.get(key) {
            told.insert(key.to_owned(), value.clone());
        }
    }
    let visits = moves.iter().filter_map(|told| told.get("visits").and_then(Value::as_u64));
    told.insert("visits".to_owned(), json!(visits.sum::<u64>()));
    if !ownership.is_empty() {
        told.insert("ownership".to_owned(), json!(ownership));
    }
    told.insert("moves".to_owned(), moves.into_iter().map(Value::Object).collect());
    fitting(told)
}

/// One move of an `info` line: `move D4 visits 10 winrate 0.5 ... pv D4 C3`.
fn read_move(part: &str, scale: f64) -> Option<Map<String, Value>> {
    let (fields, line) = part.split_once(" pv ").unwrap_or((part, ""));
    let words: Vec<&str> = fields.split_whitespace().collect();
    let mut told = Map::new();
    for pair in words.chunks_exact(2) {
        let number = || pair[1].parse::<f64>().ok().filter(|number| number.is_finite());
        match pair[0] {
            "move" => drop(told.insert("move".to_owned(), json!(pair[1]))),
            "visits" => {
                told.insert("visits".to_owned(), json!(pair[1].parse::<u64>().ok()?));
            }
            "winrate" | "prior" => {
                let share = (number()? * scale).clamp(0.0, 1.0);
                told.insert(pair[0].to_owned(), rounded(share));
            }
            "scoreLead" | "scoreMean" => drop(told.insert("score".to_owned(), rounded(number()?))),
            _ => {}
        }
    }
    // The variation without the move itself, up to the next field that is none of its moves.
    let line = line.split_whitespace().take_while(|word| is_vertex(word)).skip(1);
    let line: Vec<&str> = line.collect();
    told.insert("pv".to_owned(), json!(line.join(" ")));
    told.contains_key("move").then_some(told)
}

fn is_vertex(word: &str) -> bool {
    word.eq_ignore_ascii_case("pass") || word.parse::<go_engine::Point>().is_ok()
}

/// A number with four digits behind the point.
fn rounded(number: f64) -> Value {
    json!((number * 1e4).round() / 1e4)
}

/// Owners of the points, -1 to 1, as a letter each.
fn letters(owned: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let numbers = owned.split_whitespace().map_while(|word| word.parse::<f64>().ok());
    let letter = |value: f64| ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * 62.0).round() as usize;
    numbers.map(|value| char::from(LETTERS[letter(value).min(62)])).collect()
}

/// The JSON on one line, with fewer moves and shorter variations where it would be too long.
fn fitting(mut told: Map<String, Value>) -> Option<String> {
    if let Some(Value::Array(moves)) = told.get_mut("moves") {
        moves.truncate(MAX_MOVES);
        for variation in moves.iter_mut().filter_map(|told| told.get_mut("pv")) {
            if let Some(text) = variation.as_str() {
                let words: Vec<&str> = text.split_whitespace().take(MAX_VARIATION).collect();
                *variation = json!(words.join(" "));
            }
        }
    }
    for heavy in ["", "comment", "moves", "ownership"] {
        told.remove(heavy);
        let text = Value::Object(told.clone()).to_string();
        if text.len() < MAX_BYTES {
            return Some(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: Option<String>) -> Value {
        serde_json::from_str(&text.expect("an analysis")).expect("JSON")
    }

    #[test]
    fn kata_and_leela_lines_say_the_same() {
        let kata = "info move D4 visits 10 winrate 0.6123 scoreMean 1.5 scoreLead 2.5 prior 0.25 lcb 0.5 order 0 \
                    pv D4 C3 pass info move C3 visits 5 winrate 0.5 prior 0.1 order 1 pv C3 ownership 1 -1 0 0.5 \
                    rootInfo visits 15";
        let told = parsed(from_info(kata, Dialect::Kata));
        assert_eq!(told["winrate"], 0.6123);
        assert_eq!((&told["score"], &told["visits"]), (&json!(2.5), &json!(15)));
        assert_eq!(told["ownership"], "+Afv");
        assert_eq!(told["moves"][0]["pv"], "C3 pass");
        assert_eq!(told["moves"][1]["move"], "C3");
        assert_eq!(told["moves"][1]["pv"], "");
        let leela = "info move D4 visits 10 winrate 6123 prior 2500 order 0 pv D4 C3";
        let told = parsed(from_info(leela, Dialect::Leela));
        assert_eq!((&told["winrate"], &told["moves"][0]["prior"]), (&json!(0.6123), &json!(0.25)));
        assert_eq!(from_info("nothing of the kind", Dialect::Kata), None);
        assert_eq!(from_info("info move D4 visits many", Dialect::Kata), None);
    }

    #[test]
    fn what_is_no_json_or_too_long_is_not_sent() {
        assert_eq!(from_json("{\"winrate\":NaN}"), None);
        assert_eq!(from_json("[1]"), None);
        assert_eq!(from_json("{\"winrate\":0.5"), None);
        assert_eq!(parsed(from_json("{\"winrate\":0.5,\"comment\":3}")), json!({"winrate": 0.5}));
        let long = json!({"winrate": 0.5, "comment": "x".repeat(100_000)}).to_string();
        assert_eq!(parsed(from_json(&long)), json!({"winrate": 0.5}));
        let many: Vec<Value> =
            (0..100).map(|_| json!({"move": "D4", "pv": "C3 ".repeat(99)})).collect();
        let told = parsed(from_json(&json!({"moves": many}).to_string()));
        assert_eq!(told["moves"].as_array().map(Vec::len), Some(MAX_MOVES));
        assert_eq!(told["moves"][0]["pv"].as_str().map(str::len), Some(MAX_VARIATION * 3 - 1));
    }
}
