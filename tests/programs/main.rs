//! The real programs over real pipes: one binary, so that it is linked once.

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;

mod amazons;
mod analysis;
mod analysis_protocol;
mod book;
mod clients;
mod closed;
mod common;
mod connect6;
mod estimate;
mod fuzz_seeds;
mod gnugo;
mod in_process;
mod interrupts;
mod invocations;
mod learn;
mod network;
mod once;
mod ownership;
mod page;
mod play;
mod records;
mod regression;
mod review;
mod robustness;
mod shards;
mod small_boards;
#[cfg(unix)]
mod terminal;
mod training;
mod transcripts;
mod tune;
mod web;
