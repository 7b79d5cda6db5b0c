//! What networks and the evaluation say without search, and the turn that they make by themselves.

use std::sync::Arc;

use super::file::Net;
use super::resnet::{self, EVALUATION_TEMPERATURE, candidates};
use super::{NetOutput, patent};
use crate::eval::{Weights, chance};
use crate::game::Stage;
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;
use nn::softmax;

/// Who is asked.
#[derive(Clone, Debug)]
pub enum Policy {
    /// The evaluation, of the position after each choice.
    Evaluation,
    /// A network.
    Network(Arc<Net>),
}

/// Space to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    resnet: resnet::Scratch,
    patent: patent::Scratch,
}

impl Policy {
    /// The value and the shares of the choices of the side to move: queens' moves without a shooter, else arrows of the queen that
    /// stands there. No shares where there is no choice.
    pub fn evaluate(
        &self,
        weights: &Weights,
        position: &Position,
        shooter: Option<Square>,
        scratch: &mut Scratch,
    ) -> NetOutput {
        let resnet = match self {
            Policy::Network(net) => match &**net {
                Net::Patent(networks) => {
                    let network = &networks[usize::from(shooter.is_some())];
                    return network.evaluate(position, shooter, &mut scratch.patent);
                }
                Net::ResNet(network) => Some(network),
            },
            Policy::Evaluation => None,
        };
        let (logit, candidates) = candidates(weights, position, shooter);
        let (value, shares) = match resnet {
            Some(network) => {
                let found =
                    network.evaluate(position, shooter, logit, &candidates, &mut scratch.resnet);
                (found.value, found.shares)
            }
            None => {
                let mut shares: Vec<f32> =
                    candidates.iter().map(|choice| choice.logit / EVALUATION_TEMPERATURE).collect();
                softmax(&mut shares);
                (chance(logit), shares)
            }
        };
        let policy =
            candidates.iter().zip(shares).map(|(choice, share)| (choice.from, choice.to, share));
        NetOutput { value, policy: policy.collect() }
    }

    /// The turn of the largest shares, first the queen's move, then the arrow behind it, or what is left of a turn that has
    /// begun; with the chance that the side to move wins and the shares of what is chosen, multiplied. None where there is
    /// no move.
    ///
    /// ```
    /// use amazons_engine::{Position, eval::Weights, game::Stage, net::policy::{Policy, Scratch}};
    /// let (start, weights) = (Position::start(), Weights::shipped());
    /// let (mv, value, share) =
    ///     Policy::Evaluation.turn(&weights, &start, Stage::From, &mut Scratch::default()).unwrap();
    /// assert!(start.check(mv).is_ok() && value > 0.3 && share > 0.0);
    /// ```
    pub fn turn(
        &self,
        weights: &Weights,
        position: &Position,
        stage: Stage,
        scratch: &mut Scratch,
    ) -> Option<(Move, f32, f32)> {
        let mut queens = self.evaluate(weights, position, None, scratch);
        queens.policy.retain(|&(from, to, _)| match stage {
            Stage::From => true,
            Stage::To(chosen) => from == chosen,
            Stage::Arrow(chosen, moved) => (from, to) == (chosen, moved),
        });
        let (from, to, queen) = best(&queens)?;
        let between = position.after_queen(from, to);
        let arrows = self.evaluate(weights, &between, Some(to), scratch);
        let (_, arrow, shot) = best(&arrows)?;
        let queen = if matches!(stage, Stage::Arrow(..)) { 1.0 } else { queen };
        Some((Move { from, to, arrow }, queens.value, queen * shot))
    }
}

/// The first of the largest shares.
pub fn best(output: &NetOutput) -> Option<(Square, Square, f32)> {
    output.policy.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2)).copied()
}
