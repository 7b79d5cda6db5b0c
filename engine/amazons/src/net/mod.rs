//! Amazons' networks: the patent's two, and a residual one that the search can afford.
//!
//! What networks are made of is in the crate [`nn`]; here are the input planes, the architectures and the policy. Training
//! lives in a crate of its own, which players need not build; both sides agree on the order of the parameters
//! ([`patent::Network::new`], [`resnet::ResNet::new`]) and on the bytes in which they are kept ([`mod@file`]).

pub mod file;
pub mod input;
pub mod patent;
pub mod planes;
pub mod policy;
pub mod resnet;
mod shipped;

pub use nn::ParameterError;

use crate::square::Square;

/// No network that was learned has logits beyond this.
const MAX_LOGIT: f32 = 1e4;

/// A network's logit. Parameters that are finite, but absurd, overflow on the way to it: what comes of them is an opinion too,
/// or none.
fn bounded(logit: f32) -> f32 {
    if logit.is_nan() { 0.0 } else { logit.clamp(-MAX_LOGIT, MAX_LOGIT) }
}

/// What a network, or the evaluation in its place, says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct NetOutput {
    /// The chance that the side to move wins, which in the middle of a turn is the one that is to shoot.
    pub value: f32,
    /// The share of each legal choice, together 1: from and to; the patent's Arrow-Net names the arrow's square twice.
    pub policy: Vec<(Square, Square, f32)>,
}
