//! `tesuji bench --against KIND`: playouts with two kinds of patterns in turn, so that a change of
//! the machine's speed meets both alike.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use go_engine::board::{Board, Board9, Board13, Board19};
use go_engine::params::Params;
use go_engine::rng::Rng;
use go_engine::search::Knowledge;
use go_engine::{Color, Site};
use go_patterns::knowledge::{Learned, Library, Patterns};
use go_patterns::params::Params as PatternParams;

/// Rounds; each times both kinds once.
const ROUNDS: usize = 41;

/// Measures and prints the median ratio of the speeds by board.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(patterns: Patterns, against: Patterns) -> Result<ExitCode> {
    let library = Arc::new(Library::built_in()?);
    let params = Params::default();
    let kinds = [patterns, against]
        .map(|kind| Learned::new(kind, Arc::clone(&library), &params, &PatternParams::default()));
    let mut out = std::io::stdout().lock();
    writeln!(out, "heavy playouts a CPU second, medians of {ROUNDS} rounds")?;
    writeln!(out, "{:>5} {:>12} {:>12} {:>8}", "size", patterns.name(), against.name(), "ratio")?;
    let mut report = |size: u8, [one, other, ratio]: [f64; 3]| {
        writeln!(out, "{size:>5} {one:>12.0} {other:>12.0} {:>7.1}%", 100.0 * ratio)
    };
    report(9, compare::<128, 2>(Board9::new(9, 9), &kinds, 400)?)?;
    report(13, compare::<256, 3>(Board13::new(13, 13), &kinds, 200)?)?;
    report(19, compare::<512, 6>(Board19::new(19, 19), &kinds, 100)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Medians of both speeds and of their ratio, of so many playouts a round.
fn compare<const N: usize, const W: usize>(
    empty: Option<Board<N, W>>,
    kinds: &[Learned; 2],
    playouts: u64,
) -> Result<[f64; 3]> {
    let empty = empty.context("the board does not fit its layout")?;
    let mut board = empty.clone();
    let mut moves = Vec::new();
    let mut rng = [Rng::new(1), Rng::new(1)];
    let mut found: [Vec<f64>; 3] = Default::default();
    // The first round only fills the caches.
    for round in 0..=ROUNDS {
        let mut speeds = [0.0; 2];
        for ((speed, knowledge), rng) in speeds.iter_mut().zip(kinds).zip(&mut rng) {
            let start = ThreadTime::now();
            for _ in 0..playouts {
                board.clone_from(&empty);
                moves.clear();
                knowledge.play_out(&mut board, Color::Black, [Site::PASS; 2], rng, &mut moves);
            }
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
