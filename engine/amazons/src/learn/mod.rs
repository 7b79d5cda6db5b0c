//! Learning from games of the engine against itself.

pub mod fit;
pub mod lesson;
mod line;
pub mod measure;
pub mod self_play;
pub mod symmetry;

pub use fit::{FitOptions, Fitter, Sample};
pub use lesson::{Lesson, Part};
pub use line::LineError;
pub use measure::{Scores, measure};
pub use self_play::{Played, Record, SelfPlay};
pub use symmetry::Symmetry;
