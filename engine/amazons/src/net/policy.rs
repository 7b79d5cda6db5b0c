//! Opinions without search, and the turn that they make by themselves.

use std::sync::Arc;

use super::file::Net;
use super::lean::{self, ask, softmax};
use super::literal::{self, Opinion};
use crate::eval::{Weights, chance};
use crate::game::Stage;
use crate::moves::Move;
use crate::position::Position;
use crate::search::Tuning;
use crate::square::Square;

/// Whose opinion it is.
#[derive(Clone, Debug)]
pub enum Policy {
    /// The evaluation's, of the position after each choice.
    Evaluation,
    /// A network's.
    Network(Arc<Net>),
}

/// Room to work in, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct Rooms {
    lean: lean::Room,
    literal: literal::Room,
}

impl Policy {
    /// What is thought of the choices of the side to move: queens' moves without a shooter, else arrows of the queen that
    /// stands there. No shares where there is no choice.
    pub fn opinion(
        &self,
        weights: &Weights,
        position: &Position,
        shooter: Option<Square>,
        rooms: &mut Rooms,
    ) -> Opinion {
        let lean = match self {
            Policy::Network(net) => match &**net {
                Net::Literal(networks) => {
                    let network = &networks[usize::from(shooter.is_some())];
                    return network.judge(position, shooter, &mut rooms.literal);
                }
                Net::Lean(network) => Some(network),
            },
            Policy::Evaluation => None,
        };
        let (logit, asked) = ask(weights, position, shooter);
        let (value, shares) = match lean {
            Some(network) => {
                let found = network.judge(position, shooter, logit, &asked, &mut rooms.lean);
                (found.value, found.shares)
            }
            None => {
                let temperature = Tuning::default().queen_temperature;
                let mut shares: Vec<f32> =
                    asked.iter().map(|choice| choice.logit / temperature).collect();
                softmax(&mut shares);
                (chance(logit), shares)
            }
        };
        let policy =
            asked.iter().zip(shares).map(|(choice, share)| (choice.from, choice.to, share));
        Opinion { value, policy: policy.collect() }
    }

    /// The turn of the largest shares, first the queen's move, then the arrow behind it, or what is left of a turn that has
    /// begun; with the chance that the side to move wins and the shares of what is chosen, multiplied. None where there is
    /// no move.
    ///
    /// ```
    /// use amazons_engine::{Position, eval::Weights, game::Stage, net::policy::{Policy, Rooms}};
    /// let (start, weights) = (Position::start(), Weights::shipped());
    /// let (mv, value, share) =
    ///     Policy::Evaluation.turn(&weights, &start, Stage::From, &mut Rooms::default()).unwrap();
    /// assert!(start.check(mv).is_ok() && value > 0.3 && share > 0.0);
    /// ```
    pub fn turn(
        &self,
        weights: &Weights,
        position: &Position,
        stage: Stage,
        rooms: &mut Rooms,
    ) -> Option<(Move, f32, f32)> {
        let mut queens = self.opinion(weights, position, None, rooms);
        queens.policy.retain(|&(from, to, _)| match stage {
            Stage::From => true,
            Stage::To(chosen) => from == chosen,
            Stage::Arrow(chosen, moved) => (from, to) == (chosen, moved),
        });
        let (from, to, queen) = best(&queens)?;
        let between = position.after_queen(from, to);
        let arrows = self.opinion(weights, &between, Some(to), rooms);
        let (_, arrow, shot) = best(&arrows)?;
        let queen = if matches!(stage, Stage::Arrow(..)) { 1.0 } else { queen };
        Some((Move { from, to, arrow }, queens.value, queen * shot))
    }
}

/// The first of the largest shares.
pub fn best(opinion: &Opinion) -> Option<(Square, Square, f32)> {
    opinion.policy.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2)).copied()
}
