//! How well policies agree with games that they were not learned from.

use super::sample::Sample;
use crate::eval::Weights;
use crate::net::policy::{Policy, Scratch, best};
use crate::square::Square;

/// Means over samples of one stage; shares are from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// How many samples.
    pub samples: usize,
    /// Cross-entropy of the policy with the search's visits, in nats.
    pub policy_loss: f64,
    /// How often the largest share is what was played.
    pub played: f64,
    /// How often it is what the search preferred.
    pub preferred: f64,
    /// How often what the search preferred is among the five largest shares.
    pub among_five: f64,
    /// The patent's L2: how far, in squares, the squares of the largest share lie from those that were played; the sum of
    /// from and to of a queen's move.
    pub distance: f64,
    /// Cross-entropy of the value with the result, in nats.
    pub value_loss: f64,
    /// How often the value is on the winner's side of a half.
    pub called: f64,
}

/// Shares are taken to be at least this, so that a loss is finite.
const MIN_PROBABILITY: f32 = 1e-7;

/// Measures a policy on samples: first of queens' moves, then of arrows.
pub fn measure<'a>(
    policy: &Policy,
    weights: &Weights,
    samples: impl IntoIterator<Item = &'a Sample>,
) -> [Scores; 2] {
    let mut sums = [Scores::default(); 2];
    let mut scratch = Scratch::default();
    for sample in samples {
        let sum = &mut sums[usize::from(sample.shooter.is_some())];
        let output = policy.evaluate(weights, &sample.position, sample.shooter, &mut scratch);
        let Some((from, to, _)) = best(&output) else { continue };
        let share = |choice: (Square, Square)| {
            // The patent's Arrow-Net names the arrow's square twice.
            let found = output
                .policy
                .iter()
                .find(|c| c.1 == choice.1 && (c.0 == choice.0 || sample.shooter.is_some()));
            found.map_or(0.0, |found| found.2)
        };
        let same = |choice: (Square, Square)| {
            to == choice.1 && (from == choice.0 || sample.shooter.is_some())
        };
        sum.samples += 1;
        let all: f64 = sample.visits.iter().map(|visit| f64::from(visit.2)).sum();
        for &(from, to, visits) in &sample.visits {
            let target = f64::from(visits) / all.max(1.0);
            sum.policy_loss -= target * f64::from(share((from, to)).max(MIN_PROBABILITY).ln());
        }
        let preferred = sample.preferred();
        let above = output.policy.iter().filter(|c| c.2 > share(preferred)).count();
        sum.played += f64::from(u8::from(same(sample.played)));
        sum.preferred += f64::from(u8::from(same(preferred)));
        sum.among_five += f64::from(u8::from(above < 5));
        sum.distance += distance(to, sample.played.1);
        if sample.shooter.is_none() {
            sum.distance += distance(from, sample.played.0);
        }
        let value = output.value.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
        sum.value_loss -= f64::from(if sample.won { value } else { 1.0 - value }.ln());
        sum.called += f64::from(u8::from((value > 0.5) == sample.won));
    }
    sums.map(|sum| {
        let count = sum.samples.max(1) as f64;
        Scores {
            samples: sum.samples,
            policy_loss: sum.policy_loss / count,
            played: sum.played / count,
            preferred: sum.preferred / count,
            among_five: sum.among_five / count,
            distance: sum.distance / count,
            value_loss: sum.value_loss / count,
            called: sum.called / count,
        }
    })
}

/// The distance of two squares in a straight line.
fn distance(a: Square, b: Square) -> f64 {
    let gap = |a: u8, b: u8| f64::from(a) - f64::from(b);
    gap(a.column(), b.column()).hypot(gap(a.row(), b.row()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::learn::Record;

    #[test]
    fn a_policy_agrees_with_itself() {
        let weights = Weights::shipped();
        let start = Position::start();
        let mut scratch = Scratch::default();
        let (mv, value, _) = Policy::Evaluation
            .turn(&weights, &start, crate::game::Stage::From, &mut scratch)
            .expect("a turn");
        let name = |square| crate::notation::GameSquare(square);
        let (from, to, arrow) = (name(mv.from), name(mv.to), name(mv.arrow));
        let line = format!("1\tW\t{from}-{to}/{arrow} 0.5 q {from}{to}:9 a {arrow}:9");
        let record = Record::from_line(&line).expect("a game");
        let samples = record.samples(start).expect("legal");
        let [queens, arrows] = measure(&Policy::Evaluation, &weights, &samples);
        for scores in [queens, arrows] {
            assert_eq!((scores.samples, scores.played, scores.preferred), (1, 1.0, 1.0));
            assert_eq!((scores.among_five, scores.distance), (1.0, 0.0));
            assert!(scores.policy_loss > 0.0);
        }
        assert!((queens.value_loss + f64::from(value).ln()).abs() < 1e-6);
    }

    #[test]
    fn only_the_shares_of_visits_count() {
        let weights = Weights::shipped();
        let scores = |visits: u32| {
            let line = format!("1\tW\td1-d7/g7 0.5 q d1d7:{visits} d1d6:{visits} a g7:{visits}");
            let record = Record::from_line(&line).expect("a game");
            let samples = record.samples(Position::start()).expect("legal");
            measure(&Policy::Evaluation, &weights, &samples)
        };
        assert_eq!(scores(u32::MAX), scores(1));
    }

    #[test]
    fn distances_are_straight() {
        let square = |x, y| Square::new(x, y).expect("a square");
        assert_eq!(distance(square(1, 2), square(4, 6)), 5.0);
    }
}
