//! What a network's evaluation is worth on games it has not learned from.

use super::{Sample, turns};
use crate::eval::{Net, chance};
use crate::rules::Rules;

/// How well a network foretells moves and results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Stones looked at.
    pub stones: usize,
    /// Mean of minus the logarithm of the chance given to the stone played.
    pub move_loss: f64,
    /// The part of stones that the network had first.
    pub first: f64,
    /// The part among its first ten.
    pub in_ten: f64,
    /// Positions evaluated.
    pub positions: usize,
    /// Mean of minus the logarithm of the chance given to what happened.
    pub value_loss: f64,
    /// The part of positions whose winner was called.
    pub right: f64,
}

/// How well a network foretells the moves and results of games.
pub fn evaluate(net: &Net, rules: Rules, samples: &[Sample]) -> Figures {
    let mut figures = Figures::default();
    for sample in samples {
        for turn in turns(rules, sample) {
            let side = turn.side;
            let mut board = turn.board.clone();
            if turn.is_open(rules) {
                let chance = f64::from(chance(&board, side, Some(net)).clamp(1e-6, 1.0 - 1e-6));
                let result = f64::from(sample.result(side));
                figures.positions += 1;
                figures.value_loss -= result * chance.ln() + (1.0 - result) * (1.0 - chance).ln();
                figures.right += f64::from(u8::from((chance > 0.5) == (result > 0.5)));
            }
            for (stone, &point) in turn.stones.iter().enumerate() {
                let ranked = net.view(&board, side).best(stone, usize::MAX);
                let rank = ranked.iter().position(|r| r.0 == point);
                figures.stones += 1;
                figures.move_loss -=
                    f64::from(rank.map_or(1e-6, |rank| ranked[rank].1).max(1e-6)).ln();
                figures.first += f64::from(u8::from(rank == Some(0)));
                figures.in_ten += f64::from(u8::from(rank.is_some_and(|rank| rank < 10)));
                board.place(side, point);
            }
        }
    }
    let stones = figures.stones.max(1) as f64;
    let positions = figures.positions.max(1) as f64;
    figures.move_loss /= stones;
    figures.first /= stones;
    figures.in_ten /= stones;
    figures.value_loss /= positions;
    figures.right /= positions;
    figures
}
