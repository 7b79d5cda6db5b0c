//! Learning from games of the engine against itself.

pub mod fit;
mod line;
pub mod self_play;

pub use fit::{FitOptions, Fitter, Sample};
pub use line::LineError;
pub use self_play::{Played, Record, SelfPlay};
