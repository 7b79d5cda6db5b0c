//! How a way down the tree ends, and visits that wait there for the network.

use super::stats::Means;
use super::utility::Value;
use super::worker::{GoNode, Play};
use crate::position::Position;
use crate::rules::Scoring;
use go_engine::endgame::benson::is_won_for_sure;
use tree_search::puct::Step;

/// How a way down the tree ended.
pub(super) enum Leaf<'a, const N: usize, const W: usize> {
    /// The network is to be asked about a position, and what it says to be put into a node that was claimed for that.
    Open(Position<N, W>, Option<&'a GoNode>),
    /// Two passes ended the game, or a position was repeated.
    Terminal(Value),
    /// The position was visited more often by other ways, which have found this.
    Known(Means),
    /// Another visit is asking about the same position.
    Busy,
}

/// A visit that waits for what the network says of its leaf.
pub(super) struct Visit<'a, const N: usize, const W: usize> {
    pub path: Vec<Step<'a, Play>>,
    /// The keys of the positions on the path.
    pub keys: Vec<u64>,
    pub position: Position<N, W>,
    pub claimed: Option<&'a GoNode>,
}

/// What the end of the game is worth that two passes have made. Where it is not certain what is dead the network says so, who
/// sees the opponent move on.
pub(super) fn ended<'a, const N: usize, const W: usize>(
    position: Position<N, W>,
) -> Leaf<'a, N, W> {
    let (rules, komi) = (position.rules(), position.white_komi());
    let is_won = || is_won_for_sure(position.board(), komi, rules.suicide);
    let is_agreed = rules.friendly_pass_ok && !is_won();
    if rules.scoring == Scoring::Territory || is_agreed {
        return Leaf::Open(position, None);
    }
    let score = (f64::from(position.board().area_score()) - komi) as f32;
    let win = if score > 0.0 {
        1.0
    } else if score < 0.0 {
        0.0
    } else {
        0.5
    };
    Leaf::Terminal(Value { win, score, spread: 0.0, lead: score })
}
