//! Learning from games of the engine against itself.

pub mod fit;
mod line;
pub mod measure;
pub mod sample;
pub mod self_play;
pub mod symmetry;

pub use fit::{FitOptions, Fitter, WeightSample};
pub use line::LineError;
pub use measure::{Scores, measure};
pub use sample::{Part, Sample};
pub use self_play::{Played, Record, SelfPlay};
