//! Commands about the end of the game.

use std::collections::BTreeSet;

use go_engine::endgame::Ending;
use go_engine::score::result;
use go_engine::{Color, Game, Point};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("final_score", final_score)
        .add("final_status", final_status)
        .add("final_status_list", final_status_list);
}

fn final_score(go: &mut Go, call: &mut Call) -> Reply {
    Ok(result(ending(go, call).score))
}

/// How the game would end, as far as the user waits for it.
fn ending(go: &mut Go, call: &Call) -> Ending {
    let interrupt = call.interrupt();
    go.engine.ending(&go.game, &|| interrupt.is_raised())
}

/// What becomes of a stone or an empty point, in GNU Go's words.
fn status(ending: &Ending, game: &Game, at: Point) -> &'static str {
    let board = game.board();
    let place = usize::from(at.row()) * usize::from(board.width()) + usize::from(at.col());
    match board.stone(at) {
        Some(_) if ending.statuses.dead.contains(&at) => "dead",
        Some(_) if ending.statuses.seki.contains(&at) => "seki",
        Some(_) => "alive",
        None => match ending.owners.get(place).copied().flatten() {
            Some(Color::Black) => "black_territory",
            Some(Color::White) => "white_territory",
            None => "dame",
        },
    }
}

/// `final_status VERTEX`: what becomes of what is there.
fn final_status(go: &mut Go, call: &mut Call) -> Reply {
    let at = call.args.vertex()?;
    let at = Point::new(at.column, at.row);
    if !go.game.board().contains(at) {
        return Err(Failure::bad_coordinate());
    }
    Ok(status(&ending(go, call), &go.game, at).to_owned())
}

/// `final_status_list STATUS`: chains a row each, or points.
fn final_status_list(go: &mut Go, call: &mut Call) -> Reply {
    const STATUSES: [&str; 6] =
        ["alive", "seki", "dead", "black_territory", "white_territory", "dame"];
    let wanted = call.args.word()?.to_ascii_lowercase();
    let wanted = wanted.as_str();
    if !STATUSES.contains(&wanted) {
        return Err(Failure::syntax());
    }
    let (ending, game) = (ending(go, call), &go.game);
    let is_wanted = |at: Point| status(&ending, game, at) == wanted;
    if matches!(wanted, "alive" | "seki" | "dead") {
        let chosen = chains(game).into_iter().filter(|chain| is_wanted(chain[0]));
        return Ok(chosen.map(join).collect::<Vec<_>>().join("\n"));
    }
    Ok(join(game.board().points().filter(|&at| is_wanted(at))))
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
