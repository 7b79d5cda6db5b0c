//! The evaluator that plays a leaf to its end.

use super::policy::Evaluator;
use super::value::{Leaf, LeafValue};
use crate::playout::Rollout;
use crate::playout::territory::{neutral_points, territory_margin};

/// Values a leaf by how one playout ends.
#[derive(Clone)]
pub struct RolloutEvaluator<R>(pub R);

impl<R: Rollout> Evaluator for RolloutEvaluator<R> {
    type Scratch = ();

    #[inline]
    fn evaluate<const N: usize, const W: usize>(
        &self,
        leaf: Leaf<'_, N, W>,
        _: &mut (),
        out: &mut LeafValue,
    ) {
        let Leaf { board, to_move, last, scoring, rng, moves } = leaf;
        out.ownership.resize(N, 0.0);
        let start =
            (!scoring.counts_area()).then(|| (neutral_points(board), scoring.extra_stones(board)));
        let area = self.0.play_out(board, to_move, last, rng, moves, &mut out.ownership);
        let margin = match start {
            None => area,
            Some((neutral, extra)) => territory_margin(board, &out.ownership, &neutral, extra),
        };
        out.margin = margin as f32;
        out.value = scoring.value(out.margin);
    }
}
