//! What can be done at a node, and what each of it looks worth: the position after every queen's move, and after every
//! arrow, is evaluated at once. These values order the moves and stand in for visits that they have not got yet.

use super::params::Params;
use super::partial_move::{Choice, Estimate, PartialMove};
use crate::eval::batch::Board;
use crate::eval::{Features, Weights, chance};
use crate::net::resnet::{Candidate, ResNet, Scratch};
use crate::position::Position;
use crate::square::Size;
use crate::squares::Squares;
use tree_search::puct::Edge;

/// Judges the moves of a position in two stages.
#[derive(Clone, Copy, Debug)]
pub struct Expander<'a> {
    /// The weights of the evaluation.
    pub weights: &'a Weights,
    /// The tunables.
    pub params: &'a Params,
    /// The network, where it is asked at all.
    pub network: Option<&'a ResNet>,
}

impl<'a> Expander<'a> {
    /// What values the moves of positions behind this one. The network is asked only where the tunables say so, and knows
    /// only the full board.
    pub fn new(
        weights: &'a Weights,
        params: &'a Params,
        network: &'a ResNet,
        position: &Position,
    ) -> Expander<'a> {
        let asked = params.network_visits > 0 && position.size() == Size::FULL;
        Expander { weights, params, network: asked.then_some(network) }
    }

    /// The queen's moves, each valued as if the other side were to move then, without an arrow.
    pub fn queens(&self, position: &Position, choices: &mut Vec<Choice>) {
        choices.clear();
        let (own, other) = (position.to_move(), position.to_move().other());
        let (own, other) = (position.queens(own), position.queens(other));
        for from in own {
            let to = position.destinations(from).iter();
            choices.extend(to.map(|to| choice(PartialMove { from, to })));
        }
        let after = |choice: &Choice| {
            let PartialMove { from, to } = choice.mv;
            let own = (own - from.into()) | to.into();
            Board { own: other, other: own, free: (position.free() | from.into()) - to.into() }
        };
        self.weights.evaluate_each(choices, after, |choice, logit| choice.estimate.value = -logit);
        finish(choices, self.params.queen_temperature);
    }

    /// The arrows of a queen that has moved.
    pub fn arrows(&self, position: &Position, moved: PartialMove, choices: &mut Vec<Choice>) {
        choices.clear();
        let (own, other) = (position.to_move(), position.to_move().other());
        let own = (position.queens(own) - moved.from.into()) | moved.to.into();
        let other = position.queens(other);
        let free = (position.free() | moved.from.into()) - moved.to.into();
        let arrows = position.arrows(moved.from, moved.to).iter();
        choices.extend(arrows.map(|arrow| choice(PartialMove::arrow(arrow))));
        let after =
            |choice: &Choice| Board { own: other, other: own, free: free - choice.mv.to.into() };
        self.weights.evaluate_each(choices, after, |choice, logit| choice.estimate.value = -logit);
        finish(choices, self.params.arrow_temperature);
    }

    /// Asks the network about the edges of a node, mixes its shares into their prior, and gives the chance that it sees
    /// for the side to move; none without a network.
    pub fn evaluate(
        &self,
        position: &Position,
        moved: Option<PartialMove>,
        edges: &[Edge<PartialMove>],
        scratch: &mut Scratch,
    ) -> Option<f32> {
        let network = self.network?;
        let between = moved.map(|step| position.after_queen(step.from, step.to));
        let (position, shooter) = (between.as_ref().unwrap_or(position), moved.map(|step| step.to));
        let logit_of = |value: f32| (value.max(1e-5) / (1.0 - value).max(1e-5)).ln();
        let candidates: Vec<Candidate> = edges
            .iter()
            .map(|edge| {
                let PartialMove { from, to } = edge.mv();
                Candidate {
                    from: shooter.unwrap_or(from),
                    to,
                    logit: logit_of(edge.estimate().value),
                }
            })
            .collect();
        let logit = match shooter {
            None => self.weights.evaluate(position),
            Some(_) => {
                let (own, other) = (position.to_move(), position.to_move().other());
                self.logit(position.queens(own), position.queens(other), position.free())
            }
        };
        let output = network.evaluate(position, shooter, logit, &candidates, scratch);
        let power = 1.0 / self.params.network_temperature;
        let sum: f32 = output.shares.iter().map(|share| share.powf(power)).sum();
        let weight = self.params.network_prior;
        for (edge, share) in edges.iter().zip(output.shares) {
            let Estimate { prior, value } = edge.estimate();
            let mixed = (1.0 - weight) * prior + weight * share.powf(power) / sum;
            edge.set_estimate(Estimate { prior: mixed.min(1.0), value });
        }
        Some(output.value)
    }

    /// The logit for the side that has just moved.
    fn logit(&self, own: Squares, other: Squares, free: Squares) -> f32 {
        -self.weights.evaluate_features(&Features::of(other, own, free))
    }
}

fn choice(mv: PartialMove) -> Choice {
    Choice { mv, estimate: Estimate::default() }
}

/// Turns logits into chances and shares of the prior.
fn finish(choices: &mut [Choice], temperature: f32) {
    let best = choices.iter().map(|c| c.estimate.value).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for Choice { estimate, .. } in choices.iter_mut() {
        estimate.prior = ((estimate.value - best) / temperature).exp();
        sum += estimate.prior;
        estimate.value = chance(estimate.value);
    }
    for Choice { estimate, .. } in choices {
        estimate.prior /= sum;
    }
}
