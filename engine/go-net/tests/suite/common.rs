//! What several tests need.

use std::path::{Path, PathBuf};

/// The folder of data beside the checkout, or none, which is said.
pub fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("TESUJI_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    if shared.is_dir() {
        Some(shared)
    } else {
        eprintln!("skipped: {} is not there", shared.display());
        None
    }
}

/// The folder of networks in it.
pub fn networks() -> Option<PathBuf> {
    shared().map(|shared| shared.join("data/networks"))
}
