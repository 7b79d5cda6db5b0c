//! Learning from games of the engine against itself.

pub mod fit;
pub mod self_play;

pub use fit::{FitOptions, Fitter, Sample};
pub use self_play::{Played, Record, SelfPlay};
