//! Learned shapes for playouts.

use super::{Library, Patterns};
use crate::frequencies::{Deciding, Estimator, Weights};
use go_engine::playout::sampling::ShapeRates;
use go_engine::playout::shapes::{HandMade, Neighbours8, Shapes};
use go_engine::{Board, Color};
use std::sync::Arc;

/// The shapes of one choice of [`Patterns`].
pub(super) enum LearnedShapes {
    None,
    Hand,
    /// Patterns about the point, whatever was played last.
    Frequencies(Box<Weights>),
    /// Responses to the stone beside, at least so often played, in 65,536ths.
    Responses {
        library: Arc<Library>,
        good: u16,
    },
}

impl LearnedShapes {
    /// The shapes that experts play at least in a share `good` of the times that they can.
    pub(super) fn new(patterns: Patterns, library: Arc<Library>, good: f32) -> LearnedShapes {
        let deciding = match patterns {
            Patterns::None => return LearnedShapes::None,
            Patterns::Hand => return LearnedShapes::Hand,
            Patterns::Full => {
                let good = (good * 65536.0).clamp(1.0, 65535.0) as u16;
                return LearnedShapes::Responses { library, good };
            }
            Patterns::Square3 => Deciding::Square3,
            Patterns::Square5 => Deciding::Square5,
            Patterns::Katz => Deciding::Chain,
        };
        let Some(table) = library.table() else { return LearnedShapes::None };
        let weights = Weights::new(&Estimator::of(table), deciding, good.into());
        LearnedShapes::Frequencies(Box::new(weights))
    }
}

impl Shapes for LearnedShapes {
    #[inline(always)]
    fn weights<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        color: Color,
        weights: &mut [u16; 8],
    ) {
        match self {
            LearnedShapes::None => {}
            LearnedShapes::Hand => HandMade.weights(board, neighbours, color, weights),
            LearnedShapes::Frequencies(table) => table.weigh(board, neighbours, color, weights),
            LearnedShapes::Responses { library, good } => {
                let responses = library.responses();
                for (place, site) in neighbours.sites::<N, W>() {
                    let rate = responses.rate(board, site, place ^ 2, color);
                    weights[place] = if rate >= *good { rate } else { 0 };
                }
            }
        }
    }

    fn rates(&self) -> Option<Arc<ShapeRates>> {
        match self {
            LearnedShapes::Responses { library, .. } => library.shape_rates(),
            _ => None,
        }
    }
}
