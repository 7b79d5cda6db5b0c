//! Which of a book's moves is played, and how that is told.

use game_core::{MoveReport, Proven, Report, lower_bound};
use go_engine::Move;
use go_patterns::opening::{BookMove, BookPosition};

/// The number of the move that is played: one of those that win at most `margin` less than the best one, each as likely as
/// the search tried it. `random` is any number; the same one gives the same move.
///
/// ```
/// use go_engine::Point;
/// use go_patterns::opening::{BookMove, BookPosition, Value};
/// use tesuji::go::book::draw;
/// let value = |winrate| Value { winrate, lead: 0.0, visits: 1000.0 };
/// let mv = |col, winrate| BookMove { points: vec![Point::new(col, 4)], visits: 100, value: value(winrate), goes_on: true };
/// let position = BookPosition { value: value(0.5), moves: vec![mv(4, 0.5), mv(3, 0.495), mv(2, 0.4)] };
/// assert!((0..100).all(|number| draw(&position, 0.0, number) == Some(0)));
/// let drawn: Vec<_> = (0..100).filter_map(|number| draw(&position, 0.01, number << 57)).collect();
/// assert!(drawn.contains(&0) && drawn.contains(&1) && !drawn.contains(&2));
/// ```
pub fn draw(position: &BookPosition, margin: f64, random: u64) -> Option<usize> {
    let best = position.moves.first()?.value.winrate;
    let good = position.moves.iter().take_while(|mv| mv.value.winrate >= best - margin);
    let weights: Vec<u64> = good.map(|mv| u64::from(mv.visits.max(1))).collect();
    let sum: u64 = weights.iter().sum();
    let mut left = ((u128::from(random) * u128::from(sum)) >> 64) as u64;
    weights.iter().position(|&weight| {
        let is_drawn = left < weight;
        left = left.wrapping_sub(weight);
        is_drawn
    })
}

/// What the book says, as a search would tell it, with the move of this number first.
pub fn report(position: &BookPosition, number: usize) -> Report<Move> {
    let mut moves: Vec<&BookMove> = position.moves.iter().collect();
    if number < moves.len() {
        let played = moves.remove(number);
        moves.insert(0, played);
    }
    let tried: u64 = position.moves.iter().map(|mv| u64::from(mv.visits)).sum();
    let moves = moves.into_iter().filter_map(|mv| {
        let visits = mv.value.visits.min(f64::from(u32::MAX)) as u32;
        let (point, winrate) = (Move::Play(*mv.points.first()?), mv.value.winrate as f32);
        Some(MoveReport {
            mv: point,
            visits,
            winrate,
            lower_bound: lower_bound(winrate, visits, Proven::Unknown),
            prior: mv.visits as f32 / tried.max(1) as f32,
            proven: Proven::Unknown,
            lead: Some(mv.value.lead as f32),
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line: vec![point],
            line_visits: vec![visits],
        })
    });
    Report {
        moves: moves.collect(),
        visits: position.value.visits as u64,
        winrate: position.value.winrate as f32,
        lead: Some(position.value.lead as f32),
        from_book: true,
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Point;
    use go_patterns::opening::Value;

    #[test]
    fn shares_of_many_visits_add_up_to_one() {
        let value = Value { winrate: 0.5, lead: 0.0, visits: 1.0 };
        let mv = |col| BookMove {
            points: vec![Point::new(col, 4)],
            visits: u32::MAX,
            value,
            goes_on: true,
        };
        let position = BookPosition { value, moves: (0..4).map(mv).collect() };
        let told = report(&position, 0);
        assert!(told.moves.iter().all(|mv| (mv.prior - 0.25).abs() < 1e-6), "{told:?}");
    }
}
