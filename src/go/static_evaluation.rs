//! What is said of a position without search: by the network where one is in use, else moves by the learned predictor, score
//! and owners by the estimate of influence.

use go_engine::{Color, Game, Move};
use go_network::{GameEvaluation, Network, Symmetry, evaluate_game};

use super::engine::GoEngine;
use super::estimate::gogui::estimate;

/// How likely each legal move of the player to move is, by the predictor.
pub fn predicted(engine: &GoEngine, game: &Game) -> Vec<(Move, f32)> {
    let color = game.to_play();
    let likely = engine.policy(game, color);
    likely.into_iter().filter(|&(mv, _)| game.check(color, mv).is_ok()).collect()
}

/// What is said of a position; White's everywhere.
pub struct StaticEvaluation {
    /// The chances to win, to lose, and of neither.
    pub outcome: [f64; 3],
    pub lead: f64,
    /// The expected score, and the mean of its square.
    pub score: Option<[f64; 2]>,
    /// The variance of the time left, and short-term errors of value and score.
    pub unrest: [Option<f64>; 3],
    /// Moves, the pass where one is ever expected.
    pub policy: Vec<(Move, f32)>,
    /// Row by row from A1.
    pub ownership: Vec<f32>,
}

impl StaticEvaluation {
    /// What is said of the position by whatever the engine has; nothing from a damaged program.
    pub fn of(engine: &GoEngine, game: &Game) -> Option<StaticEvaluation> {
        match engine.network(game) {
            Some(network) => StaticEvaluation::of_network(network, game, Symmetry::NONE),
            None => StaticEvaluation::estimated(engine, game),
        }
    }

    /// What is learned and estimated without a network; nothing from a damaged program.
    pub fn estimated(engine: &GoEngine, game: &Game) -> Option<StaticEvaluation> {
        let estimate = estimate(game)?;
        let lead = -estimate.lead;
        let wins = white_wins(lead, estimate.error);
        Some(StaticEvaluation {
            outcome: [wins, 1.0 - wins, 0.0],
            lead,
            score: None,
            unrest: [None; 3],
            policy: predicted(engine, game),
            ownership: estimate.ownership.iter().map(|owned| -owned).collect(),
        })
    }

    /// What a network says of a board that is turned; nothing of one that would have other sides.
    pub fn of_network(
        network: &Network,
        game: &Game,
        symmetry: Symmetry,
    ) -> Option<StaticEvaluation> {
        let said = evaluate_game(network, game, 0.0, symmetry)?;
        let GameEvaluation { to_play, evaluation: e, policy, owners } = said;
        let (sign, [win, loss]) = match to_play {
            Color::White => (1.0, [e.win, e.loss]),
            Color::Black => (-1.0, [e.loss, e.win]),
        };
        let wide = |number: f32| f64::from(number);
        Some(StaticEvaluation {
            outcome: [win, loss, e.no_result].map(wide),
            lead: sign * wide(e.lead),
            score: Some([sign * wide(e.score_mean), wide(e.score_square)]),
            unrest: [Some(e.time_variance), e.value_error, e.score_error]
                .map(|number| number.map(wide)),
            policy,
            ownership: owners.into_iter().map(|(_, owner)| -owner).collect(),
        })
    }

    /// Lets another opinion of the same position count for a share, 0 to 1.
    pub fn mix(&mut self, other: &StaticEvaluation, share: f64) {
        let towards = |one: &mut f64, other: f64| *one += share * (other - *one);
        let pairs = self.outcome.iter_mut().zip(other.outcome);
        pairs.for_each(|(one, other)| towards(one, other));
        towards(&mut self.lead, other.lead);
        if let (Some(one), Some(other)) = (&mut self.score, other.score) {
            one.iter_mut().zip(other).for_each(|(one, other)| towards(one, other));
        }
        for (one, other) in self.unrest.iter_mut().zip(other.unrest) {
            if let (Some(one), Some(other)) = (one, other) {
                towards(one, other);
            }
        }
        let share = share as f32;
        for (mv, chance) in &mut self.policy {
            *chance += share * (other.chance(*mv).unwrap_or(0.0) - *chance);
        }
        for (one, other) in self.ownership.iter_mut().zip(&other.ownership) {
            *one += share * (other - *one);
        }
    }

    /// How likely a move is the next one; none of one that is not legal, and of a pass that nobody expects.
    pub fn chance(&self, mv: Move) -> Option<f32> {
        self.policy.iter().find(|found| found.0 == mv).map(|found| found.1)
    }
}

/// The chance that White wins with this lead, when leads are wrong by so much in the mean: by a normal distribution,
/// whose mean error is sqrt(2 / pi) of its standard deviation, and whose integral is a logistic curve to within 0.01
/// (Bowling et al. 2009).
fn white_wins(lead: f64, mean_error: f64) -> f64 {
    let deviation = mean_error * (std::f64::consts::PI / 2.0).sqrt();
    1.0 / (1.0 + (-1.702 * lead / deviation).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_wins_more_often_the_surer_it_is() {
        assert_eq!(white_wins(0.0, 8.0), 0.5);
        let wins =
            [(3.0, 8.0), (10.0, 8.0), (10.0, 4.0)].map(|(lead, error)| white_wins(lead, error));
        assert!(wins.is_sorted() && wins[0] > 0.6 && wins[2] < 1.0, "{wins:?}");
        // One standard deviation is 84%.
        let deviation = white_wins(8.0 * (std::f64::consts::PI / 2.0).sqrt(), 8.0);
        assert!((deviation - 0.841).abs() < 0.01, "{deviation}");
    }
}
