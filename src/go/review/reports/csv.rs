//! Every move of a game as a row of a table.

use super::words;
use crate::csv;
use crate::go::review::document::Document;
use crate::go::review::loss::Grade;
use crate::go::review::position_analysis::line_words;

/// The names of the columns. Chances and leads are those of the player who moved.
const COLUMNS: [&str; 24] = [
    "file",
    "game",
    "black",
    "white",
    "number",
    "color",
    "move",
    "phase",
    "winrate_best",
    "winrate",
    "winrate_loss",
    "lead_best",
    "lead",
    "loss",
    "grade",
    "best",
    "tesuji",
    "better",
    "better_line",
    "expected_rank",
    "expected_probability",
    "expected_first",
    "expected_first_probability",
    "black_lead",
];

/// The first row.
pub fn head() -> String {
    csv::row(&COLUMNS)
}

/// A row for each move.
pub fn rows(document: &Document) -> String {
    let [black, white] = document.names();
    let game = document.game.to_string();
    let mut text = String::new();
    for entry in &document.moves {
        let assessment = entry.assessment.as_ref();
        let number = |of: &dyn Fn(&crate::go::review::loss::Assessment) -> String| {
            assessment.map_or_else(String::new, of)
        };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let better = assessment.and_then(|assessment| assessment.better.as_ref());
        let said = entry.expected.as_ref();
        text += &csv::row(&[
            document.file.clone(),
            game.clone(),
            black.clone(),
            white.clone(),
            entry.number.to_string(),
            entry.color.clone(),
            entry.mv.to_string(),
            words::phase(entry.phase).to_lowercase(),
            number(&|assessment| assessment.winrate[0].to_string()),
            number(&|assessment| assessment.winrate[1].to_string()),
            number(&|assessment| assessment.winrate_loss.to_string()),
            number(&|assessment| assessment.lead[0].to_string()),
            number(&|assessment| assessment.lead[1].to_string()),
            number(&|assessment| assessment.loss.to_string()),
            number(&|assessment| match assessment.grade {
                Grade::Good => "good".to_owned(),
                grade => grade.words().to_owned(),
            }),
            number(&|assessment| yes(assessment.is_best)),
            number(&|assessment| yes(assessment.is_tesuji)),
            better.map_or_else(String::new, |better| better.mv.to_string()),
            better.map_or_else(String::new, |better| line_words(&better.line)),
            said.map_or_else(String::new, |said| said.rank.to_string()),
            said.map_or_else(String::new, |said| said.probability.to_string()),
            said.map_or_else(String::new, |said| said.first.to_string()),
            said.map_or_else(String::new, |said| said.first_probability.to_string()),
            entry.black.map_or_else(String::new, |value| value.lead.to_string()),
        ]);
    }
    text
}
