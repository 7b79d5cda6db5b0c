//! What clients ask about stones, captures and moves, in GNU Go's words and its order: rows from the top.

use go_engine::{Color, Point};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, Step, join};
use crate::session::Game as _;
use crate::session::display::MARKED;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("get_komi", |go, _| Ok(go.game.komi().to_string()))
        .add("get_handicap", |go, _| Ok(go.game.handicap().to_string()))
        .add("captures", |go, call| {
            // Stones that this colour has captured, which are the other's.
            Ok(go.game.captured(!call.args.color()?).to_string())
        })
        .add("countlib", |go, call| Ok(liberties(go, call)?.len().to_string()))
        .add("findlib", |go, call| Ok(join(liberties(go, call)?)))
        .add("top_moves", |go, call| top_moves(go, call, go.game.to_play()))
        .add("top_moves_black", |go, call| top_moves(go, call, Color::Black))
        .add("top_moves_white", |go, call| top_moves(go, call, Color::White));
}

/// Sorts points as GNU Go does: row by row from the top.
pub(super) fn from_the_top(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by_key(|point| (std::cmp::Reverse(point.row()), point.col()));
    points
}

/// The point that a command names, which has to be on the board.
pub(super) fn point(go: &Go, call: &mut Call) -> Result<Point, Failure> {
    let at = call.args.vertex()?;
    let point = Point::new(at.column, at.row);
    if go.game.board().contains(point) { Ok(point) } else { Err(Failure::bad_coordinate()) }
}

/// The point that a command names, which has to have a stone.
pub(super) fn stone(go: &Go, call: &mut Call) -> Result<Point, Failure> {
    let point = point(go, call)?;
    match go.game.board().is_empty(point) {
        true => Err(Failure::new("vertex must not be empty")),
        false => Ok(point),
    }
}

/// The liberties of the chain on a point.
fn liberties(go: &Go, call: &mut Call) -> Result<Vec<Point>, Failure> {
    let point = stone(go, call)?;
    Ok(from_the_top(go.game.board().liberties(point)))
}

/// The best moves, each with its share of the search's visits in percent; of a short search where the position was not
/// searched.
fn top_moves(go: &mut Go, call: &mut Call, color: Color) -> Reply {
    let report = &go.current_report_for(call, color)?.report;
    let all: f64 = report.moves.iter().map(|found| f64::from(found.visits)).sum();
    let mut text = String::new();
    let searched = report.moves.iter().filter(|found| found.is_searched());
    for found in searched {
        if let [step @ Step::At(_)] = go_engine::Game::steps(&found.mv)[..] {
            text += &format!("{step} {:.2} ", 100.0 * f64::from(found.visits) / all.max(1.0));
        }
    }
    let words = text.split(' ').take(2 * MARKED);
    Ok(join(words).trim_end().to_owned())
}
