//! Commands about the end of the game.

use std::collections::BTreeSet;

use go_engine::score::{Statuses, owners, result};
use go_engine::{Color, Game, Point};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("final_score", final_score)
        .add("final_status", final_status)
        .add("final_status_list", final_status_list);
}

fn final_score(go: &mut Go, _: &mut Call) -> Reply {
    let statuses = go.engine.statuses(&go.game);
    Ok(result(go.game.score(statuses)))
}

/// Under rules without agreement about the dead whatever stands is alive.
fn statuses(go: &mut Go) -> Statuses {
    match go.game.rules().friendly_pass_ok {
        true => go.engine.statuses(&go.game).clone(),
        false => Statuses::all_alive(),
    }
}

/// What becomes of a stone or an empty point, in GNU Go's words.
fn status(
    statuses: &Statuses,
    stone: Option<Color>,
    owner: Option<Color>,
    at: Point,
) -> &'static str {
    match (stone, owner) {
        (Some(_), _) if statuses.dead.contains(&at) => "dead",
        (Some(_), _) if statuses.seki.contains(&at) => "seki",
        (Some(_), _) => "alive",
        (None, Some(Color::Black)) => "black_territory",
        (None, Some(Color::White)) => "white_territory",
        (None, None) => "dame",
    }
}

/// `final_status VERTEX`: what becomes of what is there.
fn final_status(go: &mut Go, call: &mut Call) -> Reply {
    let at = call.args.vertex()?;
    let at = Point::new(at.column, at.row);
    if !go.game.board().contains(at) {
        return Err(Failure::bad_coordinate());
    }
    let statuses = statuses(go);
    let board = go.game.board();
    let owners = owners(board, &statuses);
    let index = usize::from(at.row()) * usize::from(board.width()) + usize::from(at.col());
    let owner = owners.get(index).copied().flatten();
    Ok(status(&statuses, board.stone(at), owner, at).to_owned())
}

/// `final_status_list STATUS`: chains a row each, or points.
fn final_status_list(go: &mut Go, call: &mut Call) -> Reply {
    let wanted = call.args.word()?.to_ascii_lowercase();
    let wanted = wanted.as_str();
    let statuses = match wanted {
        "alive" | "seki" | "dead" | "black_territory" | "white_territory" | "dame" => statuses(go),
        _ => return Err(Failure::syntax()),
    };
    let board = go.game.board();
    if matches!(wanted, "alive" | "seki" | "dead") {
        let chains = chains(&go.game).into_iter();
        let chosen = chains
            .filter(|chain| status(&statuses, board.stone(chain[0]), None, chain[0]) == wanted);
        return Ok(chosen.map(join).collect::<Vec<_>>().join("\n"));
    }
    let points = board.points().zip(owners(board, &statuses));
    Ok(join(points.filter_map(|(at, owner)| {
        (status(&statuses, board.stone(at), owner, at) == wanted).then_some(at)
    })))
}

/// All chains, each sorted, by their first stones.
fn chains(game: &Game) -> Vec<Vec<Point>> {
    let mut seen = BTreeSet::new();
    let mut chains = Vec::new();
    for (point, _) in game.board().stones() {
        if !seen.contains(&point) {
            let chain = game.board().chain(point);
            seen.extend(chain.iter().copied());
            chains.push(chain);
        }
    }
    chains
}
