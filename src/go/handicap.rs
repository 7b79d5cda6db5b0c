//! Commands that place handicap stones.

use go_engine::Point;
use go_engine::game::HandicapError;

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("fixed_handicap", fixed_handicap)
        .add("place_free_handicap", place_free_handicap)
        .add("set_free_handicap", set_free_handicap);
}

fn handicap_failure(error: HandicapError) -> Failure {
    tracing::debug!("{error}");
    Failure::new(match error {
        HandicapError::BoardNotEmpty => "board not empty",
        HandicapError::Number(_) => "invalid number of stones",
        HandicapError::OffBoard(_) | HandicapError::Repeated(_) => "bad vertex list",
    })
}

fn fixed_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let number: i64 = call.args.parse()?;
    let number = usize::try_from(number).unwrap_or(0);
    let points = go.game.place_fixed_handicap(number).map_err(handicap_failure)?;
    go.forget_turns();
    Ok(join(points))
}

fn place_free_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let number: i64 = call.args.parse()?;
    let number = usize::try_from(number).unwrap_or(0);
    let points = go.game.place_free_handicap(number).map_err(handicap_failure)?;
    go.forget_turns();
    Ok(join(points))
}

fn set_free_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let bad_list = || Failure::new("bad vertex list");
    let on_board = |&point: &Point| go.game.board().contains(point);
    let points: Option<Vec<Point>> =
        call.args.by_ref().map(|word| word.parse().ok().filter(on_board)).collect();
    if go.game.board().stones().next().is_some() {
        return Err(Failure::new("board not empty"));
    }
    go.game.place_handicap(&points.ok_or_else(bad_list)?).map_err(|error| match error {
        HandicapError::Number(_) => bad_list(),
        other => handicap_failure(other),
    })?;
    go.forget_turns();
    Ok(String::new())
}
