//! The tunables of the search with a network.

tunables::table! {
    /// The values of all tunables. Utilities are KataGo's: a win counts 1, a loss -1, and the score adds to that.
    pub struct NetworkParams {
        // Selection.
        network_exploration: f32 = 1.0, in 0.0..=10.0, "Weight of the policy in the choice of what to search";
        network_exploration_log: f32 = 0.45, in 0.0..=10.0, "How much that weight grows with the logarithm of visits";
        network_exploration_base: f32 = 500.0, in 1.0..=1e6, "Visits from which it grows";
        network_stdev_scale: f32 = 0.85, in 0.0..=1.0, "How far exploration follows the spread of utilities below a position";
        network_stdev_prior: f32 = 0.4, in 0.01..=2.0, "The spread that counts as usual";
        network_fpu_reduction: f32 = 0.2, in 0.0..=2.0, "How much less than the position itself a move that was not visited is worth, once most of the policy was";
        network_root_fpu_reduction: f32 = 0.1, in 0.0..=2.0, "The same at the root";
        network_transpositions: bool = false, "Whether an order of moves takes over what others that lead to the same position have found";
        // What a position is worth.
        network_score_static: f32 = 0.1, in 0.0..=1.0, "Weight of the score in the utility";
        network_score_dynamic: f32 = 0.3, in 0.0..=1.0, "Weight of the score there, as compared with the one expected at the root";
        network_playout_weight: f32 = 0.0, in 0.0..=1.0, "Share of a new position's chance to win that a playout tells, the rest the network; 0 plays none";
        // Policy.
        network_policy_temperature: f32 = 1.0, in 0.1..=10.0, "Above 1 the policy counts less below the root";
        network_root_policy_temperature: f32 = 1.0, in 0.1..=10.0, "The same at the root";
        network_predictor: bool = true, "Whether the predictor of moves is asked beside a network that was taught with it";
        network_optimism: f32 = 1.0, in 0.0..=1.0, "How much the optimistic policy counts below the root, where a network has one";
        network_root_optimism: f32 = 0.2, in 0.0..=1.0, "The same at the root";
        network_root_symmetries: u32 = 8, in 1..=8, "Ways to turn and mirror the board over which the root is averaged, one on processors without vectors; below it, one is drawn for each position";
        network_batch: u32 = 1, in 1..=32, "Positions about which a thread asks the network at once: with large networks on small boards more are faster, but what is searched is chosen with less known";
        // The choice of a move.
        network_choice_stdevs: f32 = 5.0, in 0.0..=20.0, "Standard errors by which utilities are lessened when the best move is chosen; 0 takes the move with most visits";
        network_choice_min_visits: f32 = 0.15, in 0.0..=1.0, "Share of the visits of the most visited move that a better one needs to be chosen";
    }
}
