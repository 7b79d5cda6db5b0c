//! What a position is worth to a search: who wins, and a little of by how much.
//!
//! As KataGo has it (Wu, "Accelerating self-play learning in Go", 2019, section on the score): the utility is the chance to
//! win less that to lose, plus what the score is worth by a curve that flattens out, once about an even game and once about the
//! score that is expected at the root. Here it is brought to 0 to 1, where it lies in the tree.

use super::params::NetworkParams;

/// How far the curve about the expected score is from steep to flat, in square roots of the board's area; the one about 0
/// is wider.
const STATIC_SCALE: f32 = 2.0;
const DYNAMIC_SCALE: f32 = 0.75;
/// How far the centre of the second curve is drawn towards 0.
const ZERO_SHARE: f32 = 0.2;

/// Points and weights of Gauss and Hermite for a mean over a normal distribution, in standard deviations.
const QUADRATURE: [(f32, f32); 5] = [
    (-2.856_97, 0.011_257_4),
    (-1.355_626, 0.222_075_9),
    (0.0, 0.533_333_3),
    (1.355_626, 0.222_075_9),
    (2.856_97, 0.011_257_4),
];

/// What is known of a position's end; Black's everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value {
    /// The chance to win, a game without result counted as half.
    pub win: f32,
    /// The expected score, and its spread.
    pub score: f32,
    pub spread: f32,
    /// The lead.
    pub lead: f32,
}

/// What positions of one search are worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Utility {
    static_weight: f32,
    dynamic_weight: f32,
    /// The square root of the board's area.
    side: f32,
    /// The score about which the second curve lies.
    center: f32,
}

impl Utility {
    /// For a board of so many points, where Black is expected to score so much.
    pub fn new(params: &NetworkParams, area: usize, expected: f32) -> Utility {
        let side = (area as f32).sqrt();
        let center = expected * (1.0 - ZERO_SHARE);
        let reach = side * DYNAMIC_SCALE;
        Utility {
            static_weight: params.network_score_static,
            dynamic_weight: params.network_score_dynamic,
            side,
            center: center.clamp(expected - reach, expected + reach),
        }
    }

    /// From the worst to the best, in KataGo's units.
    pub fn range(&self) -> f32 {
        2.0 * (1.0 + self.static_weight + self.dynamic_weight)
    }

    /// What a position is worth to Black, from 0 to 1.
    pub fn of(&self, value: &Value) -> f32 {
        let mut sum = 2.0 * value.win - 1.0;
        let parts = [
            (self.static_weight, 0.0, STATIC_SCALE),
            (self.dynamic_weight, self.center, DYNAMIC_SCALE),
        ];
        for (weight, center, scale) in parts {
            if weight > 0.0 {
                let curve = |score: f32| ((score - center) / (scale * self.side)).atan();
                let mean: f32 = QUADRATURE
                    .iter()
                    .map(|(at, share)| share * curve(value.score + at * value.spread))
                    .sum();
                sum += weight * mean * std::f32::consts::FRAC_2_PI;
            }
        }
        (0.5 + sum / self.range()).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winning_counts_most_and_points_a_little() {
        let utility = Utility::new(&NetworkParams::default(), 361, 0.0);
        let of = |win, score, spread| utility.of(&Value { win, score, spread, lead: score });
        assert!((of(0.5, 0.0, 5.0) - 0.5).abs() < 1e-6);
        assert!(of(0.6, -10.0, 5.0) > of(0.55, -10.0, 5.0));
        assert!(of(0.5, 2.0, 5.0) > of(0.5, 1.0, 5.0));
        assert!((of(0.7, 3.0, 5.0) + of(0.3, -3.0, 5.0) - 1.0).abs() < 1e-6);
        assert!((0.0..=0.001).contains(&(1.0 - of(1.0, 1e6, 0.0))));
        // A spread flattens what a point is worth.
        assert!(of(0.5, 5.0, 1.0) > of(0.5, 5.0, 30.0));
    }

    #[test]
    fn points_count_most_where_the_score_is_expected() {
        let gain = |expected: f32, score: f32| {
            let utility = Utility::new(&NetworkParams::default(), 361, expected);
            let of = |score| utility.of(&Value { win: 1.0, score, spread: 3.0, lead: score });
            of(score + 1.0) - of(score)
        };
        assert!(gain(40.0, 40.0) > gain(0.0, 40.0));
    }
}
