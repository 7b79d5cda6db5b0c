//! When a search may end before its limits.

use game_core::{SearchLimits, stands_out};
use std::time::Instant;

/// Whether a search with a soft limit may end now: beyond it, when one of the choices (visits and the chance to win) stands
/// out or there is no later limit that it could go on to.
pub fn is_enough(limits: &SearchLimits, choices: impl IntoIterator<Item = (u32, f32)>) -> bool {
    let now = Instant::now();
    limits.soft.is_some_and(|soft| now >= soft)
        && (stands_out(choices) || limits.deadline.is_none_or(|end| now >= end))
}

/// Whether so many visits more cannot make another choice the most visited.
///
/// ```
/// use tree_search::stop::cannot_be_caught;
///
/// assert!(cannot_be_caught([100, 10, 60], 39));
/// assert!(!cannot_be_caught([100, 10, 60], 40));
/// ```
pub fn cannot_be_caught(visits: impl IntoIterator<Item = u32>, left: u64) -> bool {
    let mut best = [0, 0];
    for visits in visits {
        if visits > best[0] {
            best = [visits, best[0]];
        } else {
            best[1] = best[1].max(visits);
        }
    }
    u64::from(best[0] - best[1]) > left
}
