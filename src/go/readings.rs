//! What is known of chains and groups, in GNU Go's words: whether they are caught, and how they stand.
//!
//! Chains are read out ([`go_engine::reading`]); groups are those of the score estimate, with its safety and its
//! moves one ply deep.

use std::collections::BTreeMap;
use std::fmt::Write;

use go_engine::reading::{Defence, Unconditional, attack, defend, unconditional};
use go_engine::{Game, Point};
use go_influence::{Dragon, Urgent, is_in_danger};

use super::Go;
use super::queries::{from_the_top, point, stone};
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("attack", |go, call| {
            let at = stone(go, call)?;
            Ok(code(attack(go.game.board(), at)))
        })
        .add("defend", |go, call| {
            let at = stone(go, call)?;
            Ok(match defend(go.game.board(), at) {
                Defence::Unneeded => "1 PASS".to_owned(),
                Defence::By(point) => code(Some(point)),
                Defence::None => code(None),
            })
        })
        .add("worm_data", worm_data)
        .add("dragon_status", dragon_status);
}

/// A move that works, or 0 for none.
fn code(found: Option<Point>) -> String {
    found.map_or_else(|| "0".to_owned(), |point| format!("1 {point}"))
}

/// The first of some stones as GNU Go counts.
fn origin(stones: &[Point]) -> Option<Point> {
    from_the_top(stones.to_vec()).first().copied()
}

/// What `worm_data` tells of a move that works without a ko.
const WIN: u8 = 5;

/// `worm_data [VERTEX]`: what is known of the chain on a point, or of all points.
fn worm_data(go: &mut Go, call: &mut Call) -> Reply {
    let board = go.game.board();
    let points = match call.args.is_empty() {
        true => from_the_top(board.points().collect()),
        false => vec![point(go, call)?],
    };
    // Each chain is read once.
    let mut known: BTreeMap<Point, String> = BTreeMap::new();
    let rows = points.into_iter().map(|at| {
        let named = origin(&board.chain(at)).unwrap_or(at);
        let told = known.entry(named).or_insert_with(|| worm(&go.game, named));
        format!("{at}:{told}")
    });
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

fn worm(game: &Game, at: Point) -> String {
    let board = game.board();
    let chain = board.chain(at);
    let color = board.stone(at);
    let mut text = String::new();
    let mut row = |name: &str, value: &dyn std::fmt::Display| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{name:20} {value}");
    };
    let attacked = attack(board, at);
    let defended = attacked.map(|_| defend(board, at));
    let defence = match defended {
        Some(Defence::By(point)) => Some(point),
        _ => None,
    };
    let told = |found: Option<Point>| found.map_or("PASS".to_owned(), |point| point.to_string());
    row("origin", &at);
    row("color", &color.map_or("empty".to_owned(), |color| color.to_string()));
    row("size", &chain.len());
    row("liberties", &color.map_or(0, |_| board.liberties(at).len()));
    row("attack_code", &(WIN * u8::from(attacked.is_some())));
    row("attack_point", &told(attacked));
    row("defense_code", &(WIN * u8::from(defence.is_some())));
    row("defense_point", &told(defence));
    row(
        "unconditional_status",
        &match unconditional(board, at, game.rules().suicide) {
            Unconditional::Alive => "alive".to_owned(),
            Unconditional::Dead => "dead".to_owned(),
            Unconditional::Territory(color) => format!("{color}_territory"),
            Unconditional::Unknown => "unknown".to_owned(),
        },
    );
    text
}

/// `dragon_status [VERTEX]`: how the group on a point stands, or all groups, a row each.
fn dragon_status(go: &mut Go, call: &mut Call) -> Reply {
    let at = if call.args.is_empty() { None } else { Some(stone(go, call)?) };
    let estimator = go.engine.estimator(&go.game);
    let estimate = estimator
        .and_then(|estimator| estimator.estimate(&go.game))
        .map_err(|why| Failure::new(why.to_string()))?;
    let mut groups = estimate.groups();
    if let Some(at) = at {
        let here = groups.iter().find(|(dragon, _)| dragon.stones.contains(&at));
        return Ok(here.map(|(dragon, moves)| status(dragon, moves)).unwrap_or_default());
    }
    let first = |dragon: &Dragon| origin(&dragon.stones).unwrap_or(dragon.origin());
    groups.sort_by_key(|(dragon, _)| {
        let first = first(dragon);
        (std::cmp::Reverse(first.row()), first.col())
    });
    let rows = groups
        .iter()
        .map(|(dragon, moves)| format!("{}: {}", first(dragon), status(dragon, moves)));
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

/// Alive, dead, critical with the moves that attack and that defend it, or unknown where it is in danger and no move is
/// known to change that.
fn status(dragon: &Dragon, [defending, attacking]: &[Vec<Urgent>; 2]) -> String {
    match (is_in_danger(dragon), attacking.first(), defending.first()) {
        (true, Some(attack), Some(defence)) => {
            format!("critical {} {}", attack.point, defence.point)
        }
        (true, ..) => "unknown".to_owned(),
        (false, ..) if dragon.safety > go_influence::SAFE / 2 => "alive".to_owned(),
        (false, ..) => "dead".to_owned(),
    }
}
