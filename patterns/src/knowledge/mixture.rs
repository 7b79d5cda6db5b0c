//! A leaf's value from two sources: what another evaluator says, and what influence does.

use crate::params::Params;
use go_engine::search::{Evaluator, Leaf, LeafValue};
use go_influence::{Stones, Tuned};
use std::sync::Arc;

/// Another evaluator's value, with a share of what the model of influence says of the position.
pub(super) struct InfluenceMixture<E> {
    inner: E,
    /// The model, when it has a share.
    model: Option<Arc<Tuned>>,
    weight: f32,
    scale: f32,
}

impl<E> InfluenceMixture<E> {
    /// With the share that the tunables give to influence.
    pub(super) fn new(inner: E, model: Option<Arc<Tuned>>, params: &Params) -> InfluenceMixture<E> {
        let (weight, scale) = (params.influence_value_weight, params.influence_value_scale);
        InfluenceMixture { inner, model: model.filter(|_| weight > 0.0), weight, scale }
    }
}

impl<E: Evaluator> Evaluator for InfluenceMixture<E> {
    type Scratch = E::Scratch;

    #[inline]
    fn evaluate<const N: usize, const W: usize>(
        &self,
        leaf: Leaf<'_, N, W>,
        scratch: &mut E::Scratch,
        out: &mut LeafValue,
    ) {
        let estimated = self.model.as_ref().map(|model| {
            let lead = model.spread(&Stones::of(leaf.board), leaf.to_move).area_lead();
            let lead = leaf.scoring.score_of_area(leaf.board, lead);
            // It counts for less as the board fills.
            let share = self.weight * leaf.board.n_empties() as f32 / leaf.scoring.area;
            (1.0 / (1.0 + (-lead / self.scale).exp()), share)
        });
        self.inner.evaluate(leaf, scratch, out);
        if let Some((estimated, share)) = estimated {
            out.value += share * (estimated - out.value);
        }
    }
}
