//! What could have been played instead of a move.

/// Visits below which nothing is said of another move than the one that was played: a share of those of the position, and a
/// number.
const MIN_SHARE: f64 = 0.05;
const MIN_VISITS: f64 = 8.0;

/// The best of the moves that a search found, the best first, that was not played. The search's own choice always counts;
/// others only where they were looked at enough.
pub fn best_other<M>(
    moves: &[M],
    visits: u64,
    is_played: impl Fn(&M) -> bool,
    visits_of: impl Fn(&M) -> u32,
) -> Option<&M> {
    let is_first = moves.first().is_none_or(&is_played);
    let min_visits = (visits as f64 * MIN_SHARE).max(MIN_VISITS);
    let is_known = |found: &&M| !is_first || f64::from(visits_of(found)) >= min_visits;
    moves.iter().find(|found| !is_played(found)).filter(is_known)
}
