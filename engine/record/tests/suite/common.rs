//! Where the tests find game collections that are not part of the project.

use std::path::PathBuf;

/// The folder of shared data: `TESUJI_SHARED`, else `shared` beside the checkout. `None`, with a word, where there is none.
pub fn shared_data() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let root =
        std::env::var_os("TESUJI_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let data = root.join("data");
    if data.is_dir() {
        return Some(data);
    }
    eprintln!("skipped: no game collections in {}; set TESUJI_SHARED", data.display());
    None
}

/// All files below a folder that end in `.sgf`, in order.
pub fn sgf_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sgf") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
