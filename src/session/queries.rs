//! What clients ask about a position, in GNU Go's words and its order: points row by row from the top.

use super::Session;
use super::game::{Game, board};
use crate::gtp::{Call, Color, Commands, Failure, Reply, Step, Vertex, join};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("list_stones", list_stones)
        .add("is_legal", is_legal)
        .add("all_legal", |session, call| {
            let color = call.args.color()?;
            let game = &session.game;
            // What stands there may be what moves.
            Ok(join(points(game).filter(|&at| allows(game, color, Step::At(at)))))
        })
        .add("query_boardsize", |session, _| {
            let (columns, rows) = session.game.size();
            Ok(if columns == rows { columns.to_string() } else { format!("{columns} {rows}") })
        })
        // Coordinates are never turned.
        .add("query_orientation", |_, _| Ok("0".to_owned()))
        .add("color", |session, call| {
            let at = call.args.vertex()?;
            let (columns, rows) = session.game.size();
            if at.column >= columns || at.row >= rows {
                return Err(Failure::bad_coordinate());
            }
            Ok(session.game.stone(at).map_or_else(|| "empty".to_owned(), name))
        })
        .add("last_move", |session, _| {
            let turns = session.game.history();
            let last = turns.last().map(|turn| told(session, turn));
            last.ok_or_else(|| Failure::new("no previous move known"))
        })
        .add("move_history", |session, _| {
            let turns = session.game.history();
            let turns: Vec<String> = turns.iter().rev().map(|turn| told(session, turn)).collect();
            Ok(turns.join("\n"))
        });
}

fn name(color: Color) -> String {
    color.title().to_lowercase()
}

/// A turn as `genmove` would tell it whole, whose first.
fn told<G: Game>(session: &Session<G>, (color, steps): &(Color, Vec<Step>)) -> String {
    format!("{} {}", name(*color), G::spell(steps, session.form()))
}

/// All points, row by row from the top.
pub(super) fn points<G: Game>(game: &G) -> impl Iterator<Item = Vertex> {
    board::rows(game.size()).flatten().map(|place| place.vertex)
}

/// `list_stones COLOR`: where the stones of a colour stand.
fn list_stones<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let game = &session.game;
    Ok(join(points(game).filter(|&at| game.stone(at) == Some(color))))
}

/// `is_legal COLOR MOVE`: 1 or 0. A move that cannot be read, or lies off the board, is an error.
fn is_legal<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let read = session.game.read(call.args.rest());
    let (steps, _) = read.map_err(|_| Failure::bad_coordinate())?;
    Ok(u8::from(session.game.after(color, &steps).is_ok()).to_string())
}

fn allows<G: Game>(game: &G, color: Color, step: Step) -> bool {
    game.after(color, &[step]).is_ok()
}
