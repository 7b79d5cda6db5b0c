//! What is told of moves and positions, under KataGo's names: the same numbers in lines over GTP and in objects for
//! programs.

use std::fmt;

use game_core::{MoveReport, Report};

/// A number that is told, as the side to move sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: &'static str,
    /// Its value, and what that means.
    pub value: Value,
}

/// A value by what it means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// How often, or which place.
    Count(u64),
    /// The chance that something happens that is the same for both sides, 0 to 1.
    Share(f32),
    /// The chance to win, 0 to 1.
    Chance(f32),
    /// What the game is worth, from -1, lost, to 1, won.
    Utility(f32),
    /// Points ahead.
    Points(f32),
    /// Points up or down.
    Spread(f32),
}

impl Value {
    /// As the other side sees it.
    pub fn turned(self) -> Value {
        match self {
            Value::Chance(chance) => Value::Chance(1.0 - chance),
            Value::Utility(utility) => Value::Utility(-utility),
            Value::Points(points) => Value::Points(-points),
            same @ (Value::Count(_) | Value::Share(_) | Value::Spread(_)) => same,
        }
    }
}

/// As many decimals as there is sense in.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Count(count) => count.fmt(f),
            Value::Share(value) | Value::Chance(value) | Value::Utility(value) => {
                write!(f, "{value:.6}")
            }
            Value::Points(value) | Value::Spread(value) => write!(f, "{value:.3}"),
        }
    }
}

/// A chance to win as a utility: only that counts.
fn utility(chance: f32) -> Value {
    Value::Utility(2.0 * chance - 1.0)
}

/// What is told of each move of a report, in the order in which it is told. In a tree a move is visited as often as the
/// position behind it, and every visit weighs one. What was not counted is not told.
pub fn of_move<M>(found: &MoveReport<M>) -> Vec<Number> {
    let visits = visits(found);
    let mut numbers = vec![("visits", Value::Count(visits)), ("edgeVisits", Value::Count(visits))];
    numbers.push(("utility", utility(found.winrate)));
    numbers.push(("winrate", Value::Chance(found.winrate)));
    numbers.extend(score(found.lead, found.lead_stdev, found.final_score));
    numbers.push(("prior", Value::Share(found.prior)));
    numbers.push(("lcb", Value::Chance(found.lower_bound)));
    numbers.push(("utilityLcb", utility(found.lower_bound)));
    numbers.push(("weight", Value::Count(visits)));
    numbers.push(("edgeWeight", Value::Count(visits)));
    named(numbers)
}

/// What is told of the position as a whole.
pub fn of_root<M>(report: &Report<M>) -> Vec<Number> {
    let mut numbers = vec![("visits", Value::Count(report.visits))];
    numbers.push(("utility", utility(report.winrate)));
    numbers.push(("winrate", Value::Chance(report.winrate)));
    numbers.extend(score(report.lead, report.lead_stdev, report.final_score));
    numbers.push(("weight", Value::Count(report.visits)));
    named(numbers)
}

/// What the choice between moves goes by: visits, and for one that goes before a move with more, those of that move.
pub fn selection_values<'a, M: 'a>(moves: impl IntoIterator<Item = &'a MoveReport<M>>) -> Vec<u64> {
    let mut values: Vec<u64> = moves.into_iter().map(visits).collect();
    let mut max = 0;
    for value in values.iter_mut().rev() {
        max = max.max(*value);
        *value = max;
    }
    values
}

/// One that is proven and was never visited counts as visited once.
fn visits<M>(found: &MoveReport<M>) -> u64 {
    u64::from(found.visits.max(u32::from(found.is_searched())))
}

/// A lead under the names that it has had, the spread of scores, and the score that is expected at the end.
fn score(
    lead: Option<f32>,
    stdev: Option<f32>,
    at_end: Option<f32>,
) -> impl Iterator<Item = (&'static str, Value)> {
    let mean = lead.map(Value::Points);
    let names = [
        ("scoreMean", mean),
        ("scoreStdev", lead.and(stdev).map(Value::Spread)),
        ("scoreLead", mean),
        ("scoreSelfplay", lead.and(at_end).map(Value::Points)),
    ];
    names.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

fn named(numbers: Vec<(&'static str, Value)>) -> Vec<Number> {
    numbers.into_iter().map(|(name, value)| Number { name, value }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::Proven;

    fn found(visits: u32) -> MoveReport<()> {
        MoveReport {
            mv: (),
            visits,
            winrate: 0.75,
            lower_bound: 0.5,
            prior: 0.25,
            proven: Proven::Unknown,
            lead: None,
            lead_stdev: Some(3.0),
            final_score: Some(0.5),
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line: Vec::new(),
            line_visits: Vec::new(),
        }
    }

    #[test]
    fn values_are_turned_by_what_they_mean() {
        let turned = |value: Value| value.turned().to_string();
        assert_eq!(turned(Value::Chance(0.75)), "0.250000");
        assert_eq!(turned(Value::Utility(0.5)), "-0.500000");
        assert_eq!(turned(Value::Points(-2.5)), "2.500");
        for same in [Value::Count(7), Value::Share(0.25), Value::Spread(2.5)] {
            assert_eq!(same.turned(), same);
        }
    }

    #[test]
    fn what_was_not_counted_is_not_told() {
        let names = |found: &MoveReport<()>| -> Vec<&str> {
            of_move(found).iter().map(|number| number.name).collect()
        };
        assert!(!names(&found(3)).iter().any(|name| name.starts_with("score")));
        let scored = MoveReport { lead: Some(1.0), ..found(3) };
        assert_eq!(names(&scored).iter().filter(|name| name.starts_with("score")).count(), 4);
    }

    #[test]
    fn a_move_that_goes_first_is_selected_by_as_much_as_what_follows() {
        assert_eq!(selection_values(&[found(5), found(9), found(2)]), [9, 9, 2]);
    }
}
