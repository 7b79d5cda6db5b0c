//! What a session answers, in a player's words.

/// What an `info` row says of the best move.
pub fn in_words(row: &str) -> Option<String> {
    let row = row.strip_prefix("info ")?;
    let first = row.split(" info ").next()?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let field = |name: &str| words.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
    let percent = field("winrate")?.parse::<f64>().ok()? / 100.0;
    let visits = field("visits")?;
    let s = if visits == "1" { "" } else { "s" };
    Some(format!("{} wins {percent:.0}%, {visits} visit{s}", field("move")?))
}

/// An answer without the rows of an analysis that newer ones have replaced.
pub fn newest(text: &str) -> &str {
    text.rfind("\ninfo ").map_or(text, |at| &text[at + 1..])
}

/// `B+3.5` in words.
pub fn in_full(score: &str) -> String {
    match score.split_once('+') {
        Some(("B", points)) => format!("Black wins by {points} points"),
        Some(("W", points)) => format!("White wins by {points} points"),
        _ if score.trim() == "0" => "nobody wins".to_owned(),
        _ => score.to_owned(),
    }
}

/// The passes at the end of the game, in an answer to `tesuji-position`.
pub fn passes(position: &str) -> u32 {
    let position: serde_json::Value = serde_json::from_str(position).unwrap_or_default();
    position["passes"].as_u64().and_then(|passes| u32::try_from(passes).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_thinks_is_told_in_words() {
        let row = "info move D4 visits 13 winrate 3794 prior 1 order 0 pv D4 info move C3 visits 2 winrate 1 pv C3";
        assert_eq!(in_words(row).as_deref(), Some("D4 wins 38%, 13 visits"));
        let row = "info move D4 visits 1 winrate 3794";
        assert_eq!(in_words(row).as_deref(), Some("D4 wins 38%, 1 visit"));
        assert_eq!(in_words("play D4"), None);
        assert_eq!(newest("\ninfo move D4\ninfo move C3\nplay C3"), "info move C3\nplay C3");
        assert_eq!((newest("D4"), newest("")), ("D4", ""));
        assert_eq!((passes(r#"{"passes": 2}"#), passes("{}"), passes("")), (2, 0, 0));
        assert_eq!(in_full("W+0.5"), "White wins by 0.5 points");
    }
}
