//! Commands about the end of the game.

use std::collections::BTreeSet;

use go_engine::score::{Statuses, result};
use go_engine::{Game, Point};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, join};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands.add("final_score", final_score).add("final_status_list", final_status_list);
}

fn final_score(go: &mut Go, _: &mut Call) -> Reply {
    let statuses = go.engine.statuses(&go.game);
    Ok(result(go.game.score(statuses)))
}

fn final_status_list(go: &mut Go, call: &mut Call) -> Reply {
    let wanted = call.args.word()?.to_ascii_lowercase();
    if !matches!(wanted.as_str(), "alive" | "seki" | "dead") {
        return Err(Failure::syntax());
    }
    // Under rules without agreement about the dead whatever stands is alive.
    let statuses = match go.game.rules().friendly_pass_ok {
        true => go.engine.statuses(&go.game).clone(),
        false => Statuses::all_alive(),
    };
    let status = |point: Point| {
        if statuses.dead.contains(&point) {
            "dead"
        } else if statuses.seki.contains(&point) {
            "seki"
        } else {
            "alive"
        }
    };
    let rows: Vec<String> =
        chains(&go.game).into_iter().filter(|chain| status(chain[0]) == wanted).map(join).collect();
    Ok(rows.join("\n"))
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
