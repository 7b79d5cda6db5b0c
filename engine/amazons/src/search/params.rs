//! Every tunable of the engine, in one table.

tunables::table! {
    /// The tunables of the search.
    pub struct Params {
        exploration: f32 = 0.52, in 0.0..=10.0, "weight of the prior in the choice of what to search";
        queen_temperature: f32 = 1.5, in 0.01..=10.0, "logits by which a queen's move must be better to have e times the prior";
        arrow_temperature: f32 = 0.1, in 0.01..=10.0, "the same for arrows";
        static_weight: f32 = 0.2, in 0.0..=100.0, "visits that the evaluation of a move counts for beside the visits that it gets";
        unvisited: f32 = 0.0, in -1.0..=1.0, "how far below its evaluation an unvisited move is taken to be";
        solve_squares: u32 = 24, in 0..=100, "free squares in contested regions up to which a search begins with solving";
        solve_share: f32 = 0.2, in 0.0..=0.9, "share of a move's time that solving may take";
        solve_nodes: u64 = 2000, in 0..=100_000_000, "states that solving may take where visits decide instead of time";
        fill_patience: u32 = 200, in 0..=1_000_000, "positions looked at to count the moves of a closed region in the tree";
        network_visits: u32 = 8, in 0..=1_000_000, "visits of a node at which the network is asked about its moves; 0 never asks it";
        network_arrows: bool = true, "asks it about arrows too, not about queens' moves only";
        network_prior: f32 = 0.58, in 0.0..=1.0, "share of the network's opinion in the prior of such a node; the evaluation has the rest";
        network_temperature: f32 = 1.16, in 0.1..=10.0, "divides the network's logits: above 1 its opinion is less sharp";
        network_value: f32 = 0.0, in 0.0..=100.0, "visits that the network's value of such a node counts for, where it is asked";
        alpha_beta: bool = false, "searches by alpha-beta on one thread instead of the tree, to compare";
        alpha_beta_queens: usize = 12, in 1..=200, "queen moves that alpha-beta looks at in a position";
        alpha_beta_arrows: usize = 4, in 1..=100, "arrows that it looks at behind each";
    }
}
