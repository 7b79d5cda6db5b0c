//! What the fuzz targets do with their bytes. The seeds go through the same in `cargo test`.

mod analysis;
mod learned;
mod records;
mod sessions;
mod settings;

pub use analysis::analysis;
pub use learned::{network, tables, weights};
pub use records::{moves, sgf, solve};
pub use sessions::{amazons, answers_to, check_answers, connect6, gtp_line, params};
pub use settings::settings;
