//! What several tests need.

use std::path::{Path, PathBuf};

/// The folder of networks beside the checkout, or none, which is said.
pub fn networks() -> Option<PathBuf> {
    let shared = std::env::var_os("TESUJI_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("data/networks");
    if folder.is_dir() {
        Some(folder)
    } else {
        eprintln!("skipped: {} is not there", folder.display());
        None
    }
}
