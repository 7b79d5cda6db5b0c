//! What can be done at a node, and what each of it looks worth: the position after every queen's move, and after every
//! arrow, is evaluated at once. These values order the moves and stand in for visits that they have not got yet.

use super::options::Tuning;
use super::tree::{Choice, Step};
use crate::eval::{Features, Weights, chance};
use crate::position::Position;
use crate::squares::Squares;

/// Judges the moves of a position in two stages.
#[derive(Clone, Copy, Debug)]
pub struct Expander<'a> {
    /// The weights of the evaluation.
    pub weights: &'a Weights,
    /// The tunables.
    pub tuning: &'a Tuning,
}

impl Expander<'_> {
    /// The queen's moves, each judged as if the other side were to move then, without an arrow.
    pub fn queens(&self, position: &Position, choices: &mut Vec<Choice>) {
        choices.clear();
        let (own, other) = (position.to_move(), position.to_move().other());
        let (own, other) = (position.queens(own), position.queens(other));
        for from in own {
            for to in position.destinations(from) {
                let free = (position.free() | from.into()) - to.into();
                let value = self.logit((own - from.into()) | to.into(), other, free);
                choices.push(Choice { step: Step { from, to }, prior: 0.0, value });
            }
        }
        finish(choices, self.tuning.queen_temperature);
    }

    /// The arrows of a queen that has moved.
    pub fn arrows(&self, position: &Position, moved: Step, choices: &mut Vec<Choice>) {
        choices.clear();
        let (own, other) = (position.to_move(), position.to_move().other());
        let own = (position.queens(own) - moved.from.into()) | moved.to.into();
        let other = position.queens(other);
        let free = (position.free() | moved.from.into()) - moved.to.into();
        for arrow in position.arrows(moved.from, moved.to) {
            let value = self.logit(own, other, free - arrow.into());
            choices.push(Choice { step: Step::arrow(arrow), prior: 0.0, value });
        }
        finish(choices, self.tuning.arrow_temperature);
    }

    /// The logit for the side that has just moved.
    fn logit(&self, own: Squares, other: Squares, free: Squares) -> f32 {
        -self.weights.judge(&Features::of(other, own, free))
    }
}

/// Turns logits into chances and shares of the prior.
fn finish(choices: &mut [Choice], temperature: f32) {
    let best = choices.iter().map(|c| c.value).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for choice in choices.iter_mut() {
        choice.prior = ((choice.value - best) / temperature).exp();
        sum += choice.prior;
        choice.value = chance(choice.value);
    }
    for choice in choices {
        choice.prior /= sum;
    }
}
