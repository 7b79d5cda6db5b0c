//! What a search found, drawn on GoGui's board.

use std::fmt::Write;

use go_engine::{Color, Move, Point};

use super::Go;
use super::engine::Findings;
use super::moves::variation;
use crate::gtp::{Failure, Reply};

/// Candidates that are marked at most.
const MARKED: usize = 10;

/// The findings of the last search.
fn findings(go: &Go) -> Result<(Color, &Findings), Failure> {
    go.engine.findings().ok_or_else(|| Failure::new("no search has been made yet"))
}

/// The best moves, coloured by how often they were visited, with the percentage that they win.
pub(super) fn best_moves(go: &Go) -> Reply {
    let (color, findings) = findings(go)?;
    let most = findings.candidates.first().map_or(1, |best| best.visits.max(1));
    let mut text = String::new();
    for candidate in findings.candidates.iter().filter(|c| c.visits > 0).take(MARKED) {
        let Move::Play(point) = candidate.mv else { continue };
        let share = candidate.visits as f64 / most as f64;
        // From yellow, seldom visited, to green, the best.
        let red = (255.0 * (1.0 - share)) as u8;
        let percent = (100.0 * candidate.winrate).round();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "COLOR #{red:02x}e060 {point}\nLABEL {point} {percent}");
    }
    let _ = write!(
        text,
        "TEXT {color}: {} playouts, wins {:.1}%, leads by {:.1}",
        findings.visits,
        100.0 * findings.winrate,
        findings.lead
    );
    Ok(text)
}

/// The moves that the learned patterns expect, before any search: coloured by how likely they are,
/// the likeliest with their percentage.
pub(super) fn likely_moves(go: &Go) -> Reply {
    let color = go.game.to_play();
    let likely = go.engine.expect(&go.game, color);
    let most = likely.first().map_or(1.0, |best| best.1.max(1e-6));
    let mut text = String::new();
    for (index, &(mv, p)) in likely.iter().enumerate() {
        let Move::Play(point) = mv else { continue };
        let share = (p / most).sqrt();
        if share < 0.05 {
            break;
        }
        let rest = (255.0 * (1.0 - share)) as u8;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "COLOR #{rest:02x}{rest:02x}ff {point}");
        if index < MARKED {
            let _ = writeln!(text, "LABEL {point} {:.0}", 100.0 * p);
        }
    }
    let _ = match likely.first() {
        Some((mv, p)) => write!(text, "TEXT {color}: {mv} is likeliest, {:.1}%", 100.0 * p),
        None => write!(text, "TEXT nothing learned is in use"),
    };
    Ok(text)
}

/// The expected course of the game.
pub(super) fn principal_variation(go: &Go) -> Reply {
    let (mut color, findings) = findings(go)?;
    let best = findings.candidates.first();
    let mut text = "VAR".to_owned();
    for mv in best.into_iter().flat_map(variation) {
        let _ = write!(text, " {} {mv}", color.letter());
        color = color.other();
    }
    if best.is_none() {
        text.clear();
    }
    let _ = write!(text, "\nTEXT wins {:.1}%", 100.0 * findings.winrate);
    Ok(text)
}

/// Whose each point will be: 1 Black's, -1 White's, row by row from the top.
pub(super) fn ownership(go: &Go) -> Reply {
    let (_, findings) = findings(go)?;
    let (width, height) = (go.game.board().width(), go.game.board().height());
    if findings.ownership.len() != usize::from(width) * usize::from(height) {
        return Err(Failure::new("no search has been made yet"));
    }
    let row_text = |row: u8| {
        let values = (0..width).map(|col| {
            let point = Point::new(col, row);
            let index = usize::from(point.row()) * usize::from(width) + usize::from(point.col());
            format!("{:.2}", findings.ownership[index])
        });
        values.collect::<Vec<_>>().join(" ")
    };
    Ok((0..height).rev().map(row_text).collect::<Vec<_>>().join("\n"))
}
