//! `set_position` and `get_position`: stones that stand there without having been played.

use std::collections::BTreeSet;

use go_engine::{Color, Game, Point};

use super::Go;
use crate::gtp::{Call, Commands, Failure, Reply, join};
use crate::session::Game as _;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("set_position", set_position)
        .add("get_position", |go, _| Ok(get_position(&go.game)));
}

/// `set_position COLOR VERTEX COLOR VERTEX ...`, as KataGo has it: in place of whatever stood there, with no captures so
/// far and Black to move. All of it or nothing; without arguments it is `clear_board`.
fn set_position(go: &mut Go, call: &mut Call) -> Reply {
    let mut stones: Vec<(Point, Color)> = Vec::new();
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let at = call.args.vertex()?;
        stones.push((Point::new(at.column, at.row), color));
    }
    let points: BTreeSet<Point> = stones.iter().map(|&(point, _)| point).collect();
    if points.len() < stones.len() {
        return Err(Failure::new("a point is named twice"));
    }
    let mut game = go.game.restarted();
    let placed = stones.into_iter().map(|(point, color)| (point, Some(color)));
    Game::set_up(&mut game, placed).map_err(|why| Failure::new(why.to_string()))?;
    go.replace(game);
    Ok(String::new())
}

/// The stones as `set_position` takes them.
fn get_position(game: &Game) -> String {
    join(game.board().stones().map(|(point, color)| format!("{color} {point}")))
}
