//! What professionals play in the corners of the position, drawn on GoGui's board.

use std::fmt::Write;

use go_patterns::joseki::Corner;
use go_patterns::learned;

use super::super::Go;
use crate::go::joseki::continuations::{Continuation, KnownCorner, Standing, known};
use crate::gtp::{Commands, Failure, Reply};

pub(in crate::go) fn register(commands: &mut Commands<Go>) {
    commands
        .add("tesuji-joseki", |go, _| draw(go, share))
        .add("tesuji-joseki_results", |go, _| draw(go, results));
}

/// Moves with a smaller share are not drawn.
const MIN_SHARE: f32 = 0.01;

/// A colour and a label for a move.
type Paint = fn(&Continuation) -> (String, String);

/// The more played, the greener; labelled with the share of the moves played there, in percent.
fn share(found: &Continuation) -> (String, String) {
    let rest = (255.0 * (1.0 - found.share.sqrt())) as u8;
    (format!("#{rest:02x}e0{rest:02x}"), format!("{:.0}", 100.0 * found.share))
}

/// Blue for moves whose players won more than half of their games, red for less, deep from 10% off.
fn results(found: &Continuation) -> (String, String) {
    let wins = found.transition.win_rate();
    let rest = (255.0 * (1.0 - (10.0 * (wins - 0.5).abs()).min(1.0))) as u8;
    let color = match wins >= 0.5 {
        true => format!("#{rest:02x}{rest:02x}ff"),
        false => format!("#ff{rest:02x}{rest:02x}"),
    };
    (color, format!("{:.0}", 100.0 * wins))
}

/// The continuations of all corners; a cross where the ladder that a move needs does not work.
fn draw(go: &Go, paint: Paint) -> Reply {
    let book = learned::joseki().map_err(|error| Failure::new(error.to_string()))?;
    let corners: Vec<(Corner, Option<KnownCorner>)> =
        Corner::ALL.into_iter().map(|corner| (corner, known(book, &go.game, corner))).collect();
    let mut moves: Vec<Continuation> = corners
        .iter()
        .filter_map(|(_, known)| known.as_ref())
        .flat_map(|known| known.moves.iter().copied())
        .filter(|found| found.standing != Standing::Illegal && found.share >= MIN_SHARE)
        .collect();
    // A point of the middle lines may belong to two corners: it is drawn once.
    moves.sort_by(|a, b| a.point.cmp(&b.point).then(b.share.total_cmp(&a.share)));
    moves.dedup_by_key(|found| found.point);
    let mut text = String::new();
    for found in &moves {
        let (color, label) = paint(found);
        // Writing to a string cannot fail.
        let _ = match found.standing {
            Standing::LadderFails => writeln!(text, "MARK {}", found.point),
            _ => writeln!(text, "COLOR {color} {0}\nLABEL {0} {label}", found.point),
        };
    }
    let known = corners.iter().map(|(corner, known)| match known {
        Some(known) => {
            format!("{corner} {:.0}% here ({} moves)", 100.0 * known.here, known.turns.played())
        }
        None => format!("{corner} not known"),
    });
    let _ = write!(
        text,
        "TEXT {}: {}",
        go.game.to_play().title(),
        known.collect::<Vec<_>>().join("; ")
    );
    Ok(text)
}
