//! Tests of the networks for Go.

mod areas;
mod common;
mod features;
mod files;
mod katago;
mod kernels;
mod ladders;
mod legality;
mod search;
mod sharing;
