//! What a review says, in words.

use go_engine::Color;

use crate::go::review::document::{Document, MoveEntry, Value};
use crate::go::review::loss::{Assessment, Grade, Phase};
use crate::go::review::position_analysis::{Expected, MoveAnalysis, line_words};

/// Who leads by how much, as `Black leads by 2.5`.
pub fn lead(black: f64) -> String {
    match format!("{:.1}", black.abs()).as_str() {
        "0.0" => "even".to_owned(),
        points if black > 0.0 => format!("Black leads by {points}"),
        points => format!("White leads by {points}"),
    }
}

/// A chance in percent.
pub fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

/// A colour with a capital letter.
pub fn color(color: &str) -> &'static str {
    if is_black(color) { "Black" } else { "White" }
}

/// Whether a colour's word is Black's.
pub fn is_black(color: &str) -> bool {
    color == "black"
}

/// The colour of a word.
pub fn color_of(word: &str) -> Color {
    if is_black(word) { Color::Black } else { Color::White }
}

/// What a move loses, and how bad that is: `loses 8.2 points (12% of the chance to win): bad`.
pub fn loss(assessment: &Assessment) -> String {
    let grade = match assessment.grade {
        Grade::Good => String::new(),
        grade => format!(": {}", grade.words()),
    };
    let chance = match percent(assessment.winrate_loss).as_str() {
        "0%" => String::new(),
        chance => format!(" ({chance} of the chance to win)"),
    };
    format!("loses {:.1} points{chance}{grade}", assessment.loss)
}

/// The place of a move among those that are expected, as `3rd (12%)`.
pub fn expected(expected: &Expected) -> String {
    match expected.rank {
        0 => "not among them".to_owned(),
        rank => format!("{} ({})", ordinal(rank), percent(expected.probability)),
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The comment on a move.
pub fn move_comment(entry: &MoveEntry) -> String {
    let mut lines = Vec::new();
    if let Some(Value { winrate, lead: points }) = entry.black {
        lines.push(format!("Black wins {}; {}.", percent(winrate), lead(points)));
    }
    if let Some(assessment) = &entry.assessment {
        let who = format!("{} {}", color(&entry.color), entry.mv);
        if assessment.is_tesuji {
            lines.push(format!("{who} is the best move, and hard to see."));
        } else if assessment.grade > Grade::Good {
            lines.push(format!("{who} {}.", loss(assessment)));
        }
        if let Some(better) = assessment.correction() {
            lines.push(format!("Better {}: {}.", line_words(&better.line), promise(better)));
        }
    }
    if let Some(said) = &entry.expected {
        let first = match said.rank {
            1 => String::new(),
            _ => format!("; first {} ({})", said.first, percent(said.first_probability)),
        };
        lines.push(format!("Among the moves that experts play: {}{first}.", expected(said)));
    }
    lines.join("\n")
}

/// What a better move leads to.
pub fn promise(better: &MoveAnalysis) -> String {
    format!("Black wins {}, {}", percent(better.winrate), lead(better.lead))
}

/// The comment on a game.
pub fn game_comment(document: &Document) -> String {
    let mut lines = vec![format!("Reviewed by {}.", document.program)];
    if !document.finished {
        lines.push("The review is not finished.".to_owned());
    }
    for (player, name) in document.players.iter().zip(document.names()) {
        let all = &player.summary.all;
        if all.moves == 0 {
            continue;
        }
        let [doubtful, bad, blunders] = all.mistakes;
        lines.push(format!(
            "{} ({name}): accuracy {:.1}%, {:.2} points lost a move; {doubtful} doubtful moves, {bad} bad, \
             {blunders} blunders.",
            color(&player.color),
            all.accuracy,
            all.mean_loss
        ));
    }
    let largest: Vec<String> = document
        .largest()
        .iter()
        .take(5)
        .map(|(entry, assessment)| {
            let who = color(&entry.color);
            format!("move {}, {who} {} ({:.1})", entry.number, entry.mv, assessment.loss)
        })
        .collect();
    if !largest.is_empty() {
        lines.push(format!("The largest losses: {}.", largest.join("; ")));
    }
    lines.extend(document.notes.iter().map(|note| format!("Note: {note}.")));
    lines.join("\n")
}

/// So many games.
pub fn games(count: usize) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

/// The name of a phase with a capital letter.
pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "Opening",
        Phase::Middle => "Middle game",
        Phase::Endgame => "Endgame",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_and_places_are_said_as_people_do() {
        assert_eq!(lead(0.04), "even");
        assert_eq!(lead(-3.25), "White leads by 3.2");
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"
        );
    }
}
