//! What the tests of all crates share: where the game collections are, which are no part of the project, other
//! programs to compare with, and how a test says that it is skipped for want of them.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says on standard error which test is skipped, and why.
///
/// Not by `eprintln!`: what that says the harness keeps to itself when the test passes, and a test that is skipped does.
pub fn skipped(why: impl Display) {
    let thread = std::thread::current();
    let line = format!("\nskipped: {}: {why}\n", thread.name().unwrap_or("a test"));
    // If nobody can be told there is nothing to do about it.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// A file or folder of the shared data, below `TESUJI_SHARED` or `shared` beside the checkout.
/// `None`, with a word, where there is none: the test is skipped.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let root = std::env::var_os("TESUJI_SHARED").map_or_else(|| beside.into(), PathBuf::from);
    let found = root.join(path);
    if !found.exists() {
        skipped(format_args!("{} is not there; set TESUJI_SHARED", found.display()));
        return None;
    }
    Some(found)
}

/// Where GNU Go is. `None`, with a word, where it is not installed: the test is skipped.
pub fn gnugo() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([Path::new("/usr/games").to_owned()]);
    let found = folders.map(|folder| folder.join("gnugo")).find(|program| program.is_file());
    if found.is_none() {
        skipped("gnugo is not installed");
    }
    found
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    #[test]
    #[ignore = "run by the other test"]
    fn wants_what_is_nowhere() {
        assert_eq!(super::shared("no such thing"), None);
    }

    #[test]
    fn a_skipped_test_says_so_although_it_passes() {
        let program = std::env::current_exe().unwrap();
        let done = Command::new(program).args(["--ignored", "wants_what"]).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{told}");
        assert!(told.contains("skipped: tests::wants_what_is_nowhere: "), "{told}");
        assert!(told.contains("no such thing is not there; set TESUJI_SHARED"), "{told}");
    }
}
