//! Which stones are dead, told from how surely each point ends as whose.

use crate::score::{Statuses, owners};
use crate::{Color, Game, Point};

/// A chain is dead when its points end as the opponent's at least this surely, on average.
const DEAD: f32 = 0.5;

/// The statuses of all stones, from `ownership`: for each point, row by row from A1, 1 when it
/// surely ends as Black's, -1 as White's (see [`Report`](crate::search::Report)).
pub fn statuses(game: &Game, ownership: &[f32]) -> Statuses {
    let board = game.board();
    let width = usize::from(board.width());
    let mut statuses = Statuses::all_alive();
    let mut seen: Vec<Point> = Vec::new();
    let mut alive: Vec<Vec<Point>> = Vec::new();
    for (point, color) in board.stones() {
        if seen.contains(&point) {
            continue;
        }
        let chain = board.chain(point);
        seen.extend(&chain);
        let sum: f32 = chain
            .iter()
            .filter_map(|p| ownership.get(usize::from(p.row()) * width + usize::from(p.col())))
            .sum();
        let for_owner = match color {
            Color::Black => sum,
            Color::White => -sum,
        };
        if for_owner / (chain.len() as f32) < -DEAD {
            statuses.dead.extend(&chain);
        } else {
            alive.push(chain);
        }
    }
    // Alive without territory of its own, beside points that are nobody's: seki.
    let owners = owners(board, &statuses);
    let owner = |p: Point| owners[usize::from(p.row()) * width + usize::from(p.col())];
    let is_open = |p: Point| board.is_empty(p) || statuses.dead.contains(&p);
    let mut seki = Vec::new();
    for chain in alive {
        let mut open =
            chain.iter().flat_map(|&p| board.neighbours(p)).filter(|&p| is_open(p)).peekable();
        if open.peek().is_some() && open.all(|p| owner(p).is_none()) {
            seki.extend(chain);
        }
    }
    statuses.seki.extend(seki);
    statuses
}

/// Whether every stone's fate is known: each chain's points end as one side's at least `sure`ly,
/// on average.
pub fn is_settled(game: &Game, ownership: &[f32], sure: f32) -> bool {
    let board = game.board();
    let width = usize::from(board.width());
    let mut seen: Vec<Point> = Vec::new();
    board.stones().all(|(point, _)| {
        if seen.contains(&point) {
            return true;
        }
        let chain = board.chain(point);
        seen.extend(&chain);
        let sum: f32 = chain
            .iter()
            .filter_map(|p| ownership.get(usize::from(p.row()) * width + usize::from(p.col())))
            .sum();
        (sum / chain.len() as f32).abs() >= sure
    })
}
