//! What the opening book says of the position, drawn on GoGui's board.

use std::fmt::Write;

use super::super::Go;
use crate::gtp::{Commands, Reply};

pub(in crate::go) fn register(commands: &mut Commands<Go>) {
    commands.add("tesuji-book", |go, _| draw(go));
}

/// The moves, labelled with the chance to win in percent: the nearer to the best one's, the greener.
fn draw(go: &Go) -> Reply {
    let books = go.engine.books();
    if books.all().is_empty() {
        return Ok("TEXT no opening book is in use".to_owned());
    }
    let Some(position) = books.position(&go.game) else {
        let is_for = books.all().iter().any(|book| book.is_for(&go.game));
        return Ok(match is_for {
            true => "TEXT the opening book does not know this position".to_owned(),
            false => "TEXT there is no opening book for this size, komi and scoring".to_owned(),
        });
    };
    let best = position.moves.first().map_or(0.0, |mv| mv.value.winrate);
    let mut text = String::new();
    for mv in &position.moves {
        let rest = (255.0 * ((best - mv.value.winrate) * DROP_TO_WHITE).min(1.0)) as u8;
        for point in &mv.points {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "COLOR #{rest:02x}e0{rest:02x} {point}\nLABEL {point} {:.0}\n",
                100.0 * mv.value.winrate
            );
        }
    }
    let (value, player) = (position.value, go.game.to_play().title());
    let _ = write!(
        text,
        "TEXT {player}: wins {:.1}%, leads by {:.1}, {:.0} visits",
        100.0 * value.winrate,
        value.lead,
        value.visits
    );
    Ok(text)
}

/// A move that loses a tenth of the games more than the best one is not green at all.
const DROP_TO_WHITE: f64 = 10.0;
