//! Matches played by the real binary against scripted engines, good and bad.
//!
//! The test program is itself the scripted engine when it is started as `arena scripted-engine ...`, and an engine and
//! the matches of a game that it adds, so the tests need no other program; hence the harness of its own.

mod faults;
mod games;
mod hex;
mod report;
mod resume;
mod scripted_engine;
mod small_game;
mod stepping_engine;
mod support;
mod time;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("scripted-engine") => return scripted_engine::run(&words[1..]),
        Some("hex-engine") => return hex::answer(11, std::io::stdin(), &mut std::io::stdout()),
        Some("hex-match") => return small_game::run_match(&words),
        _ => {}
    }
    let mut trials = Vec::new();
    let tests = [faults::TESTS, resume::TESTS, report::TESTS, games::TESTS, time::TESTS];
    for (name, test) in [tests.concat(), small_game::TESTS.to_vec()].concat() {
        trials.push(Trial::test(name, move || {
            test();
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
