//! The tunables of sharing.

use tree_search::upper::{MAX_UPPER_DEPTH, UpperLimits};

tunables::table! {
    /// The values of all tunables.
    pub struct ClusterParams {
        cluster_interval: f32 = 0.5, in 0.005..=60.0, "Seconds between two exchanges of what the ranks have found; the first exchanges of a search come sooner";
        cluster_rounds: u32 = 100, in 0..=1000, "Exchanges at which the ranks wait for each other in a search of a fixed number of visits; with 0 they never wait";
        cluster_min_share: f32 = 0.002, in 0.0..=1.0, "Share of the root's visits that a position needs to be shared between ranks";
        cluster_max_depth: u32 = 12, in 0..=12, "Longest line of moves below the root that ranks share";
        cluster_max_nodes: u32 = 4000, in 1..=50_000, "Positions in one message at most";
        cluster_expect: bool = true, "Whether the visits that other ranks will have made by the next exchange are estimated and counted, so that not all ranks search the same moves (with a network)";
        cluster_max_wait: f32 = 0.5, in 0.0..=0.9, "Share of a move's time that rank 0 waits for others at most";
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
