//! The tunables of what is learned, in one table: priors from patterns, joseki and influence, leaves' values, and
//! playout shapes.

tunables::table! {
    /// The values of all tunables.
    pub struct Params {
        prior_learned: f32 = 125.0, on Medium = 75.0, on Large = 110.0, in 0.0..=2000.0, "Virtual wins times the square root of a move's learned probability", was "prior_learned_large";
        prior_cut: f32 = 0.0, in 0.0..=0.25, "Moves that are learned to be less likely than this are not tried below the root";
        joseki: bool = true, "Whether joseki learned from records give priors in the corners of large boards (without a network)";
        prior_joseki: f32 = 150.0, in 0.0..=2000.0, "Virtual wins times the square root of how likely a joseki's next move is made";
        influence_prior: f32 = 0.0, in 0.0..=1000.0, "Virtual wins for a quiet move where the estimate without search leaves the owner open, fewer the surer the owner", was "prior_judged";
        influence_prior_sure: f32 = 0.0, in 0.0..=1000.0, "Virtual losses for a quiet move on a point whose owner the estimate knows, more the surer", was "prior_settled";
        influence_value_weight: f32 = 0.0, in 0.0..=1.0, "Weight of the estimate without search in a leaf's value on an empty board; it falls as the board fills", was "judged_value";
        influence_value_scale: f32 = 12.0, in 1.0..=200.0, "Points of estimated lead that make a win 2.7 times as likely as a loss", was "judged_scale";
        playout_good: f32 = 0.02, in 0.0..=1.0, "Learned shapes of any kind that experts play at least so often where they can are answers in playouts";
        playout_good_answer: f32 = 0.055, on Medium = 0.045, on Large = 0.037, in 0.0..=1.0, "The same for shapes beside the last move, learned with that move marked";
    }
}
