//! Links that cannot be cut: strings that are one chain although no stone joins them (Chen 1989).

use super::worms::Worms;
use go_engine::game::AnyBoard;
use go_engine::{Color, Point};

/// Why two worms cannot be separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// Two common liberties: if the opponent takes one, the other joins them. One-point diagonals
    /// and bamboo joints are such.
    TwoWays,
    /// A common liberty on which an opponent's stone could be taken at once.
    Guarded,
    /// Between them stand stones of the opponent's that cannot be saved.
    Capture,
}

/// Two worms of a colour that cannot be separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The worms' numbers, the smaller first.
    pub worms: [usize; 2],
    /// Why.
    pub bond: Bond,
}

/// All links of a position.
///
/// Each is looked at by itself: that one move may threaten two links at once is not seen.
pub fn links(board: &AnyBoard, found: &Worms) -> Vec<Link> {
    // Each empty point joins every two worms of a colour beside it.
    let mut common: Vec<([usize; 2], Point)> = Vec::new();
    for point in board.points().filter(|&point| board.is_empty(point)) {
        let mut beside: Vec<usize> =
            board.neighbours(point).filter_map(|beside| found.worm(beside)).collect();
        beside.sort_unstable();
        beside.dedup();
        for (i, &a) in beside.iter().enumerate() {
            let like = |&&b: &&usize| found.worms[b].color == found.worms[a].color;
            common.extend(beside[i + 1..].iter().filter(like).map(|&b| ([a, b], point)));
        }
    }
    common.sort_unstable();
    let mut links = Vec::new();
    for shared in common.chunk_by(|one, other| one.0 == other.0) {
        let (worms, point) = shared[0];
        let intruder = found.worms[worms[0]].color.other();
        let bond = match shared.len() {
            1 => is_guarded(board, point, intruder).then_some(Bond::Guarded),
            _ => Some(Bond::TwoWays),
        };
        links.extend(bond.map(|bond| Link { worms, bond }));
    }
    for enemy in found.worms.iter().filter(|worm| worm.liberties.len() == 1) {
        let mut last = board.clone();
        last.play(enemy.liberties[0], enemy.color);
        if liberties(&last, enemy.origin()) > 1 {
            continue;
        }
        let beside = enemy.stones.iter().flat_map(|&stone| board.neighbours(stone));
        let mut takers: Vec<usize> = beside
            .filter(|&point| board.stone(point) == Some(enemy.color.other()))
            .filter_map(|point| found.worm(point))
            .collect();
        takers.sort_unstable();
        takers.dedup();
        for pair in takers.windows(2) {
            let worms = [pair[0], pair[1]];
            if !links.iter().any(|link: &Link| link.worms == worms) {
                links.push(Link { worms, bond: Bond::Capture });
            }
        }
    }
    links
}

/// Whether a stone that `intruder` puts on the point could be taken at once, or not be put there.
fn is_guarded(board: &AnyBoard, point: Point, intruder: Color) -> bool {
    if board.is_suicide(point, intruder) {
        return true;
    }
    let mut after = board.clone();
    // A stone that captures is not guarded against.
    after.play(point, intruder) == 0 && liberties(&after, point) <= 1
}

/// Liberties of the chain on a point.
fn liberties(board: &AnyBoard, point: Point) -> u32 {
    go_engine::with_board!(board, board => match board.site(point) {
        Some(site) if board.color(site).is_some() => board.liberties(site),
        _ => 0,
    })
}
