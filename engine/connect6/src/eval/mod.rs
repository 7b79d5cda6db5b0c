//! What a position is worth: V = S + NN * factor.
//!
//! The form is that of Xu, Xu and Wang (2011): a static score S set by hand from the shapes gives the
//! outline, and a network trained by temporal differences tunes it. V is a logit here: the chance of
//! the side to move is sigmoid(V), and the network's sigmoid output, spread over [`SPREAD`], moves it. The
//! same network tells which points look like moves.

pub mod features;
pub mod net;
pub mod points;
pub mod score;
pub mod view;

pub use features::Inputs;
pub use net::Net;
pub use points::PointNet;
pub use score::static_score;
pub use view::View;

use crate::Color;
use crate::board::Board;
use net::sigmoid;

/// (S_max - S_min) / (NN_max - NN_min): how far the network can move the value.
pub const SPREAD: f32 = 2.0 * score::LIMIT;

/// V of the static score and the network's output (0 to 1).
pub fn combine(score: f32, network: f32) -> f32 {
    score + (network - 0.5) * SPREAD
}

/// The chance, from 0 to 1, that the side to move wins. Without a network the static score alone.
pub fn chance(board: &Board, side: Color, net: Option<&Net>) -> f32 {
    let score = static_score(board, side);
    sigmoid(match net {
        Some(net) => {
            combine(score, net.output(&net.view(board, side).pool(), &Inputs::of(board, side)))
        }
        None => score,
    })
}
