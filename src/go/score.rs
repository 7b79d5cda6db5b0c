//! Commands about the end of the game.

use std::collections::BTreeSet;

use go_engine::endgame::Ending;
use go_engine::rules::Scoring;
use go_engine::score::{Statuses, owners, result, seki_eyes};
use go_engine::{Color, Game, Point};
use serde_json::json;

use super::Go;
use super::queries::from_the_top;
use crate::gtp::{Args, Call, Commands, Failure, Reply, Vertex, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("final_score", final_score)
        .add("tesuji-count", count)
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

/// `tesuji-count [none | VERTEX ...]`: the score as a JSON object, with these stones and those connected with them taken
/// off; without a word with those that are found to be dead.
fn count(go: &mut Go, call: &mut Call) -> Reply {
    let ending = match call.args.is_empty() {
        true => ending(go, call),
        false => with_dead(&go.game, &mut call.args)?,
    };
    let owner = |owner: &Option<Color>| owner.map_or('.', |color| color.letter());
    let height = usize::from(go.game.board().height());
    let width = usize::from(go.game.board().width());
    let rows = (0..height).rev().map(|row| &ending.owners[row * width..(row + 1) * width]);
    let rows: Vec<String> = rows.map(|row| row.iter().map(owner).collect()).collect();
    let dead: Vec<String> = ending.statuses.dead.iter().map(Point::to_string).collect();
    let told = json!({
        "score": ending.score,
        "result": result(ending.score),
        "owners": rows,
        "dead": dead,
        "agrees": go.game.rules().friendly_pass_ok,
    });
    Ok(told.to_string())
}

/// The game's end with the chains on these points dead. Where players do not agree about that, what stands there once both
/// have passed is alive.
fn with_dead(game: &Game, args: &mut Args<'_>) -> Result<Ending, Failure> {
    let mut dead = BTreeSet::new();
    for word in args.by_ref().filter(|word| !word.eq_ignore_ascii_case("none")) {
        let at: Vertex = word.parse()?;
        let at = Point::new(at.column, at.row);
        if !game.board().contains(at) {
            return Err(Failure::bad_coordinate());
        }
        if game.board().stone(at).is_some() {
            dead.extend(game.board().chain(at));
        }
    }
    if game.passes() >= 2 && !game.rules().friendly_pass_ok {
        return Ok(Ending::of_statuses(game, Statuses::all_alive()));
    }
    let statuses = Statuses { dead: dead.into_iter().collect(), seki: Vec::new() };
    let owners = owners(game.board(), &statuses);
    Ok(Ending { score: game.count(&statuses), statuses, owners, is_settled: true })
}

/// What becomes of a stone or an empty point, in GNU Go's words.
fn status(ending: &Ending, game: &Game, at: Point) -> &'static str {
    let board = game.board();
    let place = usize::from(at.row()) * usize::from(board.width()) + usize::from(at.col());
    match board.stone(at) {
        Some(_) if ending.statuses.dead.contains(&at) => "dead",
        Some(_) if ending.statuses.seki.contains(&at) => "seki",
        Some(_) => "alive",
        None if game.rules().scoring == Scoring::Territory
            && seki_eyes(board, &ending.statuses).contains(&at) =>
        {
            "dame"
        }
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
    Ok(join(from_the_top(game.board().points().filter(|&at| is_wanted(at)).collect())))
}

/// All chains, by their first stones, each from the top as they are.
fn chains(game: &Game) -> Vec<Vec<Point>> {
    let mut seen = BTreeSet::new();
    let mut chains = Vec::new();
    let stones = game.board().stones().map(|(point, _)| point);
    for point in from_the_top(stones.collect()) {
        if !seen.contains(&point) {
            let chain = game.board().chain(point);
            seen.extend(chain.iter().copied());
            chains.push(from_the_top(chain));
        }
    }
    chains
}
