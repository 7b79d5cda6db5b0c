//! `tesuji bench --against KIND`: playouts with two kinds of patterns in turn, so that a change of
//! the machine's speed meets both alike.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use go_engine::Game;
use go_engine::params::Params as SearchParams;
use go_engine::rng::Rng;
use go_engine::search::{Options, Search};
use go_patterns::knowledge::{self, Library, Patterns};
use go_patterns::params::Params as PatternParams;
use tunables::Table as _;

use crate::output::say;

/// Rounds; each times both kinds once.
const ROUNDS: usize = 41;

/// Measures and prints the median ratio of the speeds by board.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(patterns: Patterns, against: Patterns) -> Result<ExitCode> {
    let library = Arc::new(Library::built_in()?);
    let compare = |side: u8, playouts| {
        let kinds = [patterns, against].map(|kind| {
            let size = kind.size_of_defaults(side);
            let options = Options { params: SearchParams::on(size), ..Options::default() };
            knowledge::search(kind, &library, options, &PatternParams::on(size))
        });
        compare(side, &kinds, playouts)
    };
    say(&format!("heavy playouts a CPU second, medians of {ROUNDS} rounds"))?;
    let (one, other) = (patterns.name(), against.name());
    say(&format!("{:>5} {one:>12} {other:>12} {:>8}", "size", "ratio"))?;
    let report = |size: u8, [one, other, ratio]: [f64; 3]| {
        say(&format!("{size:>5} {one:>12.0} {other:>12.0} {:>7.1}%", 100.0 * ratio))
    };
    report(9, compare(9, 400)?)?;
    report(13, compare(13, 200)?)?;
    report(19, compare(19, 100)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Medians of both speeds and of their ratio, of so many playouts a round.
fn compare(side: u8, kinds: &[Search; 2], playouts: u64) -> Result<[f64; 3]> {
    let game = Game::new(side, side).context("the board is too large")?;
    let mut rng = [Rng::new(1), Rng::new(1)];
    let mut found: [Vec<f64>; 3] = Default::default();
    // The first round only fills the caches.
    for round in 0..=ROUNDS {
        let mut speeds = [0.0; 2];
        for ((speed, search), rng) in speeds.iter_mut().zip(kinds).zip(&mut rng) {
            let start = ThreadTime::now();
            search.evaluate(&game, rng, playouts, &mut |_| ());
            *speed = playouts as f64 / start.elapsed().as_secs_f64().max(1e-9);
        }
        if round > 0 {
            let numbers = [speeds[0], speeds[1], speeds[0] / speeds[1]];
            found.iter_mut().zip(numbers).for_each(|(found, number)| found.push(number));
        }
    }
    Ok(found.map(|mut all| {
        all.sort_unstable_by(f64::total_cmp);
        all[all.len() / 2]
    }))
}
