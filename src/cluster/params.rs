//! The tunables of sharing.

use tree_search::upper::{MAX_UPPER_DEPTH, UpperLimits};

tunables::table! {
    /// The values of all tunables.
    pub struct ClusterParams {
        cluster_interval: f32 = 0.5, in 0.005..=60.0, "Seconds between two times that ranks tell each other what they found; the first times of a search come sooner";
        cluster_rounds: u32 = 100, in 0..=1000, "Times that ranks wait for each other in a search of a fixed number of visits; 0 waits never";
        cluster_min_share: f32 = 0.002, in 0.0..=1.0, "Share of the visits from which on ranks tell what they found below a position";
        cluster_max_depth: u32 = 12, in 0..=12, "The longest line of moves at whose end they do not";
        cluster_max_nodes: u32 = 4000, in 1..=50_000, "The most positions that a message tells of";
        cluster_expect: bool = true, "Whether visits are counted that other ranks are expected to make until they tell of them, so that not all look at the same (with a network)";
        cluster_max_wait: f32 = 0.5, in 0.0..=0.9, "The largest share of a move's time that rank 0 waits for others";
    }
}

impl ClusterParams {
    /// Which nodes are told of.
    pub fn limits(&self) -> UpperLimits {
        UpperLimits {
            depth: (self.cluster_max_depth as usize).min(MAX_UPPER_DEPTH),
            min_share: f64::from(self.cluster_min_share),
            nodes: self.cluster_max_nodes as usize,
        }
    }
}
