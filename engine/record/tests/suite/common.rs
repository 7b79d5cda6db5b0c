//! What the tests of collections share.

use std::path::PathBuf;

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
