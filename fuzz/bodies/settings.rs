//! The file of a match.

use std::path::Path;
use tesuji::arena::schedule::tasks;
use tesuji::arena::settings::Settings;

/// A match's file: what it says is a match or is refused, and a match can be written and read again. No program is
/// started.
pub fn settings(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let file = Path::new("match.toml");
    let Ok(settings) = Settings::parse(&text, file) else { return };
    let Ok(complete) = settings.complete() else { return };
    let written = complete.to_toml().expect("TOML");
    let again = Settings::parse(&written, file).expect("our own file");
    // As text: a number that is none is not equal to itself.
    assert_eq!(again.to_toml().expect("TOML"), written);
    let again = again.complete().expect("a match").to_toml();
    assert_eq!(again.expect("TOML"), written, "nothing was left open");
    let games = tasks(&complete);
    assert!(!games.is_empty());
    for task in games.iter().take(20) {
        assert!(task.first != task.second && task.seed(&complete) < 1 << 31);
    }
    complete.rules().arbiter().expect("the rules of a match");
}
