//! What comes out of a network, and what it means.

use crate::features::undo_symmetry;
use crate::file::Multipliers;
use crate::rules::{Ko, NetworkRules, Scoring};
use game_core::Symmetry;
use nn::{BoardSize, softmax};

/// What a network says of a position before any of it is read: logits, as the player to move sees them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// One for each point, row by row from the top, and one for a pass.
    pub policy: Vec<f32>,
    /// The same from a player who hopes for more; empty where the network has none (before version 12).
    pub optimistic_policy: Vec<f32>,
    /// Of win, loss, and no result.
    pub outcome: [f32; 3],
    /// Mean score, its spread, lead, time left, and errors of value and score, as the file's layers give them.
    pub misc: [f32; 6],
    /// Whose each point will be, before it is brought to -1 to 1.
    pub ownership: Vec<f32>,
}

/// What a network says of a position, read. The player to move is meant everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The chance to win.
    pub win: f32,
    /// The chance to lose.
    pub loss: f32,
    /// The chance of neither, by endless repetition; 0 where the rules end every game.
    pub no_result: f32,
    /// The score that is expected, in points.
    pub score_mean: f32,
    /// The mean of the score's square.
    pub score_square: f32,
    /// The lead: the komi that would make the game even.
    pub lead: f32,
    /// The variance of how long it will be open who wins, in moves squared; a measure of unrest.
    pub time_variance: f32,
    /// How far the value of the coming moves will be from this one; unknown before version 9.
    pub value_error: Option<f32>,
    /// The same of the score, in points.
    pub score_error: Option<f32>,
}

impl Evaluation {
    /// The spread of the score, in points.
    pub fn score_spread(&self) -> f32 {
        (self.score_square - self.score_mean * self.score_mean).max(0.0).sqrt()
    }
}

/// ln(1 + e^x), x itself where that is all the same.
fn softplus(x: f32) -> f32 {
    if x > 40.0 { x } else { x.exp().ln_1p() }
}

impl Outputs {
    /// Reads everything but moves and owners.
    pub fn evaluation(
        &self,
        version: u32,
        multipliers: &Multipliers,
        rules: &NetworkRules,
    ) -> Evaluation {
        let mut outcome = self.outcome;
        let may_lack_result = rules.ko == Ko::Simple || rules.scoring == Scoring::Territory;
        if !may_lack_result {
            outcome[2] = f32::NEG_INFINITY;
        }
        softmax(&mut outcome);
        let [win, loss, no_result] = outcome;
        let decided = 1.0 - no_result;
        let [mean, stdev, lead, time, value_error, score_error] = self.misc;
        let mean = mean * multipliers.score_mean;
        let stdev = softplus(stdev) * multipliers.score_stdev;
        let errors = match version {
            ..9 => None,
            9 => Some((softplus(value_error), 10.0 * softplus(score_error))),
            10..14 => Some((
                (softplus(value_error) * multipliers.value_error).sqrt(),
                (softplus(score_error) * multipliers.score_error).sqrt(),
            )),
            _ => Some((
                softplus(value_error / 2.0) * multipliers.value_error.sqrt(),
                softplus(score_error / 2.0) * multipliers.score_error.sqrt(),
            )),
        };
        Evaluation {
            win,
            loss,
            no_result,
            score_mean: mean * decided,
            score_square: (mean * mean + stdev * stdev) * decided,
            lead: lead * multipliers.lead * decided,
            time_variance: softplus(time) * multipliers.variance_time,
            value_error: errors.map(|(value, _)| value),
            score_error: errors.map(|(_, score)| score),
        }
    }

    /// The chance of each move, points row by row from the top and then a pass, among those that are legal; 0 for all
    /// others. `optimism`, 0 to 1, goes from the plain policy to the optimistic one where the network has one.
    pub fn policy(&self, optimism: f32, legal: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut policy: Vec<f32> = match self.optimistic_policy.as_slice() {
            [] => self.policy.clone(),
            hopeful => {
                let both = self.policy.iter().zip(hopeful);
                both.map(|(plain, hopeful)| plain + optimism * (hopeful - plain)).collect()
            }
        };
        for (index, logit) in policy.iter_mut().enumerate() {
            if !legal(index) {
                *logit = f32::NEG_INFINITY;
            }
        }
        softmax(&mut policy);
        policy
    }

    /// Brings what was said of a turned board back to the board as it was.
    pub fn undo_symmetry(&mut self, size: BoardSize, symmetry: Symmetry) {
        let policies = [&mut self.policy, &mut self.optimistic_policy];
        for numbers in policies.into_iter().chain([&mut self.ownership]) {
            if !numbers.is_empty() {
                undo_symmetry(symmetry, size, numbers);
            }
        }
    }

    /// Whose each point will be, row by row from the top: 1 is the player's to move, -1 the opponent's.
    pub fn owners(&self) -> Vec<f32> {
        self.ownership.iter().map(|number| number.tanh()).collect()
    }
}
