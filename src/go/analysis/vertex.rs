//! Points as this protocol names them: as GTP does, with two letters beyond Z, or as columns and rows from the top left.

use game_core::column_of;
use go_engine::{Color, Move, Point};
use serde_json::Value;

/// Reads a move on a board of this size.
pub(super) fn read_move(text: &str, size: (u8, u8)) -> Result<Move, String> {
    let word = text.trim();
    if word.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    let shown: String = text.chars().take(20).collect();
    let (column, row) =
        coordinates(word, size.1).ok_or_else(|| format!("{shown:?} is no point"))?;
    let is_on_board =
        (0..i64::from(size.0)).contains(&column) && (0..i64::from(size.1)).contains(&row);
    match is_on_board {
        true => Ok(Move::Play(Point::new(column as u8, row as u8))),
        false => Err(format!("{shown} is not on the board")),
    }
}

/// Column and row from the lower left, which need not be on any board.
fn coordinates(word: &str, height: u8) -> Option<(i64, i64)> {
    if let Some(pair) = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let (x, y) = pair.split_once(',')?;
        let number = |text: &str| text.trim().parse::<i16>().ok().map(i64::from);
        return Some((number(x)?, i64::from(height) - 1 - number(y)?));
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &word[..word.len() - digits.len()];
    let row: u8 = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
    let letter = |c: u8| column_of(c).map(i64::from);
    let column = match *letters.as_bytes() {
        [one] => letter(one)?,
        // 25 letters, then AA to AZ.
        [first, second] => 25 * (letter(first)? + 1) + letter(second)?,
        _ => return None,
    };
    Some((column, i64::from(row) - 1))
}

/// Reads a colour.
pub(super) fn read_color(value: &Value) -> Option<Color> {
    crate::gtp::read_color(value.as_str()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_in_all_forms() {
        let read = |text| read_move(text, (19, 13)).map(|mv| mv.to_string());
        for (text, named) in [("Q4", "Q4"), ("q4", "Q4"), (" J13", "J13"), ("PASS", "pass")] {
            assert_eq!(read(text).unwrap().to_lowercase(), named.to_lowercase());
        }
        assert_eq!(read("(0,0)").unwrap(), "A13");
        assert_eq!(read("( 18, 12 )").unwrap(), "T1");
        for off in ["T14", "U1", "AA1", "AC13", "(19,0)", "(0,13)", "(-1,3)", "A0"] {
            assert!(read(off).unwrap_err().contains("not on the board"), "{off}");
        }
        for bad in ["", "I5", "A", "5", "A+5", "A5x", "AAA1", "é5", "(1)", "(a,b)", "A999", "(,)"]
        {
            assert!(read(bad).unwrap_err().contains("is no point"), "{bad}");
        }
    }
}
