//! Matches played by the real binary against scripted engines, good and bad.
//!
//! The test program is itself the scripted engine when it is started as `arena scripted-engine ...`, so the tests need
//! no other program; hence the harness of its own.

mod faults;
mod games;
mod report;
mod resume;
mod scripted_engine;
mod stepping_engine;
mod support;
mod time;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "scripted-engine") {
        scripted_engine::run(&words[1..]);
        return;
    }
    let mut trials = Vec::new();
    for (name, test) in
        [faults::TESTS, resume::TESTS, report::TESTS, games::TESTS, time::TESTS].concat()
    {
        trials.push(Trial::test(name, move || {
            test();
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
