//! What the engine knows of a position, drawn on GoGui's board.

use std::fmt::Write;

use go_engine::Move;

use super::Go;
use crate::gtp::{Call, Commands, Reply};
use crate::session::Game as _;
use crate::session::display::{MARKED, numbers};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("tesuji-likely_moves", |go, _| likely_moves(go))
        .add("tesuji-ownership", ownership);
}

/// The moves that the learned patterns expect, before any search: coloured by how likely they are,
/// the likeliest with their percentage.
fn likely_moves(go: &Go) -> Reply {
    let color = go.game.to_play();
    let likely = go.engine.policy(&go.game, color);
    let max = likely.first().map_or(1.0, |best| best.1.max(1e-6));
    let mut text = String::new();
    for (index, &(mv, p)) in likely.iter().enumerate() {
        let Move::Play(point) = mv else { continue };
        let share = (p / max).sqrt();
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
        Some((mv, p)) => {
            write!(text, "TEXT {}: {mv} is likeliest, {:.1}%", color.title(), 100.0 * p)
        }
        None => write!(text, "TEXT nothing learned is in use"),
    };
    Ok(text)
}

/// Whose each point will be: 1 Black's, -1 White's, row by row from the top.
fn ownership(go: &mut Go, call: &mut Call) -> Reply {
    let size = go.game.size();
    let ownership = &go.current_report(call)?.report.ownership;
    Ok(numbers(size, |at| f64::from(ownership.get(at).copied().unwrap_or(0.0))))
}
