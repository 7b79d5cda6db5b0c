//! A line of an analysis as a JSON object: `tesuji-analyze`.
//!
//! Unlike the lines of Leela Zero and KataGo it tells turns whole, which games need whose turns have several steps.

use game_core::{MoveReport, Proven, Report};
use serde_json::{Value, json};

use super::options::Options;
use crate::session::game::{Game, board};
use crate::session::position::words;

/// Turns of a variation that are told.
const MAX_LINE: usize = 12;
/// Turns that are told where nobody says how many.
const MAX_MOVES: usize = 24;

/// What was found. Chances and leads are those of the side to move; owners are hundredths, rows from the top, Black's above
/// zero.
pub(super) fn object<G: Game>(options: &Options, game: &G, report: &Report<G::Move>) -> Value {
    let color = options.color;
    let is_told = |found: &&MoveReport<G::Move>| {
        let steps = game.steps_left(&found.mv);
        options.filter.accepts_rest(game, color, &steps) && found.is_searched()
    };
    let moves = report.moves.iter().filter(is_told).take(options.max_moves.min(MAX_MOVES));
    let moves: Vec<Value> = moves.map(|found| turn::<G>(game, found)).collect();
    let mut object = json!({
        "color": color.letter(),
        "visits": report.visits,
        "winrate": rounded(report.winrate, 4),
        "lead": report.lead.map(|lead| rounded(lead, 2)),
        "proven": proven(report.proven),
        "moves": moves,
    });
    if options.extras.ownership && !report.ownership.is_empty() {
        let owner = |at: board::Place| {
            let owned = report.ownership.get(at.index).copied().unwrap_or(0.0);
            (100.0 * owned).round() as i32
        };
        object["owners"] = board::rows(game.size()).flatten().map(owner).collect();
    }
    object
}

fn turn<G: Game>(game: &G, found: &MoveReport<G::Move>) -> Value {
    let line = found.line.iter().skip(1).take(MAX_LINE - 1).map(|mv| words(&G::steps(mv)));
    let steps = words(&game.steps_left(&found.mv));
    json!({
        "word": G::word(&found.mv),
        "line": std::iter::once(steps.clone()).chain(line).collect::<Vec<_>>(),
        "steps": steps,
        "visits": found.visits,
        "winrate": rounded(found.winrate, 4),
        "lead": found.lead.map(|lead| rounded(lead, 2)),
        "prior": rounded(found.prior, 4),
        "proven": proven(found.proven),
    })
}

fn proven(proven: Proven) -> Option<&'static str> {
    match proven {
        Proven::Unknown => None,
        Proven::Win => Some("win"),
        Proven::Loss => Some("loss"),
    }
}

/// A number to so many places. What is none is 0.
fn rounded(value: f32, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    let rounded = (f64::from(value) * scale).round() / scale;
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::{Args, Color};
    use connect6_engine::{Game, Point, Rules, Turn};

    #[test]
    fn turns_are_told_whole() {
        let [a, b] = [(9, 9), (9, 10)].map(|(x, y)| Point::new(x, y).unwrap());
        let turn = Turn::pair(a, b);
        let mut game = Game::new(Rules::CONNECT6);
        game.play(Color::Black, Point::new(0, 0).unwrap()).unwrap();
        let found = MoveReport {
            mv: turn,
            visits: 10,
            winrate: 0.61803,
            lower_bound: 0.5,
            prior: 0.25,
            proven: Proven::Win,
            lead: None,
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line_visits: Vec::new(),
            line: vec![turn, turn],
        };
        let report =
            Report { moves: vec![found], visits: 12, winrate: f32::NAN, ..Report::default() };
        let options = Options::parse(&mut Args::new("ownership true"), &game).unwrap();
        let told = object(&options, &game, &report);
        assert_eq!(told["color"], "w");
        assert_eq!(told["winrate"], 0.0, "what is no number is not told as one");
        assert_eq!(told["moves"][0]["steps"], json!(["K10", "K11"]));
        assert_eq!(told["moves"][0]["line"], json!([["K10", "K11"], ["K10", "K11"]]));
        assert_eq!(told["moves"][0]["winrate"], 0.618);
        assert_eq!(told["moves"][0]["proven"], "win");
        assert!(told.get("owners").is_none());
    }
}
