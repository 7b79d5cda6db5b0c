//! Every tunable of the engine, in one table.

tunables::table! {
    /// The tunables of the search.
    pub struct Params {
        exploration: f32 = 0.33, in 0.0..=10.0, "weight of the prior in the choice of a turn to search";
        unvisited: f32 = -0.066, in -1.0..=1.0, "how far below its parent's value an unvisited turn is taken to be";
        threat_nodes: u64 = 160, in 0..=1_000_000, "threat-search nodes for the side to move at each new position";
        defence_nodes: u64 = 40, in 0..=1_000_000, "threat-search nodes for what the other side threatens at each new position";
        deepen_nodes: u64 = 40, in 0..=10_000, "threat-search nodes for each visit, for either side, when a position is searched again at 4, 16, 64 ... visits";
        reply_nodes: u64 = 160, in 0..=10_000, "the same after each turn that could be played now";
        root_threat_share: f32 = 0.15, in 0.0..=0.9, "share of the time that the threat search may take before a turn is searched";
        root_nodes: u64 = 40, in 0..=10_000, "threat-search nodes before a turn is searched, for either side, for each visit of a search whose visits are counted";
        first_points: usize = 15, in 1..=361, "points tried as the first stone of a turn";
        second_points: usize = 12, in 1..=361, "points tried as the second stone beside each first";
        turns: usize = 55, in 1..=4000, "turns kept at a position";
        network: bool = true, "uses the learned evaluation, not the static score alone";
        threat_search: bool = true, "uses threat-space search";
        single_threats: bool = true, "lets the root's threat search try turns of one threat too";
        alpha_beta: bool = false, "searches by alpha-beta instead of the tree, with one thread";
        alpha_beta_turns: usize = 12, in 1..=1000, "turns that alpha-beta looks at in a position; twice as many at the root";
        book: bool = true, "uses what was learned of openings";
    }
}
