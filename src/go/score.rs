//! Commands about the end of the game.

use std::collections::BTreeSet;

use go_engine::score::{Statuses, result};
use go_engine::{Game, Point};

use super::Go;
use super::words::join;
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands.add("final_score", final_score).add("final_status_list", final_status_list);
}

/// What became of the stones, worked out once for a position so that all answers about it agree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    key: u64,
    moves: usize,
    statuses: Statuses,
}

fn statuses(go: &mut Go) -> &Statuses {
    let (key, moves) = (go.game.board().key(), go.game.moves().len());
    let judged = match go.judged.take() {
        Some(judged) if (judged.key, judged.moves) == (key, moves) => judged,
        _ => Judged { key, moves, statuses: go.engine.statuses(&go.game) },
    };
    &go.judged.insert(judged).statuses
}

fn final_score(go: &mut Go, _: &mut Call) -> Reply {
    let statuses = statuses(go).clone();
    Ok(result(go.game.score(&statuses)))
}

fn final_status_list(go: &mut Go, call: &mut Call) -> Reply {
    let wanted = call.args.word()?.to_ascii_lowercase();
    if !matches!(wanted.as_str(), "alive" | "seki" | "dead") {
        return Err(Failure::syntax());
    }
    // Under rules without agreement about the dead whatever stands is alive.
    let statuses = match go.game.rules().friendly_pass_ok {
        true => statuses(go).clone(),
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
