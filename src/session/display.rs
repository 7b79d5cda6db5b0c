//! What a search found, drawn on GoGui's board. Where nothing was found about the present position, it is searched for a
//! short time.

use std::fmt::Write;

use game_core::Report;

use super::Session;
use super::game::Game;
use super::game::board;
use super::genmove::summary;
use crate::gtp::{Call, Color, Commands, Reply, Step};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("tesuji-best_moves", |session: &mut Session<G>, call| {
            let found = session.current_report(call)?;
            Ok(best_moves::<G>(found.color, &found.report))
        })
        .add("tesuji-principal_variation", principal_variation);
}

/// Candidates that are marked at most.
pub const MARKED: usize = 10;

/// The best moves, coloured by how often they were visited, with the percentage that they win.
pub(super) fn best_moves<G: Game>(color: Color, report: &Report<G::Move>) -> String {
    let max_visits = report.best().map_or(1, |best| best.visits.max(1));
    let mut text = String::new();
    let mut named = Vec::new();
    for found in report.moves.iter().filter(|found| found.is_searched()).take(MARKED) {
        let share = (f64::from(found.visits) / f64::from(max_visits)).min(1.0);
        // From yellow, seldom visited, to green, the best.
        let red = (255.0 * (1.0 - share)) as u8;
        let percent = (100.0 * found.winrate).round();
        for step in G::shown(&found.mv) {
            if let Step::At(point) = step
                && !named.contains(&point)
            {
                named.push(point);
                // Writing to a string cannot fail.
                let _ = writeln!(text, "COLOR #{red:02x}e060 {point}\nLABEL {point} {percent}");
            }
        }
    }
    let best = report.best().map(|best| G::word(&best.mv)).unwrap_or_default();
    let _ = write!(text, "TEXT {} {best}: {}", color.title(), summary::<G>(report));
    text
}

/// The expected course of the game.
fn principal_variation<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let found = session.current_report(call)?;
    let (mut color, winrate) = (found.color, found.report.winrate);
    let line = found.report.best().map(|best| best.line.clone()).unwrap_or_default();
    let mut text = "VAR".to_owned();
    for (number, mv) in line.iter().enumerate() {
        let steps = if number == 0 { session.game.steps_left(mv) } else { G::steps(mv) };
        for step in steps {
            let _ = write!(text, " {} {step}", color.letter());
        }
        color = color.other();
    }
    let _ = write!(text, "\nTEXT wins {:.1}%", 100.0 * winrate);
    Ok(text)
}

/// Numbers for all points in the form that GoGui draws as a board, rows from the top; `value` is asked for the place of
/// each point row by row from A1.
pub fn numbers(size: (u8, u8), value: impl Fn(usize) -> f64) -> String {
    let row = |row| {
        let values = Iterator::map(row, |at: board::Place| format!("{:.2}", value(at.index)));
        values.collect::<Vec<_>>().join(" ")
    };
    board::rows(size).map(row).collect::<Vec<_>>().join("\n")
}
