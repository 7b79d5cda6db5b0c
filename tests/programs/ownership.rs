//! Whose the points of finished games are, beside what people said of them: end positions with their true owners, most of
//! them from games that a server's counting had got wrong.

use std::collections::HashMap;

use serde::Deserialize;

use crate::common::Program;

#[derive(Deserialize)]
struct Position {
    /// Rows from the top: `b`, `W`, or something else for an empty point.
    board: Vec<String>,
    /// `B`, `W`, or anything else where it is nobody's or not known.
    correct_ownership: Vec<String>,
}

/// Points of all positions together that may be given to the wrong side, of a thousand.
const MAX_WRONG: f64 = 15.0;

#[test]
fn points_of_finished_games_are_given_to_whom_they_belong() {
    let Some(folder) = test_support::shared("data/go-scoring/ownership") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut points, mut wrong) = (0, 0);
    for file in files.iter().filter(|file| file.extension().is_some_and(|ext| ext == "json")) {
        let text = std::fs::read_to_string(file).unwrap();
        let position: Position = serde_json::from_str(&text).unwrap();
        let owners = owners(&position);
        let rows = position.correct_ownership.iter().enumerate();
        for (name, owner) in rows.flat_map(|(row, line)| named(&position, row, line)) {
            if "BW".contains(owner) {
                points += 1;
                wrong += u32::from(owners.get(&name) != Some(&owner));
            }
        }
    }
    assert!(points > 3000, "only {points} points");
    let share = 1000.0 * f64::from(wrong) / f64::from(points);
    assert!(share <= MAX_WRONG, "{wrong} of {points} points are given to the wrong side");
}

/// The points of a row with what a line of text says of each.
fn named<'a>(
    position: &Position,
    row: usize,
    line: &'a str,
) -> impl Iterator<Item = (String, char)> + use<'a> {
    let number = position.board.len() - row;
    let letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars();
    letters.zip(line.chars()).map(move |(letter, said)| (format!("{letter}{number}"), said))
}

/// Whose each point is by `final_status_list`.
fn owners(position: &Position) -> HashMap<String, char> {
    let mut stones = HashMap::new();
    for (row, line) in position.board.iter().enumerate() {
        stones.extend(named(position, row, line).filter(|stone| "bW".contains(stone.1)));
    }
    let setup: Vec<String> = stones
        .iter()
        .map(|(name, color)| format!("{} {name}", color.to_ascii_lowercase()))
        .collect();
    let mut program = Program::start(&["--threads", "1", "--seed", "1", "--rules", "japanese"]);
    program.ok(&format!("boardsize {}", position.board.len()));
    program.ok(&format!("gogui-setup {}", setup.join(" ")));
    let mut listed = |what: &str| -> Vec<String> {
        let list = program.ok(&format!("final_status_list {what}"));
        list.split_whitespace().map(String::from).collect()
    };
    let dead = listed("dead");
    let mut owners: HashMap<String, char> = stones
        .into_iter()
        .map(|(name, color)| {
            let is_blacks = (color == 'b') != dead.contains(&name);
            (name, if is_blacks { 'B' } else { 'W' })
        })
        .collect();
    for (what, owner) in [("black_territory", 'B'), ("white_territory", 'W')] {
        owners.extend(listed(what).into_iter().map(|name| (name, owner)));
    }
    owners
}
