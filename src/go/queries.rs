//! What clients ask about stones and captures, in GNU Go's words.

use go_engine::Point;

use super::Go;
use crate::gtp::{Call, Commands, Failure, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("get_komi", |go, _| Ok(go.game.komi().to_string()))
        .add("get_handicap", |go, _| Ok(go.game.handicap().to_string()))
        .add("captures", |go, call| {
            // Stones that this colour has captured, which are the other's.
            Ok(go.game.captured(!call.args.color()?).to_string())
        })
        .add("countlib", |go, call| Ok(liberties(go, call)?.len().to_string()))
        .add("findlib", |go, call| Ok(join(liberties(go, call)?)));
}

/// The liberties of the chain on a point, row by row from A1.
fn liberties(go: &Go, call: &mut Call) -> Result<Vec<Point>, Failure> {
    let (board, at) = (go.game.board(), call.args.vertex()?);
    let point = Point::new(at.column, at.row);
    if !board.contains(point) {
        return Err(Failure::bad_coordinate());
    }
    if board.is_empty(point) {
        return Err(Failure::new("vertex must not be empty"));
    }
    Ok(board.liberties(point))
}
