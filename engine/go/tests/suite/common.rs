//! Where the tests find game collections that are not part of the project.

use std::path::PathBuf;

/// A file or folder of the shared data, below `TESUJI_SHARED` or `shared` beside the checkout.
/// `None`, with a word, where there is none.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let root = std::env::var_os("TESUJI_SHARED").map_or_else(|| beside.into(), PathBuf::from);
    let found = root.join(path);
    if !found.exists() {
        eprintln!("skipped: {} is not there; set TESUJI_SHARED", found.display());
        return None;
    }
    Some(found)
}
