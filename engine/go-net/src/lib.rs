//! KataGo's networks for Go on an ordinary processor: their files, what goes in and what comes out. No protocol.
//!
//! * [`NetworkFile`]: a file of versions 8 to 17, layer by layer.
//! * [`Position`], [`FeatureWriter`], [`Features`]: what a network is told of a game.
//! * [`Network`], [`Worker`]: a network ready to be asked, several positions at once.
//! * [`MoveModel`]: what expects moves beside a network.
//! * [`Outputs`], [`Evaluation`]: what it says.
//! * [`NetworkSearch`]: a search that asks it.
//! * [`mod@reference`]: the plain way to compute that, which all others are compared with.

mod features;
pub mod file;
mod game;
mod ladder;
mod model;
mod move_model;
mod network;
mod output;
mod position;
pub mod probe;
pub mod reference;
pub mod rules;
pub mod sample;
mod search;

pub use features::{FeatureWriter, Features, MAX_SIDE, Plane};
pub use file::{NetworkError, NetworkFile};
pub use game::{GameEvaluation, evaluate_board, evaluate_game};
pub use game_core::Symmetry;
pub use ladder::{LadderReader, Ladders};
pub use move_model::{AnyLayout, MoveModel, MoveReader, UNEXPECTED};
pub use network::{Agreement, Network, NetworkQuery, Worker};
pub use nn::{BoardSize, Kernels, Numbers};
pub use output::{Evaluation, Outputs};
pub use position::{FromGame, Position};
pub use rules::NetworkRules;
pub use search::{NetworkOptions, NetworkParams, NetworkSearch};
