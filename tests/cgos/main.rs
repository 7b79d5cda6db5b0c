//! `tesuji cgos` against a server that is written from the protocol's description, good days and bad ones.
//!
//! The test program is also the server's engine (`cgos engine ...`), and plays longer runs when it is told to:
//! `cargo test --test cgos -- soak games=50 cut=0.02`.

mod engine;
mod games;
mod server;
mod soak;
mod support;
mod world;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("engine") => return engine::run(&words[1..]),
        Some("server") => return soak::serve(&words[1..]),
        Some("soak") => return soak::run(&words[1..]),
        _ => {}
    }
    let trials = games::TESTS.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
