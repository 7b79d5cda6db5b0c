//! What the defender may play against the threats on the board.

use super::task::{Style, Task};
use crate::board::Board;
use crate::defences::{Defence, defence, threats};
use crate::point::Point;
use smallvec::SmallVec;

/// A set of stones the defender is taken to play at once.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub stones: SmallVec<[Point; 6]>,
    /// Stands for every reply that blocks so and puts the free stone where it does not matter.
    pub withholds: bool,
}

/// The defender's replies to the threats on the board, without the uses of a free stone.
pub(super) fn replies(board: &Board, task: Task) -> Vec<Reply> {
    let made = threats(board, task.attacker);
    let defence = defence(&made, board.rules().p());
    let free = board.rules().p() == 2 && matches!(defence, Defence::One(..));
    if task.style == Style::Conservative {
        let mut stones: SmallVec<[Point; 6]> = SmallVec::new();
        for w in &made {
            for &p in w.points() {
                if !stones.contains(&p) {
                    stones.push(p);
                }
            }
        }
        return vec![Reply { stones, withholds: free }];
    }
    let pair = |&(a, b): &(Point, Point)| Reply {
        stones: SmallVec::from_slice(&[a, b]),
        withholds: false,
    };
    match &defence {
        Defence::One(singles, pairs) => singles
            .iter()
            .map(|&p| Reply { stones: SmallVec::from_slice(&[p]), withholds: free })
            .chain(pairs.iter().map(pair))
            .collect(),
        Defence::Two(pairs) => pairs.iter().map(pair).collect(),
        Defence::Free | Defence::None => Vec::new(),
    }
}
